/**
 * The ELF side of a capture: header and program headers, checked against the file's size.
 *
 * In: any bytes. Out: loads (disjoint, sorted, inside the file and inside 48 bits), note ranges and payload ranges;
 * whatever was cut or left out is in the damage log. Fails only when the file is no ELF core for AMDGPU at all.
 */
import { atFile, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import { ADDRESS_LIMIT, type GuestAddress } from '../../base/guest-address.ts';
import { PAGE_SIZE } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ByteSource } from './byte-source.ts';
import type { DamageLog } from './damage.ts';
import { addressFromFile } from './field-reader.ts';
import {
  ELF_HEADER_SIZE,
  EM_AMDGPU,
  ET_CORE,
  ET_DYN,
  ET_REL,
  MAX_PROGRAM_HEADERS,
  PN_XNUM,
  PROGRAM_HEADER_SIZE,
  PT_LANESCOPE_PAYLOAD,
  PT_LOAD,
  PT_NOTE,
  SECTION_HEADER_SIZE,
} from './layout.ts';
import type { CaptureSegment } from './model.ts';

export interface FileRange {
  readonly offset: number;
  readonly size: number;
}

export interface ElfCore {
  readonly segments: CaptureSegment[];
  readonly notes: FileRange[];
  /** Sorted by offset. */
  readonly payloads: FileRange[];
}

interface ProgramHeader {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: GuestAddress | undefined;
  readonly fileSize: number;
  readonly memSize: number;
  /** Of the header itself in the file. */
  readonly at: number;
}

function u64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

function bad(code: string, message: string, offset: number): { ok: false; error: readonly Diagnostic[] } {
  return fail([diagnostic(code, 'badInput', message, atFile(offset))]);
}

export function decodeElfCore(source: ByteSource, damage: DamageLog): Result<ElfCore> {
  const head = source.read(0, Math.min(ELF_HEADER_SIZE, source.size));
  if (!head) return bad('CAP009', 'the file cannot be read', 0);
  if (head.length < 4 || head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) {
    return bad('CAP001', 'not an ELF file', 0);
  }
  if (head.length < ELF_HEADER_SIZE) return bad('CAP001', `ELF header cut off after ${head.length} bytes`, head.length);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head[4] !== 2) return bad('CAP002', 'not a 64-bit ELF file', 4);
  if (head[5] !== 1) return bad('CAP002', 'not a little-endian ELF file', 5);
  const type = view.getUint16(16, true);
  const machine = view.getUint16(18, true);
  if (machine !== EM_AMDGPU) return bad('CAP002', `ELF machine ${machine} is not AMDGPU (${EM_AMDGPU})`, 18);
  if (type !== ET_CORE) {
    const what =
      type === ET_DYN || type === ET_REL ? 'an AMDGPU code object, not a capture: import it' : 'not a core file';
    return bad('CAP002', `ELF type ${type}: ${what}`, 16);
  }
  const tableOffset = u64(view, 32);
  const entrySize = view.getUint16(54, true);
  if (entrySize !== PROGRAM_HEADER_SIZE) {
    return bad('CAP005', `program headers of ${entrySize} bytes, expected ${PROGRAM_HEADER_SIZE}`, 54);
  }
  let count = view.getUint16(56, true);
  if (count === PN_XNUM) {
    const extended = extendedHeaderCount(source, u64(view, 40));
    if (extended === undefined) return bad('CAP005', 'the extended program header count lies outside the file', 40);
    count = extended;
  }
  return ok(classify(readProgramHeaders(source, tableOffset, count, damage), source.size, damage));
}

function extendedHeaderCount(source: ByteSource, sectionOffset: number): number | undefined {
  if (sectionOffset === 0 || sectionOffset + SECTION_HEADER_SIZE > source.size) return undefined;
  const bytes = source.read(sectionOffset, SECTION_HEADER_SIZE);
  return bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(44, true);
}

function readProgramHeaders(source: ByteSource, offset: number, count: number, damage: DamageLog): ProgramHeader[] {
  const fitting = Math.max(0, Math.floor((source.size - offset) / PROGRAM_HEADER_SIZE));
  const used = Math.min(count, fitting, MAX_PROGRAM_HEADERS);
  if (used < count)
    damage.add('CAP005', `${count} program headers announced, ${used} readable`, Math.min(offset, source.size));
  if (used === 0) return [];
  const bytes = source.read(offset, used * PROGRAM_HEADER_SIZE);
  if (!bytes) {
    damage.add('CAP009', 'the program headers cannot be read', offset);
    return [];
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headers: ProgramHeader[] = [];
  for (let i = 0; i < used; i++) {
    const at = i * PROGRAM_HEADER_SIZE;
    headers.push({
      type: view.getUint32(at, true),
      flags: view.getUint32(at + 4, true),
      offset: u64(view, at + 8),
      address: addressFromFile(view.getUint32(at + 16, true), view.getUint32(at + 20, true)),
      fileSize: u64(view, at + 32),
      memSize: u64(view, at + 40),
      at: offset + at,
    });
  }
  return headers;
}

function classify(headers: readonly ProgramHeader[], fileSize: number, damage: DamageLog): ElfCore {
  const loads: CaptureSegment[] = [];
  const notes: FileRange[] = [];
  const payloads: FileRange[] = [];
  for (const header of headers) {
    if (header.type === PT_LOAD) addLoad(header, fileSize, loads, damage);
    else if (header.type === PT_NOTE) addRange(header, 'note', fileSize, notes, damage);
    else if (header.type === PT_LANESCOPE_PAYLOAD) addRange(header, 'payload', fileSize, payloads, damage);
  }
  return {
    segments: disjointSegments(loads, damage),
    notes: disjointRanges(notes, 'note', damage),
    payloads: disjointRanges(payloads, 'payload', damage),
  };
}

function addRange(header: ProgramHeader, what: string, fileSize: number, out: FileRange[], damage: DamageLog): void {
  const size = Math.min(header.fileSize, Math.max(0, fileSize - header.offset));
  if (size < header.fileSize) {
    const text = `${what} segment of ${header.fileSize} bytes at 0x${header.offset.toString(16)}: ${size} bytes are in the file`;
    damage.add('CAP007', text, header.at);
  }
  if (size > 0) out.push({ offset: header.offset, size });
}

/** A load whose bytes are cut by the end of the file keeps its whole pages and its zero tail; the rest is unmapped. */
function addLoad(header: ProgramHeader, fileSize: number, out: CaptureSegment[], damage: DamageLog): void {
  const { address, offset } = header;
  if (address === undefined) {
    damage.add('CAP007', 'segment address is not a 48-bit address: segment left out', header.at);
    return;
  }
  const name = `segment at 0x${address.toString(16)}`;
  let memSize = header.memSize;
  let stored = header.fileSize;
  if (stored > memSize) {
    damage.add('CAP007', `${name} stores ${stored} bytes for ${memSize} bytes of memory`, header.at);
    stored = memSize;
  }
  if (address + memSize > ADDRESS_LIMIT) {
    damage.add('CAP007', `${name} passes 2^48`, header.at);
    memSize = ADDRESS_LIMIT - address;
    stored = Math.min(stored, memSize);
  }
  const permissions = header.flags & 7;
  const inFile = Math.min(stored, Math.max(0, fileSize - offset));
  if (inFile === stored) {
    if (memSize > 0) out.push({ address, memSize, fileOffset: offset, fileSize: stored, permissions });
    return;
  }
  damage.add('CAP007', `${name}: ${inFile} of its ${stored} bytes are in the file`, header.at);
  const wholePages = Math.floor((address + inFile) / PAGE_SIZE) * PAGE_SIZE - address;
  if (wholePages > 0) {
    out.push({ address, memSize: wholePages, fileOffset: offset, fileSize: wholePages, permissions });
  }
  const tail = Math.ceil((address + stored) / PAGE_SIZE) * PAGE_SIZE - address;
  if (tail < memSize) {
    out.push({
      address: (address + tail) as GuestAddress,
      memSize: memSize - tail,
      fileOffset: 0,
      fileSize: 0,
      permissions,
    });
  }
}

/** Sorted by address; where two overlap, the one that starts first (then comes first in the file) keeps the bytes. */
function disjointSegments(loads: readonly CaptureSegment[], damage: DamageLog): CaptureSegment[] {
  const sorted = loads.slice().sort((a, b) => a.address - b.address);
  const result: CaptureSegment[] = [];
  let end = 0;
  for (const segment of sorted) {
    const cut = Math.max(0, end - segment.address);
    if (cut > 0) {
      const name = `segment at 0x${segment.address.toString(16)}`;
      damage.add(
        'CAP007',
        `${name} overlaps the one before it by ${Math.min(cut, segment.memSize)} bytes`,
        segment.fileOffset,
      );
    }
    if (cut >= segment.memSize) continue;
    const inFileCut = Math.min(cut, segment.fileSize);
    result.push({
      address: (segment.address + cut) as GuestAddress,
      memSize: segment.memSize - cut,
      fileOffset: segment.fileOffset + inFileCut,
      fileSize: segment.fileSize - inFileCut,
      permissions: segment.permissions,
    });
    end = segment.address + segment.memSize;
  }
  return result;
}

/** Sorted by offset; overlaps are cut, so that no byte of the file is ever processed twice. */
function disjointRanges(ranges: readonly FileRange[], what: string, damage: DamageLog): FileRange[] {
  const sorted = ranges.slice().sort((a, b) => a.offset - b.offset);
  const result: FileRange[] = [];
  let end = 0;
  for (const range of sorted) {
    if (range.offset < end) {
      damage.add('CAP007', `${what} segment overlaps the one before it: left out`, range.offset);
      continue;
    }
    result.push(range);
    end = range.offset + range.size;
  }
  return result;
}
