/**
 * How many registers an image instruction's address and data cover.
 *
 * gfx10: dmask, d16 and tfe count the data, the row's address parts, dim and a16 the address. LLVM keeps the smallest
 * variant when the counted one does not exist (a tuple past v255, too few NSA words): such words are legal but senseless,
 * and are read the same way here.
 * gfx7: the encoding does not tell how many coordinates there are (the resource does), so the largest number is assumed.
 */
import { FLAG, type Instruction } from './instruction.ts';
import type { AddressPart, Row } from './row.ts';
import type { Shape } from './shape.ts';

/** Coordinates and gradients by dim: 1D, 2D, 3D, cube, 1D array, 2D array, 2D MSAA, 2D MSAA array. */
const COORDINATES = [1, 2, 3, 3, 2, 3, 3, 4] as const;
const GRADIENTS = [2, 4, 6, 4, 2, 4, 4, 4] as const;

function has(parts: readonly AddressPart[], part: AddressPart): boolean {
  return parts.includes(part);
}

/** Address dwords on gfx10 for one combination; rays have their own fixed layout. */
export function addressDwords(parts: readonly AddressPart[], dim: number, a16: boolean): number {
  if (has(parts, 'ray')) return a16 ? 8 : 11;
  if (has(parts, 'ray64')) return a16 ? 9 : 12;
  let dwords = 0;
  let components = 0;
  for (const part of parts) {
    switch (part) {
      case 'offset':
      case 'bias':
      case 'compare':
        dwords++;
        break;
      case 'gradients':
        dwords += GRADIENTS[dim]!;
        break;
      case 'gradients16':
        // Half of them, each direction padded to whole dwords.
        dwords += Math.ceil(GRADIENTS[dim]! / 4) * 2;
        break;
      case 'coordinates':
        components += COORDINATES[dim]!;
        break;
      default:
        components++;
    }
  }
  return dwords + (a16 ? Math.ceil(components / 2) : components);
}

/** How many NSA dwords an instruction with this many addresses needs beyond the first address. */
function nsaWordsFor(addresses: number): number {
  return (addresses + 2) >> 2;
}

const NSA_LIMIT = 13;

/** The address counts that the row can have over all dimensions, with and without a16. */
function addressCounts(row: Row): ReadonlySet<number> {
  const known = countsByRow.get(row);
  if (known) return known;
  const counts = new Set<number>();
  for (let dim = 0; dim < COORDINATES.length; dim++) {
    counts.add(addressDwords(row.address!, dim, false));
    counts.add(addressDwords(row.address!, dim, true));
  }
  countsByRow.set(row, counts);
  return counts;
}

const countsByRow = new WeakMap<Row, ReadonlySet<number>>();

/** Whether any address count of the row is written with so many NSA dwords. */
export function nsaWordsAllowed(shape: Shape, nsaWords: number): boolean {
  if (nsaWords === 0) return true;
  for (const count of addressCounts(shape.row)) {
    if (count <= NSA_LIMIT && count >= 2 && nsaWordsFor(count) === nsaWords) return true;
  }
  return false;
}

/** Address dwords of a decoded gfx10 instruction. Tuples of more than 12 are 16 long. */
export function imageAddressDwords(inst: Instruction, shape: Shape, nsaWords: number): number {
  const dwords = addressDwords(shape.row.address!, inst.dim, (inst.flags & FLAG.A16) !== 0);
  if (nsaWords === 0) return dwords > 12 ? 16 : dwords;
  return Math.min(dwords, 1 + 4 * nsaWords);
}

function popcount4(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}

/** Data dwords by dmask (gather4 and rays always give four), halved by d16, one more by tfe. */
export function imageDataDwords(inst: Instruction, shape: Shape): number {
  let dwords = shape.dstDwords || Math.max(popcount4(inst.dmask), 1);
  if (inst.flags & FLAG.D16) dwords = (dwords + 1) >> 1;
  return inst.flags & FLAG.TFE ? dwords + 1 : dwords;
}
