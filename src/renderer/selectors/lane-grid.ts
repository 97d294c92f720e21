/**
 * Words of an output as a grid of lanes: rows of consecutive words, each cell with its value, who wrote it and how it
 * compares. Pure.
 */
import type { OutputPage, WaveView } from '../../preload/contract/index.ts';
import { formatAddress, formatWord, type NumberFormat } from './number-format.ts';

/** How a cell compares: `same` and `differs` against what was chosen, `none` where there is nothing to compare with. */
export type CellMark = 'none' | 'same' | 'differs';

export interface LaneCell {
  readonly text: string;
  readonly mark: CellMark;
  /** The other value, where it differs. */
  readonly other: string | undefined;
  /** −1 where it is not known. */
  readonly thread: number;
}

export type CompareWith =
  | { readonly kind: 'none' }
  | { readonly kind: 'expected' }
  | { readonly kind: 'before' }
  | { readonly kind: 'other'; readonly words: Uint32Array };

export function outputCell(page: OutputPage, index: number, format: NumberFormat, compare: CompareWith): LaneCell {
  const word = page.after[index]!;
  const text = formatWord(word, format);
  const thread = page.thread[index]!;
  const against = (other: number | undefined): LaneCell => {
    if (other === undefined) return { text, mark: 'none', other: undefined, thread };
    const isSame = other === word;
    return { text, mark: isSame ? 'same' : 'differs', other: isSame ? undefined : formatWord(other, format), thread };
  };
  switch (compare.kind) {
    case 'none':
      return { text, mark: 'none', other: undefined, thread };
    case 'before':
      return against(page.before[index]);
    case 'other':
      return against(compare.words[index]);
    case 'expected': {
      const check = page.check[index]!;
      if (check === 0) return { text, mark: 'none', other: undefined, thread };
      const other = page.expected[index]!;
      return check === 1
        ? { text, mark: 'same', other: other === word ? undefined : formatWord(other, format), thread }
        : { text, mark: 'differs', other: formatWord(other, format), thread };
    }
  }
}

export function countDifferences(page: OutputPage, compare: CompareWith): { compared: number; differing: number } {
  let compared = 0;
  let differing = 0;
  for (let i = 0; i < page.after.length; i++) {
    const { mark } = outputCell(page, i, 'hex', compare);
    if (mark !== 'none') compared++;
    if (mark === 'differs') differing++;
  }
  return { compared, differing };
}

/** Whether word i was written by thread i + a constant: then columns are lanes. */
export function firstThreadOf(page: OutputPage): number | undefined {
  const first = page.thread[0];
  if (first === undefined || first < 0) return undefined;
  for (let i = 1; i < page.thread.length; i++) if (page.thread[i] !== first + i) return undefined;
  return first;
}

/** What the head of a row says: its address, and its lanes where they are known. */
export function rowHead(page: OutputPage, index: number, columns: number, waveSize: number): string {
  const address = formatAddress(page.address + 4 * index);
  const first = firstThreadOf(page);
  if (first === undefined || waveSize === 0) return address;
  const from = first + index;
  const to = Math.min(from + columns, first + page.after.length) - 1;
  const wave = Math.floor(from / waveSize);
  const isOneWave = Math.floor((first + page.after.length - 1) / waveSize) === Math.floor(first / waveSize);
  const lanes = `${from % waveSize}–${to % waveSize}`;
  return isOneWave ? `lanes ${lanes}` : `wave ${wave} lanes ${lanes}`;
}

export function isActive(wave: WaveView, lane: number): boolean {
  return ((lane < 32 ? wave.execLow >>> lane : wave.execHigh >>> (lane - 32)) & 1) === 1;
}

/** Registers by lane as tab-separated text, with a head. */
export function registersTsv(wave: WaveView, format: NumberFormat): string {
  const lanes = Array.from({ length: wave.waveSize }, (_, lane) => lane);
  const rows = wave.vectors.map((name, row) =>
    [name, ...lanes.map((lane) => formatWord(wave.values[row * wave.waveSize + lane]!, format))].join('\t'),
  );
  const scalars = wave.scalars.map(({ name, value }) => `${name}\t${formatWord(value, format)}`);
  return [['register', ...lanes.map((l) => `lane ${l}`)].join('\t'), ...rows, ...scalars].join('\n');
}

export function outputTsv(page: OutputPage, format: NumberFormat): string {
  const rows = Array.from(page.after, (word, i) => {
    const thread = page.thread[i]! < 0 ? '' : String(page.thread[i]);
    return [formatAddress(page.address + 4 * i), thread, formatWord(word, format)].join('\t');
  });
  return ['address\tthread\tvalue', ...rows].join('\n');
}
