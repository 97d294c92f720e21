/**
 * Vector compares of floats: 16 relations of f16, f32 and f64, their v_cmpx forms, gfx7's signalling v_cmps forms (the
 * same results; exceptions are not modelled), and class tests. Masks are written as in valu-compare.ts.
 * Source: Sea Islands, RDNA 1 and RDNA 2 ISA manuals, "VOPC instructions".
 */
import { classifyF16, classifyF32, classifyF64, relationF16, relationF32, relationF64 } from './float/compare.ts';
import { controlF16, controlF32, controlF64 } from './float/float-control.ts';
import type { Handler } from './handler.ts';
import { lanesOf, sourceB16, sourceB32, sourceF16, sourceF32, sourceHigh, sourceLow } from './operands.ts';
import { writeComparison } from './valu-compare.ts';
import { clearMaskBits, setMaskBit } from './valu-lanes.ts';

function compareF32(relations: number, writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const b = sourceF32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = controlF32(wave.mode);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (relationF32(a[lane]!, b[lane]!, control) & relations) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function compareF16(relations: number, writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const b = sourceF16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    const control = controlF16(wave.mode);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (relationF16(a[lane]!, b[lane]!, control) & relations) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function compareF64(relations: number, writesExec: boolean): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const bLow = sourceLow(wave, inst, 1, 'f64');
    const bHigh = sourceHigh(wave, inst, 1, 'f64');
    const lanes = lanesOf(wave, inst);
    const control = controlF64(wave.mode);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (relationF64(aLow[lane]!, aHigh[lane]!, bLow[lane]!, bHigh[lane]!, control) & relations) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function classF32(writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceF32(wave, inst, 0);
    const classes = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (classifyF32(a[lane]!) & classes[lane]!) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function classF16(writesExec: boolean): Handler {
  return (wave, inst) => {
    const a = sourceF16(wave, inst, 0);
    const classes = sourceB16(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (classifyF16(a[lane]!) & classes[lane]!) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

function classF64(writesExec: boolean): Handler {
  return (wave, inst) => {
    const aLow = sourceLow(wave, inst, 0, 'f64');
    const aHigh = sourceHigh(wave, inst, 0, 'f64');
    const classes = sourceB32(wave, inst, 1);
    const lanes = lanesOf(wave, inst);
    clearMaskBits();
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      if (classifyF64(aLow[lane]!, aHigh[lane]!) & classes[lane]!) setMaskBit(lane);
    }
    writeComparison(wave, inst, writesExec);
  };
}

/** In the order of the opcodes' low four bits, which are the sets of relations (float/compare.ts). */
const RELATIONS = [
  'f',
  'lt',
  'eq',
  'le',
  'gt',
  'lg',
  'ge',
  'o',
  'u',
  'nge',
  'nlg',
  'ngt',
  'nle',
  'neq',
  'nlt',
  'tru',
] as const;
type Relation = (typeof RELATIONS)[number];
type Names<Prefix extends string, Type extends string> = `${Prefix}_${Relation}_${Type}`;

function family<Prefix extends string, Type extends string>(
  prefix: Prefix,
  type: Type,
  make: (relations: number) => Handler,
): Record<Names<Prefix, Type>, Handler> {
  const out = {} as Record<Names<Prefix, Type>, Handler>;
  RELATIONS.forEach((name, relations) => {
    out[`${prefix}_${name}_${type}`] = make(relations);
  });
  return out;
}

export const VALU_COMPARE_FLOAT = {
  ...family('v_cmp', 'f32', (relations) => compareF32(relations, false)),
  ...family('v_cmpx', 'f32', (relations) => compareF32(relations, true)),
  ...family('v_cmps', 'f32', (relations) => compareF32(relations, false)),
  ...family('v_cmpsx', 'f32', (relations) => compareF32(relations, true)),
  ...family('v_cmp', 'f64', (relations) => compareF64(relations, false)),
  ...family('v_cmpx', 'f64', (relations) => compareF64(relations, true)),
  ...family('v_cmps', 'f64', (relations) => compareF64(relations, false)),
  ...family('v_cmpsx', 'f64', (relations) => compareF64(relations, true)),
  ...family('v_cmp', 'f16', (relations) => compareF16(relations, false)),
  ...family('v_cmpx', 'f16', (relations) => compareF16(relations, true)),
  v_cmp_class_f32: classF32(false),
  v_cmpx_class_f32: classF32(true),
  v_cmp_class_f16: classF16(false),
  v_cmpx_class_f16: classF16(true),
  v_cmp_class_f64: classF64(false),
  v_cmpx_class_f64: classF64(true),
} satisfies Record<string, Handler>;
