/**
 * How many registers an image instruction's address and data cover.
 *
 * gfx10: dmask, d16 and tfe count the data, the row's address parts, dim and a16 the address. LLVM keeps the smallest
 * variant when the counted one does not exist (a tuple past v255, too few NSA words): such words are legal but senseless,
 * and are read the same way here.
 * gfx7: the encoding does not tell how many coordinates there are (the resource does), so the largest number is assumed.
 */
import { FLAG, type Instruction } from './instruction.ts';
import type { AddressPart } from './row.ts';
import type { Shape } from './shape.ts';
import { MNEMONICS } from './tables/index.ts';

/** Coordinates and gradients by dim: 1D, 2D, 3D, cube, 1D array, 2D array, 2D MSAA, 2D MSAA array. */
const COORDINATES = [1, 2, 3, 3, 2, 3, 3, 4] as const;
const GRADIENTS = [2, 4, 6, 4, 2, 4, 4, 4] as const;

/** The parts of an address, counted: how many whole dwords and how many components, alone and per dimension. */
class AddressParts {
  /** Dwords of a ray address without a16; 0: no ray. With a16 it is three shorter. */
  ray = 0;
  dwords = 0;
  components = 0;
  gradients = 0;
  gradients16 = 0;
  coordinates = 0;

  constructor(parts: readonly AddressPart[]) {
    for (const part of parts) {
      switch (part) {
        case 'ray':
          this.ray = 11;
          break;
        case 'ray64':
          this.ray = 12;
          break;
        case 'offset':
        case 'bias':
        case 'compare':
          this.dwords++;
          break;
        case 'gradients':
          this.gradients++;
          break;
        case 'gradients16':
          this.gradients16++;
          break;
        case 'coordinates':
          this.coordinates++;
          break;
        default:
          this.components++;
      }
    }
  }

  count(dim: number, a16: boolean): number {
    if (this.ray) return a16 ? this.ray - 3 : this.ray;
    const components = this.components + this.coordinates * COORDINATES[dim]!;
    // Half of the gradients, each direction padded to whole dwords.
    const gradients = this.gradients * GRADIENTS[dim]! + this.gradients16 * ((GRADIENTS[dim]! + 3) >> 2) * 2;
    return this.dwords + gradients + (a16 ? (components + 1) >> 1 : components);
  }

  /** LLVM's smallest variant counts one dword of gradients, though no dimension has so few. */
  smallest(): number {
    const components = this.components + this.coordinates * COORDINATES[0];
    return this.dwords + ((components + 1) >> 1) + (this.gradients + this.gradients16 ? 1 : 0);
  }
}

/** Address dwords on gfx10 for one combination; rays have their own fixed layout. */
export function addressDwords(parts: readonly AddressPart[], dim: number, a16: boolean): number {
  return new AddressParts(parts).count(dim, a16);
}

/** Multisampled arrays are not sampled; no variant has room for their fourth coordinate. */
const SAMPLED_DIMENSIONS = 7;
const LONGEST_TUPLE = 12;
const LONGEST_NSA = 13;
/** Images without sampler come with one to four addresses, whatever they are. */
const LARGEST_WITHOUT_SAMPLER = 4;

/** What an image row can have, counted once. */
class ImageCounts {
  /** By dim and a16: `dim << 1 | a16`. */
  readonly dwords = new Uint8Array(16);
  readonly smallest: number;
  readonly largest: number;
  /** The same without the limits of LLVM's variants. */
  readonly longest: number;
  /** Bit n: written with n NSA dwords by some dimension. */
  readonly nsaWords: number;
  readonly isRay: boolean;
  readonly isAtomic: boolean;
  readonly isCompareSwap: boolean;

  constructor({ row, mnemonic }: Shape) {
    const parts = new AddressParts(row.address!);
    let longest = 0;
    let nsaWords = 1;
    for (let i = 0; i < 16; i++) {
      const count = parts.count(i >> 1, (i & 1) !== 0);
      this.dwords[i] = count;
      if (i >= 2 * SAMPLED_DIMENSIONS) continue;
      longest = Math.max(longest, count);
      if (count >= 2 && count <= LONGEST_NSA) nsaWords |= 1 << ((count + 2) >> 2);
    }
    const hasSampler = row.src[2] !== undefined && row.src[2] !== '-';
    this.longest = longest;
    this.largest = hasSampler ? longest : LARGEST_WITHOUT_SAMPLER;
    this.nsaWords = hasSampler ? nsaWords : 0b11;
    this.smallest = parts.smallest();
    this.isRay = parts.ray > 0;
    this.isAtomic = row.memory === 'atomic';
    this.isCompareSwap = this.isAtomic && mnemonic.endsWith('cmpswap');
  }
}

/** By dense mnemonic number. */
const countsOfRows: (ImageCounts | undefined)[] = new Array(MNEMONICS.length).fill(undefined);

function imageCounts(shape: Shape): ImageCounts {
  return (countsOfRows[shape.op] ??= new ImageCounts(shape));
}

/** The most address dwords that any dimension needs. */
export function longestAddressDwords(shape: Shape): number {
  return imageCounts(shape).longest;
}

/** Whether any address count of the row is written with so many NSA dwords (each holds four addresses after the first). */
export function nsaWordsAllowed(shape: Shape, nsaWords: number, a16 = false): boolean {
  const counts = imageCounts(shape);
  if (counts.isRay) return nsaWords === 0 || (counts.dwords[a16 ? 1 : 0]! + 2) >> 2 === nsaWords;
  return ((counts.nsaWords >>> nsaWords) & 1) !== 0;
}

function popcount4(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}

/** Ray intersection: fixed operands, no dimension. */
export function isRay(shape: Shape): boolean {
  return imageCounts(shape).isRay;
}

/** Data dwords by dmask (gather4 and rays always give four), halved by d16, one more by tfe. */
function countedDataDwords(inst: Instruction, shape: Shape): number {
  let dwords = shape.dstDwords || Math.max(popcount4(inst.dmask), 1);
  if (inst.flags & FLAG.D16) dwords = (dwords + 1) >> 1;
  return inst.flags & FLAG.TFE ? dwords + 1 : dwords;
}

/** The data tuple for a counted number of dwords, or 0 when there is none. */
function dataVariant(shape: Shape, counts: ImageCounts, dwords: number): number {
  if (counts.isCompareSwap) return dwords === 2 || dwords === 4 ? dwords : 0;
  // Atomics take one or two; LLVM has a variant of five under the number four.
  if (counts.isAtomic) return dwords === 4 ? 5 : dwords <= 2 ? dwords : 0;
  return shape.dstDwords === 4 && dwords === 3 ? 0 : dwords;
}

function smallestData(shape: Shape, counts: ImageCounts): number {
  return shape.dstDwords || (counts.isCompareSwap ? 2 : 1);
}

/**
 * Data and address dwords of a gfx10 image instruction as `data << 8 | address`. `data` and `address` are the first
 * registers (numbers, not codes), because a tuple that would pass v255 falls back like any other missing variant.
 */
export function imageTuples(inst: Instruction, shape: Shape, nsaWords: number, data: number, address: number): number {
  const counts = imageCounts(shape);
  const a16 = inst.flags & FLAG.A16 ? 1 : 0;
  if (counts.isRay) return (shape.dstDwords << 8) | counts.dwords[a16]!;
  const { smallest, largest } = counts;
  const fallback = (smallestData(shape, counts) << 8) | (nsaWords ? Math.min(largest, 1 + 4 * nsaWords) : smallest);
  let addressCount = counts.dwords[(inst.dim << 1) | a16]!;
  if (nsaWords === 0 && addressCount > LONGEST_TUPLE) addressCount = 16;
  const dataCount = dataVariant(shape, counts, countedDataDwords(inst, shape));
  if (dataCount === 0 || data + dataCount > 256) return fallback;
  // Three and seven addresses round up to four and eight.
  const longest = largest === 3 || largest === 7 ? largest + 1 : largest;
  if (nsaWords === 0 && addressCount > longest && addressCount !== 16) return fallback;
  if (nsaWords ? addressCount > (fallback & 0xff) || addressCount < 2 : address + addressCount > 256) return fallback;
  return (dataCount << 8) | addressCount;
}

/** Even the smallest variant must not pass the last register. */
export function smallestTuplesFit(shape: Shape, nsaWords: number, data: number, address: number): boolean {
  const counts = imageCounts(shape);
  if (data + smallestData(shape, counts) > 256) return false;
  return counts.isRay || nsaWords > 0 || address + counts.smallest <= 256;
}
