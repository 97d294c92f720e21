/**
 * Executes command buffers as the command processor does: registers, memory, nested buffers; and tells the caller what
 * happened, event by event.
 *
 * Pull model: `next` runs packets up to the next event and returns it. Dispatches and draws are not run here: the
 * caller runs them on `memory` before it asks for the next event, so that packets after them see what they wrote.
 * Memory packets have run when their event is returned. `memory` may be replaced between events (a fork per event).
 *
 * Bounded (buffer-stack.ts, `maxPacketsPerSubmit`): hostile streams end with a diagnostic, never with a hang; a wait
 * that nobody can satisfy any more is reported and passed. Nothing throws on bad input.
 */
import { atAddress, type Diagnostic, type DiagnosticKind, diagnostic } from '../base/diagnostics.ts';
import type { Target } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { BufferStack, type Frame } from './buffer-stack.ts';
import type { EventEffect, GpuEvent, PathStep } from './events.ts';
import { type Generation, generationOf } from './generation.ts';
import { GpuState, type GpuStateBuilder, type PacketSequence } from './gpu-state.ts';
import type { Packet } from './packet-stream.ts';
import type { PacketContext } from './packets/definition.ts';

export interface Submit {
  /** Position among all submits of the capture. */
  readonly sequence: number;
  readonly queue?: string;
  readonly address: GuestAddress;
  readonly dwordCount: number;
}

export interface CommandProcessorOptions {
  readonly target: Target;
  readonly memory: GuestMemory;
  readonly state?: GpuState;
  /** Buffers inside buffers; hardware has 2 levels, runtimes chain at most a few. */
  readonly maxDepth?: number;
  readonly maxPacketsPerSubmit?: number;
  /** Dwords of all buffers entered, each as often as it is entered. */
  readonly maxDwordsPerSubmit?: number;
  /** The global data share, where several queues share one; 64 KiB. */
  readonly gds?: Uint32Array;
  /** Told of every packet before it runs, those without an event included. */
  readonly observe?: (step: PacketStep) => void;
}

export interface PacketStep {
  readonly packet: Packet;
  readonly sequence: PacketSequence;
  readonly path: readonly PathStep[];
}

const DEFAULT_DEPTH = 16;
const DEFAULT_PACKETS = 4_000_000;
const DEFAULT_DWORDS = 1 << 26;
const MAX_OPEN_MARKERS = 1024;
const GDS_BYTES = 0x10000;
const CONSTANT_RAM_BYTES = 0x10000;

/** Where and before what a packet ran. */
interface Situation {
  readonly state: GpuState;
  readonly path: readonly PathStep[];
  readonly markers: readonly string[];
}

export class CommandProcessor {
  readonly target: Target;
  readonly generation: Generation;
  memory: GuestMemory;
  private readonly builder: GpuStateBuilder;
  private readonly buffers: BufferStack;
  private readonly maxPackets: number;
  private readonly context: PacketContext;
  private readonly observe: ((step: PacketStep) => void) | undefined;
  private markers: readonly string[] = [];
  private submit: Submit | undefined;
  private packetsInSubmit = 0;
  private sequence: PacketSequence = 0;
  private eventCount = 0;
  /** Of the packet that is being executed. */
  private address = 0 as GuestAddress;
  private diagnostics: Diagnostic[] = [];
  /** Address of every executed packet, by sequence − 1. */
  private packetAddresses = new Float64Array(1024);

  constructor(options: CommandProcessorOptions) {
    this.target = options.target;
    this.generation = generationOf(options.target);
    this.memory = options.memory;
    this.builder = (options.state ?? GpuState.EMPTY).edit();
    this.buffers = new BufferStack(options.target, {
      depth: options.maxDepth ?? DEFAULT_DEPTH,
      dwordsPerSubmit: options.maxDwordsPerSubmit ?? DEFAULT_DWORDS,
    });
    this.maxPackets = options.maxPacketsPerSubmit ?? DEFAULT_PACKETS;
    this.observe = options.observe;
    this.context = this.makeContext(options.gds ?? new Uint32Array(GDS_BYTES / 4));
  }

  /** The registers as they are now. */
  get state(): GpuState {
    return this.builder.snapshot();
  }

  /** Number of packets executed so far. */
  get packetCount(): number {
    return this.sequence;
  }

  /** Where a packet that was executed stands; undefined for sequence 0 and for numbers not reached. */
  packetAddress(sequence: PacketSequence): GuestAddress | undefined {
    if (sequence < 1 || sequence > this.sequence) return undefined;
    return this.packetAddresses[sequence - 1] as GuestAddress;
  }

  /** Events of one submit, in order. The next event is not computed before it is asked for. */
  *execute(submit: Submit): Generator<GpuEvent, void, void> {
    const problem = this.begin(submit);
    if (problem) yield problem;
    else for (let event = this.next(); event; event = this.next()) yield event;
  }

  /** Starts a submit; whatever was left of the one before is dropped. An event only when it cannot start. */
  begin(submit: Submit): GpuEvent | undefined {
    this.submit = submit;
    this.packetsInSubmit = 0;
    this.markers = [];
    const problem = this.buffers.begin(this.memory, submit.address, submit.dwordCount);
    if (problem === undefined) return undefined;
    const summary = `submit ${submit.sequence} ${problem}`;
    const reported = diagnostic('PM4001', 'fault', summary, atAddress(submit.address));
    return this.event(undefined, { kind: 'problem', summary }, this.situation(), [reported]);
  }

  /** Runs up to the next event; undefined at the end of the submit. */
  next(): GpuEvent | undefined {
    for (;;) {
      const frame = this.buffers.top();
      if (!frame) return undefined;
      const event = this.step(frame);
      if (event) return event;
    }
  }

  private step(frame: Frame): GpuEvent | undefined {
    const { stream } = frame;
    frame.current = frame.next++;
    const packet = stream.packet(frame.current);
    this.address = packet.address;
    this.sequence++;
    this.recordAddress(this.address);
    this.observe?.({ packet, sequence: this.sequence, path: this.buffers.path() });
    if (++this.packetsInSubmit > this.maxPackets) {
      const what = `more than ${this.maxPackets} packets in submit ${this.submit!.sequence}; the rest is not executed`;
      const event = this.refuse(packet, 'problem', 'PM4002', 'badInput', what);
      this.buffers.clear();
      return event;
    }
    switch (packet.kind) {
      case 'filler':
        return undefined;
      case 'registers':
        this.setRegisters(packet);
        return undefined;
      case 'damaged':
        return this.refuse(packet, 'damaged', 'PM4003', 'badInput', packet.reason!);
      case 'named': {
        const what = `${packet.name} is known but not executed`;
        return this.refuse(packet, 'unsupported', 'PM4004', 'unsupported', what);
      }
      case 'command':
        return this.command(packet);
    }
  }

  private command(packet: Packet): GpuEvent | undefined {
    const definition = packet.definition!;
    if (packet.isPredicated && !this.builder.processor.predicate) return undefined;
    if (definition.setsRegistersOf !== undefined) {
      // No snapshot: it would make the next write copy what this one owns.
      this.setRegisters(packet);
      return undefined;
    }
    const situation = this.situation();
    this.diagnostics = [];
    const effect = definition.execute?.(packet, this.context);
    if (effect) return this.event(packet, effect, situation, this.diagnostics);
    if (this.diagnostics.length === 0) return undefined;
    const problem: EventEffect = { kind: 'problem', summary: this.diagnostics[0]!.message };
    return this.event(packet, problem, situation, this.diagnostics);
  }

  private setRegisters(packet: Packet): void {
    const run = packet.registerRun()!;
    const valuesAt = packet.dwordOffset + 1 + run.valuesAt;
    this.builder.writeRun(run.first, packet.stream.words, valuesAt, run.count, this.sequence);
  }

  private refuse(
    packet: Packet,
    kind: 'damaged' | 'unsupported' | 'problem',
    code: string,
    diagnosticKind: DiagnosticKind,
    summary: string,
  ): GpuEvent {
    const reported = diagnostic(code, diagnosticKind, summary, atAddress(packet.address));
    return this.event(packet, { kind, summary }, this.situation(), [reported]);
  }

  private situation(): Situation {
    return { state: this.builder.snapshot(), path: this.buffers.path(), markers: this.markers };
  }

  private event(
    packet: Packet | undefined,
    effect: EventEffect,
    { state, path, markers }: Situation,
    diagnostics: readonly Diagnostic[],
  ): GpuEvent {
    const submit = this.submit!.sequence;
    return {
      index: this.eventCount++,
      effect,
      packet,
      sequence: this.sequence,
      path,
      markers,
      state,
      submit,
      diagnostics,
    };
  }

  /** One object for all packets; what it needs of the current one stands in this processor's fields. */
  private makeContext(gds: Uint32Array): PacketContext {
    const processor = this;
    const report = (code: string, kind: DiagnosticKind, message: string) => {
      this.diagnostics.push(diagnostic(code, kind, message, atAddress(this.address)));
    };
    return {
      target: this.target,
      generation: this.generation,
      get memory() {
        return processor.memory;
      },
      state: this.builder,
      gds,
      constantRam: new Uint32Array(CONSTANT_RAM_BYTES / 4),
      readRegister: (index) => this.builder.read(index),
      writeRegister: (index, value) => this.builder.write(index, value, this.sequence),
      report,
      enterBuffer: (address, dwordCount, chain) => this.buffers.enter(this.memory, address, dwordCount, chain, report),
      skipDwords: (count) => this.buffers.skip(count, report),
      reloadRest: () => this.buffers.reload(this.memory, report),
      pushMarker: (label) => {
        if (this.markers.length < MAX_OPEN_MARKERS) this.markers = [...this.markers, label];
        else report('PM4009', 'warning', `more than ${MAX_OPEN_MARKERS} open markers; this one is not kept`);
      },
      popMarker: () => {
        const label = this.markers.at(-1);
        this.markers = this.markers.slice(0, -1);
        return label;
      },
      tick: () => this.sequence,
    };
  }

  private recordAddress(address: GuestAddress): void {
    if (this.sequence > this.packetAddresses.length) {
      const grown = new Float64Array(2 * this.packetAddresses.length);
      grown.set(this.packetAddresses);
      this.packetAddresses = grown;
    }
    this.packetAddresses[this.sequence - 1] = address;
  }
}
