/**
 * Source and destination fields → operand codes, with the checks that make a code legal in its place: reserved numbers,
 * tuples past the last register, generation limits. Misaligned scalar tuples are aligned down, as the hardware reads them.
 *
 * Functions return the code (≥ 0) or an `ILLEGAL` number (< −1); the caller stores it in its slot and the decoder's tail
 * looks at all slots once. A field that names an operand which does not belong in its place (a constant for a register) is
 * illegal too, but keeps the operand (`misplaced`), so that it can be shown. `OperandCodes` holds their results for every
 * value of a field, so that decoding asks a table.
 */
import { assert } from '../../base/assert.ts';
import { ILLEGAL } from '../illegal.ts';
import { OPERAND } from '../operands.ts';

/** Bits of `LEGAL`: the code may be a 32-bit source or a 64-bit source, on gfx7 or on gfx10. */
const S32_GFX7 = 1;
const S64_GFX7 = 2;
const S32_GFX10 = 4;
const S64_GFX10 = 8;

/** Codes 106…255 that are not plain SGPRs or trap temporaries. */
const LEGAL = new Uint8Array(256);
{
  const both32 = S32_GFX7 | S32_GFX10;
  const all = both32 | S64_GFX7 | S64_GFX10;
  const mark = (from: number, to: number, bits: number) => LEGAL.fill(bits, from, to + 1);
  mark(106, 106, all);
  mark(107, 107, both32);
  mark(124, 124, both32);
  mark(125, 125, S32_GFX10 | S64_GFX10);
  mark(126, 126, all);
  mark(127, 127, both32);
  mark(128, 208, all);
  mark(235, 239, S32_GFX10 | S64_GFX10);
  mark(240, 247, all);
  mark(248, 248, S32_GFX10 | S64_GFX10);
  mark(251, 253, all);
  mark(255, 255, all);
}

const LAST_SGPR = 105;
const FIRST_TTMP = 108;
const FIRST_TTMP_GFX7 = 112;
const LAST_TTMP = 123;

/** `MISPLACED − code`: the operand of that code is not allowed in its place. */
const MISPLACED = -0x1000;

export function isMisplaced(slot: number): boolean {
  return slot <= MISPLACED;
}

/** The code behind a misplaced operand. */
export function misplacedCode(slot: number): number {
  return MISPLACED - slot;
}

/** Whether a code names an operand of that width at all on gfx10, in llvm-mc's reading: wide tuples know pairs by name. */
function namesOperand(code: number, dwords: number): boolean {
  if (code >= 256) return code - 256 + dwords <= 256;
  if (code <= LAST_SGPR) return scalarTuple(code, 0, LAST_SGPR, dwords) >= 0;
  if (code >= FIRST_TTMP && code <= LAST_TTMP) return scalarTuple(code, FIRST_TTMP, LAST_TTMP, dwords) >= 0;
  if (code === OPERAND.LDS_DIRECT) return dwords === 1;
  return isConstantCode(code) || (LEGAL[code]! & (dwords === 1 ? S32_GFX10 : S64_GFX10)) !== 0;
}

/** For a code that its place does not take: misplaced when it names an operand, else reserved. gfx7 has no reading of it. */
export function misplaced(code: number, dwords: number, gfx7: boolean): number {
  if (gfx7 || !namesOperand(code, dwords)) return ILLEGAL.OPERAND;
  if (code <= LAST_SGPR) return MISPLACED - scalarTuple(code, 0, LAST_SGPR, dwords);
  if (code >= FIRST_TTMP && code <= LAST_TTMP) return MISPLACED - scalarTuple(code, FIRST_TTMP, LAST_TTMP, dwords);
  return MISPLACED - code;
}

function scalarTuple(code: number, first: number, last: number, dwords: number): number {
  const mask = dwords === 1 ? 0 : dwords === 2 ? 1 : 3;
  const aligned = code - ((code - first) & mask);
  return aligned + dwords - 1 > last ? ILLEGAL.REGISTER_RANGE : aligned;
}

/** An 8-bit scalar source field (or a 9-bit one below 256): SGPRs and constants. */
export function scalarSource(code: number, dwords: number, gfx7: boolean): number {
  if (code <= LAST_SGPR) {
    if (!gfx7) return scalarTuple(code, 0, LAST_SGPR, dwords);
    if (code <= 103) return scalarTuple(code, 0, 103, dwords);
    return scalarTuple(code, 104, 105, dwords);
  }
  if (code >= FIRST_TTMP && code <= LAST_TTMP) {
    // gfx7 has the trap base and trap memory addresses (two pairs) before its twelve temporaries.
    if (!gfx7) return scalarTuple(code, FIRST_TTMP, LAST_TTMP, dwords);
    return code >= FIRST_TTMP_GFX7
      ? scalarTuple(code, FIRST_TTMP_GFX7, LAST_TTMP, dwords)
      : dwords > 2
        ? ILLEGAL.OPERAND
        : scalarTuple(code, FIRST_TTMP, FIRST_TTMP_GFX7 - 1, dwords);
  }
  const wanted = gfx7 ? (dwords === 2 ? S64_GFX7 : S32_GFX7) : dwords === 2 ? S64_GFX10 : S32_GFX10;
  return dwords <= 2 && LEGAL[code]! & wanted ? code : misplaced(code, dwords, gfx7);
}

/** A 7-bit scalar destination field. */
export function scalarDestination(code: number, dwords: number, gfx7: boolean): number {
  return code > 127 ? misplaced(code, dwords, gfx7) : scalarSource(code, dwords, gfx7);
}

/** A VGPR number (not code). */
export function vectorRegister(number: number, dwords: number): number {
  return number + dwords > 256 ? ILLEGAL.REGISTER_RANGE : 256 + number;
}

/** A 9-bit source field. */
export function anySource(code: number, dwords: number, gfx7: boolean): number {
  // LDS_DIRECT: one dword from LDS at M0, vector instructions only.
  if (code === 254) return dwords === 1 ? code : ILLEGAL.OPERAND;
  return code >= 256 ? vectorRegister(code - 256, dwords) : scalarSource(code, dwords, gfx7);
}

/** Inline constants and the literal: what cannot stand where a register is asked for. */
export function isConstantCode(code: number): boolean {
  return (code >= 128 && code <= 208) || (code >= 240 && code <= 248) || code === 255;
}

/** A scalar source field that must name a register. */
function scalarRegisterSource(code: number, dwords: number, gfx7: boolean): number {
  return isConstantCode(code) ? misplaced(code, dwords, gfx7) : scalarSource(code, dwords, gfx7);
}

/** Operand codes by field, one table for each way of reading a field: 512 values, whatever the field's width. */
const FIELD_VALUES = 512;
const MOST_TABLES = 64;

/** Ways to read a field; each has a parameter, mostly the width in dwords. */
const WAY = {
  RESERVED: 0,
  CONSTANT: 1,
  NUMBER: 2,
  VECTOR: 3,
  SCALAR: 4,
  SCALAR_OR_LDS: 5,
  SCALAR_REGISTER: 6,
  DESTINATION: 7,
  ANY: 8,
  ONLY_VECTOR: 9,
  WITHOUT_LITERAL: 10,
  SCALAR_DATA: 11,
  SCALAR_OFFSET: 12,
} as const;
const PARAMETER_BITS = 9;

export class OperandCodes {
  /** A table's place plus the field is the place of the code. */
  readonly codes: Int16Array = new Int16Array(MOST_TABLES * FIELD_VALUES);
  private readonly gfx7: boolean;
  /** Places by way and parameter; −1: not made yet. */
  private readonly places = new Int32Array(16 << PARAMETER_BITS).fill(-1);
  private length = 0;

  constructor(gfx7: boolean) {
    this.gfx7 = gfx7;
  }

  private table(way: number, parameter: number, rule: (field: number) => number): number {
    const key = (way << PARAMETER_BITS) | parameter;
    const known = this.places[key]!;
    return known >= 0 ? known : (this.places[key] = this.fill(rule));
  }

  private fill(rule: (field: number) => number): number {
    const place = this.length;
    assert(place < this.codes.length, 'too many ways to read an operand field');
    for (let field = 0; field < FIELD_VALUES; field++) this.codes[place + field] = rule(field);
    this.length += FIELD_VALUES;
    return place;
  }

  /** The slot stays empty whatever the field holds. */
  ignored(): number {
    return this.constant(OPERAND.NONE);
  }

  /** The field must be zero. */
  reserved(): number {
    return this.table(WAY.RESERVED, 0, (field) => (field === 0 ? OPERAND.NONE : ILLEGAL.RESERVED));
  }

  constant(code: number): number {
    return this.table(WAY.CONSTANT, code + 1, () => code);
  }

  number(): number {
    return this.table(WAY.NUMBER, 0, (field) => field);
  }

  /** The number of a VGPR. */
  vector(dwords: number): number {
    return this.table(WAY.VECTOR, dwords, (field) => (field > 255 ? ILLEGAL.OPERAND : vectorRegister(field, dwords)));
  }

  scalar(dwords: number): number {
    return this.table(WAY.SCALAR, dwords, (field) =>
      field > 255 ? misplaced(field, dwords, this.gfx7) : scalarSource(field, dwords, this.gfx7),
    );
  }

  /** Nine bits, a scalar or LDS_DIRECT: what v_writelane writes. */
  scalarOrLds(): number {
    return this.table(WAY.SCALAR_OR_LDS, 0, (field) =>
      field === OPERAND.LDS_DIRECT
        ? field
        : field > 255
          ? misplaced(field, 1, this.gfx7)
          : scalarSource(field, 1, this.gfx7),
    );
  }

  scalarRegister(dwords: number): number {
    return this.table(WAY.SCALAR_REGISTER, dwords, (field) =>
      field > 255 ? misplaced(field, dwords, this.gfx7) : scalarRegisterSource(field, dwords, this.gfx7),
    );
  }

  destination(dwords: number): number {
    return this.table(WAY.DESTINATION, dwords, (field) => scalarDestination(field, dwords, this.gfx7));
  }

  /** Nine bits, anything. */
  any(dwords: number): number {
    return this.table(WAY.ANY, dwords, (field) => anySource(field, dwords, this.gfx7));
  }

  /** Nine bits, a VGPR. Instructions that read one lane into an SGPR take LDS_DIRECT too. */
  onlyVector(dwords: number, orLds: boolean): number {
    return this.table(WAY.ONLY_VECTOR, (dwords << 1) | (orLds ? 1 : 0), (field) => {
      if (field >= 256) return vectorRegister(field - 256, dwords);
      return orLds && field === OPERAND.LDS_DIRECT ? field : misplaced(field, dwords, this.gfx7);
    });
  }

  /** The same as another table, but without literals. */
  withoutLiteral(place: number): number {
    return this.table(WAY.WITHOUT_LITERAL, place / FIELD_VALUES, (field) =>
      field === OPERAND.LITERAL ? ILLEGAL.LITERAL : this.codes[place + field]!,
    );
  }

  /** Loaded or stored scalar registers: not M0, not EXEC; NULL (gfx10) swallows any width. */
  scalarData(dwords: number): number {
    return this.table(WAY.SCALAR_DATA, dwords, (field) => {
      if (field === OPERAND.NULL && !this.gfx7) return field;
      return field >= OPERAND.M0 ? misplaced(field, dwords, this.gfx7) : scalarDestination(field, dwords, this.gfx7);
    });
  }

  /** The offset register of scalar memory on gfx10, where NULL is none. */
  scalarOffset(): number {
    return this.table(WAY.SCALAR_OFFSET, 0, (field) =>
      field === OPERAND.NULL ? OPERAND.NONE : scalarDestination(field, 1, false),
    );
  }
}
