/**
 * Executes command buffers as the command processor does: registers, memory, nested buffers; and tells the caller what
 * happened, event by event.
 *
 * Pull model: `next` runs packets up to the next event and returns it. Dispatches and draws are not run here: the
 * caller runs them on `memory` before it asks for the next event, so that packets after them see what they wrote.
 * Memory packets have run when their event is returned. `memory` may be replaced between events (a fork per event).
 *
 * Bounded: nesting depth, packets per submit, and buffers that enter themselves end with a diagnostic, never with a
 * hang; a wait that nobody can satisfy any more is reported and passed. Nothing throws on bad input.
 */
import { atAddress, type Diagnostic, type DiagnosticKind, diagnostic } from '../base/diagnostics.ts';
import type { Target } from '../base/dispatch.ts';
import { addToAddress, formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { decodePackets } from './decode.ts';
import type { EventEffect, GpuEvent, PathStep } from './events.ts';
import { type Generation, generationOf } from './generation.ts';
import { GpuState, type GpuStateBuilder, type PacketSequence } from './gpu-state.ts';
import type { Packet, PacketStream } from './packet-stream.ts';
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
}

const DEFAULT_DEPTH = 16;
const DEFAULT_PACKETS = 4_000_000;
const DEFAULT_DWORDS = 1 << 26;
const MAX_OPEN_MARKERS = 1024;
const GDS_BYTES = 0x10000;
const CONSTANT_RAM_BYTES = 0x10000;

interface Frame {
  stream: PacketStream;
  /** Next packet. */
  next: number;
  /** Offset of `stream` from the start of the buffer, after a reload. */
  startDword: number;
  readonly address: GuestAddress;
  readonly dwordCount: number;
  /** Buffers that chained to this one, and this one: entering one of them again is a loop. */
  readonly chain: ReadonlySet<GuestAddress>;
}

type Report = (code: string, kind: DiagnosticKind, message: string) => void;

export class CommandProcessor {
  readonly target: Target;
  readonly generation: Generation;
  memory: GuestMemory;
  private readonly builder: GpuStateBuilder;
  private readonly maxDepth: number;
  private readonly maxPackets: number;
  private readonly maxDwords: number;
  private readonly gds = new Uint32Array(GDS_BYTES / 4);
  private readonly constantRam = new Uint32Array(CONSTANT_RAM_BYTES / 4);
  private readonly frames: Frame[] = [];
  private markers: readonly string[] = [];
  private submit: Submit | undefined;
  private packetsInSubmit = 0;
  private dwordsInSubmit = 0;
  private sequence: PacketSequence = 0;
  private eventCount = 0;
  /** Address of every executed packet, by sequence − 1. */
  private packetAddresses = new Float64Array(1024);

  constructor(options: CommandProcessorOptions) {
    this.target = options.target;
    this.generation = generationOf(options.target);
    this.memory = options.memory;
    this.builder = (options.state ?? GpuState.EMPTY).edit();
    this.maxDepth = options.maxDepth ?? DEFAULT_DEPTH;
    this.maxPackets = options.maxPacketsPerSubmit ?? DEFAULT_PACKETS;
    this.maxDwords = options.maxDwordsPerSubmit ?? DEFAULT_DWORDS;
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
    if (problem) {
      yield problem;
      return;
    }
    for (let event = this.next(); event; event = this.next()) yield event;
  }

  /** Starts a submit; whatever was left of the one before is dropped. An event only when it cannot start. */
  begin(submit: Submit): GpuEvent | undefined {
    this.frames.length = 0;
    this.submit = submit;
    this.packetsInSubmit = 0;
    this.dwordsInSubmit = 0;
    this.markers = [];
    const words = this.readWords(submit.address, submit.dwordCount);
    if (typeof words === 'string') {
      const summary = `submit ${submit.sequence} ${words}`;
      const reported = diagnostic('PM4001', 'fault', summary, atAddress(submit.address));
      return this.event(undefined, this.state, { kind: 'problem', summary }, [reported]);
    }
    this.push(words, submit.address, new Set());
    return undefined;
  }

  /** Runs up to the next event; undefined at the end of the submit. */
  next(): GpuEvent | undefined {
    for (;;) {
      const frame = this.frames.at(-1);
      if (!frame) return undefined;
      if (frame.next >= frame.stream.count) {
        this.frames.pop();
        continue;
      }
      const event = this.step(frame);
      if (event) return event;
    }
  }

  private step(frame: Frame): GpuEvent | undefined {
    const packet = frame.stream.packet(frame.next);
    this.sequence++;
    this.recordAddress(packet.address);
    if (++this.packetsInSubmit > this.maxPackets) {
      this.frames.length = 0;
      const summary = `more than ${this.maxPackets} packets in submit ${this.submit!.sequence}; the rest is not executed`;
      const reported = diagnostic('PM4002', 'badInput', summary, atAddress(packet.address));
      return this.event(packet, this.state, { kind: 'problem', summary }, [reported]);
    }
    switch (packet.kind) {
      case 'filler':
        frame.next++;
        return undefined;
      case 'registers':
        for (const { index, value } of packet.registerWrites()) this.builder.write(index, value, this.sequence);
        frame.next++;
        return undefined;
      case 'damaged':
        return this.refused(frame, packet, 'damaged', 'PM4003', 'badInput', packet.reason!);
      case 'named':
        return this.refused(
          frame,
          packet,
          'unsupported',
          'PM4004',
          'unsupported',
          `${packet.name} is known but not executed`,
        );
      case 'command':
        return this.command(frame, packet);
    }
  }

  private refused(
    frame: Frame,
    packet: Packet,
    kind: 'damaged' | 'unsupported',
    code: string,
    diagnosticKind: DiagnosticKind,
    summary: string,
  ): GpuEvent {
    const event = this.event(packet, this.state, { kind, summary }, [
      diagnostic(code, diagnosticKind, summary, atAddress(packet.address)),
    ]);
    frame.next++;
    return event;
  }

  private command(frame: Frame, packet: Packet): GpuEvent | undefined {
    const definition = packet.definition!;
    if (packet.isPredicated && !this.builder.processor.predicate) {
      frame.next++;
      return undefined;
    }
    // Packets that only set registers never report; sparing them the snapshot spares the copies that follow it.
    const before = definition.registers ? undefined : this.state;
    const path = before ? this.path() : undefined;
    const markers = this.markers;
    const diagnostics: Diagnostic[] = [];
    frame.next++;
    const effect = definition.execute(packet, this.context(frame, packet, diagnostics));
    if (effect) return this.event(packet, before ?? this.state, effect, diagnostics, path, markers);
    if (diagnostics.length === 0) return undefined;
    const problem: EventEffect = { kind: 'problem', summary: diagnostics[0]!.message };
    return this.event(packet, before ?? this.state, problem, diagnostics, path, markers);
  }

  private context(frame: Frame, packet: Packet, diagnostics: Diagnostic[]): PacketContext {
    const report: Report = (code, kind, message) => {
      diagnostics.push(diagnostic(code, kind, message, atAddress(packet.address)));
    };
    return {
      target: this.target,
      generation: this.generation,
      memory: this.memory,
      state: this.builder,
      gds: this.gds,
      constantRam: this.constantRam,
      readRegister: (index) => this.builder.read(index),
      writeRegister: (index, value) => this.builder.write(index, value, this.sequence),
      report,
      enterBuffer: (address, dwordCount, chain) => this.enterBuffer(frame, address, dwordCount, chain, report),
      skipDwords: (count) => this.skip(frame, count, report),
      reloadRest: () => this.reload(frame, report),
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

  private enterBuffer(frame: Frame, address: GuestAddress, dwordCount: number, chain: boolean, report: Report): void {
    if (dwordCount === 0) return;
    if (this.frames.some((f) => f.chain.has(address))) {
      report('PM4005', 'badInput', `indirect buffer ${formatAddress(address)} enters itself; not executed`);
      return;
    }
    if (!chain && this.frames.length >= this.maxDepth) {
      report('PM4006', 'badInput', `indirect buffers are nested deeper than ${this.maxDepth}; not executed`);
      return;
    }
    const words = this.readWords(address, dwordCount);
    if (typeof words === 'string') {
      report('PM4007', 'fault', `indirect buffer ${words}`);
      return;
    }
    // Hardware drops what follows a chaining packet in its buffer.
    if (chain) this.frames.pop();
    this.push(words, address, chain ? frame.chain : new Set());
  }

  private skip(frame: Frame, count: number, report: Report): void {
    const stream = frame.stream;
    const from = frame.next < stream.count ? stream.offsetOf(frame.next) : stream.words.length;
    const index = stream.indexAtOffset(Math.min(from + count, stream.words.length));
    if (index !== undefined) {
      if (from + count > stream.words.length) {
        report('PM4008', 'badInput', `skips ${count} dwords, past the end of its buffer`);
      }
      frame.next = index;
      return;
    }
    report('PM4008', 'badInput', `skips ${count} dwords, which end inside a packet; decoding goes on there`);
    this.redecode(frame, stream.words.subarray(from + count), from + count);
  }

  private reload(frame: Frame, report: Report): void {
    const from = frame.next < frame.stream.count ? frame.stream.offsetOf(frame.next) : frame.stream.words.length;
    const left = frame.stream.words.length - from;
    if (left === 0) return;
    const words = this.readWords(addToAddress(frame.stream.address, 4 * from), left);
    if (typeof words === 'string') report('PM4007', 'fault', `rest of the buffer ${words}`);
    else this.redecode(frame, words, from);
  }

  private redecode(frame: Frame, words: Uint32Array, from: number): void {
    const address = addToAddress(frame.stream.address, 4 * from);
    frame.stream = decodePackets(words, address, this.target);
    frame.startDword += from;
    frame.next = 0;
  }

  private push(words: Uint32Array, address: GuestAddress, chainedFrom: ReadonlySet<GuestAddress>): void {
    const stream = decodePackets(words, address, this.target);
    const chain = new Set(chainedFrom).add(address);
    this.frames.push({ stream, next: 0, startDword: 0, address, dwordCount: words.length, chain });
  }

  /** The words, or why not, to be put after the buffer's name. */
  private readWords(address: GuestAddress, dwordCount: number): Uint32Array | string {
    const where = `at ${formatAddress(address)} (${dwordCount} dwords)`;
    this.dwordsInSubmit += dwordCount;
    if (this.dwordsInSubmit > this.maxDwords) {
      return `${where} exceeds the ${this.maxDwords} dwords that one submit may execute`;
    }
    const bytes = this.memory.readBytes(address, 4 * dwordCount);
    if (!bytes) return `${where} is not readable`;
    return wordsOf(bytes);
  }

  private path(): PathStep[] {
    return this.frames.map((f, i) => {
      const current = i === this.frames.length - 1 ? f.next : f.next - 1;
      const offset = current < f.stream.count ? f.stream.offsetOf(current) : f.stream.words.length;
      return { address: f.address, dwordCount: f.dwordCount, dwordOffset: f.startDword + offset };
    });
  }

  private event(
    packet: Packet | undefined,
    state: GpuState,
    effect: EventEffect,
    diagnostics: readonly Diagnostic[],
    path: readonly PathStep[] = this.path(),
    markers: readonly string[] = this.markers,
  ): GpuEvent {
    return {
      index: this.eventCount++,
      effect,
      packet,
      sequence: this.sequence,
      path,
      markers,
      state,
      submit: this.submit!.sequence,
      diagnostics,
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

/** Little-endian dwords, whatever the host's order and the bytes' alignment. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Uint32Array(bytes.byteLength >>> 2);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true);
  return words;
}
