/** Events of a whole capture in order, from a command processor; dispatches are the caller's to run between them. */
import type { Diagnostic } from '../../base/diagnostics.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { CommandProcessor } from '../../pm4/command-processor.ts';
import type { GpuEvent } from '../../pm4/events.ts';
import { initialState } from '../replay.ts';

export function processorOf(open: OpenCapture): CommandProcessor {
  return new CommandProcessor({
    target: open.capture.target,
    memory: open.initialMemory(),
    state: initialState(open),
  });
}

/** Memory updates are applied before their submit; what was wrong with them is told with its first event. */
export function* walkEvents(open: OpenCapture, processor: CommandProcessor): Generator<GpuEvent, void, void> {
  for (const submit of open.capture.submits) {
    const problems: Diagnostic[] = open.applyUpdates(processor.memory, submit.sequence);
    const events = processor.execute({
      sequence: submit.sequence,
      queue: submit.queue,
      address: submit.address,
      dwordCount: submit.dwords,
    });
    for (const event of events) {
      if (problems.length === 0) yield event;
      else yield { ...event, diagnostics: [...problems.splice(0), ...event.diagnostics] };
    }
  }
}
