/** Calls that open a capture and list its events. */
import { z } from 'zod';
import { call } from './call.ts';
import type { DiagnosticView, Outcome } from './views.ts';

export interface CaptureSummary {
  /** Differs for every opening, so that late answers about another capture are recognised. */
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly producer: string;
  readonly version: number;
  readonly target: string;
  readonly submits: number;
  readonly events: number;
  readonly dispatches: number;
  readonly mappedBytes: number;
  readonly damage: readonly DiagnosticView[];
}

/** Kinds of rows in the event tree; `EVENT_ROW_KINDS[column value]`. */
export const EVENT_ROW_KINDS = [
  'submit',
  'buffer',
  'group',
  'dispatch',
  'draw',
  'write',
  'copy',
  'sync',
  'wait',
  'marker',
  'state',
  'unsupported',
  'damaged',
  'problem',
] as const;
export type EventRowKind = (typeof EVENT_ROW_KINDS)[number];

/**
 * The tree in pre-order, one entry per row in each column. A row's descendants are the rows from it + 1 up to `end`.
 * Groups are markers that were pushed; the packet that pushed is the row's event, the one that popped has no row.
 */
export interface EventTree {
  readonly captureId: number;
  readonly kind: Uint8Array;
  readonly depth: Uint8Array;
  /** Index of the event, −1 for submits and buffers. */
  readonly event: Int32Array;
  readonly end: Uint32Array;
  /** Event → row, for stepping and for jumps; rows of popping markers are those of their group. */
  readonly rowOfEvent: Uint32Array;
}

export interface EventRowText {
  /** Packet, marker or submit. */
  readonly name: string;
  readonly detail: string;
  /** Dispatches: name of the shader, wave size, number among the dispatches. */
  readonly shader?: string;
  readonly waveSize?: number;
  readonly dispatch?: number;
  /** The first thing that was reported about it. */
  readonly problem?: string;
}

export interface FieldView {
  readonly name: string;
  readonly value: number | string | readonly string[];
  readonly text?: string;
}

export interface RegisterView {
  readonly name: string;
  readonly index: string;
  readonly value: string;
  readonly fields: readonly FieldView[];
}

export interface PacketView {
  readonly address: string;
  readonly name: string;
  readonly opcode?: string;
  readonly compute?: true;
  readonly predicated?: true;
  readonly dwords: readonly string[];
  readonly fields: readonly FieldView[];
  readonly registers: readonly RegisterView[];
  readonly reason?: string;
}

export interface PacketPage {
  /** Packets that belong to the event; `packets` starts at `from`. */
  readonly total: number;
  readonly from: number;
  readonly packets: readonly PacketView[];
  /** Command buffers on the way to the event, outermost first. */
  readonly path: readonly { readonly address: string; readonly dwordOffset: number; readonly dwordCount: number }[];
}

export interface UserSgprView {
  readonly register: string;
  readonly value: string;
  /** What is known about it or about the pair that starts here; never a guess. */
  readonly note?: string;
}

export interface RegisterChangeView {
  readonly name: string;
  readonly index: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly kind: 'changed' | 'redundant';
  readonly writer: string;
}

export interface StateView {
  readonly kind: string;
  readonly summary: string;
  readonly markers: readonly string[];
  readonly diagnostics: readonly DiagnosticView[];
  /** For dispatches: what the registers mean, in groups. */
  readonly dispatch?: {
    readonly properties: readonly { readonly group: string; readonly name: string; readonly value: string }[];
    readonly userSgprs: readonly UserSgprView[];
  };
  /** Since the dispatch or draw before. */
  readonly changes: readonly RegisterChangeView[];
  /** Everything ever written. */
  readonly registers: readonly (RegisterView & { readonly writer: string })[];
}

const nothing = z.object({}).strict();
export const eventIndex = z.number().int().min(0).max(0x7fffffff);

export const CAPTURE_CALLS = {
  'capture.open': call(z.object({ path: z.string().min(1).max(4096) }).strict())<Outcome<CaptureSummary>>({
    progress: true,
  }),
  'capture.current': call(nothing)<CaptureSummary | null>(),
  'capture.close': call(nothing)<null>(),
  'events.tree': call(nothing)<EventTree>(),
  'events.text': call(z.object({ from: z.number().int().min(0), count: z.number().int().min(1).max(1000) }).strict())<
    readonly EventRowText[]
  >(),
  /** Rows that contain every word, ascending. */
  'events.find': call(z.object({ words: z.string().max(500) }).strict())<Uint32Array>({ progress: true }),
  'events.packets': call(
    z.object({ event: eventIndex, from: z.number().int().min(0), count: z.number().int().min(1).max(1000) }).strict(),
  )<PacketPage>(),
  'events.state': call(z.object({ event: eventIndex }).strict())<StateView>(),
};
