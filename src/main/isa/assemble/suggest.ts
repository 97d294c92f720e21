/**
 * What to say about a word that means nothing here: a mnemonic that the target does not have (where it exists, what
 * replaced it, what is spelt alike), a label, a modifier.
 */
import { TARGETS, type Target } from '../../base/dispatch.ts';
import { isMnemonic, MNEMONICS, type Mnemonic, opcodeOn, ROWS, TABLES } from '../tables/index.ts';

/** Names of other generations → what does the same on ours. The first that the target has is named. */
const REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  v_add_u32: ['v_add_nc_u32', 'v_add_i32'],
  v_sub_u32: ['v_sub_nc_u32', 'v_sub_i32'],
  v_subrev_u32: ['v_subrev_nc_u32', 'v_subrev_i32'],
  v_add_i32: ['v_add_co_u32'],
  v_sub_i32: ['v_sub_co_u32'],
  v_subrev_i32: ['v_subrev_co_u32'],
  v_addc_u32: ['v_add_co_ci_u32'],
  v_subb_u32: ['v_sub_co_ci_u32'],
  v_subbrev_u32: ['v_subrev_co_ci_u32'],
  v_addc_co_u32: ['v_add_co_ci_u32', 'v_addc_u32'],
  v_add_co_u32: ['v_add_i32'],
  v_add_co_ci_u32: ['v_addc_u32'],
  v_add_nc_u32: ['v_add_i32'],
  v_sub_nc_u32: ['v_sub_i32'],
  v_mac_f32: ['v_fmac_f32'],
  v_mad_f32: ['v_fma_f32'],
  v_madmk_f32: ['v_fmamk_f32'],
  v_madak_f32: ['v_fmaak_f32'],
  v_fmac_f32: ['v_mac_f32'],
  v_lshl_b32: ['v_lshlrev_b32'],
  v_lshr_b32: ['v_lshrrev_b32'],
  v_ashr_i32: ['v_ashrrev_i32'],
  v_lshl_b64: ['v_lshlrev_b64'],
  v_lshr_b64: ['v_lshrrev_b64'],
  v_ashr_i64: ['v_ashrrev_i64'],
  v_lshlrev_b64: ['v_lshl_b64'],
  v_lshrrev_b64: ['v_lshr_b64'],
  v_ashrrev_i64: ['v_ashr_i64'],
  v_mul_lo_i32: ['v_mul_lo_u32'],
  v_mul_i32: ['v_mul_lo_u32'],
  v_mul_u32: ['v_mul_lo_u32'],
  s_mul_u32: ['s_mul_i32'],
  buffer_wbinvl1: ['buffer_gl0_inv'],
  buffer_wbinvl1_vol: ['buffer_gl0_inv'],
};

function existsOn(name: string, target: Target): boolean {
  return isMnemonic(name) && opcodeOn(TABLES[name], target) !== undefined;
}

/** "exists on gfx700; gfx1030 has v_fmac_f32", for a mnemonic of another target. */
export function explainOtherTarget(mnemonic: Mnemonic, target: Target): string {
  const where = TARGETS.filter((other) => existsOn(mnemonic, other)).join(', ');
  const replacement = REPLACEMENTS[mnemonic]?.find((name) => existsOn(name, target));
  return `exists on ${where}${replacement ? `; ${target} has ${replacement}` : ''}`;
}

/** RDNA 3 names sizes by bits: what follows load, store and the like → what gfx7 and gfx10 write. */
const NEWER_SIZES: Readonly<Record<string, string>> = {
  b32: 'dword',
  b64: 'dwordx2',
  b96: 'dwordx3',
  b128: 'dwordx4',
  b256: 'dwordx8',
  b512: 'dwordx16',
  u8: 'ubyte',
  i8: 'sbyte',
  u16: 'ushort',
  i16: 'sshort',
  b8: 'byte',
  b16: 'short',
};

/** The mnemonic of memory instructions that RDNA 3 spells in its own way: `ds_load_b64` is `ds_read_b64`. */
function olderName(word: string): string {
  if (word.startsWith('ds_')) return word.replace('_load', '_read').replace('_store', '_write').replace('2addr', '2');
  const access = /^(.*_(?:load|store))_([a-z]\d+)$/.exec(word);
  if (access) return `${access[1]}_${NEWER_SIZES[access[2]!] ?? access[2]}`;
  const atomic = /^(.*_atomic_)(\w+?)_[a-z](32|64)$/.exec(word);
  if (!atomic) return word;
  const operation = atomic[2]!.replace(/^(min|max)$/, word.includes('_i') ? 's$1' : 'u$1');
  return `${atomic[1]}${operation}${atomic[3] === '64' ? '_x2' : ''}`;
}

/** `s_` or `buffer_`: words of another unit are rarely meant. */
function unitOf(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

const MOST_SHOWN = 3;

/** Up to three mnemonics of the target: the same under another name, else those that are spelt most like the word. */
export function similarMnemonics(word: string, target: Target): string[] {
  const bare = word.replace(/_(e32|e64|sdwa|dpp8?)$/, '');
  for (const name of [...(REPLACEMENTS[bare] ?? []), olderName(bare)]) if (existsOn(name, target)) return [name];
  const names = MNEMONICS.filter((_, op) => opcodeOn(ROWS[op]!, target) !== undefined);
  const unit = unitOf(bare);
  const ofUnit = names.filter((name) => unitOf(name) === unit);
  const withoutType = ofUnit.filter((name) => name.startsWith(`${bare}_`));
  const near = nearestWords(bare, ofUnit);
  if (near.length === 0 && withoutType.length > 0) return withoutType.slice(0, MOST_SHOWN);
  return near.length > 0 ? near : nearestWords(bare, names);
}

/** The same for any list of words: up to three that are spelt most like it, in order of the alphabet. */
export function nearestWords(word: string, candidates: Iterable<string>): string[] {
  if (word.length > LONGEST_WORD) return [];
  let most = word.length <= 2 ? 0 : word.length <= 6 ? 1 : word.length <= 12 ? 2 : 3;
  let found: string[] = [];
  for (const name of candidates) {
    if (name.length > LONGEST_WORD || Math.abs(name.length - word.length) > most) continue;
    const distance = name.toLowerCase() === word.toLowerCase() ? 0 : editDistance(word, name, most);
    if (distance > most) continue;
    if (distance < most) found = [];
    most = distance;
    found.push(name);
  }
  return found.sort().slice(0, MOST_SHOWN);
}

/** `; did you mean a or b?`, or nothing. */
export function didYouMean(names: readonly string[]): string {
  return names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
}

const LONGEST_WORD = 40;

const rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];

/** Levenshtein distance with transpositions; anything above `most` is returned as `most + 1`. Words under 60 letters. */
function editDistance(a: string, b: string, most: number): number {
  let [before, previous, current] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + same);
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      current[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, previous, current] = [previous, current, before];
  }
  return previous[b.length]!;
}
