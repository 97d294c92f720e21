/**
 * What to say about a mnemonic that the target does not have: where it exists, what replaced it, what is spelt alike.
 */
import { TARGETS, type Target } from '../../base/dispatch.ts';
import { MNEMONICS, type Mnemonic, opcodeOn, ROWS, TABLES } from '../tables/index.ts';

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
  buffer_wbinvl1: ['buffer_gl0_inv'],
  buffer_wbinvl1_vol: ['buffer_gl0_inv'],
};

function existsOn(name: string, target: Target): boolean {
  const row = Object.hasOwn(TABLES, name) ? TABLES[name as Mnemonic] : undefined;
  return row !== undefined && opcodeOn(row, target) !== undefined;
}

/** "exists on gfx700; gfx1030 has v_fmac_f32", for a mnemonic of another target. */
export function explainOtherTarget(mnemonic: Mnemonic, target: Target): string {
  const where = TARGETS.filter((other) => existsOn(mnemonic, other)).join(', ');
  const replacement = REPLACEMENTS[mnemonic]?.find((name) => existsOn(name, target));
  return `exists on ${where}${replacement ? `; ${target} has ${replacement}` : ''}`;
}

/** Up to three mnemonics of the target: those that are spelt most like the word. */
export function similarMnemonics(word: string, target: Target): string[] {
  const bare = word.replace(/_(e32|e64|sdwa|dpp8?)$/, '');
  const replacement = REPLACEMENTS[bare]?.find((name) => existsOn(name, target));
  if (replacement) return [replacement];
  if (bare.length > 40) return [];
  let most = bare.length <= 6 ? 1 : bare.length <= 12 ? 2 : 3;
  let found: string[] = [];
  for (let op = 0; op < MNEMONICS.length; op++) {
    const name = MNEMONICS[op]!;
    if (Math.abs(name.length - bare.length) > most || opcodeOn(ROWS[op]!, target) === undefined) continue;
    const distance = editDistance(bare, name, most);
    if (distance > most) continue;
    if (distance < most) found = [];
    most = distance;
    found.push(name);
  }
  return found.sort().slice(0, 3);
}

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
