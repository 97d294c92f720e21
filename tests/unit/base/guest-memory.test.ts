/** Guest memory: extents, permissions, forks, page borders; a plain byte map is the model of the random test. */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { addressFromHalves, addressHigh32, canonicalAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';

const at = (address: number): GuestAddress => address as GuestAddress;

describe('guest addresses', () => {
  it('drops and restores the sign extension of bit 47', () => {
    const address = addressFromHalves(0x12345678, 0xffff8000);
    expect(address).toBe(0x8000_1234_5678);
    expect(addressHigh32(address)).toBe(0xffff8000);
    expect(canonicalAddress(0xffff_8000_1234_5678n)).toBe(address);
  });
});

describe('guest memory', () => {
  it('reads zeros where mapped and nothing elsewhere', () => {
    const memory = new GuestMemory();
    memory.map(at(0x1800), 16, READ);
    expect(memory.extents).toEqual([{ start: 0x1000, end: 0x2000, permissions: READ }]);
    expect(memory.loadU32(at(0x1ffc))).toBe(0);
    expect(memory.loadU32(at(0x1ffd))).toBeUndefined();
    expect(memory.storeU32(at(0x1000), 1)).toBe(false);
  });

  it('ors permissions of overlapping maps and splits extents', () => {
    const memory = new GuestMemory();
    memory.map(at(0x1000), 0x3000, READ);
    memory.map(at(0x2000), 0x1000, WRITE);
    expect(memory.extents.map((e) => [e.start, e.end, e.permissions])).toEqual([
      [0x1000, 0x2000, 4],
      [0x2000, 0x3000, 6],
      [0x3000, 0x4000, 4],
    ]);
    memory.unmap(at(0x1000), 0x1000);
    expect(memory.loadU8(at(0x1000))).toBeUndefined();
  });

  it('accesses across a page border, whole or not at all', () => {
    const memory = new GuestMemory();
    memory.map(at(0x1000), 0x1000, READ | WRITE);
    memory.map(at(0x2000), 0x1000, READ);
    expect(memory.storeU32(at(0x1ffe), 0xaabbccdd)).toBe(false);
    expect(memory.loadU32(at(0x1ffc))).toBe(0);
    memory.pokeBytes(at(0x1ffe), Uint8Array.of(0xdd, 0xcc, 0xbb, 0xaa));
    expect(memory.loadU32(at(0x1ffe))).toBe(0xaabbccdd);
  });

  it('keeps forks apart in both directions', () => {
    const parent = new GuestMemory();
    parent.map(at(0x1000), 0x2000, READ | WRITE);
    parent.storeU32(at(0x1000), 1);
    const child = parent.fork();
    const grandchild = child.fork();
    child.storeU32(at(0x1000), 2);
    parent.storeU32(at(0x1000), 3);
    expect([parent, child, grandchild].map((m) => m.loadU32(at(0x1000)))).toEqual([3, 2, 1]);
    expect(child.writtenPages()).toEqual([1]);
    expect(grandchild.writtenPages()).toEqual([]);
  });

  it('agrees with a plain byte map under random accesses and forks', () => {
    let state = 7;
    const next = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let memory = new GuestMemory();
    memory.map(at(0x10000), 0x4000, READ | WRITE);
    let model = new Uint8Array(0x4000);
    const saved: [GuestMemory, Uint8Array][] = [];
    for (let step = 0; step < 20_000; step++) {
      const offset = next(0x4000 - 4);
      const address = at(0x10000 + offset);
      const view = new DataView(model.buffer);
      switch (next(6)) {
        case 0:
          memory.storeU32(address, state);
          view.setUint32(offset, state, true);
          break;
        case 1:
          memory.storeU16(address, state & 0xffff);
          view.setUint16(offset, state & 0xffff, true);
          break;
        case 2:
          memory.storeU8(address, state & 0xff);
          view.setUint8(offset, state & 0xff);
          break;
        case 3:
          expect(memory.loadU32(address)).toBe(view.getUint32(offset, true));
          break;
        case 4:
          expect(memory.loadU16(address)).toBe(view.getUint16(offset, true));
          break;
        default:
          if (step % 97 === 0) {
            saved.push([memory, model.slice()]);
            memory = memory.fork();
            model = model.slice();
          }
      }
    }
    for (const [old, bytes] of saved) expect(old.readBytes(at(0x10000), 0x4000)).toEqual(bytes);
  });
});
