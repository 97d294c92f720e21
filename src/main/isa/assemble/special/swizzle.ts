/**
 * `offset:swizzle(MODE, …)` of ds_swizzle_b32: five modes over the 16-bit offset field.
 * Bit 15 set: four lane numbers of two bits (QUAD_PERM). Clear: lane' = ((lane & and) | or) ^ xor with 5-bit masks.
 * Source: RDNA 1 ISA manual, ds_swizzle_b32; spelling as in LLVM.
 */
import type { Cursor } from '../cursor.ts';
import type { OperandParser } from '../operand-parser.ts';
import { ASM, type Reporter } from '../reporter.ts';

const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const QUOTE = 34;

function bitmask(and: number, or: number, xor: number): number {
  return and | (or << 5) | (xor << 10);
}

/** After `offset:`; the field, or −1 after a reported error. */
export function parseSwizzle(cursor: Cursor, reporter: Reporter, operands: OperandParser): number {
  cursor.skipBlanks();
  const start = cursor.position;
  if (cursor.peekWord() !== 'swizzle') {
    const value = operands.absolute("offset's value");
    if (value === undefined) return -1;
    if (value >= 0 && value <= 0xffff) return value;
    reporter.error(ASM.IMMEDIATE_RANGE, 'offset takes 0 to 65535', start, cursor.position);
    return -1;
  }
  cursor.word();
  const fail = (message: string, from: number): number => {
    reporter.error(ASM.MODIFIER, message, from, Math.max(cursor.position, from + 1));
    return -1;
  };
  if (!cursor.accept(OPEN)) return fail("expected '(' after swizzle", cursor.position);
  cursor.skipBlanks();
  const at = cursor.position;
  const mode = cursor.word();
  /** `, n` with least ≤ n ≤ most; −1 after an error. */
  const next = (what: string, least: number, most: number): number => {
    if (!cursor.accept(COMMA)) return fail(`expected ',' and ${what}`, cursor.position);
    cursor.skipBlanks();
    const from = cursor.position;
    const value = operands.absolute(what);
    if (value === undefined) return -1;
    if (value >= least && value <= most) return value;
    return fail(`${what} is ${least} to ${most}`, from);
  };
  const powerOfTwo = (least: number, most: number): number => {
    const from = cursor.position;
    const size = next('a group size', least, most);
    if (size < 0 || (size & (size - 1)) === 0) return size;
    return fail('a group size is a power of two', from);
  };
  let field = -1;
  switch (mode) {
    case 'QUAD_PERM': {
      field = 0x8000;
      for (let i = 0; i < 4; i++) {
        const lane = next('a lane', 0, 3);
        if (lane < 0) return -1;
        field |= lane << (2 * i);
      }
      break;
    }
    case 'BITMASK_PERM':
      field = mask();
      break;
    case 'BROADCAST': {
      const size = powerOfTwo(2, 32);
      const lane = size < 0 ? -1 : next('a lane', 0, size - 1);
      if (lane < 0) return -1;
      field = bitmask(32 - size, lane, 0);
      break;
    }
    case 'SWAP': {
      const size = powerOfTwo(1, 16);
      if (size < 0) return -1;
      field = bitmask(0x1f, 0, size);
      break;
    }
    case 'REVERSE': {
      const size = powerOfTwo(2, 32);
      if (size < 0) return -1;
      field = bitmask(0x1f, 0, size - 1);
      break;
    }
    default:
      return fail('swizzle takes QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP or REVERSE', at);
  }
  if (field < 0) return -1;
  if (!cursor.accept(CLOSE)) return fail("expected ')'", cursor.position);
  return field;

  /** `, "01pip"`: per lane bit, most significant first: 0, 1, p preserve, i invert. */
  function mask(): number {
    if (!cursor.accept(COMMA)) return fail("expected ',' and a mask", cursor.position);
    cursor.skipBlanks();
    const from = cursor.position;
    const text = cursor.text.slice(from, from + 7);
    if (!/^"[01pi]{5}"$/.test(text) || cursor.peek() !== QUOTE) {
      cursor.position = from + 1;
      return fail('a mask is five of 0, 1, p and i in quotes', from);
    }
    cursor.position = from + 7;
    let and = 0;
    let or = 0;
    let xor = 0;
    for (let i = 0; i < 5; i++) {
      const bit = 1 << (4 - i);
      const c = text[i + 1];
      if (c === '1') or |= bit;
      else if (c === 'p') and |= bit;
      else if (c === 'i') {
        and |= bit;
        xor |= bit;
      }
    }
    return bitmask(and, or, xor);
  }
}
