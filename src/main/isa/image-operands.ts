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

/** Multisampled arrays are not sampled; no variant has room for their fourth coordinate. */
const SAMPLED_DIMENSIONS = 7;
const LONGEST_TUPLE = 12;
const LONGEST_NSA = 13;
/** Images without sampler come with one to four addresses, whatever they are. */
const LARGEST_WITHOUT_SAMPLER = 4;

/** What the row can have over all dimensions, with and without a16. */
interface AddressCounts {
  readonly counts: ReadonlySet<number>;
  readonly smallest: number;
  readonly largest: number;
}

/** LLVM's smallest variant counts one dword of gradients, though no dimension has so few. */
function smallestCount(row: Row): number {
  const parts = row.address!;
  const withoutGradients = parts.filter((part) => part !== 'gradients' && part !== 'gradients16');
  return addressDwords(withoutGradients, 0, true) + (withoutGradients.length < parts.length ? 1 : 0);
}

const countsByRow = new WeakMap<Row, AddressCounts>();

function addressCounts(row: Row): AddressCounts {
  const known = countsByRow.get(row);
  if (known) return known;
  const counts = new Set<number>();
  for (let dim = 0; dim < SAMPLED_DIMENSIONS; dim++) {
    counts.add(addressDwords(row.address!, dim, false));
    counts.add(addressDwords(row.address!, dim, true));
  }
  const hasSampler = row.src[2] !== undefined && row.src[2] !== '-';
  const largest = hasSampler ? Math.max(...counts) : LARGEST_WITHOUT_SAMPLER;
  const result = { counts, smallest: smallestCount(row), largest };
  countsByRow.set(row, result);
  return result;
}

/** The most address dwords that any dimension needs. */
export function longestAddressDwords(row: Row): number {
  return Math.max(...addressCounts(row).counts);
}

/** Whether any address count of the row is written with so many NSA dwords (each holds four addresses after the first). */
export function nsaWordsAllowed(shape: Shape, nsaWords: number, a16 = false): boolean {
  if (nsaWords === 0) return true;
  if (isRay(shape)) return (addressDwords(shape.row.address!, 0, a16) + 2) >> 2 === nsaWords;
  const { counts } = addressCounts(shape.row);
  if (!shape.src2Dwords) return nsaWords === 1;
  for (const count of counts) {
    if (count <= LONGEST_NSA && count >= 2 && (count + 2) >> 2 === nsaWords) return true;
  }
  return false;
}

function popcount4(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}

/** Ray intersection: fixed operands, no dimension. */
export function isRay(shape: Shape): boolean {
  const first = shape.row.address![0];
  return first === 'ray' || first === 'ray64';
}

function isCompareSwap(shape: Shape): boolean {
  return shape.row.memory === 'atomic' && shape.mnemonic.endsWith('cmpswap');
}

/** Data dwords by dmask (gather4 and rays always give four), halved by d16, one more by tfe. */
function countedDataDwords(inst: Instruction, shape: Shape): number {
  let dwords = shape.dstDwords || Math.max(popcount4(inst.dmask), 1);
  if (inst.flags & FLAG.D16) dwords = (dwords + 1) >> 1;
  return inst.flags & FLAG.TFE ? dwords + 1 : dwords;
}

/** The data tuple for a counted number of dwords, or 0 when there is none. */
function dataVariant(shape: Shape, dwords: number): number {
  if (shape.row.memory === 'atomic') {
    if (isCompareSwap(shape)) return dwords === 2 || dwords === 4 ? dwords : 0;
    // Atomics take one or two; LLVM has a variant of five under the number four.
    return dwords === 4 ? 5 : dwords <= 2 ? dwords : 0;
  }
  return shape.dstDwords === 4 && dwords === 3 ? 0 : dwords;
}

function smallestData(shape: Shape): number {
  return shape.dstDwords || (isCompareSwap(shape) ? 2 : 1);
}

/**
 * Data and address dwords of a gfx10 image instruction as `data << 8 | address`. `data` and `address` are the first
 * registers (numbers, not codes), because a tuple that would pass v255 falls back like any other missing variant.
 */
export function imageTuples(inst: Instruction, shape: Shape, nsaWords: number, data: number, address: number): number {
  const rayAddresses = isRay(shape) ? addressDwords(shape.row.address!, 0, (inst.flags & FLAG.A16) !== 0) : 0;
  if (rayAddresses) return (shape.dstDwords << 8) | rayAddresses;
  const { smallest, largest } = addressCounts(shape.row);
  const fallback = (smallestData(shape) << 8) | (nsaWords ? Math.min(largest, 1 + 4 * nsaWords) : smallest);
  let addressCount = addressDwords(shape.row.address!, inst.dim, (inst.flags & FLAG.A16) !== 0);
  if (nsaWords === 0 && addressCount > LONGEST_TUPLE) addressCount = 16;
  const dataCount = dataVariant(shape, countedDataDwords(inst, shape));
  if (dataCount === 0 || data + dataCount > 256) return fallback;
  // Three and seven addresses round up to four and eight.
  const longest = largest === 3 || largest === 7 ? largest + 1 : largest;
  if (nsaWords === 0 && addressCount > longest && addressCount !== 16) return fallback;
  if (nsaWords ? addressCount > (fallback & 0xff) || addressCount < 2 : address + addressCount > 256) return fallback;
  return (dataCount << 8) | addressCount;
}

/** Even the smallest variant must not pass the last register. */
export function smallestTuplesFit(shape: Shape, nsaWords: number, data: number, address: number): boolean {
  if (data + smallestData(shape) > 256) return false;
  if (isRay(shape)) return true;
  return nsaWords > 0 || address + addressCounts(shape.row).smallest <= 256;
}
