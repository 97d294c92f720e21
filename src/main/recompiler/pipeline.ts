/**
 * The passes in order, each with the reason for its place. The verifier runs between all of them in tests.
 */

import { assert } from '../base/assert.ts';
import type { IrFunction } from './ir/function.ts';
import { verifyFunction } from './ir/verify.ts';
import { dropExecSelects } from './passes/drop-exec-selects.ts';
import { dropFlushes } from './passes/drop-flushes.ts';
import { eliminateBallots } from './passes/eliminate-ballots.ts';
import { eliminateDeadCode } from './passes/eliminate-dead-code.ts';
import { expandBufferAccess } from './passes/expand-buffer-access.ts';
import { expandFloats } from './passes/expand-floats.ts';
import { expandIds } from './passes/expand-ids.ts';
import { mergeHalves } from './passes/merge-halves.ts';
import { numberValues } from './passes/number-values.ts';
import { orderLaneMemory } from './passes/order-lane-memory.ts';
import type { Pass, PassOptions } from './passes/pass.ts';
import { promoteUniform } from './passes/promote-uniform.ts';
import { simplify } from './passes/simplify.ts';
import { specialiseDescriptors } from './passes/specialise-descriptors.ts';

export interface PipelineStep {
  readonly name: string;
  readonly pass: Pass;
}

export const PIPELINE: readonly PipelineStep[] = [
  // What SSA construction could not know: constant EXEC across loops, proved returns, dead branches.
  { name: 'simplify', pass: simplify },
  // SCC, carries and links that nobody reads: most of what lowering makes.
  { name: 'dead-code', pass: eliminateDeadCode },
  // Masks in register pairs become 64-bit values, which ballot elimination can follow.
  { name: 'merge-halves', pass: mergeHalves },
  { name: 'ballots', pass: eliminateBallots },
  // Lane booleans of constant masks fold, and with them their selects.
  { name: 'simplify', pass: simplify },
  { name: 'dead-code', pass: eliminateDeadCode },
  // One active mask per region, so that the next pass sees equal masks as one value.
  { name: 'number-values', pass: numberValues },
  { name: 'exec-selects', pass: dropExecSelects },
  // Without their selects, values depend on what they are computed from only.
  { name: 'uniform', pass: promoteUniform },
  // Constants instead of descriptors' words, before their fields are taken apart.
  { name: 'descriptors', pass: specialiseDescriptors },
  // After uniformity, so that a descriptor's fields are computed once; before the last numbering, which shares them.
  { name: 'ids', pass: expandIds },
  { name: 'buffers', pass: expandBufferAccess },
  // While values are still floats: what is flushed already need not be again.
  { name: 'flushes', pass: dropFlushes },
  // After uniformity as well: expanded code inherits it. Numbering shares flushes and field extractions.
  { name: 'floats', pass: expandFloats },
  { name: 'simplify', pass: simplify },
  { name: 'number-values', pass: numberValues },
  { name: 'uniform', pass: promoteUniform },
  { name: 'simplify', pass: simplify },
  { name: 'dead-code', pass: eliminateDeadCode },
  // Last: fences pin memory operations where they are.
  { name: 'lane-memory', pass: orderLaneMemory },
];

export interface PipelineOptions extends PassOptions {
  /** Called after each step, for display (B11) and tests. */
  readonly onStep?: (name: string, fn: IrFunction, changed: boolean) => void;
  /** Checks the invariants between steps; an error is our bug. */
  readonly verify?: boolean;
}

export function runPipeline(fn: IrFunction, options: PipelineOptions): void {
  if (options.verify) check(fn, 'lowering');
  for (const step of PIPELINE) {
    const changed = step.pass(fn, options);
    if (options.verify) check(fn, step.name);
    options.onStep?.(step.name, fn, changed);
  }
}

function check(fn: IrFunction, after: string): void {
  const errors = verifyFunction(fn);
  assert(errors.length === 0, `after ${after}: ${errors.slice(0, 5).join('\n')}`);
}
