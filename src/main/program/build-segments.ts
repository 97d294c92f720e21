/**
 * Segments of a program: maximal runs of decoded bytes at their true addresses. Gaps between blocks (alignment padding,
 * metadata, other shaders) belong to no segment, because nothing decoded them.
 */
import type { GuestAddress } from '../base/guest-address.ts';
import type { FlowBlock } from './code/code-map.ts';
import type { Segment, SegmentOrigin } from './program.ts';

export type WordAt = (address: GuestAddress) => number | undefined;

/** `blocks` are in ascending order of address. A run has the first origin that an address inside it names. */
export function buildSegments(
  blocks: readonly FlowBlock[],
  originOf: (address: GuestAddress) => SegmentOrigin | undefined,
  wordAt: WordAt,
): { readonly segments: Segment[]; readonly segmentOf: readonly number[] } {
  const runs: { start: number; end: number; origin: SegmentOrigin | undefined }[] = [];
  const segmentOf: number[] = [];
  for (const block of blocks) {
    let run = runs[runs.length - 1];
    if (!run || block.address > run.end) runs.push((run = { start: block.address, end: block.end, origin: undefined }));
    run.end = Math.max(run.end, block.end);
    run.origin ??= originOf(block.address);
    segmentOf.push(runs.length - 1);
  }
  const segments = runs.map(({ start, end, origin }) => {
    const words = new Uint32Array((end - start) / 4);
    for (let i = 0; i < words.length; i++) words[i] = wordAt((start + 4 * i) as GuestAddress)!;
    return { address: start as GuestAddress, words, origin: origin ?? ('callee' as const) };
  });
  return { segments, segmentOf };
}
