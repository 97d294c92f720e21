/** Scratch memory of a dispatch: where it lies and how much of it each wave gets. */
import type { Target, Vec3, WaveSize } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { READ, WRITE } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import { MAX_SCRATCH_BYTES, PLACE } from './imported.ts';
import type { DispatchSize } from './pm4-builder.ts';

export interface ScratchArea {
  readonly address: GuestAddress;
  readonly waves: number;
  readonly bytesPerWave: number;
  readonly bytesPerLane: number;
}

/** Waves of the whole dispatch. */
export function waveCount(size: DispatchSize, threads: Vec3, waveSize: WaveSize): number {
  const groups =
    size.kind === 'groups' ? size.groups : size.workItems.map((count, i) => Math.ceil(count / threads[i]!));
  const wavesPerGroup = Math.ceil((threads[0] * threads[1] * threads[2]) / waveSize);
  return groups[0]! * groups[1]! * groups[2]! * wavesPerGroup;
}

/** Room for every wave of the dispatch at once, as far as `MAX_SCRATCH_BYTES` allows. */
export function allocateScratch(
  builder: CaptureBuilder,
  target: Target,
  waveSize: WaveSize,
  waves: number,
  bytesPerLane: number,
  from: number = target === 'gfx700' ? PLACE.scratchGfx7 : PLACE.scratch,
): Result<ScratchArea, string> {
  // TMPRING_SIZE.WAVESIZE has 13 bits of KiB.
  const bytesPerWave = Math.ceil((bytesPerLane * waveSize) / 1024) * 1024;
  if (bytesPerWave >= 2 ** 23) return fail(`${bytesPerLane} bytes of scratch per lane are more than a wave can have`);
  const concurrent = Math.max(1, Math.min(waves, Math.floor(MAX_SCRATCH_BYTES / bytesPerWave)));
  const address = builder.allocate(from as GuestAddress, concurrent * bytesPerWave, READ | WRITE);
  return ok({ address, waves: concurrent, bytesPerWave, bytesPerLane });
}
