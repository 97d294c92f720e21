/**
 * Relocatable objects of Mesa's LLVM back end → code bytes at a guest address: sections laid out, LDS symbols given
 * their offsets, relocations applied.
 *
 * LDS symbols stand in section 0xff00 with their alignment as value, like common symbols; the first one in the table
 * begins at offset 0, as Mesa's own loader lays them out.
 */
import { atFile, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { ET_REL } from '../format/layout.ts';
import {
  type ElfObject,
  type ElfRelocation,
  type ElfSymbol,
  RELOCATION,
  readElfObject,
  relocated,
  SECTION_FLAG,
  SECTION_TYPE,
  SHN_AMDGPU_LDS,
} from './elf-object.ts';

export interface LoadedCode {
  readonly bytes: Uint8Array;
  /** Of the first instruction in `bytes`. */
  readonly entryOffset: number;
  readonly ldsBytes: number;
  readonly functions: ReadonlyMap<string, number>;
}

const MAX_CODE_BYTES = 64 * 1024 * 1024;

export function loadMesaObject(elf: Uint8Array, address: GuestAddress, file?: string): Result<LoadedCode> {
  const object = readElfObject(elf, file);
  if (!object.ok) return object;
  if (object.value.type !== ET_REL) {
    return fail([diagnostic('CAP106', 'unsupported', 'not a relocatable object', atFile(16, file))]);
  }
  return new MesaLoader(object.value, address, file).load();
}

class MesaLoader {
  private readonly object: ElfObject;
  private readonly address: GuestAddress;
  private readonly file: string | undefined;
  /** Offset of each loaded section in the code bytes. */
  private readonly placed = new Map<number, number>();
  private readonly ldsOffsets = new Map<ElfSymbol, number>();
  private codeSize = 0;
  private ldsSize = 0;

  constructor(object: ElfObject, address: GuestAddress, file: string | undefined) {
    this.object = object;
    this.address = address;
    this.file = file;
  }

  load(): Result<LoadedCode> {
    const text = this.object.sections.findIndex((section) => section.name === '.text');
    if (text < 0) return fail([diagnostic('CAP104', 'badInput', 'no .text section', atFile(40, this.file))]);
    this.place(text);
    this.object.sections.forEach((section, index) => {
      const loaded = section.type === SECTION_TYPE.progbits && (section.flags & SECTION_FLAG.alloc) !== 0;
      if (loaded && index !== text) this.place(index);
    });
    if (this.codeSize > MAX_CODE_BYTES) {
      return fail([diagnostic('CAP104', 'badInput', `${this.codeSize} bytes of code`, atFile(40, this.file))]);
    }
    for (const symbol of [...this.object.symbols.values()].flat()) {
      if (symbol.section !== SHN_AMDGPU_LDS) continue;
      const alignment = Math.max(1, symbol.value);
      this.ldsSize = Math.ceil(this.ldsSize / alignment) * alignment;
      this.ldsOffsets.set(symbol, this.ldsSize);
      this.ldsSize += symbol.size;
    }
    const bytes = new Uint8Array(this.codeSize);
    for (const [index, offset] of this.placed) bytes.set(this.object.sections[index]!.bytes, offset);
    const problems: Diagnostic[] = [];
    for (const entry of this.object.relocations) {
      const problem = this.apply(entry, bytes);
      if (problem) problems.push(problem);
    }
    if (problems.length > 0) return fail(problems);
    const functions = this.functions(text);
    return ok({ bytes, entryOffset: functions.get('main') ?? 0, ldsBytes: this.ldsSize, functions });
  }

  private place(index: number): void {
    const section = this.object.sections[index]!;
    const alignment = Math.min(Math.max(1, section.alignment), 65536);
    const offset = Math.ceil(this.codeSize / alignment) * alignment;
    this.placed.set(index, offset);
    this.codeSize = offset + section.bytes.length;
  }

  private functions(text: number): Map<string, number> {
    const functions = new Map<string, number>();
    for (const symbol of [...this.object.symbols.values()].flat()) {
      if (symbol.section === text && symbol.name !== '') functions.set(symbol.name, symbol.value);
    }
    return functions;
  }

  private apply(entry: ElfRelocation, bytes: Uint8Array): Diagnostic | undefined {
    const at = this.placed.get(entry.target);
    // Relocations of debug sections do not matter.
    if (at === undefined || entry.type === RELOCATION.none) return undefined;
    const where = atFile(entry.fileOffset, this.file);
    const symbol = this.object.symbols.get(entry.symbolTable)?.[entry.symbol];
    const value = symbol && this.symbolValue(symbol);
    const wide = entry.type === RELOCATION.abs64 || entry.type === RELOCATION.rel64;
    const offset = at + entry.offset;
    if (entry.offset + (wide ? 8 : 4) > this.object.sections[entry.target]!.bytes.length) {
      return diagnostic('CAP104', 'badInput', 'relocation outside its section', where);
    }
    const view = new DataView(bytes.buffer, offset);
    const addend = entry.addend ?? (wide ? Number(view.getBigInt64(0, true)) : view.getInt32(0, true));
    const patch = value === undefined ? undefined : relocated(entry.type, value, addend, this.address + offset);
    if (!patch) {
      const name = symbol?.name ? ` against "${symbol.name}"` : '';
      return diagnostic('CAP106', 'unsupported', `relocation type ${entry.type}${name} is not supported`, where);
    }
    bytes.set(patch, offset);
    return undefined;
  }

  private symbolValue(symbol: ElfSymbol): number | undefined {
    if (symbol.section === SHN_AMDGPU_LDS) return this.ldsOffsets.get(symbol);
    const section = this.placed.get(symbol.section);
    return section === undefined ? undefined : this.address + section + symbol.value;
  }
}
