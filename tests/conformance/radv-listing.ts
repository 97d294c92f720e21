/**
 * Mesa's listings of RADV kernels (`.isa.txt`), read into rows that can be compared with a disassembly.
 *
 * Lines are `text ; dwords`; `name:` starts a block; `(then repeated N times)` stands for N more of the line before.
 * Mesa names the block a branch leads to, where a disassembler of raw dwords shows the distance: such rows carry the
 * offset of the block instead, so that both can be compared as places.
 */

export interface ListedRow {
  /** In bytes from the first instruction. */
  readonly offset: number;
  readonly words: readonly string[];
  /** A branch's label is replaced by nothing: the mnemonic alone. */
  readonly text: string;
  /** Where a branch leads; undefined for anything else. */
  readonly target?: number;
}

export interface Listing {
  readonly rows: readonly ListedRow[];
  /** Spellings that are Mesa's own, in the order met. */
  readonly spellings: ReadonlySet<string>;
}

export const SPELLING = {
  label: 'a branch names its block (BB6) instead of the distance in dwords',
  repeated: '"(then repeated N times)" stands for equal lines',
} as const;

const BRANCH = /^(s_c?branch\w*) (BB\d+)$/;

export function readListing(text: string): Listing {
  const found: { offset: number; words: string[]; text: string }[] = [];
  const labels = new Map<string, number>();
  const spellings = new Set<string>();
  let offset = 0;
  for (const line of text.split('\n')) {
    const label = /^(\w+):$/.exec(line)?.[1];
    const repeated = /^\s*\(then repeated (\d+) times\)$/.exec(line)?.[1];
    const listed = /^\t(.*?)\s*; ((?:[0-9a-f]{8} ?)+)$/i.exec(line);
    if (label !== undefined) labels.set(label, offset);
    else if (repeated !== undefined) {
      spellings.add(SPELLING.repeated);
      const row = found.at(-1)!;
      for (let i = 0; i < Number(repeated); i++) {
        found.push({ ...row, offset });
        offset += 4 * row.words.length;
      }
    } else if (listed) {
      const words = listed[2]!.trim().toLowerCase().split(' ');
      found.push({ offset, words, text: listed[1]! });
      offset += 4 * words.length;
    } else if (line.trim() !== '') throw new Error(`a line of a listing is not understood: ${line}`);
  }
  const rows = found.map((row): ListedRow => {
    const branch = BRANCH.exec(row.text);
    if (!branch) return row;
    spellings.add(SPELLING.label);
    const target = labels.get(branch[2]!);
    if (target === undefined) throw new Error(`a listing has no block ${branch[2]}`);
    return { ...row, text: branch[1]!, target };
  });
  return { rows, spellings };
}

/** The same form of a disassembled line, whose branches show a signed or unsigned 16-bit distance in dwords. */
export function rowOf(offset: number, words: readonly string[], text: string): ListedRow {
  const branch = /^(s_c?branch\w*) (\d+|-\d+)$/.exec(text);
  if (!branch) return { offset, words, text };
  const distance = (Number(branch[2]) << 16) >> 16;
  return { offset, words, text: branch[1]!, target: offset + 4 + 4 * distance };
}
