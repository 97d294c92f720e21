/**
 * Events → the tree that is shown: submit → indirect buffer → marker → event, as columns in pre-order.
 *
 * A pushed marker is a group with its packet's event; the packet that pops it has no row of its own. Markers and buffers
 * may end in any order: what encloses an event is told by the event itself (its path and its open markers), and the
 * stack of open rows is cut back to what still holds. A marker that outlives its buffer goes on as a group without event.
 */
import { EVENT_ROW_KINDS, type EventRowKind } from '../../../preload/contract/capture.ts';
import type { GpuEvent } from '../../pm4/events.ts';

interface OpenRow {
  readonly kind: 'submit' | 'buffer' | 'group';
  readonly row: number;
  /** Buffers: where it is and from where it was entered; groups: the label. */
  readonly key: string;
}

const KIND_NUMBER = new Map<EventRowKind, number>(EVENT_ROW_KINDS.map((kind, i) => [kind, i]));
const MAX_DEPTH = 255;

export class EventTreeBuilder {
  private readonly kinds: number[] = [];
  private readonly depths: number[] = [];
  private readonly eventOfRow: number[] = [];
  private readonly ends: number[] = [];
  /** An event below the row, from which its text is made. */
  private readonly sources: number[] = [];
  /** Buffers: index into the path of the source. Groups that go on: index into its markers. */
  private readonly details: number[] = [];
  private readonly rows: number[] = [];
  private readonly open: OpenRow[] = [];
  private submit: number | undefined;

  add(event: GpuEvent): void {
    if (event.submit !== this.submit) {
      this.cut(0);
      this.submit = event.submit;
      this.enter('submit', '', this.row('submit', -1, event.index, 0));
    }
    this.settle(event);
    const { effect } = event;
    if (effect.kind !== 'marker') this.rows.push(this.row(effect.kind, event.index, event.index, 0));
    else if (effect.action === 'push') {
      const row = this.row('group', event.index, event.index, 0);
      this.rows.push(row);
      this.enter('group', effect.label, row);
    } else if (effect.action === 'pop') this.rows.push(this.leaveGroup());
    else this.rows.push(this.row('marker', event.index, event.index, 0));
  }

  finish() {
    this.cut(0);
    return {
      kind: Uint8Array.from(this.kinds),
      depth: Uint8Array.from(this.depths),
      event: Int32Array.from(this.eventOfRow),
      end: Uint32Array.from(this.ends),
      rowOfEvent: Uint32Array.from(this.rows),
      source: Uint32Array.from(this.sources),
      detail: Uint32Array.from(this.details),
    };
  }

  /** Closes what does not enclose the event and opens what does. */
  private settle({ index, path, markers }: GpuEvent): void {
    let buffers = 0;
    let groups = 0;
    let kept = 1;
    for (; kept < this.open.length; kept++) {
      const { kind, key } = this.open[kept]!;
      if (kind === 'buffer' && buffers + 1 < path.length && key === bufferKey(path, buffers + 1)) buffers++;
      else if (kind === 'group' && groups < markers.length && key === markers[groups]) groups++;
      else break;
    }
    this.cut(kept);
    for (let i = buffers + 1; i < path.length; i++) {
      this.enter('buffer', bufferKey(path, i), this.row('buffer', -1, index, i));
    }
    for (let i = groups; i < markers.length; i++) this.enter('group', markers[i]!, this.row('group', -1, index, i));
  }

  /** The row of the group that was closed, or of what encloses it when none was open. */
  private leaveGroup(): number {
    const at = this.open.findLastIndex((o) => o.kind === 'group');
    const row = this.open[Math.max(at, 0)]!.row;
    if (at >= 0) this.cut(at);
    return row;
  }

  private enter(kind: OpenRow['kind'], key: string, row: number): void {
    this.open.push({ kind, key, row });
  }

  private cut(length: number): void {
    while (this.open.length > length) this.ends[this.open.pop()!.row] = this.kinds.length;
  }

  private row(kind: EventRowKind, event: number, source: number, detail: number): number {
    const row = this.kinds.length;
    this.kinds.push(KIND_NUMBER.get(kind)!);
    this.depths.push(Math.min(this.open.length, MAX_DEPTH));
    this.eventOfRow.push(event);
    this.ends.push(row + 1);
    this.sources.push(source);
    this.details.push(detail);
    return row;
  }
}

/** Where a buffer lies and where its parent entered it. */
function bufferKey(path: GpuEvent['path'], index: number): string {
  return `${path[index]!.address}@${path[index - 1]!.dwordOffset}`;
}
