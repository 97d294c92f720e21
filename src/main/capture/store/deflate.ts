/** Raw DEFLATE for the encoder, which is pure and takes it as an option. */
import zlib from 'node:zlib';

export function deflateRaw(bytes: Uint8Array): Uint8Array {
  return zlib.deflateRawSync(bytes, { level: 6 });
}
