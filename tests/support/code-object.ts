/**
 * A small reader of AMD code objects for tests: loaded segments, symbols and kernel descriptors, independent of the
 * importer under src/. Layout: ELF64, LLVM's AMDGPU usage guide ("kernel descriptor").
 */
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, type GuestMemory, READ, WRITE } from '../../src/main/base/guest-memory.ts';

export interface TestCodeObject {
  readonly symbols: ReadonlyMap<string, GuestAddress>;
  kernel(name: string): {
    readonly entry: GuestAddress;
    readonly wave32: boolean;
    readonly userSgprs: readonly string[];
  };
}

/** Names of user SGPRs in order, by bit of the descriptor's properties; lengths in SGPRs. */
const USER_SGPRS: readonly (readonly [string, number])[] = [
  ['scratch', 4],
  ['dispatchPointer', 2],
  ['queuePointer', 2],
  ['kernarg', 2],
  ['dispatchId', 2],
  ['flatScratch', 2],
  ['privateSize', 1],
];

export function loadCodeObject(file: Uint8Array, base: number, memory: GuestMemory): TestCodeObject {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const u64 = (at: number): number => Number(view.getBigUint64(at, true));
  const programs = u64(32);
  for (let i = 0; i < view.getUint16(56, true); i++) {
    const at = programs + 56 * i;
    if (view.getUint32(at, true) !== 1) continue;
    const address = (base + u64(at + 16)) as GuestAddress;
    memory.map(address, u64(at + 40), READ | WRITE | EXECUTE);
    memory.pokeBytes(address, file.subarray(u64(at + 8), u64(at + 8) + u64(at + 32)));
  }
  const sections = u64(40);
  const symbols = new Map<string, GuestAddress>();
  for (let i = 0; i < view.getUint16(60, true); i++) {
    const at = sections + 64 * i;
    const type = view.getUint32(at + 4, true);
    if (type !== 2 && type !== 11) continue;
    const strings = u64(sections + 64 * view.getUint32(at + 40, true) + 24);
    for (let s = u64(at + 24); s < u64(at + 24) + u64(at + 32); s += 24) {
      const start = strings + view.getUint32(s, true);
      const name = new TextDecoder().decode(file.subarray(start, file.indexOf(0, start)));
      if (name) symbols.set(name, (base + u64(s + 8)) as GuestAddress);
    }
  }
  return {
    symbols,
    kernel(name) {
      const at = symbols.get(`${name}.kd`)!;
      const bytes = memory.peekBytes(at, 64)!;
      const descriptor = new DataView(bytes.buffer);
      const properties = descriptor.getUint16(56, true);
      const userSgprs = USER_SGPRS.flatMap(([what, count], bit) =>
        (properties >> bit) & 1 ? Array.from({ length: count }, (_, n) => `${what}${n}`) : [],
      );
      return {
        entry: (at + Number(descriptor.getBigInt64(16, true))) as GuestAddress,
        wave32: ((properties >> 10) & 1) === 1,
        userSgprs,
      };
    },
  };
}
