/**
 * Builds one SPIR-V module: sections in the order that the specification asks (section 2.4), ids, and types, constants
 * and decorations made once each.
 *
 * Words go straight into growing typed arrays; there is no object per instruction. `mark()` gives the index of the next
 * instruction of the function section; the source map is built from these. Source: SPIR-V specification 1.6.
 */
import { assert } from '../../base/assert.ts';
import { Capability, Op } from './grammar.gen.ts';

/** A growing list of u32. */
export class WordBuffer {
  private words = new Uint32Array(256);
  length = 0;

  push(word: number): void {
    if (this.length === this.words.length) this.grow(1);
    this.words[this.length++] = word;
  }

  private grow(extra: number): void {
    const next = new Uint32Array(Math.max(this.words.length * 2, this.length + extra));
    next.set(this.words);
    this.words = next;
  }

  append(other: WordBuffer): void {
    if (this.length + other.length > this.words.length) this.grow(other.length);
    this.words.set(other.words.subarray(0, other.length), this.length);
    this.length += other.length;
  }

  set(index: number, word: number): void {
    this.words[index] = word;
  }

  get(index: number): number {
    return this.words[index]!;
  }

  toArray(): Uint32Array {
    return this.words.slice(0, this.length);
  }
}

export type Id = number & { readonly __brand: 'SpirvId' };

/** Operands: ids and literals are both words; strings become null-terminated literal words. */
export type SpirvOperand = number | string;

function pushString(out: WordBuffer, text: string): void {
  // Names are ASCII in everything that this project emits.
  for (let i = 0; i <= text.length; i += 4) {
    let word = 0;
    for (let k = 0; k < 4; k++) word |= (i + k < text.length ? text.charCodeAt(i + k) & 0xff : 0) << (8 * k);
    out.push(word >>> 0);
  }
}

export function emitInstruction(out: WordBuffer, opcode: number, operands: readonly SpirvOperand[]): void {
  const at = out.length;
  out.push(0);
  for (const operand of operands) {
    if (typeof operand === 'number') out.push(operand >>> 0);
    else pushString(out, operand);
  }
  const count = out.length - at;
  assert(count < 0x10000, `SPIR-V instruction ${opcode} is too long`);
  out.set(at, ((count << 16) | opcode) >>> 0);
}

const GENERATOR = 0;

export class ModuleBuilder {
  private readonly version: number;
  private nextId = 1;
  private readonly capabilities = new Set<number>();
  private readonly extensions = new Set<string>();
  private readonly imports = new WordBuffer();
  private readonly importIds = new Map<string, Id>();
  private readonly entry = new WordBuffer();
  private readonly modes = new WordBuffer();
  private readonly debug = new WordBuffer();
  private readonly decorations = new WordBuffer();
  private readonly globals = new WordBuffer();
  private readonly functions = new WordBuffer();
  private readonly unique = new Map<string, Id>();
  private memoryModel: readonly [number, number] | undefined;
  private functionInstructions = 0;
  private globalInstructions = 0;

  /** `version` as [major, minor]. */
  constructor(version: readonly [number, number] = [1, 5]) {
    this.version = (version[0] << 16) | (version[1] << 8);
  }

  id(): Id {
    return this.nextId++ as Id;
  }

  capability(value: number): void {
    this.capabilities.add(value);
  }

  extension(name: string): void {
    this.extensions.add(name);
  }

  importSet(name: string): Id {
    let id = this.importIds.get(name);
    if (id === undefined) {
      id = this.id();
      this.importIds.set(name, id);
      emitInstruction(this.imports, Op.ExtInstImport, [id, name]);
    }
    return id;
  }

  setMemoryModel(addressing: number, model: number): void {
    this.memoryModel = [addressing, model];
  }

  entryPoint(model: number, fn: Id, name: string, interfaces: readonly Id[]): void {
    emitInstruction(this.entry, Op.EntryPoint, [model, fn, name, ...interfaces]);
  }

  executionMode(fn: Id, mode: number, ...operands: number[]): void {
    emitInstruction(this.modes, Op.ExecutionMode, [fn, mode, ...operands]);
  }

  /** OpString, OpSource and names. */
  debugString(text: string): Id {
    const id = this.id();
    emitInstruction(this.debug, Op.String, [id, text]);
    return id;
  }

  private readonly names = new WordBuffer();

  name(id: Id, text: string): void {
    emitInstruction(this.names, Op.Name, [id, text]);
  }

  memberName(type: Id, member: number, text: string): void {
    emitInstruction(this.names, Op.MemberName, [type, member, text]);
  }

  decorate(target: Id, decoration: number, ...operands: number[]): void {
    emitInstruction(this.decorations, Op.Decorate, [target, decoration, ...operands]);
  }

  decorateMember(type: Id, member: number, decoration: number, ...operands: number[]): void {
    emitInstruction(this.decorations, Op.MemberDecorate, [type, member, decoration, ...operands]);
  }

  /** A type or other global without a result type, made once for equal operands. */
  type(opcode: number, ...operands: SpirvOperand[]): Id {
    const key = `t${opcode}:${operands.join()}`;
    const known = this.unique.get(key);
    if (known !== undefined) return known;
    const id = this.freshType(opcode, ...operands);
    this.unique.set(key, id);
    return id;
  }

  /** The same, always new: structs that carry their own decorations. */
  freshType(opcode: number, ...operands: SpirvOperand[]): Id {
    const id = this.id();
    emitInstruction(this.globals, opcode, [id, ...operands]);
    this.globalInstructions++;
    return id;
  }

  /** A pointer type that is used before its pointee exists (buffer references). */
  forwardPointer(storage: number): Id {
    const id = this.id();
    emitInstruction(this.globals, Op.TypeForwardPointer, [id, storage]);
    this.globalInstructions++;
    return id;
  }

  definePointer(id: Id, storage: number, pointee: Id): void {
    emitInstruction(this.globals, Op.TypePointer, [id, storage, pointee]);
    this.globalInstructions++;
  }

  /** Constants and undefs: result type first, made once for equal operands. */
  constant(opcode: number, type: Id, ...operands: number[]): Id {
    const key = `c${opcode}:${type}:${operands.join()}`;
    const known = this.unique.get(key);
    if (known !== undefined) return known;
    const id = this.id();
    emitInstruction(this.globals, opcode, [type, id, ...operands]);
    this.globalInstructions++;
    this.unique.set(key, id);
    return id;
  }

  /** A module-scope variable. */
  variable(pointerType: Id, storage: number, initializer?: Id): Id {
    const id = this.id();
    emitInstruction(
      this.globals,
      Op.Variable,
      initializer === undefined ? [pointerType, id, storage] : [pointerType, id, storage, initializer],
    );
    this.globalInstructions++;
    return id;
  }

  /** An instruction of the function section that has a result. */
  emit(opcode: number, type: Id, ...operands: number[]): Id {
    const id = this.id();
    this.emitWith(opcode, type, id, ...operands);
    return id;
  }

  /** The same with an id taken earlier (phis and forward references). */
  emitWith(opcode: number, type: Id, id: Id, ...operands: readonly number[]): void {
    const out = this.functions;
    out.push(((operands.length + 3) << 16) | opcode);
    out.push(type);
    out.push(id);
    for (const operand of operands) out.push(operand >>> 0);
    this.functionInstructions++;
  }

  /** An instruction of the function section without a result. */
  emitVoid(opcode: number, ...operands: number[]): void {
    const out = this.functions;
    out.push(((operands.length + 1) << 16) | opcode);
    for (const operand of operands) out.push(operand >>> 0);
    this.functionInstructions++;
  }

  /** A phi whose operands come later. Returns a handle for `setPhi`. */
  reservePhi(type: Id, id: Id, predecessors: number): number {
    const out = this.functions;
    out.push(((3 + 2 * predecessors) << 16) | Op.Phi);
    out.push(type);
    out.push(id);
    const handle = out.length;
    for (let i = 0; i < 2 * predecessors; i++) out.push(0);
    this.functionInstructions++;
    return handle;
  }

  setPhi(handle: number, index: number, value: Id, label: Id): void {
    this.functions.set(handle + 2 * index, value);
    this.functions.set(handle + 2 * index + 1, label);
  }

  label(id: Id): void {
    this.emitVoid(Op.Label, id);
  }

  /** Index, within the function section, of the next instruction. */
  mark(): number {
    return this.functionInstructions;
  }

  /**
   * The module's words, and the index of the first instruction of the function section counted over the whole module,
   * so that `firstFunctionInstruction + mark` is an instruction index as a disassembler counts.
   */
  finish(): { readonly words: Uint32Array; readonly firstFunctionInstruction: number; readonly functionWords: number } {
    assert(this.memoryModel, 'a module needs a memory model');
    const out = new WordBuffer();
    for (const word of [0x07230203, this.version, GENERATOR, this.nextId, 0]) out.push(word);
    let count = 0;
    const add = (opcode: number, operands: readonly SpirvOperand[]): void => {
      emitInstruction(out, opcode, operands);
      count++;
    };
    if (this.capabilities.size === 0) this.capabilities.add(Capability.Shader);
    for (const value of [...this.capabilities].sort((a, b) => a - b)) add(Op.Capability, [value]);
    for (const name of this.extensions) add(Op.Extension, [name]);
    const copy = (section: WordBuffer): void => {
      for (let at = 0; at < section.length; at += section.get(at) >>> 16) count++;
      out.append(section);
    };
    copy(this.imports);
    add(Op.MemoryModel, this.memoryModel);
    copy(this.entry);
    copy(this.modes);
    copy(this.debug);
    copy(this.names);
    copy(this.decorations);
    out.append(this.globals);
    count += this.globalInstructions;
    out.append(this.functions);
    return { words: out.toArray(), firstFunctionInstruction: count, functionWords: this.functions.length };
  }
}
