/** Links code that stands alone: words at an address, with nothing else in memory. */
import type { Target, WaveSize } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../base/guest-memory.ts';
import { linkProgram } from '../program/link-program.ts';
import type { Program } from '../program/program.ts';

export function memoryWithCode(words: Uint32Array, address: GuestAddress): GuestMemory {
  const memory = new GuestMemory();
  memory.map(address, Math.max(4 * words.length, 4), READ | EXECUTE);
  memory.pokeBytes(address, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  return memory;
}

/** User data counts as unknown: calls through it are shown as deferred. */
export function linkCode(words: Uint32Array, address: GuestAddress, target: Target, waveSize: WaveSize): Program {
  return linkProgram({ target, waveSize, entry: address, memory: memoryWithCode(words, address) });
}
