/**
 * The door of the reference: run a dispatch, or hold it and step it.
 */
export {
  DispatchRun,
  type ReferenceOptions,
  type ReferenceResult,
  type RunStatus,
  runDispatch,
} from './dispatch-run.ts';
export type { Fault, FaultReason } from './faults.ts';
export type { Group } from './group.ts';
export { isUnsupported } from './handler.ts';
export { HANDLERS } from './handlers.ts';
export type { Machine, MemoryAccess } from './machine.ts';
export { type LaneList, MODE, Wave, type WaveStatus } from './wave.ts';
