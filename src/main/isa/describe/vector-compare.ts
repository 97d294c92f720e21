/**
 * What vector comparisons do: v_cmp[s][x]_<relation>_<type>, a sentence from the parts of the name.
 *
 * Source: ISA manuals of GCN 2 and RDNA 2, "VOPC", in our words.
 */
import type { Row } from '../row.ts';

const NAME = /^v_cmp(?<signal>s?)(?<exec>x?)_(?<relation>[a-z]+)_(?<type>[fiu]\d+)$/;

/** True when the relation holds; the float ones starting with n hold for NaN too. */
const RELATIONS: Readonly<Record<string, string>> = {
  f: 'never',
  lt: 'S0 < S1',
  eq: 'S0 = S1',
  le: 'S0 ≤ S1',
  gt: 'S0 > S1',
  lg: 'S0 < S1 or S0 > S1',
  ne: 'S0 ≠ S1',
  ge: 'S0 ≥ S1',
  o: 'neither S0 nor S1 is a NaN',
  u: 'S0 or S1 is a NaN',
  nge: 'not S0 ≥ S1 (so also for a NaN)',
  nlg: 'not S0 < S1 or S0 > S1 (so also for a NaN)',
  ngt: 'not S0 > S1 (so also for a NaN)',
  nle: 'not S0 ≤ S1 (so also for a NaN)',
  neq: 'not S0 = S1 (so also for a NaN)',
  nlt: 'not S0 < S1 (so also for a NaN)',
  tru: 'always',
  t: 'always',
  class: 'S0 is of one of the kinds in S1: signalling or quiet NaN, ±infinity, ±normal, ±denormal, ±0',
};

const TYPES: Readonly<Record<string, string>> = { f: 'float', i: 'signed', u: 'unsigned' };

/** undefined when the mnemonic is no vector comparison. */
export function compareSummary(mnemonic: string, row: Row): string | undefined {
  const parts = NAME.exec(mnemonic)?.groups;
  const relation = RELATIONS[parts?.relation ?? ''];
  if (!parts || relation === undefined) return undefined;
  const what = `${relation}; ${parts.type!.slice(1)} bits, ${TYPES[parts.type![0]!]}`;
  const signals = parts.signal ? ' A quiet NaN raises the invalid exception too.' : '';
  // gfx10's v_cmpx has no destination but EXEC.
  const also = parts.exec
    ? row.op.gfx10 === undefined
      ? ' EXEC gets the same bits.'
      : ' EXEC gets the bits; on gfx7 the mask too.'
    : '';
  return `The lane’s bit of the mask = ${what}; inactive lanes give 0.${also}${signals}`;
}
