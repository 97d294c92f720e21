/**
 * The example of B3 from machine code to structured IR: `a=0; if(c) goto L1; a=1; goto L2; L1: use(a); L2:`.
 *
 * SSA before structuring knows that L1 is reached with a = 0 only. So `use` sees the constant and the first descriptor,
 * the condition is tested once, and no phi (of the descriptor that one way replaces, or of a) exists.
 */
import { describe, expect, it } from 'vitest';
import type { ComputeDispatch } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { assemble } from '../../../src/main/isa/assemble/index.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import type { IrFunction } from '../../../src/main/recompiler/ir/function.ts';
import { OP, OP_NAMES } from '../../../src/main/recompiler/ir/ops.ts';
import type { ValueId } from '../../../src/main/recompiler/ir/types.ts';
import { lowerProgram } from '../../../src/main/recompiler/lower/program.ts';
import { runPipeline } from '../../../src/main/recompiler/pipeline.ts';
import { structureFunction } from '../../../src/main/recompiler/structure/index.ts';

const CODE = 0x1_0000_0000 as GuestAddress;

// s[4:7] and s[8:11] are descriptors, s0 the condition, s1 is `a`.
const SOURCE = `
  s_mov_b32 s1, 0
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 L1
  s_mov_b32 s1, 1
  s_mov_b64 s[4:5], s[8:9]
  s_mov_b64 s[6:7], s[10:11]
  s_branch L2
L1:
  v_mov_b32_e32 v1, s1
  buffer_store_dword v1, off, s[4:7], 0
L2:
  s_endpgm
`;

function compile(): IrFunction {
  const memory = new GuestMemory();
  const code = assemble(SOURCE, { target: 'gfx1013', waveSize: 64, address: CODE });
  expect(code.diagnostics).toEqual([]);
  memory.map(CODE, 0x1000, READ | EXECUTE);
  memory.pokeBytes(CODE, code.bytes);
  const dispatch: ComputeDispatch = {
    target: 'gfx1013',
    waveSize: 64,
    programAddress: CODE,
    threads: [64, 1, 1],
    groupStart: [0, 0, 0],
    groups: [1, 1, 1],
    partialThreads: [64, 1, 1],
    userSgprs: new Uint32Array(12),
    tgidEnable: [false, false, false],
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
  const program = linkProgram({
    target: 'gfx1013',
    waveSize: 64,
    entry: CODE,
    memory,
    userSgprs: dispatch.userSgprs,
  });
  const { fn } = lowerProgram(program, dispatch, {
    apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
    zeroRegisters: true,
    scratchBytesPerWave: 0,
  });
  runPipeline(fn, { deterministic: true, verify: true });
  return fn;
}

function values(fn: IrFunction, name: string): ValueId[] {
  const found: ValueId[] = [];
  for (let v = 0 as ValueId; v < fn.valueCount; v++)
    if (!fn.isRemoved(v) && OP_NAMES[fn.op[v]!] === name) found.push(v);
  return found;
}

describe('a use behind a jump', () => {
  it('sees the constant and the descriptor of its only way in', () => {
    const fn = compile();
    expect(values(fn, 'phi')).toEqual([]);
    expect(values(fn, 'branch')).toHaveLength(1);
    const [store] = values(fn, 'global.store.u32');
    expect(fn.op[fn.operand(store!, 2)]).toBe(OP.const);
    expect(fn.imm0[fn.operand(store!, 2)]).toBe(0);
    const read = values(fn, 'user.data').map((v) => fn.imm0[v]);
    expect(read.sort()).toEqual([0, 4, 5, 6, 7]);
  });

  it('is one selection after structuring', () => {
    const structured = structureFunction(compile());
    expect(values(structured.fn, 'phi')).toEqual([]);
    expect(values(structured.fn, 'branch')).toHaveLength(1);
  });
});
