/**
 * An open capture: the decoded model and its pages, read when touched.
 *
 * Works over any `ByteSource`, so a worker or a browser opens a capture in memory with the same code; files come in
 * through file-store.ts. Opening reads headers and notes only.
 * A medium that fails after opening (file truncated under us, disk error) is not bad input: `readPage` throws
 * `CaptureReadError`, which fails the job that touched the page; it never yields zeros.
 */
import { atAddress, atFile, type Diagnostic, diagnostic, formatDiagnostic } from '../../base/diagnostics.ts';
import { GuestMemory, PAGE_SIZE, type PageSource } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type ByteSource, byteSourceOf } from '../format/byte-source.ts';
import { decodeCapture } from '../format/decode-capture.ts';
import type { Capture, CaptureContents, CaptureSegment, ExpectationContents, PayloadRef } from '../format/model.ts';
import { decodePayload } from '../format/payload.ts';
import { PageCache } from './page-cache.ts';

/** 64 MiB of pages. */
export const DEFAULT_CACHE_PAGES = 16384;

export interface OpenOptions {
  readonly cachePages?: number;
}

export class CaptureReadError extends Error {
  override readonly name = 'CaptureReadError';
  readonly diagnostic: Diagnostic;

  constructor(cause: Diagnostic) {
    super(formatDiagnostic(cause));
    this.diagnostic = cause;
  }
}

function unreadable(offset: number): Diagnostic {
  return diagnostic('CAP009', 'badInput', 'the capture file can no longer be read here', atFile(offset));
}

export class OpenCapture implements PageSource {
  readonly capture: Capture;
  private readonly source: ByteSource;
  private readonly cache: PageCache;
  private readonly release: () => void;

  constructor(capture: Capture, source: ByteSource, options: OpenOptions = {}, release: () => void = () => {}) {
    this.capture = capture;
    this.source = source;
    this.cache = new PageCache(options.cachePages ?? DEFAULT_CACHE_PAGES);
    this.release = release;
  }

  /** Memory before the first submit and before any update. Every call gives a fresh one over the same pages. */
  initialMemory(): GuestMemory {
    const memory = new GuestMemory(this);
    memory.mapAll(
      this.capture.segments.map(({ address, memSize, permissions }) => ({
        start: address,
        sizeBytes: memSize,
        permissions,
      })),
    );
    return memory;
  }

  readPage(pageNumber: number): Uint8Array | undefined {
    const cached = this.cache.get(pageNumber);
    if (cached) return cached;
    const page = this.loadPage(pageNumber * PAGE_SIZE);
    if (page) this.cache.set(pageNumber, page);
    return page;
  }

  /** Undefined when no segment stores bytes for the page. */
  private loadPage(start: number): Uint8Array | undefined {
    const segments = this.capture.segments;
    const end = start + PAGE_SIZE;
    let page: Uint8Array | undefined;
    for (let i = this.firstSegmentEndingAfter(start); i < segments.length && segments[i]!.address < end; i++) {
      const segment = segments[i]!;
      const from = Math.max(start, segment.address);
      const to = Math.min(end, segment.address + segment.fileSize);
      if (from >= to) continue;
      const bytes = this.read(segment.fileOffset + (from - segment.address), to - from);
      if (bytes.length === PAGE_SIZE) return bytes;
      page ??= new Uint8Array(PAGE_SIZE);
      page.set(bytes, from - start);
    }
    return page;
  }

  private firstSegmentEndingAfter(address: number): number {
    const segments: readonly CaptureSegment[] = this.capture.segments;
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const segment = segments[middle]!;
      if (segment.address + segment.memSize <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private read(offset: number, length: number): Uint8Array {
    const bytes = this.source.read(offset, length);
    if (!bytes) throw new CaptureReadError(unreadable(offset));
    return bytes;
  }

  /** Decoded bytes of an update or an expectation. */
  payload(ref: PayloadRef): Result<Uint8Array> {
    const stored = this.source.read(ref.fileOffset, ref.storedSize);
    return stored ? decodePayload(ref, stored) : fail([unreadable(ref.fileOffset)]);
  }

  /** What the CPU wrote before this submit, put into `memory`. Updates that cannot be applied are reported. */
  applyUpdates(memory: GuestMemory, beforeSequence: number): Diagnostic[] {
    const problems: Diagnostic[] = [];
    const { updates } = this.capture;
    for (let i = this.firstUpdateOf(beforeSequence); updates[i]?.beforeSequence === beforeSequence; i++) {
      const update = updates[i]!;
      const bytes = this.payload(update.payload);
      if (!bytes.ok) problems.push(...bytes.error);
      else if (!memory.pokeBytes(update.address, bytes.value)) {
        const text = `memory update of ${bytes.value.length} bytes goes to memory that is not mapped`;
        problems.push(diagnostic('CAP013', 'badInput', text, atAddress(update.address)));
      }
    }
    return problems;
  }

  private firstUpdateOf(sequence: number): number {
    const { updates } = this.capture;
    let low = 0;
    let high = updates.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (updates[middle]!.beforeSequence < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Everything with its bytes, to write the capture again (changed, or in the newest version). */
  contents(): Result<CaptureContents> {
    const { capture } = this;
    const problems: Diagnostic[] = [];
    const bytesOf = (ref: PayloadRef): Uint8Array => {
      const bytes = this.payload(ref);
      if (bytes.ok) return bytes.value;
      problems.push(...bytes.error);
      return new Uint8Array(0);
    };
    const updates = capture.updates.map(({ payload, ...update }) => ({ ...update, bytes: bytesOf(payload) }));
    const expected = capture.expected.map((entry): ExpectationContents => {
      if (entry.kind === 'refused') return entry;
      const { payload, ...rest } = entry;
      return { ...rest, bytes: bytesOf(payload) };
    });
    const segments = capture.segments.map(({ address, memSize, permissions, fileOffset, fileSize }) => {
      const bytes = this.read(fileOffset, fileSize);
      return { address, memSize, permissions, bytes };
    });
    if (problems.length > 0) return fail(problems);
    const { target, producer, title, extra, registers, submits, shaders, labels, unknownNotes } = capture;
    const rest = { registers, submits, shaders, labels, unknownNotes };
    return ok({ target, producer, title, extra, segments, updates, expected, ...rest });
  }

  close(): void {
    this.release();
  }
}

export function openCaptureSource(
  source: ByteSource,
  options?: OpenOptions,
  release?: () => void,
): Result<OpenCapture> {
  const capture = decodeCapture(source);
  return capture.ok ? ok(new OpenCapture(capture.value, source, options, release)) : capture;
}

/** A capture that lies in memory; the bytes must not change while it is open. */
export function openCaptureBytes(bytes: Uint8Array, options?: OpenOptions): Result<OpenCapture> {
  return openCaptureSource(byteSourceOf(bytes), options);
}
