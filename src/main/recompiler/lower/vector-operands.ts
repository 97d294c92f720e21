/**
 * Sources and results of vector ALU instructions: constants, SDWA selects, DPP lane moves, op_sel, input and output
 * modifiers, denormal flushing.
 *
 * Names say how a value is read: b32 raw, b16 the low half (rest 0), f32/f16/f64 with abs, neg and flushing applied.
 * Source: RDNA 1 and 2 ISA manuals, "Vector ALU operations", "Data parallel processing", "Sub-dword addressing"; float
 * rules in docs/float-arithmetic.md.
 */
import { FLAG } from '../../isa/instruction.ts';
import { OPERAND } from '../../isa/operands.ts';
import type { OpName } from '../ir/ops.ts';
import type { ValueId } from '../ir/types.ts';
import { type FloatSize, hasDx10Clamp, isIeee, keepsInputDenormals, keepsOutputDenormals } from './float-mode.ts';
import type { Lowering, Type64 } from './lowering.ts';

// ── sources ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function fetch(l: Lowering, slot: number, half: boolean): ValueId {
  const code = l.code(slot);
  const value = code >= OPERAND.VGPR0 ? l.readVector(code) : l.scalarOf(code, half);
  switch (l.i.encoding) {
    case 'dpp16':
      return slot === 0 ? moveDpp16(l, value) : value;
    case 'dpp8':
      return slot === 0 ? moveDpp8(l, value) : value;
    case 'sdwa':
      return slot < 2 ? selectSubDword(l, value, slot) : value;
    default:
      return value;
  }
}

function selectSubDword(l: Lowering, value: ValueId, slot: number): ValueId {
  const select = slot === 0 ? l.i.src0Sel : l.i.src1Sel;
  if (select >= 6) return value;
  const op: OpName = (l.i.sext >>> slot) & 1 ? 'sbfe.i32' : 'ubfe.u32';
  const isByte = select < 4;
  const offset = isByte ? 8 * select : 16 * (select - 4);
  return l.b.emit3(op, value, l.b.u32(offset), l.b.u32(isByte ? 8 : 16));
}

/** Raw 32 bits. */
export function sourceB32(l: Lowering, slot: number): ValueId {
  return fetch(l, slot, false);
}

/** 16 raw bits in the low half, zeros above. */
export function sourceB16(l: Lowering, slot: number): ValueId {
  return narrow(l, slot, fetch(l, slot, false));
}

/** Sign-extended 16 bits. */
export function sourceI16(l: Lowering, slot: number): ValueId {
  return l.b.emit3('sbfe.i32', sourceB16(l, slot), l.b.u32(0), l.b.u32(16));
}

function narrow(l: Lowering, slot: number, value: ValueId): ValueId {
  const high = l.i.encoding === 'e64' && ((l.i.opSel >>> slot) & 1) !== 0;
  if (high) return l.b.emit2('shr.u32', value, l.b.u32(16));
  return l.b.emit2('and.u32', value, l.b.u32(0xffff));
}

/** abs, then neg. */
export function withSign(l: Lowering, slot: number, value: ValueId, size: FloatSize): ValueId {
  let result = value;
  if ((l.i.abs >>> slot) & 1) result = l.b.emit1(`fabs.${size}`, result);
  if ((l.i.neg >>> slot) & 1) result = l.b.emit1(`fneg.${size}`, result);
  return result;
}

export function flushInput(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  return keepsInputDenormals(l.mode, size) ? value : l.b.emit1(`fflush.${size}`, value);
}

export function flushOutput(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  return keepsOutputDenormals(l.mode, size) ? value : l.b.emit1(`fflush.${size}`, value);
}

/** f32 with modifiers, denormals as they are. */
export function sourceRawF32(l: Lowering, slot: number): ValueId {
  return withSign(l, slot, fetch(l, slot, false), 'f32');
}

export function sourceRawF16(l: Lowering, slot: number): ValueId {
  return withSign(l, slot, narrow(l, slot, fetch(l, slot, true)), 'f16');
}

export function sourceF32(l: Lowering, slot: number): ValueId {
  return flushInput(l, sourceRawF32(l, slot), 'f32');
}

export function sourceF16(l: Lowering, slot: number): ValueId {
  return flushInput(l, sourceRawF16(l, slot), 'f16');
}

export function source64(l: Lowering, slot: number, type: Type64): ValueId {
  const code = l.code(slot);
  const value = code >= OPERAND.VGPR0 ? l.readVector64(code) : l.scalarOf64(code, type);
  return type === 'f64' ? withSign(l, slot, value, 'f64') : value;
}

export function sourceF64(l: Lowering, slot: number): ValueId {
  return flushInput(l, source64(l, slot, 'f64'), 'f64');
}

/** Any size by name: `source(l, 0, 'f32')`. */
export function sourceFloat(l: Lowering, slot: number, size: FloatSize): ValueId {
  return size === 'f32' ? sourceF32(l, slot) : size === 'f64' ? sourceF64(l, slot) : sourceF16(l, slot);
}

/** Both halves of a packed source before op_sel; inline floats are f16 in the low half for `f16`. */
export function sourcePacked(l: Lowering, slot: number, type: 'f16' | 'i16'): ValueId {
  return fetch(l, slot, type === 'f16');
}

// ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Writes 32 bits under EXEC, DPP's masks and SDWA's selects. */
export function writeB32(l: Lowering, value: ValueId): void {
  const mask = writtenLanes(l);
  if (l.i.encoding === 'sdwa' && l.i.dstSel < 6) {
    l.writeVectorMasked(l.i.dst, mergeSubDword(l, value), mask);
    return;
  }
  l.writeVectorMasked(l.i.dst, value, mask);
}

/** Writes 16 bits (the value's upper half is ignored). gfx10 keeps the other half of the register, gfx7 clears it. */
export function writeB16(l: Lowering, value: ValueId): void {
  const mask = writtenLanes(l);
  const b = l.b;
  if (l.i.encoding === 'sdwa') {
    const low = b.emit2('and.u32', value, b.u32(0xffff));
    l.writeVectorMasked(l.i.dst, l.i.dstSel < 6 ? mergeSubDword(l, value) : low, mask);
    return;
  }
  if (!l.gfx10) {
    l.writeVectorMasked(l.i.dst, b.emit2('and.u32', value, b.u32(0xffff)), mask);
    return;
  }
  const old = l.readVector(l.i.dst);
  const high = l.i.encoding === 'e64' && (l.i.opSel & 8) !== 0;
  const moved = high ? b.emit2('shl.u32', value, b.u32(16)) : b.emit2('and.u32', value, b.u32(0xffff));
  const kept = b.emit2('and.u32', old, b.u32(high ? 0xffff : 0xffff0000));
  l.writeVectorMasked(l.i.dst, b.emit2('or.u32', kept, moved), mask);
}

function mergeSubDword(l: Lowering, value: ValueId): ValueId {
  const b = l.b;
  const isByte = l.i.dstSel < 4;
  const shift = isByte ? 8 * l.i.dstSel : 16 * (l.i.dstSel - 4);
  const width = isByte ? 8 : 16;
  const bits = isByte ? 0xff : 0xffff;
  if (l.i.dstUnused === 1) {
    return b.emit2('shl.u32', b.emit3('sbfe.i32', value, b.u32(0), b.u32(width)), b.u32(shift));
  }
  const field = b.emit2('shl.u32', b.emit2('and.u32', value, b.u32(bits)), b.u32(shift));
  if (l.i.dstUnused !== 2) return field;
  const kept = b.emit2('and.u32', l.readVector(l.i.dst), b.u32(~(bits << shift)));
  return b.emit2('or.u32', kept, field);
}

/** Flushing, omod, clamp. */
export function finishFloat(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  return modifyFloat(l, flushOutput(l, value, size), size);
}

/** omod and clamp. */
export function modifyFloat(l: Lowering, value: ValueId, size: FloatSize): ValueId {
  let result = value;
  if (l.i.omod !== 0 && !isIeee(l.mode) && !keepsOutputDenormals(l.mode, size)) {
    result = l.b.emit1(`fomod.${size}`, result, l.i.omod);
  }
  return l.i.clamp ? l.b.emit1(`fsaturate.${size}`, result, hasDx10Clamp(l.mode) ? 1 : 0) : result;
}

export function writeF32(l: Lowering, value: ValueId): void {
  writeB32(l, finishFloat(l, value, 'f32'));
}

export function writeF16(l: Lowering, value: ValueId): void {
  writeB16(l, finishFloat(l, value, 'f16'));
}

export function writeF64(l: Lowering, value: ValueId): void {
  l.writeVector64(l.i.dst, finishFloat(l, value, 'f64'));
}

export function writeFloat(l: Lowering, value: ValueId, size: FloatSize): void {
  if (size === 'f32') writeF32(l, value);
  else if (size === 'f64') writeF64(l, value);
  else writeF16(l, value);
}

/** Writes a mask register from one bit per lane: inactive lanes get 0. */
export function writeLaneMask(l: Lowering, code: number, condition: ValueId): void {
  if (code === OPERAND.NULL && l.gfx10) return;
  l.writeMaskScalar(code, l.ballot(l.b.emit2('and.1', condition, writtenLanes(l))));
}

// ── DPP ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Lanes whose source lies inside their row, and for each lane the position within its row of 16. */
function dppSourceInRow(control: number, row: number): number {
  const n = control & 15;
  if (control <= 0xff) return (row & ~3) | ((control >>> (2 * (row & 3))) & 3);
  switch (control >>> 4) {
    case 0x10:
      return row + n;
    case 0x11:
      return row - n;
    case 0x12:
      return (row - n) & 15;
    case 0x14:
      return n === 0 ? 15 - row : row ^ 7;
    case 0x15:
      return n;
    case 0x16:
      return row ^ n;
    default:
      return -1;
  }
}

/** For each lane of a row of 16 the lane it reads, −1 outside the row. Shared with emission and tests. */
export function dppRowPattern(control: number): Int8Array {
  const pattern = new Int8Array(16);
  for (let row = 0; row < 16; row++) {
    const source = dppSourceInRow(control, row);
    pattern[row] = source < 0 || source > 15 ? -1 : source;
  }
  return pattern;
}

function insideRow(l: Lowering): ValueId {
  const pattern = dppRowPattern(l.i.dppCtrl);
  let bits = 0;
  for (let row = 0; row < 16; row++) if (pattern[row]! >= 0) bits |= 1 << row;
  const word = bits | (bits << 16);
  return l.laneSet(word, word);
}

/** Lanes whose source lane exists and, without FI, is active. */
function hasValidSource(l: Lowering): ValueId {
  const inside = insideRow(l);
  if (l.i.flags & FLAG.FETCH_INACTIVE) return inside;
  return l.b.emit2('and.1', l.b.emit1('dpp.1', l.active(), l.i.dppCtrl), inside);
}

function moveDpp16(l: Lowering, value: ValueId): ValueId {
  const moved = l.b.emit1('dpp.32', value, l.i.dppCtrl);
  // Without BOUND_CTRL a lane with an invalid source is not written: what it reads does not matter.
  if (!(l.i.flags & FLAG.BOUND_CTRL)) return moved;
  return l.b.emit3('select.32', hasValidSource(l), moved, l.b.u32(0));
}

function moveDpp8(l: Lowering, value: ValueId): ValueId {
  const moved = l.b.emit1('dpp8.32', value, l.i.dppCtrl);
  if (l.i.flags & FLAG.FETCH_INACTIVE) return moved;
  return l.b.emit3('select.32', l.b.emit1('dpp8.1', l.active(), l.i.dppCtrl), moved, l.b.u32(0));
}

/** EXEC, less the lanes that DPP switches off. */
export function writtenLanes(l: Lowering): ValueId {
  const active = l.active();
  if (l.i.encoding !== 'dpp16') return active;
  let bits = 0;
  for (let bank = 0; bank < 4; bank++) if ((l.i.bankMask >>> bank) & 1) bits |= 0xf << (4 * bank);
  const rows = [0, 1, 2, 3].map((row) => ((l.i.rowMask >>> row) & 1 ? bits : 0));
  let lanes = l.laneSet(rows[0]! | (rows[1]! << 16), rows[2]! | (rows[3]! << 16));
  if (!(l.i.flags & FLAG.BOUND_CTRL)) lanes = l.b.emit2('and.1', lanes, hasValidSource(l));
  return l.b.emit2('and.1', active, lanes);
}
