/** Random access to a file's bytes, as the decoder needs it: a file, an array in memory, a blob. */
export interface ByteSource {
  readonly size: number;
  /**
   * Exactly `length` bytes; undefined when the medium fails. The caller has checked the range against `size`.
   * The result must not be written to and stays valid.
   */
  read(offset: number, length: number): Uint8Array | undefined;
}

export function byteSourceOf(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
