/**
 * Every event of the open capture, found by running its packets once without running dispatches, and the tree over them.
 *
 * Events are kept: a state before an event is a snapshot that shares with its neighbours, and an event's packet knows
 * its buffer, so packets and registers of any event are at hand without running anything again.
 */
import { EVENT_ROW_KINDS, type EventRowKind, type EventRowText } from '../../../preload/contract/capture.ts';
import { formatAddress } from '../../base/guest-address.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { dispatchFromState } from '../../driver/dispatch-state.ts';
import type { CommandProcessor } from '../../pm4/command-processor.ts';
import type { GpuEvent } from '../../pm4/events.ts';
import { eventSummary } from '../../pm4/format.ts';
import type { CaptureNames } from '../replay.ts';
import { EventTreeBuilder } from './event-tree.ts';
import type { Job } from './job.ts';
import { processorOf, walkEvents } from './walk-events.ts';

export interface EventTable {
  readonly events: readonly GpuEvent[];
  readonly tree: ReturnType<EventTreeBuilder['finish']>;
  /** Number among the dispatches by event, −1 for other events. */
  readonly dispatchOfEvent: Int32Array;
  readonly dispatches: number;
  /** It has run to the end: knows the address of every packet. */
  readonly processor: CommandProcessor;
}

export async function buildEventTable(open: OpenCapture, job: Job): Promise<EventTable> {
  const processor = processorOf(open);
  const events: GpuEvent[] = [];
  const tree = new EventTreeBuilder();
  const dispatchOfEvent: number[] = [];
  let dispatches = 0;
  const submits = open.capture.submits.length;
  const positions = new Map(open.capture.submits.map((s, i) => [s.sequence, i]));
  for (const event of walkEvents(open, processor)) {
    events.push(event);
    tree.add(event);
    dispatchOfEvent.push(event.effect.kind === 'dispatch' ? dispatches++ : -1);
    if ((event.index & 63) === 0) {
      job.report(positions.get(event.submit) ?? 0, submits, `listing events: ${events.length}`);
      await job.pause();
    }
  }
  return { events, tree: tree.finish(), dispatchOfEvent: Int32Array.from(dispatchOfEvent), dispatches, processor };
}

/** What is written in a row of the tree. */
export function rowText(table: EventTable, open: OpenCapture, names: CaptureNames, row: number): EventRowText {
  const kind = EVENT_ROW_KINDS[table.tree.kind[row]!] as EventRowKind;
  const source = table.events[table.tree.source[row]!]!;
  const detail = table.tree.detail[row]!;
  if (kind === 'submit') {
    const submit = open.capture.submits.find((s) => s.sequence === source.submit);
    if (!submit) return { name: `Submit ${source.submit}`, detail: '' };
    const queue = `${submit.queue} queue ${submit.queueIndex}`;
    return { name: `Submit ${submit.sequence}`, detail: `${queue}, ${submit.dwords} dwords` };
  }
  if (kind === 'buffer') {
    const step = source.path[detail]!;
    return { name: `Indirect buffer ${formatAddress(step.address)}`, detail: `${step.dwordCount} dwords` };
  }
  const event = table.tree.event[row]!;
  if (kind === 'group' && event < 0) return { name: `${source.markers[detail]} (continued)`, detail: '' };
  return eventText(table, open, names, table.events[event]!);
}

function eventText(table: EventTable, open: OpenCapture, names: CaptureNames, event: GpuEvent): EventRowText {
  const reported = event.diagnostics.find((d) => d.kind !== 'note');
  const problem = reported ? { problem: `${reported.code}: ${reported.message}` } : {};
  const { effect } = event;
  if (effect.kind === 'marker') return { name: effect.label || effect.action, detail: '', ...problem };
  const name = event.packet?.name ?? effect.kind;
  if (effect.kind !== 'dispatch') return { name, detail: eventSummary(event), ...problem };
  const dispatch = table.dispatchOfEvent[event.index]!;
  const read = dispatchFromState(event.state, open.capture.target, effect.dispatch, event.packet?.address);
  if (!read.ok) {
    const why = read.error[0];
    return {
      name,
      detail: eventSummary(event),
      dispatch,
      problem: why ? `${why.code}: ${why.message}` : 'no dispatch',
    };
  }
  const shader = names.shader(read.value.programAddress);
  return { name, detail: eventSummary(event), shader, waveSize: read.value.waveSize, dispatch, ...problem };
}

/** The dispatch or draw before an event, for what changed since; undefined when there is none. */
export function previousAction(table: EventTable, event: number): GpuEvent | undefined {
  for (let i = event - 1; i >= 0; i--) {
    const { kind } = table.events[i]!.effect;
    if (kind === 'dispatch' || kind === 'draw') return table.events[i];
  }
  return undefined;
}
