/**
 * Plays a capture event by event: memory updates, packets, dispatches on an engine.
 *
 * The generator yields each event after it took effect. A dispatch runs on a fork of memory; the fork is kept only when
 * the run completed, so memory after a failed run is as before. `memory` in a step is the memory after the event, and
 * must not be written.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { REGISTER_SPACE_RANGE } from '../capture/format/model.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';
import { dispatchFromState } from '../driver/dispatch-state.ts';
import type { DispatchEngine, EngineRun } from '../driver/engine.ts';
import { linkDispatch } from '../driver/link-dispatch.ts';
import { CommandProcessor } from '../pm4/command-processor.ts';
import type { GpuEvent } from '../pm4/events.ts';
import { BEFORE_FIRST_PACKET, GpuState } from '../pm4/gpu-state.ts';
import type { Program } from '../program/program.ts';

export interface DispatchStep {
  /** Number among the dispatches of the capture, from 0; expectations and labels use it. */
  readonly number: number;
  /** Absent when the registers make no dispatch; then `diagnostics` says why. */
  readonly dispatch?: ComputeDispatch;
  readonly program?: Program;
  readonly run?: EngineRun;
  readonly memoryBefore: GuestMemory;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReplayStep {
  readonly event: GpuEvent;
  readonly dispatch?: DispatchStep;
  readonly memory: GuestMemory;
  readonly processor: CommandProcessor;
}

export interface ReplayOptions {
  /** Runs the dispatches; absent: dispatches are linked but change nothing. */
  readonly engine?: DispatchEngine;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Stop before running the dispatch with this event index: its step has no run. */
  readonly stopAtEvent?: number;
}

export function initialState(open: OpenCapture): GpuState {
  const builder = GpuState.EMPTY.edit();
  for (const { space, index, value } of open.capture.registers)
    builder.write(REGISTER_SPACE_RANGE[space].base + index, value, BEFORE_FIRST_PACKET);
  return builder.snapshot();
}

/** Names for the shaders and dispatches of a capture, from its labels and registrations. */
export class CaptureNames {
  private readonly shaders = new Map<number, string>();
  private readonly dispatches = new Map<number, string>();

  constructor(open: OpenCapture) {
    for (const shader of open.capture.shaders) if (shader.name) this.shaders.set(shader.codeAddress, shader.name);
    for (const label of open.capture.labels) {
      if (label.event !== undefined) this.dispatches.set(label.event, label.text);
      else if (label.address !== undefined) this.shaders.set(label.address, label.text);
    }
  }

  shader(address: number): string {
    return this.shaders.get(address) ?? `0x${address.toString(16)}`;
  }

  dispatch(number: number): string | undefined {
    return this.dispatches.get(number);
  }
}

export async function* replay(open: OpenCapture, options: ReplayOptions = {}): AsyncGenerator<ReplayStep, void, void> {
  const { capture } = open;
  const names = new CaptureNames(open);
  const processor = new CommandProcessor({
    target: capture.target,
    memory: open.initialMemory(),
    state: initialState(open),
  });
  const registered = capture.shaders.map((s) => s.codeAddress);
  let dispatches = 0;
  for (const submit of capture.submits) {
    const problems = open.applyUpdates(processor.memory, submit.sequence);
    const events = processor.execute({
      sequence: submit.sequence,
      queue: submit.queue,
      address: submit.address,
      dwordCount: submit.dwords,
    });
    for (const found of events) {
      options.signal?.throwIfAborted();
      const event =
        problems.length > 0 ? { ...found, diagnostics: [...problems.splice(0), ...found.diagnostics] } : found;
      if (event.effect.kind !== 'dispatch') {
        yield { event, memory: processor.memory, processor };
        continue;
      }
      const number = dispatches++;
      const memoryBefore = processor.memory;
      const read = dispatchFromState(event.state, capture.target, event.effect.dispatch, event.packet?.address);
      if (!read.ok) {
        yield { event, dispatch: { number, memoryBefore, diagnostics: read.error }, memory: memoryBefore, processor };
        continue;
      }
      const dispatch = read.value;
      const program = linkDispatch(dispatch, memoryBefore, { name: names.shader(dispatch.programAddress), registered });
      let run: EngineRun | undefined;
      if (options.engine && event.index !== options.stopAtEvent) {
        const memory = memoryBefore.fork();
        run = await options.engine.run({
          dispatch,
          program,
          memory,
          ...(options.limit === undefined ? {} : { limit: options.limit }),
          ...(options.signal ? { signal: options.signal } : {}),
        });
        if (run.status === 'completed') processor.memory = memory;
      }
      const diagnostics = [
        ...program.diagnostics,
        ...(run?.diagnostics ?? []).filter((d) => !program.diagnostics.includes(d)),
      ];
      yield {
        event,
        dispatch: { number, dispatch, program, memoryBefore, diagnostics, ...(run ? { run } : {}) },
        memory: processor.memory,
        processor,
      };
    }
  }
}
