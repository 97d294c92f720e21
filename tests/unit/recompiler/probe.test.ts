/**
 * The call probe (A9a) through lowering and passes: two callees in a loop of three turns, wave64 and wave32.
 *
 * Expected by hand: 3 · (5 + 64) = 207. The two additions of the loop are uniform: one scalar operation each, at the
 * callee's own address with its call path; no select, no ballot, no mask is left in the loop.
 */
import { describe, expect, it } from 'vitest';
import type { ComputeDispatch, WaveSize } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import type { IrFunction } from '../../../src/main/recompiler/ir/function.ts';
import { OP, OP_NAMES } from '../../../src/main/recompiler/ir/ops.ts';
import { type BlockId, NO_VALUE, printType, type Type, type ValueId } from '../../../src/main/recompiler/ir/types.ts';
import { type LoweredProgram, lowerProgram } from '../../../src/main/recompiler/lower/program.ts';
import { runPipeline } from '../../../src/main/recompiler/pipeline.ts';
import { interpretDispatch } from '../../support/ir-interpreter.ts';

const MAIN = 0x1_0000_0000;
const A = 0x2_0000_0000;
const B = 0x2_0001_0000;
const OUT = 0x3_0000_0000;

const SOURCE = `
  s_mov_b32 s8, 3
  v_mov_b32_e32 v1, 0
loop:
  s_mov_b64 s[10:11], s[0:1]
  s_swappc_b64 s[14:15], s[10:11]
  s_mov_b64 s[10:11], s[2:3]
  s_swappc_b64 s[14:15], s[10:11]
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 loop
  buffer_store_dword v1, v0, s[4:7], 0 idxen
  s_endpgm
`;

function place(memory: GuestMemory, address: number, text: string, waveSize: WaveSize): void {
  const result = assemble(text, { target: 'gfx1013', waveSize, address: address as GuestAddress });
  expect(result.diagnostics).toEqual([]);
  memory.map(address as GuestAddress, 0x1000, READ | EXECUTE);
  memory.pokeBytes(address as GuestAddress, result.bytes);
}

interface Probe {
  readonly memory: GuestMemory;
  readonly dispatch: ComputeDispatch;
  readonly lowered: LoweredProgram;
}

function probe(waveSize: WaveSize, first: number, second: number): Probe {
  const memory = new GuestMemory();
  place(memory, MAIN, SOURCE, waveSize);
  place(memory, A, 'v_add_nc_u32_e32 v1, 5, v1\ns_setpc_b64 s[14:15]', waveSize);
  place(memory, B, 'v_add_nc_u32_e32 v1, 64, v1\ns_setpc_b64 s[14:15]', waveSize);
  memory.map(OUT as GuestAddress, 0x1000, READ | WRITE);
  const half = (address: number): [number, number] => [address % 2 ** 32, Math.floor(address / 2 ** 32)];
  // 64 records of 4 bytes; OOB_SELECT 0 (structured).
  const descriptor = [OUT % 2 ** 32, Math.floor(OUT / 2 ** 32) | (4 << 16), 64, 0x00016fac];
  const userSgprs = Uint32Array.from([...half(first), ...half(second), ...descriptor]);
  const dispatch: ComputeDispatch = {
    target: 'gfx1013',
    waveSize,
    programAddress: MAIN as GuestAddress,
    threads: [64, 1, 1],
    groupStart: [0, 0, 0],
    groups: [1, 1, 1],
    partialThreads: [64, 1, 1],
    userSgprs,
    tgidEnable: [true, false, false],
    tgSizeEnable: false,
    localIdCount: 1,
    ldsBytes: 0,
    scratchEnable: false,
    scratchBytesPerWave: 0,
    float: { floatMode: 0xc0, dx10Clamp: true, ieee: false, fp16Overflow: false },
    rsrc1: 0,
    rsrc2: 0,
    rsrc3: 0,
  };
  const program = linkProgram({ target: 'gfx1013', waveSize, entry: MAIN as GuestAddress, memory, userSgprs });
  const lowered = lowerProgram(program, dispatch, {
    apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
    zeroRegisters: true,
    scratchBytesPerWave: 0,
  });
  return { memory, dispatch, lowered };
}

/** Values of the block that the loop's branch leads back to. */
function loopValues(fn: IrFunction): ValueId[] {
  for (let b = 0 as BlockId; b < fn.blockCount; b++) {
    if (!fn.successors(b).includes(b)) continue;
    const values: ValueId[] = [];
    for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) values.push(v);
    return values;
  }
  return [];
}

describe('the call probe', () => {
  for (const waveSize of [64, 32] as const) {
    it(`wave${waveSize}: each addition of the loop is one scalar operation`, () => {
      const { lowered } = probe(waveSize, A, B);
      expect(lowered.runnable).toBe(true);
      const { fn } = lowered;
      runPipeline(fn, { deterministic: true, verify: true });
      const loop = loopValues(fn);
      const additions = loop.filter((v) => fn.op[v] === OP['iadd.u32']);
      const places = additions.map((v) => {
        const { address, callPath } = fn.locations[fn.location[v]!]!;
        const path = callPath.map((p) => p.toString(16)).join(' ');
        return `${printType(fn.type[v] as Type)} ${address.toString(16)} ${path} +${fn.imm0[fn.operand(v, 1)]}`;
      });
      expect(places).toEqual([
        's32 200000000 10000000c +5',
        's32 200010000 100000014 +64',
        // The counter: s_sub_u32 s8, s8, 1.
        's32 100000018  +-1',
      ]);
      const kinds = new Set(loop.map((v) => OP_NAMES[fn.op[v]!]!));
      for (const kind of kinds) expect(kind).not.toMatch(/^(select|ballot|inverse|any)/);
      expect(loop.every((v) => !/^(v|m)/.test(printType(fn.type[v] as Type)))).toBe(true);
    });

    it.each([
      ['both callees', A, B, 207],
      ['the first twice', A, A, 30],
      ['the second twice', B, B, 384],
      ['swapped', B, A, 207],
    ])(`wave${waveSize}: %s`, (_, first, second, expected) => {
      const { memory, dispatch, lowered } = probe(waveSize, first, second);
      runPipeline(lowered.fn, { deterministic: true, verify: true });
      const run = interpretDispatch(lowered.fn, dispatch, memory);
      expect(run.faults).toEqual([]);
      const words = new Uint32Array(memory.readBytes(OUT as GuestAddress, 256)!.slice().buffer);
      expect([...words]).toEqual(new Array(64).fill(expected));
    });
  }

  it('a pointer other than the linked one is a fault with the real target, not straight-line code', () => {
    const { memory, dispatch, lowered } = probe(64, A, B);
    runPipeline(lowered.fn, { deterministic: true, verify: true });
    const userSgprs = dispatch.userSgprs.slice();
    userSgprs[0] = 0x30;
    const run = interpretDispatch(lowered.fn, { ...dispatch, userSgprs }, memory);
    expect(run.faults).toEqual([{ reason: 'unexpected-target', lane: -1, address: 0x2_0000_0030 }]);
    expect(memory.loadU32(OUT as GuestAddress)).toBe(0);
  });
});
