/**
 * Atomics on LDS and on buffers. Every operation but one commutes, so the order of lanes and groups does not show and
 * golden holds; the compare-and-swap on word 20 is won by lane 3 of whichever group comes first, which writes its
 * global index + 1.
 */
import type { KernelScript } from './expected-buffers.ts';
import { exactly, GOLDEN_SOURCE } from './golden.ts';

const WINNER = 20;
const LANE = 3;

export const atomics: KernelScript = ({ golden, groups, threads }) => ({
  '0.1': {
    words: golden[0]![1]!,
    source: GOLDEN_SOURCE,
    exceptions: [
      {
        firstWord: WINNER,
        words: 1,
        type: 'u32',
        bound: 'any',
        reason: 'atomics: any group may win the compare-and-swap',
      },
    ],
    allowed: new Map([[WINNER, Array.from({ length: groups[0] }, (_, group) => group * threads[0] + LANE + 1)]]),
  },
  '0.2': exactly(golden[0]![2]!, GOLDEN_SOURCE),
});
