/**
 * Vector compares of integers, and how every compare writes its mask.
 *
 * The mask gets 0 for lanes that are not active. v_cmpx: on gfx7 the mask goes to its destination *and* to EXEC; gfx10
 * writes EXEC only. Source: Sea Islands and RDNA 1 ISA manuals, "VOPC instructions".
 */
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import type { Handler } from './handler.ts';
import { lanesOf, sourceB16, sourceB32, sourceHigh, sourceLow, writeMask } from './operands.ts';
import { clearMaskBits, maskBits, setMaskBit, signed16 } from './valu-lanes.ts';
import type { Wave } from './wave.ts';

/** Writes the bits collected in `maskBits` as the result of a compare. */
export function writeComparison(wave: Wave, inst: Instruction, writesExec: boolean): void {
  if (!writesExec || !wave.gfx10) writeMask(wave, inst.dst, maskBits.low, maskBits.high);
  if (writesExec) writeMask(wave, OPERAND.EXEC_LO, maskBits.low, maskBits.high);
}

type Test = (a: number, b: number) => boolean;

function compare32(test: Test, writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceB32(wave, inst, 0);
    const b = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (test(a[lane]!, b[lane]!)) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function compare16(test: Test, writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceB16(wave, inst, 0);
    const b = sourceB16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (test(a[lane]!, b[lane]!)) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

/** −1, 0 or 1 for the order of two 64-bit values; the test then sees that against 0. */
function compare64(test: Test, signed: boolean, writesExec: boolean): Handler {
  const type = signed ? 'i64' : 'b64';
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, type);
    const aHigh = sourceHigh(wave, inst, 0, type);
    const bLow = sourceLow(wave, inst, 1, type);
    const bHigh = sourceHigh(wave, inst, 1, type);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      const x = signed ? aHigh[lane]! | 0 : aHigh[lane]!;
      const y = signed ? bHigh[lane]! | 0 : bHigh[lane]!;
      const order = x !== y ? (x < y ? -1 : 1) : Math.sign(aLow[lane]! - bLow[lane]!);
      if (test(order, 0)) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

const tests = {
  f: () => false,
  lt: (a, b) => a < b,
  eq: (a, b) => a === b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ne: (a, b) => a !== b,
  ge: (a, b) => a >= b,
  t: () => true,
} satisfies Record<string, Test>;

type TestName = keyof typeof tests;
type Names<Type extends string, Which extends TestName = TestName> =
  | `v_cmp_${Which}_${Type}`
  | `v_cmpx_${Which}_${Type}`;
/** The 16-bit compares have no constant forms. */
type Ordered = Exclude<TestName, 'f' | 't'>;

/** v_cmp_* and v_cmpx_* of one type. */
function family<Type extends string, Which extends TestName>(
  type: Type,
  which: readonly Which[],
  make: (test: Test, writesExec: boolean) => Handler,
): Record<Names<Type, Which>, Handler> {
  const out = {} as Record<Names<Type, Which>, Handler>;
  for (const name of which) {
    out[`v_cmp_${name}_${type}`] = make(tests[name], false);
    out[`v_cmpx_${name}_${type}`] = make(tests[name], true);
  }
  return out;
}

const ALL: readonly TestName[] = ['f', 'lt', 'eq', 'le', 'gt', 'ne', 'ge', 't'];
const ORDERED: readonly Ordered[] = ['lt', 'eq', 'le', 'gt', 'ne', 'ge'];

export const VALU_COMPARE_INT = {
  ...family('i32', ALL, (test, exec) => compare32((a, b) => test(a | 0, b | 0), exec)),
  ...family('u32', ALL, compare32),
  ...family('i64', ALL, (test, exec) => compare64(test, true, exec)),
  ...family('u64', ALL, (test, exec) => compare64(test, false, exec)),
  ...family('i16', ORDERED, (test, exec) => compare16((a, b) => test(signed16(a), signed16(b)), exec)),
  ...family('u16', ORDERED, compare16),
} satisfies Record<string, Handler>;
