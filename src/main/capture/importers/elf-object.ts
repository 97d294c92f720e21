/**
 * AMDGPU ELF objects (code objects of HSA, objects of Mesa's LLVM back end): segments, sections, symbols, relocations
 * and notes as plain data, every offset and size checked against the file.
 *
 * Out: views into the file, nothing copied. A table that is damaged is an error with its file offset: importing half
 * an object would give a capture that fails elsewhere.
 */
import { atFile, diagnostic } from '../../base/diagnostics.ts';
import type { Permissions } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { EM_AMDGPU, PROGRAM_HEADER_SIZE, PT_LOAD, PT_NOTE, SECTION_HEADER_SIZE } from '../format/layout.ts';

export interface ElfSegment {
  readonly address: number;
  readonly memSize: number;
  readonly permissions: Permissions;
  readonly bytes: Uint8Array;
}

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly alignment: number;
  readonly link: number;
  readonly info: number;
  readonly fileOffset: number;
  /** Empty for NOBITS; `size` is its size in memory. */
  readonly bytes: Uint8Array;
  readonly size: number;
}

export interface ElfSymbol {
  readonly name: string;
  readonly type: number;
  /** Index of its section; 0 undefined, 0xff00 LDS. */
  readonly section: number;
  readonly value: number;
  readonly size: number;
}

export interface ElfRelocation {
  readonly offset: number;
  readonly type: number;
  readonly symbol: number;
  /** Undefined in REL tables: the addend is what stands at the place. */
  readonly addend: number | undefined;
  /** Section that it patches (relocatable objects); 0 in linked ones, where `offset` is an address. */
  readonly target: number;
  /** Section of its symbol table. */
  readonly symbolTable: number;
  readonly fileOffset: number;
}

export interface ElfNote {
  readonly owner: string;
  readonly type: number;
  readonly bytes: Uint8Array;
  readonly fileOffset: number;
}

export interface ElfObject {
  readonly osAbi: number;
  readonly abiVersion: number;
  readonly type: number;
  readonly flags: number;
  readonly segments: readonly ElfSegment[];
  readonly sections: readonly ElfSection[];
  readonly relocations: readonly ElfRelocation[];
  readonly notes: readonly ElfNote[];
  /** By symbol table section, in table order. */
  readonly symbols: ReadonlyMap<number, readonly ElfSymbol[]>;
}

export const SECTION_TYPE = {
  progbits: 1,
  symtab: 2,
  strtab: 3,
  rela: 4,
  note: 7,
  nobits: 8,
  rel: 9,
  dynsym: 11,
} as const;
export const SECTION_FLAG = { write: 1, alloc: 2, execute: 4 } as const;
export const SYMBOL_TYPE = { object: 1, function: 2 } as const;
/** Section index of symbols in LDS. */
export const SHN_AMDGPU_LDS = 0xff00;

const MAX_SEGMENTS = 4096;
const LATIN1 = new TextDecoder('latin1');

/** Unwinds to `readElfObject`, which turns it into a result; never leaves this file. */
class Damaged {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

export function readElfObject(bytes: Uint8Array, file?: string): Result<ElfObject> {
  try {
    return ok(new ObjectReader(bytes).read());
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return fail([diagnostic('CAP104', 'badInput', error.message, atFile(error.offset, file))]);
  }
}

class ObjectReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  /** Table bytes and name characters still allowed: tables that overlap must not multiply the work. */
  private tableBudget: number;
  private nameBudget: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.tableBudget = 2 * bytes.length;
    this.nameBudget = 4 * bytes.length + 65536;
  }

  private charge(tableBytes: number, offset: number): void {
    this.tableBudget -= tableBytes;
    if (this.tableBudget < 0) throw new Damaged('tables overlap', offset);
  }

  private name(table: Uint8Array, offset: number): string {
    const text = textAt(table, offset);
    this.nameBudget -= text.length;
    if (this.nameBudget < 0) throw new Damaged('names overlap', this.bytes.length);
    return text;
  }

  private slice(offset: number, size: number, what: string, reportAt = offset): Uint8Array {
    if (offset + size > this.bytes.length) {
      const text = `${what}: ${size} bytes at 0x${offset.toString(16)} pass the end of the file`;
      throw new Damaged(text, Math.min(reportAt, this.bytes.length));
    }
    return this.bytes.subarray(offset, offset + size);
  }

  private u64(at: number): number {
    return this.view.getUint32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
  }

  read(): ElfObject {
    const { bytes, view } = this;
    this.slice(0, 64, 'ELF header');
    if (view.getUint32(0, false) !== 0x7f454c46) throw new Damaged('not an ELF file', 0);
    if (bytes[4] !== 2 || bytes[5] !== 1) throw new Damaged('not a 64-bit little-endian ELF file', 4);
    const machine = view.getUint16(18, true);
    if (machine !== EM_AMDGPU) throw new Damaged(`ELF machine ${machine} is not AMDGPU (${EM_AMDGPU})`, 18);
    const segments: ElfSegment[] = [];
    const notes: ElfNote[] = [];
    this.readSegments(segments, notes);
    const sections = this.readSections();
    const symbols = new Map<number, ElfSymbol[]>();
    const relocations: ElfRelocation[] = [];
    sections.forEach((section, index) => {
      if (section.type === SECTION_TYPE.symtab || section.type === SECTION_TYPE.dynsym) {
        symbols.set(index, this.readSymbols(section, sections));
      } else if (section.type === SECTION_TYPE.rela || section.type === SECTION_TYPE.rel) {
        this.readRelocations(section, relocations);
      } else if (section.type === SECTION_TYPE.note && segments.length === 0) {
        this.readNotes(section.fileOffset, section.bytes, notes);
      }
    });
    const type = view.getUint16(16, true);
    const flags = view.getUint32(48, true);
    return { osAbi: bytes[7]!, abiVersion: bytes[8]!, type, flags, segments, sections, relocations, notes, symbols };
  }

  private readSegments(segments: ElfSegment[], notes: ElfNote[]): void {
    const { view } = this;
    const table = this.u64(32);
    const count = view.getUint16(56, true);
    if (count === 0) return;
    if (view.getUint16(54, true) !== PROGRAM_HEADER_SIZE) throw new Damaged('program headers have an unknown size', 54);
    if (count > MAX_SEGMENTS) throw new Damaged(`${count} program headers`, 56);
    this.slice(table, count * PROGRAM_HEADER_SIZE, 'program headers', 32);
    for (let i = 0; i < count; i++) {
      const at = table + i * PROGRAM_HEADER_SIZE;
      const type = view.getUint32(at, true);
      if (type !== PT_LOAD && type !== PT_NOTE) continue;
      const content = this.slice(this.u64(at + 8), this.u64(at + 32), 'segment', at + 8);
      if (type === PT_NOTE) {
        this.readNotes(this.u64(at + 8), content, notes);
        continue;
      }
      const address = this.u64(at + 16);
      const memSize = this.u64(at + 40);
      if (memSize < content.length) throw new Damaged('segment stores more than its memory holds', at + 40);
      if (address + memSize > 2 ** 32) throw new Damaged('segment lies above 4 GiB', at + 16);
      segments.push({ address, memSize, permissions: view.getUint32(at + 4, true) & 7, bytes: content });
    }
  }

  private readSections(): ElfSection[] {
    const { view } = this;
    const table = this.u64(40);
    const count = view.getUint16(60, true);
    if (table === 0 || count === 0) return [];
    if (view.getUint16(58, true) !== SECTION_HEADER_SIZE) throw new Damaged('section headers have an unknown size', 58);
    this.slice(table, count * SECTION_HEADER_SIZE, 'section headers', 40);
    const sections: (ElfSection & { nameOffset: number })[] = [];
    for (let i = 0; i < count; i++) {
      const at = table + i * SECTION_HEADER_SIZE;
      const type = view.getUint32(at + 4, true);
      const fileOffset = this.u64(at + 24);
      const size = this.u64(at + 32);
      const stored = type === SECTION_TYPE.nobits || type === 0 ? 0 : size;
      sections.push({
        name: '',
        nameOffset: view.getUint32(at, true),
        type,
        flags: view.getUint32(at + 8, true),
        address: this.u64(at + 16),
        alignment: this.u64(at + 48),
        link: view.getUint32(at + 40, true),
        info: view.getUint32(at + 44, true),
        fileOffset,
        bytes: this.slice(stored === 0 ? 0 : fileOffset, stored, `section ${i}`, at + 24),
        size,
      });
    }
    const names = sections[view.getUint16(62, true)];
    return sections.map((section) => ({ ...section, name: names ? this.name(names.bytes, section.nameOffset) : '' }));
  }

  private readSymbols(section: ElfSection, sections: readonly ElfSection[]): ElfSymbol[] {
    this.charge(section.bytes.length, section.fileOffset);
    const strings = sections[section.link];
    const symbols: ElfSymbol[] = [];
    for (let i = 0; i + 24 <= section.bytes.length; i += 24) {
      const at = section.fileOffset + i;
      symbols.push({
        name: strings ? this.name(strings.bytes, this.view.getUint32(at, true)) : '',
        type: this.view.getUint8(at + 4) & 15,
        section: this.view.getUint16(at + 6, true),
        value: this.u64(at + 8),
        size: this.u64(at + 16),
      });
    }
    return symbols;
  }

  private readRelocations(section: ElfSection, out: ElfRelocation[]): void {
    this.charge(section.bytes.length, section.fileOffset);
    const withAddend = section.type === SECTION_TYPE.rela;
    const entry = withAddend ? 24 : 16;
    for (let i = 0; i + entry <= section.bytes.length; i += entry) {
      const at = section.fileOffset + i;
      out.push({
        offset: this.u64(at),
        type: this.view.getUint32(at + 8, true),
        symbol: this.view.getUint32(at + 12, true),
        addend: withAddend ? Number(this.view.getBigInt64(at + 16, true)) : undefined,
        target: section.info,
        symbolTable: section.link,
        fileOffset: at,
      });
    }
  }

  private readNotes(base: number, content: Uint8Array, out: ElfNote[]): void {
    this.charge(content.length, base);
    let at = 0;
    while (at + 12 <= content.length) {
      const nameSize = this.view.getUint32(base + at, true);
      const descSize = this.view.getUint32(base + at + 4, true);
      const descAt = 12 + Math.ceil(nameSize / 4) * 4;
      if (at + descAt + descSize > content.length) throw new Damaged('a note passes the end of its segment', base + at);
      out.push({
        owner: textAt(content.subarray(at + 12, at + 12 + nameSize), 0),
        type: this.view.getUint32(base + at + 8, true),
        bytes: content.subarray(at + descAt, at + descAt + descSize),
        fileOffset: base + at + descAt,
      });
      at += descAt + Math.ceil(descSize / 4) * 4;
    }
  }
}

/** NUL-terminated text in a string table; long or missing names come back cut or empty. */
function textAt(table: Uint8Array, offset: number): string {
  if (offset >= table.length) return '';
  const limited = table.subarray(offset, offset + 4096);
  const end = limited.indexOf(0);
  return LATIN1.decode(end < 0 ? limited : limited.subarray(0, end));
}

/** AMDGPU relocation types (AMDGPUUsage, "Relocation Records"). */
export const RELOCATION = {
  none: 0,
  abs32Lo: 1,
  abs32Hi: 2,
  abs64: 3,
  rel32: 4,
  rel64: 5,
  abs32: 6,
  rel32Lo: 10,
  rel32Hi: 11,
  relative64: 13,
} as const;

/** Bytes at the place; undefined for a type that is not supported. `symbol` and `place` are guest addresses. */
export function relocated(type: number, symbol: number, addend: number, place: number): Uint8Array | undefined {
  const absolute = BigInt.asUintN(64, BigInt(symbol) + BigInt(addend));
  const relative = BigInt.asUintN(64, BigInt(symbol) + BigInt(addend) - BigInt(place));
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  const word = (value: bigint, shift = 0n) => {
    view.setUint32(0, Number((value >> shift) & 0xffffffffn), true);
    return bytes.subarray(0, 4);
  };
  const wide = (value: bigint) => {
    view.setBigUint64(0, value, true);
    return bytes;
  };
  switch (type) {
    case RELOCATION.abs32:
    case RELOCATION.abs32Lo:
      return word(absolute);
    case RELOCATION.abs32Hi:
      return word(absolute, 32n);
    case RELOCATION.abs64:
      return wide(absolute);
    case RELOCATION.rel32:
    case RELOCATION.rel32Lo:
      return word(relative);
    case RELOCATION.rel32Hi:
      return word(relative, 32n);
    case RELOCATION.rel64:
      return wide(relative);
    default:
      return undefined;
  }
}
