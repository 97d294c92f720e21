/**
 * Atomics on guest memory: buffer, flat, global and (gfx1013) scalar forms of one list of operations.
 *
 * Vector forms give the old value when `dst` is present (glc). cmpswap takes the new value from the first data
 * registers and the comparand from those after them. Out of range: nothing happens and the old value is 0.
 * Scalar forms act once per wave and return the old value in the data registers.
 * Source: Sea Islands and RDNA 1 ISA manuals, "BUFFER_ATOMIC_*", "FLAT_ATOMIC_*"; LLVM for the scalar encodings.
 */
import type { Instruction } from '../isa/instruction.ts';
import { ATOMIC_32, ATOMIC_64, type Atomic32, type Atomic64 } from './atomic-operations.ts';
import { bufferAccess } from './buffer-access.ts';
import { decodeBufferDescriptor } from './descriptor.ts';
import { flatAccess } from './flat-access.ts';
import type { Handler } from './handler.ts';
import { atomic32, atomic64, type LaneAccess } from './lane-access.ts';
import { scalar32, sourceCode } from './operands.ts';
import { pair } from './salu-64.ts';
import { scalarBase, scalarOffset } from './smem.ts';
import type { Wave } from './wave.ts';

const PLAIN = [
  'swap',
  'cmpswap',
  'add',
  'sub',
  'smin',
  'umin',
  'smax',
  'umax',
  'and',
  'or',
  'xor',
  'inc',
  'dec',
] as const;
const FLOATS = ['fcmpswap', 'fmin', 'fmax'] as const;
type Plain = (typeof PLAIN)[number];
type Any = Plain | (typeof FLOATS)[number];

function isCompareSwap(name: string): boolean {
  return name === 'cmpswap' || name === 'fcmpswap';
}

type VectorNames<Prefix extends string> = `${Prefix}_atomic_${Any | 'csub'}` | `${Prefix}_atomic_${Any}_x2`;

/** `slot` names the data operand; the comparand follows the data. */
function vectorForms<Prefix extends string>(
  prefix: Prefix,
  access: LaneAccess,
  slot: number,
): Record<VectorNames<Prefix>, Handler> {
  const none = () => -1;
  const after = (dwords: number) => (inst: Instruction) => sourceCode(inst, slot) + dwords;
  const out: Record<string, Handler> = {
    [`${prefix}_atomic_csub`]: atomic32(access, ATOMIC_32.csub, slot, none),
  };
  for (const name of [...PLAIN, ...FLOATS]) {
    out[`${prefix}_atomic_${name}`] = atomic32(access, ATOMIC_32[name], slot, isCompareSwap(name) ? after(1) : none);
    out[`${prefix}_atomic_${name}_x2`] = atomic64(access, ATOMIC_64[name], slot, isCompareSwap(name) ? after(2) : none);
  }
  return out as Record<VectorNames<Prefix>, Handler>;
}

/** Where a scalar atomic acts, or undefined when a buffer's bounds exclude it. */
type ScalarPlace = (wave: Wave, inst: Instruction, sizeBytes: number) => number | undefined;

const scalarAddress: ScalarPlace = (wave, inst) => scalarBase(wave, inst) + scalarOffset(wave, inst);

const scalarBuffer: ScalarPlace = (wave, inst, sizeBytes) => {
  const { base, numRecords, strideBytes } = decodeBufferDescriptor(wave, inst, inst.src0);
  const offset = scalarOffset(wave, inst);
  if (offset < 0 || offset + sizeBytes > numRecords * Math.max(strideBytes, 1)) return undefined;
  return base - (base % 4) + offset;
};

function scalar32Form(place: ScalarPlace, f: Atomic32): Handler {
  return (wave, inst) => {
    const address = place(wave, inst, 4);
    let old = 0;
    if (address !== undefined && wave.machine.mayUpdate(wave, -1, address, 4)) {
      old = wave.machine.load(wave, -1, address, 4);
      const next = f(old, scalar32(wave, inst, inst.src2), scalar32(wave, inst, inst.src2 + 1));
      wave.machine.store(wave, -1, address, 4, next >>> 0);
    }
    if (inst.dst >= 0) wave.setScalar(inst.dst, old);
  };
}

function scalar64Form(place: ScalarPlace, f: Atomic64): Handler {
  return (wave, inst) => {
    const address = place(wave, inst, 8);
    let oldLow = 0;
    let oldHigh = 0;
    if (address !== undefined && wave.machine.mayUpdate(wave, -1, address, 8)) {
      oldLow = wave.machine.load(wave, -1, address, 4);
      oldHigh = wave.machine.load(wave, -1, address + 4, 4);
      const data = (k: number): number => scalar32(wave, inst, inst.src2 + k);
      f(oldLow, oldHigh, data(0), data(1), data(2), data(3));
      const newHigh = pair.high;
      wave.machine.store(wave, -1, address, 4, pair.low);
      wave.machine.store(wave, -1, address + 4, 4, newHigh);
    }
    if (inst.dst < 0) return;
    wave.setScalar(inst.dst, oldLow);
    wave.setScalar(inst.dst + 1, oldHigh);
  };
}

type ScalarNames<Prefix extends string> = `${Prefix}_${Plain}` | `${Prefix}_${Plain}_x2`;

function scalarForms<Prefix extends string>(prefix: Prefix, place: ScalarPlace): Record<ScalarNames<Prefix>, Handler> {
  const out: Record<string, Handler> = {};
  for (const name of PLAIN) {
    out[`${prefix}_${name}`] = scalar32Form(place, ATOMIC_32[name]);
    out[`${prefix}_${name}_x2`] = scalar64Form(place, ATOMIC_64[name]);
  }
  return out as Record<ScalarNames<Prefix>, Handler>;
}

/** flat_atomic_csub does not exist; every other prefix has it on gfx1030. */
const { flat_atomic_csub: _absent, ...FLAT_FORMS } = vectorForms('flat', flatAccess, 1);

export const MEMORY_ATOMIC = {
  ...vectorForms('buffer', bufferAccess, 3),
  ...FLAT_FORMS,
  ...vectorForms('global', flatAccess, 1),
  ...scalarForms('s_atomic', scalarAddress),
  ...scalarForms('s_buffer_atomic', scalarBuffer),
};
