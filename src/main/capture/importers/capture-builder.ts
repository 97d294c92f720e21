/**
 * Builds a capture piece by piece: map, write, submit, expect, label, build.
 *
 * Used by the importers and by tools that make sample captures. Addresses are guest addresses below 2^48. Its callers
 * have checked their input already: writing to unmapped memory here is a bug, hence assertions.
 * Pages that nobody wrote take no space in the file.
 */
import { assert } from '../../base/assert.ts';
import type { Target } from '../../base/dispatch.ts';
import { ADDRESS_LIMIT, addToAddress, formatAddress, type GuestAddress } from '../../base/guest-address.ts';
import { GuestMemory, PAGE_SIZE, type Permissions, READ, WRITE } from '../../base/guest-memory.ts';
import { type EncodeOptions, encodeCapture } from '../format/encode-capture.ts';
import type {
  CaptureContents,
  CaptureLabel,
  CaptureRegister,
  CaptureShader,
  CaptureSubmit,
  ExpectationContents,
  QueueKind,
  RegisterSpace,
  SegmentContents,
  UpdateContents,
} from '../format/model.ts';
import type { Pm4Stream } from './pm4-builder.ts';

export interface CaptureDescription {
  readonly target: Target;
  readonly producer: string;
  readonly title: string;
}

/** Runs of unwritten pages up to this length are stored as zeros instead of starting a new segment. */
const GAP_PAGES = 16;

export class CaptureBuilder {
  private readonly description: CaptureDescription;
  private readonly memory = new GuestMemory();
  private readonly registers: CaptureRegister[] = [];
  private readonly submits: CaptureSubmit[] = [];
  private readonly updates: UpdateContents[] = [];
  private readonly shaders: CaptureShader[] = [];
  private readonly expected: ExpectationContents[] = [];
  private readonly labels: CaptureLabel[] = [];

  constructor(description: CaptureDescription) {
    this.description = description;
  }

  get target(): Target {
    return this.description.target;
  }

  /** Maps whole pages around [address, address + sizeBytes). */
  map(address: GuestAddress, sizeBytes: number, permissions: Permissions): this {
    assert(sizeBytes > 0, 'a mapping has a size');
    this.memory.map(address, sizeBytes, permissions);
    return this;
  }

  /** Whether all of the range is mapped. */
  isMapped(address: GuestAddress, sizeBytes: number): boolean {
    // Above 2^53 an address and the one behind it can be the same number.
    return address >= 0 && address + sizeBytes <= ADDRESS_LIMIT && this.memory.allows(address, sizeBytes, 0);
  }

  /** Whether none of the range is mapped. */
  isFree(address: GuestAddress, sizeBytes: number): boolean {
    return !this.memory.extents.some((e) => e.start < address + sizeBytes && e.end > address);
  }

  /**
   * Maps `sizeBytes` at the first free place from `from` on, with an unmapped page on both sides, so that running over
   * the end is a fault.
   */
  allocate(from: GuestAddress, sizeBytes: number, permissions: Permissions): GuestAddress {
    const size = Math.max(1, Math.ceil(sizeBytes / PAGE_SIZE)) * PAGE_SIZE;
    let start = Math.ceil(from / PAGE_SIZE) * PAGE_SIZE;
    for (const e of this.memory.extents) {
      if (e.end + PAGE_SIZE <= start) continue;
      if (e.start >= start + size + PAGE_SIZE) break;
      start = e.end + PAGE_SIZE;
    }
    this.map(start as GuestAddress, size, permissions);
    return start as GuestAddress;
  }

  write(address: GuestAddress, bytes: Uint8Array): this {
    assert(
      this.memory.pokeBytes(address, bytes),
      `capture memory at ${formatAddress(address)} is mapped before it is written`,
    );
    return this;
  }

  writeWords(address: GuestAddress, words: ArrayLike<number>): this {
    return this.write(address, new Uint8Array(Uint32Array.from(words).buffer));
  }

  /** Value before the first submit. */
  register(space: RegisterSpace, index: number, value: number): this {
    this.registers.push({ space, index, value });
    return this;
  }

  /** A command buffer that lies in memory already. Returns its sequence. */
  submit(address: GuestAddress, dwords: number, queue: QueueKind = 'compute', queueIndex = 0): number {
    const sequence = this.submits.length;
    this.submits.push({ sequence, queue, queueIndex, address, dwords });
    return sequence;
  }

  /** Places a stream in memory, at the first free page from `from` on, and submits it. */
  submitStream(stream: Pm4Stream, from: GuestAddress, queue: QueueKind = 'compute'): number {
    return this.submit(this.placeStream(stream, from), stream.dwords, queue);
  }

  /** For streams that an INDIRECT_BUFFER runs. */
  placeStream(stream: Pm4Stream, from: GuestAddress): GuestAddress {
    const address = this.allocate(from, stream.dwords * 4, READ | WRITE);
    this.write(address, stream.bytes());
    return address;
  }

  /** What the CPU writes before the submit of that sequence. */
  update(beforeSequence: number, address: GuestAddress, bytes: Uint8Array): this {
    this.updates.push({ beforeSequence, address, bytes });
    return this;
  }

  shader(shader: CaptureShader): this {
    this.shaders.push(shader);
    return this;
  }

  expect(expectation: ExpectationContents): this {
    this.expected.push(expectation);
    return this;
  }

  label(label: CaptureLabel): this {
    this.labels.push(label);
    return this;
  }

  contents(): CaptureContents {
    const { registers, submits, updates, shaders, expected, labels } = this;
    const rest = { registers, submits, updates, shaders, expected, labels, unknownNotes: [] };
    return { ...this.description, segments: this.segments(), ...rest };
  }

  build(options?: EncodeOptions): Uint8Array {
    return encodeCapture(this.contents(), options);
  }

  private segments(): SegmentContents[] {
    const written = this.memory.writtenPages();
    const segments: SegmentContents[] = [];
    let next = 0;
    for (const extent of this.memory.extents) {
      const runs: { first: number; last: number }[] = [];
      for (; next < written.length && written[next]! * PAGE_SIZE < extent.end; next++) {
        const page = written[next]!;
        const run = runs[runs.length - 1];
        if (run && page - run.last <= GAP_PAGES) run.last = page;
        else runs.push({ first: page, last: page });
      }
      const starts = runs.map((run) => run.first * PAGE_SIZE);
      if (starts[0] !== extent.start)
        segments.push(this.segment(extent.start, starts[0] ?? extent.end, 0, extent.permissions));
      runs.forEach((run, i) => {
        const stored = (run.last - run.first + 1) * PAGE_SIZE;
        segments.push(this.segment(starts[i]!, starts[i + 1] ?? extent.end, stored, extent.permissions));
      });
    }
    return segments;
  }

  private segment(start: number, end: number, stored: number, permissions: Permissions): SegmentContents {
    const address = start as GuestAddress;
    const bytes = this.memory.peekBytes(address, stored);
    assert(bytes !== undefined, `${formatAddress(addToAddress(address, stored))} ends mapped memory`);
    return { address, memSize: end - start, permissions, bytes };
  }
}
