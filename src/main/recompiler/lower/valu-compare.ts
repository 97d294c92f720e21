/**
 * Vector compares: v_cmp writes a mask (inactive lanes 0), v_cmpx writes EXEC: on gfx10 EXEC only, on gfx7 the mask
 * register as well. Signalling forms (gfx7 v_cmps) compute the same.
 *
 * The sixteen float conditions are an ordered comparison, its negation, or a NaN test.
 * Source: RDNA 1 and 2 ISA manuals, "VOPC instructions"; Sea Islands manual, section 12.9.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import type { FloatSize } from './float-mode.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';
import {
  source64,
  sourceB16,
  sourceB32,
  sourceFloat,
  sourceI16,
  sourceRawF16,
  sourceRawF32,
  writeLaneMask,
  writtenLanes,
} from './vector-operands.ts';

type Condition = (l: Lowering) => ValueId;

/** How a condition follows from one comparison. */
interface Test {
  readonly op: 'eq' | 'lt' | 'le' | 'lg' | 'ord' | 'false' | 'true';
  readonly swap?: boolean;
  readonly negate?: boolean;
}

const FLOAT_TESTS = {
  f: { op: 'false' },
  lt: { op: 'lt' },
  eq: { op: 'eq' },
  le: { op: 'le' },
  gt: { op: 'lt', swap: true },
  lg: { op: 'lg' },
  ge: { op: 'le', swap: true },
  o: { op: 'ord' },
  u: { op: 'ord', negate: true },
  nge: { op: 'le', swap: true, negate: true },
  nlg: { op: 'lg', negate: true },
  ngt: { op: 'lt', swap: true, negate: true },
  nle: { op: 'le', negate: true },
  neq: { op: 'eq', negate: true },
  nlt: { op: 'lt', negate: true },
  tru: { op: 'true' },
} as const satisfies Record<string, Test>;

const INTEGER_TESTS = {
  f: { op: 'false' },
  lt: { op: 'lt' },
  eq: { op: 'eq' },
  le: { op: 'le' },
  gt: { op: 'lt', swap: true },
  ne: { op: 'eq', negate: true },
  ge: { op: 'le', swap: true },
  t: { op: 'true' },
} as const satisfies Record<string, Test>;

const INTEGER_TESTS_16 = {
  lt: INTEGER_TESTS.lt,
  eq: INTEGER_TESTS.eq,
  le: INTEGER_TESTS.le,
  gt: INTEGER_TESTS.gt,
  ne: INTEGER_TESTS.ne,
  ge: INTEGER_TESTS.ge,
};

type FloatTest = keyof typeof FLOAT_TESTS;
type IntegerTest = keyof typeof INTEGER_TESTS;
type IntegerTest16 = keyof typeof INTEGER_TESTS_16;

function applyTest(l: Lowering, test: Test, compare: (swap: boolean) => ValueId): ValueId {
  if (test.op === 'false' || test.op === 'true') return l.b.bool(test.op === 'true');
  const result = compare(test.swap ?? false);
  return test.negate ? l.b.emit1('not.1', result) : result;
}

const floatCondition =
  (size: FloatSize, test: Test): Condition =>
  (l) =>
    applyTest(l, test, (swap) => {
      const a = sourceFloat(l, swap ? 1 : 0, size);
      const b = sourceFloat(l, swap ? 0 : 1, size);
      return l.b.emit2(`fcmp.${test.op as 'eq' | 'lt' | 'le' | 'lg' | 'ord'}.${size}`, a, b);
    });

type IntegerSize = 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64';

function integerSource(l: Lowering, slot: number, size: IntegerSize): ValueId {
  switch (size) {
    case 'i16':
      return sourceI16(l, slot);
    case 'u16':
      return sourceB16(l, slot);
    case 'i32':
    case 'u32':
      return sourceB32(l, slot);
    case 'i64':
      return source64(l, slot, 'i64');
    case 'u64':
      return source64(l, slot, 'b64');
  }
}

const integerCondition =
  (size: IntegerSize, test: Test): Condition =>
  (l) =>
    applyTest(l, test, (swap) => {
      const a = integerSource(l, swap ? 1 : 0, size);
      const b = integerSource(l, swap ? 0 : 1, size);
      const wide = size === 'i64' || size === 'u64';
      const signed = size.startsWith('i');
      let op: OpName;
      if (test.op === 'eq') op = wide ? 'icmp.eq.u64' : 'icmp.eq.u32';
      else if (test.op === 'lt')
        op = wide ? (signed ? 'icmp.slt.i64' : 'icmp.ult.u64') : signed ? 'icmp.slt.i32' : 'icmp.ult.u32';
      else op = wide ? (signed ? 'icmp.sle.i64' : 'icmp.ule.u64') : signed ? 'icmp.sle.i32' : 'icmp.ule.u32';
      return l.b.emit2(op, a, b);
    });

/** The class test sees denormals whatever the mode. */
const classCondition =
  (size: FloatSize): Condition =>
  (l) => {
    const value = size === 'f64' ? source64(l, 0, 'f64') : size === 'f32' ? sourceRawF32(l, 0) : sourceRawF16(l, 0);
    return l.b.emit2(`fclass.${size}`, value, sourceB32(l, 1));
  };

const writesMask =
  (condition: Condition): Lower =>
  (l) =>
    writeLaneMask(l, l.i.dst, condition(l));

const writesExec =
  (condition: Condition): Lower =>
  (l) => {
    const mask = l.ballot(l.b.emit2('and.1', condition(l), writtenLanes(l)));
    if (!l.gfx10) l.writeMaskScalar(l.i.dst, mask);
    l.writeMaskScalar(OPERAND.EXEC_LO, mask);
  };

type Rows<Prefix extends string, Tests extends string, Size extends string> = Record<
  `${Prefix}_${Tests}_${Size}`,
  Lower
>;

function rows<Prefix extends string, Tests extends string, Size extends string>(
  prefix: Prefix,
  size: Size,
  tests: Readonly<Record<Tests, Test>>,
  condition: (size: Size, test: Test) => Condition,
): Rows<Prefix, Tests, Size> {
  const write = prefix.includes('x') ? writesExec : writesMask;
  const entries = (Object.keys(tests) as Tests[]).map((name) => [
    `${prefix}_${name}_${size}`,
    write(condition(size, tests[name])),
  ]);
  return Object.fromEntries(entries) as Rows<Prefix, Tests, Size>;
}

const float = <P extends string, S extends FloatSize>(prefix: P, size: S): Rows<P, FloatTest, S> =>
  rows(prefix, size, FLOAT_TESTS, floatCondition);
const integer = <P extends string, S extends IntegerSize>(prefix: P, size: S): Rows<P, IntegerTest, S> =>
  rows(prefix, size, INTEGER_TESTS, integerCondition);
const integer16 = <P extends string, S extends IntegerSize>(prefix: P, size: S): Rows<P, IntegerTest16, S> =>
  rows(prefix, size, INTEGER_TESTS_16, integerCondition);

export const VALU_COMPARE = {
  ...float('v_cmp', 'f16'),
  ...float('v_cmp', 'f32'),
  ...float('v_cmp', 'f64'),
  ...float('v_cmpx', 'f16'),
  ...float('v_cmpx', 'f32'),
  ...float('v_cmpx', 'f64'),
  ...float('v_cmps', 'f32'),
  ...float('v_cmps', 'f64'),
  ...float('v_cmpsx', 'f32'),
  ...float('v_cmpsx', 'f64'),
  ...integer16('v_cmp', 'i16'),
  ...integer16('v_cmp', 'u16'),
  ...integer16('v_cmpx', 'i16'),
  ...integer16('v_cmpx', 'u16'),
  ...integer('v_cmp', 'i32'),
  ...integer('v_cmp', 'u32'),
  ...integer('v_cmp', 'i64'),
  ...integer('v_cmp', 'u64'),
  ...integer('v_cmpx', 'i32'),
  ...integer('v_cmpx', 'u32'),
  ...integer('v_cmpx', 'i64'),
  ...integer('v_cmpx', 'u64'),
  v_cmp_class_f16: writesMask(classCondition('f16')),
  v_cmp_class_f32: writesMask(classCondition('f32')),
  v_cmp_class_f64: writesMask(classCondition('f64')),
  v_cmpx_class_f16: writesExec(classCondition('f16')),
  v_cmpx_class_f32: writesExec(classCondition('f32')),
  v_cmpx_class_f64: writesExec(classCondition('f64')),
} satisfies Partial<Record<Mnemonic, Entry>>;
