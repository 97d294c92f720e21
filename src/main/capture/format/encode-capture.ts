/**
 * Model → capture file. Order in the file: ELF header, program headers, notes, payloads, pages.
 *
 * The same contents always give the same bytes. Contents are the caller's to keep valid (page-aligned segments that do
 * not overlap, addresses inside 48 bits): a mistake there is a bug, not bad input, hence assertions.
 */
import { assert } from '../../base/assert.ts';
import { ADDRESS_LIMIT } from '../../base/guest-address.ts';
import { PAGE_SIZE } from '../../base/guest-memory.ts';
import { crc32 } from './crc32.ts';
import {
  encodeExpected,
  encodeLabel,
  encodeMeta,
  encodeRegisters,
  encodeShader,
  encodeSubmit,
  encodeUpdate,
} from './encode-notes.ts';
import { encodeText, FieldWriter } from './field-writer.ts';
import {
  ELF_HEADER_SIZE,
  ELF_MACHINE_FLAGS,
  EM_AMDGPU,
  ET_CORE,
  MAX_PAYLOAD_BYTES,
  NOTE,
  NOTE_OWNER,
  PN_XNUM,
  PROGRAM_HEADER_SIZE,
  PT_LANESCOPE_PAYLOAD,
  PT_LOAD,
  PT_NOTE,
  SECTION_HEADER_SIZE,
} from './layout.ts';
import { type CaptureContents, type PayloadRef, REGISTER_SPACES, type SegmentContents } from './model.ts';

export interface EncodeOptions {
  /** Raw DEFLATE (RFC 1951). Payloads are stored as they are without it, or where it does not shrink them. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array;
}

export function encodeCapture(contents: CaptureContents, options: EncodeOptions = {}): Uint8Array {
  checkSegments(contents.segments);
  const headerCount = contents.segments.length + 2;
  const extended = headerCount >= PN_XNUM;
  const sectionAt = ELF_HEADER_SIZE + headerCount * PROGRAM_HEADER_SIZE;
  const notesAt = sectionAt + (extended ? SECTION_HEADER_SIZE : 0);
  // Where payloads start depends on the size of the notes, which does not depend on where payloads are: two rounds.
  const payloads = new PayloadArea(options);
  const payloadsAt = notesAt + encodeNotes(contents, payloads).length;
  payloads.restart(payloadsAt);
  const notes = encodeNotes(contents, payloads);

  let pagesAt = alignUp(payloadsAt + payloads.size, PAGE_SIZE);
  const loads = contents.segments.map((segment) => {
    const at = pagesAt;
    pagesAt += alignUp(segment.bytes.length, PAGE_SIZE);
    return { segment, at };
  });
  const file = new Uint8Array(pagesAt);
  const head = new FieldWriter();
  writeElfHeader(head, contents, headerCount, extended ? sectionAt : 0);
  writeProgramHeader(head, { type: PT_NOTE, flags: 4, offset: notesAt, fileSize: notes.length, align: 4 });
  writeProgramHeader(head, {
    type: PT_LANESCOPE_PAYLOAD,
    flags: 4,
    offset: payloadsAt,
    fileSize: payloads.size,
    align: 1,
  });
  for (const { segment, at } of loads) {
    const { address, memSize, permissions, bytes } = segment;
    const sizes = { address, memSize, offset: at, fileSize: bytes.length };
    writeProgramHeader(head, { type: PT_LOAD, flags: permissions, ...sizes, align: PAGE_SIZE });
    file.set(bytes, at);
  }
  if (extended) writeExtendedCount(head, headerCount);
  file.set(head.finish(), 0);
  file.set(notes, notesAt);
  payloads.copyTo(file);
  return file;
}

function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

function checkSegments(segments: readonly SegmentContents[]): void {
  const sorted = segments.slice().sort((a, b) => a.address - b.address);
  let end = 0;
  for (const { address, memSize, bytes } of sorted) {
    assert(address % PAGE_SIZE === 0 && memSize % PAGE_SIZE === 0, 'segments are page aligned');
    assert(address >= end && address + memSize <= ADDRESS_LIMIT, 'segments do not overlap and fit in 48 bits');
    assert(bytes.length <= memSize, 'a segment stores no more than its memory holds');
    end = address + memSize;
  }
}

/** Collects payload bytes; the second round finds the encoded bytes of the first in order. */
class PayloadArea {
  size = 0;
  private readonly blocks: { stored: Uint8Array; crc: number; deflated: boolean }[] = [];
  private readonly options: EncodeOptions;
  private base = 0;
  private next = 0;

  constructor(options: EncodeOptions) {
    this.options = options;
  }

  restart(base: number): void {
    this.base = base;
    this.next = 0;
    this.size = 0;
  }

  readonly place = (bytes: Uint8Array): PayloadRef => {
    const block = (this.blocks[this.next] ??= this.encode(bytes));
    this.next++;
    const fileOffset = this.base + this.size;
    this.size += block.stored.length;
    const encoding = block.deflated ? 'deflate' : 'stored';
    return { fileOffset, storedSize: block.stored.length, size: bytes.length, encoding, crc32: block.crc };
  };

  private encode(bytes: Uint8Array) {
    assert(bytes.length <= MAX_PAYLOAD_BYTES, 'a payload fits the limit of the format');
    const deflated = this.options.deflate?.(bytes);
    const smaller = deflated !== undefined && deflated.length < bytes.length;
    return { stored: smaller ? deflated : bytes, crc: crc32(bytes), deflated: smaller };
  }

  copyTo(file: Uint8Array): void {
    let at = this.base;
    for (const block of this.blocks) {
      file.set(block.stored, at);
      at += block.stored.length;
    }
  }
}

function encodeNotes(contents: CaptureContents, payloads: PayloadArea): Uint8Array {
  const out = new FieldWriter();
  const note = (type: number, bytes: Uint8Array, owner: string = NOTE_OWNER) => {
    const name = encodeText(`${owner}\0`);
    out.u32(name.length).u32(bytes.length).u32(type).raw(name).align(4).raw(bytes).align(4);
  };
  note(NOTE.meta, encodeMeta(contents));
  for (const space of REGISTER_SPACES) {
    const registers = contents.registers.filter((register) => register.space === space);
    if (registers.length > 0) note(NOTE.registers, encodeRegisters(space, registers));
  }
  for (const submit of contents.submits) note(NOTE.submit, encodeSubmit(submit));
  for (const update of contents.updates) note(NOTE.memoryUpdate, encodeUpdate(update, payloads.place));
  for (const shader of contents.shaders) note(NOTE.shader, encodeShader(shader));
  for (const expected of contents.expected) note(NOTE.expected, encodeExpected(expected, payloads.place));
  for (const label of contents.labels) note(NOTE.label, encodeLabel(label));
  for (const unknown of contents.unknownNotes) note(unknown.type, unknown.bytes, unknown.owner);
  return out.finish();
}

function writeElfHeader(out: FieldWriter, contents: CaptureContents, headerCount: number, sectionAt: number): void {
  out.raw(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)).u64(0);
  out.u16(ET_CORE).u16(EM_AMDGPU).u32(1);
  out.u64(0).u64(ELF_HEADER_SIZE).u64(sectionAt);
  out.u32(ELF_MACHINE_FLAGS[contents.target]);
  out.u16(ELF_HEADER_SIZE).u16(PROGRAM_HEADER_SIZE).u16(Math.min(headerCount, PN_XNUM));
  out
    .u16(sectionAt ? SECTION_HEADER_SIZE : 0)
    .u16(sectionAt ? 1 : 0)
    .u16(0);
}

interface HeaderFields {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly fileSize: number;
  readonly align: number;
  readonly address?: number;
  readonly memSize?: number;
}

function writeProgramHeader(out: FieldWriter, fields: HeaderFields): void {
  const address = fields.address ?? 0;
  out.u32(fields.type).u32(fields.flags).u64(fields.offset).u64(address).u64(address);
  out
    .u64(fields.fileSize)
    .u64(fields.memSize ?? 0)
    .u64(fields.align);
}

/** Section header 0 of type SHT_NULL, whose sh_info is the number of program headers. */
function writeExtendedCount(out: FieldWriter, headerCount: number): void {
  out.u32(0).u32(0).u64(0).u64(0).u64(0).u64(0).u32(0).u32(headerCount).u64(0).u64(0);
}
