/** Stored payload bytes → the bytes they stand for, checked against the announced size and CRC. */
import { atFile, diagnostic } from '../../base/diagnostics.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { crc32 } from './crc32.ts';
import { inflateRaw } from './inflate.ts';
import type { PayloadRef } from './model.ts';

export function decodePayload(ref: PayloadRef, stored: Uint8Array): Result<Uint8Array> {
  const where = atFile(ref.fileOffset);
  const bytes = ref.encoding === 'stored' ? stored : inflateRaw(stored, ref.size);
  if (!bytes) {
    const text = `payload of ${ref.storedSize} bytes does not inflate to the announced ${ref.size}`;
    return fail([diagnostic('CAP008', 'badInput', text, where)]);
  }
  if (ref.crc32 !== undefined && crc32(bytes) !== ref.crc32) {
    return fail([diagnostic('CAP008', 'badInput', `payload of ${ref.size} bytes fails its CRC`, where)]);
  }
  return ok(bytes);
}
