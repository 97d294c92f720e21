/**
 * Moves between registers whose numbers come from M0.
 *
 * SSA has no registers to index, so a read chooses among the registers that may be meant, by their numbers, and a write is
 * a conditional write of each. The number is the same for all lanes, and registers that nothing wrote are one value, so a
 * read costs a choice for each register that holds something; of writes only what is read later remains.
 *
 * VGPRs that may be meant: those that the wave has by COMPUTE_PGM_RSRC1, and all that the program names. A number beyond
 * them, or a write to VCC, M0 or EXEC by number, ends the wave with a fault that says so (`register-range`).
 * Numbers as in the reference: VGPRs modulo 256; from 128 on the first SGPR instead.
 * Source: RDNA 1 ISA manual, "S_MOVRELS_B32" and following, "V_MOVRELD_B32" to "V_SWAPREL_B32".
 */
import { allocatedVgprs, type ComputeDispatch } from '../../base/dispatch.ts';
import { OPERAND } from '../../isa/operands.ts';
import { forEachDef, forEachUse, type VisitRegister } from '../../isa/registers-used.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { Program } from '../../program/program.ts';
import { FAULT, OP } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { Entry, Lower, Lowering, LoweringOptions } from './lowering.ts';
import { sourceB32 } from './vector-operands.ts';

/** Numbers of the scalar file, and of those in it that relative writes reach: s0…s105. */
const SCALARS = 128;
const WRITTEN_SCALARS = 106;

const m0 = (l: Lowering): ValueId => l.readScalar(OPERAND.M0);
/** `_2` forms: M0[9:0] for the source, M0[25:16] for the destination. */
const m0Source = (l: Lowering): ValueId => l.b.emit3('ubfe.u32', m0(l), l.b.u32(0), l.b.u32(10));
const m0Destination = (l: Lowering): ValueId => l.b.emit3('ubfe.u32', m0(l), l.b.u32(16), l.b.u32(10));

const isNumber = (l: Lowering, number: ValueId, n: number): ValueId => l.b.emit2('icmp.eq.u32', number, l.b.u32(n));

/** The value of the register with that number; `numbers` holds all that it can be. */
function choose(l: Lowering, number: ValueId, numbers: readonly number[], read: (n: number) => ValueId): ValueId {
  const { fn } = l;
  if (fn.isConstant(number) && numbers.includes(fn.imm0[number]!)) return read(fn.imm0[number]!);
  const values = numbers.map(read);
  // What most registers hold, nothing, needs no choice.
  const common = values.find((v) => fn.op[v] === OP.const || fn.op[v] === OP.undef) ?? values[0]!;
  return values.reduce(
    (rest, value, i) => (value === common ? rest : l.b.select(isNumber(l, number, numbers[i]!), value, rest)),
    common,
  );
}

/** The wave ends when `isBad`; `fine` is a number that is not bad. */
function refuseNumber(l: Lowering, isBad: ValueId, number: ValueId, fine: number): void {
  const expected = l.b.u32(fine);
  const actual = l.b.select(isBad, number, expected);
  if (actual !== expected) l.b.emit2('check.equal.32', actual, expected, FAULT['register-range']);
}

/** Numbers of VGPRs that relative moves may reach, ascending: allocated, named by the program, given or watched. */
export function reachableVgprs(program: Program, dispatch: ComputeDispatch, options: LoweringOptions): number[] {
  const found = new Set(options.given?.vgprs);
  for (let n = 0; n < allocatedVgprs(dispatch); n++) found.add(n);
  const visit: VisitRegister = (code, dwords) => {
    for (let i = 0; i < dwords; i++) if (code + i >= OPERAND.VGPR0) found.add((code + i - OPERAND.VGPR0) & 255);
  };
  for (const tap of options.taps ?? []) visit(tap, 1);
  for (const block of program.blocks) {
    for (const { instruction } of block.instructions) {
      forEachDef(instruction, program.waveSize, program.target, visit);
      forEachUse(instruction, program.waveSize, program.target, visit);
    }
  }
  return [...found].sort((a, b) => a - b);
}

// ── VGPRs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Number of the register `code` + `offset`, checked. */
function vectorNumber(l: Lowering, code: number, offset: ValueId): ValueId {
  const { b } = l;
  const sum = b.emit2('iadd.u32', b.u32(code - OPERAND.VGPR0), offset);
  const number = b.emit2('and.u32', sum, b.u32(255));
  const numbers = l.relativeVgprs();
  const gaps = numberGaps(numbers);
  if (gaps.length === 0) return number;
  const outside = gaps.map(([first, last]) =>
    b.emit2('icmp.ule.u32', b.emit2('isub.u32', number, b.u32(first)), b.u32(last - first)),
  );
  const isOutside = outside.reduce((any, one) => b.emit2('or.1', any, one));
  // Without an active lane nothing is moved.
  const isMoved = b.emit1('any', l.active());
  refuseNumber(l, b.emit2('and.1', isOutside, isMoved), number, numbers[0]!);
  return number;
}

/** Stretches of 0…255 that an ascending list leaves out. */
function numberGaps(numbers: readonly number[]): (readonly [first: number, last: number])[] {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const n of [...numbers, 256]) {
    if (n > next) gaps.push([next, n - 1]);
    next = n + 1;
  }
  return gaps;
}

function readVgpr(l: Lowering, number: ValueId): ValueId {
  return choose(l, number, l.relativeVgprs(), (n) => l.readVector(OPERAND.VGPR0 + n));
}

function writeVgpr(l: Lowering, number: ValueId, value: ValueId): void {
  const active = l.active();
  for (const n of l.relativeVgprs())
    l.writeVectorMasked(OPERAND.VGPR0 + n, value, l.b.emit2('and.1', active, isNumber(l, number, n)));
}

/** SDWA and DPP forms exist, but what they select and move there is not documented. */
const plain =
  (lower: Lower): Lower =>
  (l) => {
    const { encoding } = l.i;
    if (encoding === 'sdwa' || encoding === 'dpp16' || encoding === 'dpp8')
      l.refuse('registers relative to M0 are not compiled with SDWA or DPP');
    else lower(l);
  };

const none = (l: Lowering): ValueId => l.b.u32(0);

const moveVector = (source: (l: Lowering) => ValueId, destination: (l: Lowering) => ValueId): Lower =>
  plain((l) => {
    const to = vectorNumber(l, l.i.dst, destination(l));
    writeVgpr(l, to, readVgpr(l, vectorNumber(l, l.i.src0, source(l))));
  });

export const VECTOR_RELATIVE = {
  v_movreld_b32: plain((l) => writeVgpr(l, vectorNumber(l, l.i.dst, m0(l)), sourceB32(l, 0))),
  v_movrels_b32: moveVector(m0, none),
  v_movrelsd_b32: moveVector(m0, m0),
  v_movrelsd_2_b32: moveVector(m0Source, m0Destination),
  v_swaprel_b32: plain((l) => {
    const x = vectorNumber(l, l.i.dst, m0Destination(l));
    const y = vectorNumber(l, l.i.src0, m0Source(l));
    const [oldX, oldY] = [readVgpr(l, x), readVgpr(l, y)];
    writeVgpr(l, x, oldY);
    writeVgpr(l, y, oldX);
  }),
} satisfies Partial<Record<Mnemonic, Entry>>;

// ── SGPRs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Number of the register `code` + `offset`: outside the scalar file the first. */
function scalarNumber(l: Lowering, code: number, offset: ValueId): ValueId {
  const { b } = l;
  const last = SCALARS - 1 - code;
  if (last < 0) return b.u32(0);
  const isInside = b.emit2('icmp.ule.u32', offset, b.u32(last));
  return b.select(isInside, b.emit2('iadd.u32', b.u32(code), offset), b.u32(0));
}

const ALL_SCALARS = Array.from({ length: SCALARS }, (_, n) => n);

/** `half` 1: the upper one of the pair that begins there. */
function readSgpr(l: Lowering, number: ValueId, half: 0 | 1 = 0): ValueId {
  const read = (n: number): ValueId =>
    n === OPERAND.NULL && l.gfx10 ? l.b.u32(0) : l.readScalar((n + half) % SCALARS);
  return choose(l, number, ALL_SCALARS, read);
}

function writeSgprs(l: Lowering, number: ValueId, values: readonly ValueId[]): void {
  const { b } = l;
  const last = WRITTEN_SCALARS - values.length;
  refuseNumber(l, b.emit2('icmp.ult.u32', b.u32(last), number), number, 0);
  for (let n = 0; n < WRITTEN_SCALARS; n++) {
    const parts = values.map((value, i) => [n - i, value] as const).filter(([first]) => first >= 0 && first <= last);
    const written = parts.reduce((old, [first, v]) => b.select(isNumber(l, number, first), v, old), l.readScalar(n));
    l.writeScalar(n, written);
  }
}

export const SCALAR_RELATIVE = {
  s_movrels_b32: (l) => l.writeScalar(l.i.dst, readSgpr(l, scalarNumber(l, l.i.src0, m0(l)))),
  s_movrels_b64: (l) => {
    const number = scalarNumber(l, l.i.src0, m0(l));
    l.writeScalar64(l.i.dst, l.b.emit2('pack.64', readSgpr(l, number), readSgpr(l, number, 1)));
  },
  s_movreld_b32: (l) => writeSgprs(l, scalarNumber(l, l.i.dst, m0(l)), [l.scalar32(0)]),
  s_movreld_b64: (l) => {
    const value = l.scalar64(0);
    const halves = [l.b.emit1('lo.64', value), l.b.emit1('hi.64', value)];
    writeSgprs(l, scalarNumber(l, l.i.dst, m0(l)), halves);
  },
  s_movrelsd_2_b32: (l) => {
    const value = readSgpr(l, scalarNumber(l, l.i.src0, m0Source(l)));
    writeSgprs(l, scalarNumber(l, l.i.dst, m0Destination(l)), [value]);
  },
} satisfies Partial<Record<Mnemonic, Entry>>;
