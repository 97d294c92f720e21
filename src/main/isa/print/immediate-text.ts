/**
 * Text of 16-bit immediates that carry structure: wait counters, messages, hardware registers, lane swizzles, versions.
 * Each falls back to a plain number exactly where LLVM does, so that the text assembles to the same bits.
 */
import type { Target } from '../../base/dispatch.ts';
import {
  type Counter,
  counterLimit,
  DEPENDENCY_COUNTERS,
  readCounter,
  WAIT_COUNTERS,
  waitForNothing,
} from '../names/counters.ts';
import { HARDWARE_REGISTERS } from '../names/hardware-registers.ts';
import { GS_OPERATIONS, MESSAGES, SYSTEM_OPERATIONS } from '../names/messages.ts';
import { VERSION_FLAGS, VERSIONS } from '../names/versions.ts';
import { hexText, immediateText } from './operand-text.ts';
import { type Piece, piece, type TextBuffer } from './text-buffer.ts';

function invert(names: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  const inverted = new Map<number, string>();
  // The last name of a number wins: newer spellings follow older ones.
  for (const name in names) inverted.set(names[name]!, name);
  return inverted;
}

function byTarget(names: Readonly<Record<Target, Readonly<Record<string, number>>>>) {
  return { gfx700: invert(names.gfx700), gfx1013: invert(names.gfx1013), gfx1030: invert(names.gfx1030) };
}

const HARDWARE_REGISTER_NAMES = byTarget(HARDWARE_REGISTERS);
const MESSAGE_NAMES = byTarget(MESSAGES);
const SYSTEM_OPERATION_NAMES = byTarget(SYSTEM_OPERATIONS);
const GS_OPERATION_NAMES = invert(GS_OPERATIONS);

const CLOSE = 41;
const BLANK = 32;

function waitPieces(counters: readonly Counter[]) {
  const parts = counters.map((counter) => ({
    counter,
    opening: piece(`${counter.name}(`),
    limit: counterLimit(counter),
  }));
  return { parts, free: waitForNothing(counters) };
}

const WAITS = {
  gfx700: waitPieces(WAIT_COUNTERS.gfx700),
  gfx1013: waitPieces(WAIT_COUNTERS.gfx1013),
  gfx1030: waitPieces(WAIT_COUNTERS.gfx1030),
};

/** Counters at their maximum wait for nothing and are left out, unless all are. */
export function putWaitCounters(buffer: TextBuffer, imm: number, target: Target): void {
  const { parts, free } = WAITS[target];
  const none = (imm & free) === free;
  const start = buffer.length;
  for (const { counter, opening, limit } of parts) {
    const count = readCounter(counter, imm);
    if (count === limit && !none) continue;
    if (buffer.length > start) buffer.character(BLANK);
    buffer.put(opening);
    buffer.decimal(count);
    buffer.character(CLOSE);
  }
}

export function depctrText(imm: number, target: Target): string {
  const counters = DEPENDENCY_COUNTERS[target];
  if (imm & ~waitForNothing(counters)) return hexText(imm);
  const textOf = (counter: Counter) => `${counter.name}(${readCounter(counter, imm)})`;
  const waiting = counters.filter((counter) => readCounter(counter, imm) !== counterLimit(counter));
  return (waiting.length ? waiting : counters).map(textOf).join(' ');
}

/** ` 3`; nothing for 0. */
export function putEndCode(buffer: TextBuffer, imm: number): void {
  if (imm === 0) return;
  buffer.character(BLANK);
  buffer.decimal(imm);
}

const MSG_GS = 2;
const MSG_GS_DONE = 3;
const MSG_SYSMSG = 15;

export function messageText(imm: number, target: Target): string {
  const id = imm & 15;
  const operation = (imm >>> 4) & 7;
  const stream = (imm >>> 8) & 3;
  const plain = imm & ~0x37f ? String(imm) : `sendmsg(${id}, ${operation}, ${stream})`;
  const name = MESSAGE_NAMES[target].get(id);
  if (name === undefined) return plain;
  if (id === MSG_GS || id === MSG_GS_DONE) {
    const operationName = GS_OPERATION_NAMES.get(operation);
    const isNop = operation === 0;
    if (operationName === undefined || (isNop && (id === MSG_GS || stream !== 0))) return plain;
    return isNop ? `sendmsg(${name}, ${operationName})` : `sendmsg(${name}, ${operationName}, ${stream})`;
  }
  if (id === MSG_SYSMSG) {
    const operationName = SYSTEM_OPERATION_NAMES[target].get(operation);
    return operationName === undefined || stream ? plain : `sendmsg(${name}, ${operationName})`;
  }
  return operation || stream ? plain : `sendmsg(${name})`;
}

const HWREG = piece('hwreg(');

export function putHardwareRegister(buffer: TextBuffer, imm: number, target: Target): void {
  const id = imm & 63;
  const offset = (imm >>> 6) & 31;
  const width = ((imm >>> 11) & 31) + 1;
  const name = HARDWARE_REGISTER_NAMES[target].get(id);
  buffer.put(HWREG);
  if (name === undefined) buffer.decimal(id);
  else buffer.text(name);
  if (offset !== 0 || width !== 32) {
    buffer.comma();
    buffer.decimal(offset);
    buffer.comma();
    buffer.decimal(width);
  }
  buffer.character(CLOSE);
}

const VERSION_NAMES = invert(VERSIONS);

export function versionText(imm: number): string {
  if (imm & 0x1f00) return immediateText(imm);
  const version = imm & 0xff;
  let text = VERSION_NAMES.get(version) ?? String(version);
  let flags = 0;
  for (const [name, bit] of Object.entries(VERSION_FLAGS)) {
    if (!(imm & bit)) continue;
    text = flags++ ? `(${text})|${name}` : `${text}|${name}`;
  }
  return text;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

/** ` offset:swizzle(…)`, or nothing for 0. */
export function swizzleText(imm: number): string {
  if (imm === 0) return '';
  if ((imm & 0xff00) === 0x8000) {
    return ` offset:swizzle(QUAD_PERM,${imm & 3},${(imm >>> 2) & 3},${(imm >>> 4) & 3},${(imm >>> 6) & 3})`;
  }
  if (imm & 0x8000) return ` offset:${imm}`;
  const and = imm & 31;
  const or = (imm >>> 5) & 31;
  const xor = (imm >>> 10) & 31;
  if (and === 31 && or === 0 && isPowerOfTwo(xor)) return ` offset:swizzle(SWAP,${xor})`;
  if (and === 31 && or === 0 && xor > 0 && isPowerOfTwo(xor + 1)) return ` offset:swizzle(REVERSE,${xor + 1})`;
  const group = 32 - and;
  if (group > 1 && isPowerOfTwo(group) && or < group && xor === 0) return ` offset:swizzle(BROADCAST,${group},${or})`;
  let mask = '';
  for (let bit = 16; bit; bit >>= 1) {
    const zero = (or ^ xor) & bit;
    const one = ((and | or) ^ xor) & bit;
    mask += zero === one ? (zero ? '1' : '0') : zero ? 'i' : 'p';
  }
  return ` offset:swizzle(BITMASK_PERM,"${mask}")`;
}

const UNSUPPORTED_DPP: Readonly<Record<number, string>> = {
  304: 'wave_shl',
  308: 'wave_rol',
  312: 'wave_shr',
  316: 'wave_ror',
  322: 'row_bcast',
  323: 'row_bcast',
};

function buildDppTexts(): string[] {
  return Array.from({ length: 512 }, (_, ctrl) => {
    if (ctrl < 256) return `quad_perm:[${ctrl & 3},${(ctrl >> 2) & 3},${(ctrl >> 4) & 3},${ctrl >> 6}]`;
    const amount = ctrl & 15;
    if (amount && ctrl < 0x110) return `row_shl:${amount}`;
    if (amount && ctrl > 0x110 && ctrl < 0x120) return `row_shr:${amount}`;
    if (amount && ctrl > 0x120 && ctrl < 0x130) return `row_ror:${amount}`;
    if (ctrl === 0x140) return 'row_mirror';
    if (ctrl === 0x141) return 'row_half_mirror';
    if (ctrl >= 0x150 && ctrl < 0x160) return `row_share:${amount}`;
    if (ctrl >= 0x160 && ctrl < 0x170) return `row_xmask:${amount}`;
    const unsupported = UNSUPPORTED_DPP[ctrl];
    return unsupported ? `/* ${unsupported} is not supported starting from GFX10 */` : '/* Invalid dpp_ctrl value */';
  });
}

/** DPP16 control by its 9 bits, with a blank in front. */
export const DPP_PIECES: readonly Piece[] = buildDppTexts().map((text) => piece(` ${text}`));

/** DPP8: eight lane selects of three bits, with a blank in front. */
export function dpp8Text(selects: number): string {
  let text = ` dpp8:[${selects & 7}`;
  for (let shift = 3; shift < 24; shift += 3) text += `,${(selects >>> shift) & 7}`;
  return `${text}]`;
}

export function exportTargetText(target: number, gfx7: boolean): string {
  if (target < 8) return `mrt${target}`;
  if (target === 8) return 'mrtz';
  if (target === 9) return 'null';
  if (target >= 12 && target <= (gfx7 ? 15 : 16)) return `pos${target - 12}`;
  if (target === 20 && !gfx7) return 'prim';
  if (target >= 32) return `param${target - 32}`;
  return `invalid_target_${target}`;
}
