/** Memory of two engines after the same dispatch: every word counts, but those that an expectation leaves open. */
import { expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, PAGE_SIZE, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';
import { compareMemories, freeWords } from '../../../src/main/session/verdict.ts';

const AT = 0x1000 as GuestAddress;

function memoryWith(word: number, value: number): GuestMemory {
  const memory = new GuestMemory();
  memory.map(AT, PAGE_SIZE, READ | WRITE);
  memory.pokeBytes((AT + 4 * word) as GuestAddress, Uint8Array.of(value));
  return memory;
}

function captureLeavingOpen(firstWord: number, event: number) {
  const builder = new CaptureBuilder({ target: 'gfx1013', producer: 'test', title: 'open words' });
  builder.map(AT, PAGE_SIZE, READ | WRITE);
  const exceptions = [
    { firstWord, words: 2, type: 'u32', bound: 'any', reason: 'any wave may be first' },
    { firstWord: 0, words: 1, type: 'f32', bound: 1, reason: 'approximate' },
  ] as const;
  builder.expect({ kind: 'memory', event, address: AT, bytes: new Uint8Array(64), source: 'test', exceptions });
  const open = openCaptureBytes(builder.build());
  if (!open.ok) throw new Error('the capture cannot be opened');
  return open.value;
}

it('finds a word that differs', () => {
  expect(compareMemories(memoryWith(3, 1), memoryWith(3, 2))).toEqual({
    words: PAGE_SIZE / 4,
    differing: 1,
    first: { address: AT + 12, left: 1, right: 2 },
  });
});

it('leaves out open words, and no others', () => {
  const free = freeWords(captureLeavingOpen(3, 0), 0);
  expect([...free]).toEqual([AT + 12, AT + 16]);
  for (const [word, differing] of [
    [0, 1],
    [2, 1],
    [3, 0],
    [4, 0],
    [5, 1],
  ] as const)
    expect(compareMemories(memoryWith(word, 1), memoryWith(word, 2), free).differing).toBe(differing);
});

it('keeps words open for later dispatches, not for earlier ones', () => {
  const open = captureLeavingOpen(3, 1);
  expect(freeWords(open, 0).size).toBe(0);
  expect(freeWords(open, 2).size).toBe(2);
});
