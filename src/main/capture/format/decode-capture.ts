/**
 * Capture file → model. Reads the ELF header, the program headers and the notes, and nothing else.
 *
 * Fails (named error with file offset) when there is nothing to show: no ELF core for AMDGPU, no readable META, a newer
 * format version, an unknown target. Everything less is left out and listed in `damage`.
 */
import { atFile, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ByteSource } from './byte-source.ts';
import { DamageLog } from './damage.ts';
import {
  type CaptureMeta,
  decodeExpected,
  decodeLabel,
  decodeMeta,
  decodeRegisters,
  decodeShader,
  decodeSubmit,
  decodeUpdate,
  type PayloadBounds,
} from './decode-notes.ts';
import { decodeElfCore, type FileRange } from './elf-core.ts';
import { MAX_NOTE_BYTES, NOTE, NOTE_OWNER } from './layout.ts';
import type {
  Capture,
  CaptureExpectation,
  CaptureLabel,
  CaptureRegister,
  CaptureShader,
  CaptureSubmit,
  CaptureUpdate,
  UnknownNote,
} from './model.ts';

interface RawNote {
  readonly owner: string;
  readonly type: number;
  readonly bytes: Uint8Array;
  /** Of the note header in the file. */
  readonly at: number;
}

const LATIN1 = new TextDecoder('latin1');

export function decodeCapture(source: ByteSource): Result<Capture> {
  const damage = new DamageLog();
  const core = decodeElfCore(source, damage);
  if (!core.ok) return core;
  const notes = readNotes(source, core.value.notes, damage);
  const meta = findMeta(notes, damage);
  if (!meta.ok) return meta;
  const records = decodeRecords(notes, payloadBounds(core.value.payloads), damage);
  return ok({ ...meta.value, segments: core.value.segments, ...records, damage: damage.list() });
}

/**
 * Binary search over disjoint ranges sorted by offset. Notes do not share stored bytes, so all of them together are no
 * longer than the payload segments: what is decoded is bounded by the file's size however many notes there are.
 */
function payloadBounds(ranges: readonly FileRange[]): PayloadBounds {
  let budget = ranges.reduce((sum, range) => sum + range.size, 0);
  return (offset, size) => {
    if (size === 0) return undefined;
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle]!;
      if (offset < range.offset) high = middle - 1;
      else if (offset >= range.offset + range.size) low = middle + 1;
      else if (offset + size > range.offset + range.size) break;
      else {
        budget -= size;
        return budget < 0 ? 'shares bytes with other payloads' : undefined;
      }
    }
    return 'lies in no payload segment';
  };
}

function readNotes(source: ByteSource, ranges: readonly FileRange[], damage: DamageLog): RawNote[] {
  const notes: RawNote[] = [];
  let budget = MAX_NOTE_BYTES;
  for (const range of ranges) {
    const size = Math.min(range.size, budget);
    if (size < range.size) {
      damage.add('CAP006', `notes above the limit of ${MAX_NOTE_BYTES} bytes are not read`, range.offset + size);
    }
    budget -= size;
    const bytes = source.read(range.offset, size);
    if (bytes) splitNotes(bytes, range.offset, notes, damage);
    else damage.add('CAP009', 'a note segment cannot be read', range.offset);
  }
  return notes;
}

function splitNotes(bytes: Uint8Array, base: number, out: RawNote[], damage: DamageLog): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const rest = bytes.length - at;
    const nameSize = rest >= 12 ? view.getUint32(at, true) : 0;
    const descSize = rest >= 12 ? view.getUint32(at + 4, true) : 0;
    const descAt = 12 + Math.ceil(nameSize / 4) * 4;
    if (rest < 12 || descAt + descSize > rest) {
      // Sizes are all that links one note to the next: nothing after this one can be found.
      const text =
        rest < 12 ? `note header cut off after ${rest} bytes` : `note of ${descAt + descSize} bytes, ${rest} left`;
      damage.add('CAP006', `${text}: this and later notes of the segment are lost`, base + at);
      return;
    }
    const name = bytes.subarray(at + 12, at + 12 + nameSize);
    const end = name.indexOf(0);
    out.push({
      owner: LATIN1.decode(end < 0 ? name : name.subarray(0, end)),
      type: view.getUint32(at + 8, true),
      bytes: bytes.subarray(at + descAt, at + descAt + descSize),
      at: base + at,
    });
    at += descAt + Math.ceil(descSize / 4) * 4;
  }
}

function findMeta(notes: readonly RawNote[], damage: DamageLog): Result<CaptureMeta> {
  const metas = notes.filter((note) => note.owner === NOTE_OWNER && note.type === NOTE.meta);
  const note = metas[0];
  if (!note) {
    const missing = diagnostic('CAP004', 'badInput', 'no META note: not a Lanescope capture, or its notes are lost');
    return fail([missing, ...damage.list()]);
  }
  if (metas.length > 1) damage.add('CAP006', 'more than one META note: the first counts', metas[1]!.at);
  const meta = decodeMeta(note.bytes);
  if (meta.ok) return meta;
  const { kind, message } = meta.error;
  const where = atFile(note.at);
  const errors: Record<typeof kind, Diagnostic> = {
    damaged: diagnostic('CAP004', 'badInput', message, where),
    newer: diagnostic('CAP003', 'unsupported', message, where),
    unsupported: diagnostic('CAP011', 'unsupported', message, where),
  };
  return fail([errors[kind], ...damage.list()]);
}

function decodeRecords(notes: readonly RawNote[], bounds: PayloadBounds, damage: DamageLog) {
  const registers: CaptureRegister[] = [];
  const submits: CaptureSubmit[] = [];
  const updates: CaptureUpdate[] = [];
  const shaders: CaptureShader[] = [];
  const expected: CaptureExpectation[] = [];
  const labels: CaptureLabel[] = [];
  const unknownNotes: UnknownNote[] = [];
  const keep = <T>(list: T[], what: string, note: RawNote, decoded: Result<T, string>) => {
    if (decoded.ok) list.push(decoded.value);
    else damage.add('CAP006', `${what} note: ${decoded.error}`, note.at);
  };
  for (const note of notes) {
    const { owner, type, bytes } = note;
    if (owner !== NOTE_OWNER) unknownNotes.push({ owner, type, bytes });
    else if (type === NOTE.registers) {
      const decoded = decodeRegisters(bytes);
      for (const register of decoded.registers) registers.push(register);
      if (decoded.problem) damage.add('CAP006', `REGISTERS note: ${decoded.problem}`, note.at);
    } else if (type === NOTE.submit) keep(submits, 'SUBMIT', note, decodeSubmit(bytes));
    else if (type === NOTE.memoryUpdate) keep(updates, 'MEMORY_UPDATE', note, decodeUpdate(bytes, bounds));
    else if (type === NOTE.shader) keep(shaders, 'SHADER', note, decodeShader(bytes));
    else if (type === NOTE.expected) keep(expected, 'EXPECTED', note, decodeExpected(bytes, bounds));
    else if (type === NOTE.label) keep(labels, 'LABEL', note, decodeLabel(bytes));
    else if (type !== NOTE.meta) unknownNotes.push({ owner, type, bytes });
  }
  submits.sort((a, b) => a.sequence - b.sequence);
  updates.sort((a, b) => a.beforeSequence - b.beforeSequence);
  checkSequences(submits, updates, damage);
  return { registers, submits, updates, shaders, expected, labels, unknownNotes };
}

/** Two submits of one sequence have no order, and an update before a submit that is not there would never apply. */
function checkSequences(submits: readonly CaptureSubmit[], updates: readonly CaptureUpdate[], damage: DamageLog): void {
  const sequences = new Set<number>();
  for (const { sequence } of submits) {
    if (sequences.has(sequence)) damage.add('CAP006', `more than one SUBMIT note of sequence ${sequence}`, 0);
    sequences.add(sequence);
  }
  for (const { beforeSequence, payload } of updates) {
    if (sequences.has(beforeSequence)) continue;
    damage.add(
      'CAP006',
      `MEMORY_UPDATE note before sequence ${beforeSequence}, which no SUBMIT has`,
      payload.fileOffset,
    );
  }
}
