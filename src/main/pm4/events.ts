/**
 * Events: what the command processor did, in order, as the user steps through it.
 *
 * Register writes alone are no events; they show as the difference between the states of two events. An event is a
 * packet that ran something, touched memory, synchronised or marked, and every packet that could not be understood or
 * executed.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import type { GpuState, PacketSequence } from './gpu-state.ts';
import type { Packet } from './packet-stream.ts';
import type { PacketEffect } from './packets/definition.ts';

/** One buffer on the way from the submit to the packet. */
export interface PathStep {
  readonly address: GuestAddress;
  readonly dwordCount: number;
  /** Where in this buffer: of the packet itself in the last step, of the packet that entered the next one before. */
  readonly dwordOffset: number;
}

/** `problem`: a packet that had something to report and no effect of its own. */
export type EventEffect =
  | PacketEffect
  | { readonly kind: 'damaged'; readonly summary: string }
  | { readonly kind: 'problem'; readonly summary: string };

export type EventKind = EventEffect['kind'];

export interface GpuEvent {
  /** From 0, over everything that the processor executed. */
  readonly index: number;
  readonly effect: EventEffect;
  /** Undefined only for a submit whose buffer cannot be read. */
  readonly packet: Packet | undefined;
  /** Position of the packet among all executed packets, from 1; register writers are given by it. */
  readonly sequence: PacketSequence;
  /** From the submit's buffer inwards. */
  readonly path: readonly PathStep[];
  /** Labels of the markers that are open at the packet, outermost first. */
  readonly markers: readonly string[];
  /** Before the packet. */
  readonly state: GpuState;
  /** Sequence number of the submit. */
  readonly submit: number;
  readonly diagnostics: readonly Diagnostic[];
}
