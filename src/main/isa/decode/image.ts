/**
 * Decoding of MIMG: images with and without sampler, gather, atomics, ray intersection; NSA address lists on gfx10.
 * Contract as in scalar.ts.
 */
import { ILLEGAL } from '../illegal.ts';
import { imageTuples, isRay, nsaWordsAllowed, smallestTuplesFit } from '../image-operands.ts';
import { FLAG, type Instruction } from '../instruction.ts';
import { shapeOf } from '../shape.ts';
import { vectorRegister } from './operand-codes.ts';
import type { OpcodeTables } from './tables.ts';
import { COLUMN, TRAIT } from './traits.ts';

/** Data registers: the destination of loads, the source of stores, both for returning atomics. */
function imageData(bits: number, data: number, out: Instruction): void {
  if (bits & TRAIT.HAS_SRC3) out.src3 = data;
  if (bits & TRAIT.HAS_DST && (!(bits & TRAIT.ATOMIC) || out.flags & FLAG.GLC)) out.dst = data;
}

/** Resource and sampler. */
function imageDescriptors(tables: OpcodeTables, op: number, next: number, out: Instruction): void {
  const { codes, columns } = tables.traits;
  const at = tables.traits.at(op);
  out.src1 = codes[columns[at + COLUMN.SRC1]! + (((next >>> 16) & 0x1f) << 2)]!;
  out.src2 = codes[columns[at + COLUMN.SRC2]! + (((next >>> 21) & 0x1f) << 2)]!;
}

export function decodeMimg(tables: OpcodeTables, words: Uint32Array, index: number, out: Instruction): number {
  const word = words[index]!;
  const next = words[index + 1]!;
  if (tables.gfx7) return decodeMimgGfx7(tables, word, next, out);
  const op = tables.mimg[((word >>> 18) & 0x7f) | ((word & 1) << 7)]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const shape = shapeOf(op);
  const bits = tables.traits.of(op);
  out.op = op;
  const nsaWords = (word >>> 1) & 3;
  out.dim = (word >>> 3) & 7;
  out.dmask = (word >>> 8) & 15;
  out.flags =
    (word & (1 << 7) ? FLAG.DLC : 0) |
    (word & (1 << 12) ? FLAG.UNORM : 0) |
    (word & (1 << 13) ? FLAG.GLC : 0) |
    (word & (1 << 15) ? FLAG.R128 : 0) |
    (word & (1 << 16) ? FLAG.TFE : 0) |
    (word & (1 << 17) ? FLAG.LWE : 0) |
    (word & (1 << 25) ? FLAG.SLC : 0) |
    (next & (1 << 30) ? FLAG.A16 : 0) |
    (next >>> 31 ? FLAG.D16 : 0);
  if (out.flags & FLAG.D16 && !(bits & TRAIT.D16)) return ILLEGAL.CACHE;
  if (isRay(shape) && (out.dim || out.dmask !== 15 || (out.flags & ~FLAG.A16) !== FLAG.UNORM + FLAG.R128))
    return ILLEGAL.RESERVED;
  if (!nsaWordsAllowed(shape, nsaWords, (out.flags & FLAG.A16) !== 0)) return ILLEGAL.RESERVED;
  if (index + 1 + nsaWords >= words.length) return ILLEGAL.CUT;
  imageDescriptors(tables, op, next, out);
  const data = (next >>> 8) & 0xff;
  const address = next & 0xff;
  if (!smallestTuplesFit(shape, nsaWords, data, address)) return ILLEGAL.REGISTER_RANGE;
  const tuples = imageTuples(out, shape, nsaWords, data, address);
  imageData(bits, vectorRegister(data, tuples >>> 8), out);
  const addresses = tuples & 0xff;
  if (nsaWords === 0) out.src0 = vectorRegister(address, addresses);
  else {
    out.src0 = 256 + address;
    for (let i = 0; i + 1 < addresses; i++) {
      out.nsa.push(256 + ((words[index + 2 + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff));
    }
  }
  return 2 + nsaWords;
}

function decodeMimgGfx7(tables: OpcodeTables, word: number, next: number, out: Instruction): number {
  const op = tables.mimg[(word >>> 18) & 0x7f]!;
  if (op < 0) return ILLEGAL.OPCODE;
  const bits = tables.traits.of(op);
  out.op = op;
  out.dmask = (word >>> 8) & 15;
  out.flags =
    (word & (1 << 12) ? FLAG.UNORM : 0) |
    (word & (1 << 13) ? FLAG.GLC : 0) |
    (word & (1 << 14) ? FLAG.DA : 0) |
    (word & (1 << 15) ? FLAG.R128 : 0) |
    (word & (1 << 16) ? FLAG.TFE : 0) |
    (word & (1 << 17) ? FLAG.LWE : 0) |
    (word & (1 << 25) ? FLAG.SLC : 0);
  if (word & 0xff || next >>> 26) return ILLEGAL.RESERVED;
  // The 128-bit form of the resource has no row of its own; the register tuple stays eight long in the text.
  imageDescriptors(tables, op, next, out);
  imageData(bits, 256 + ((next >>> 8) & 0xff), out);
  out.src0 = vectorRegister(next & 0xff, 1);
  return 2;
}
