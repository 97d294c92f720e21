/**
 * Reads the text that print.ts writes, and what people write in filetests.
 *
 * Names may be anything (`%a0`); values may be used before their line (loops). Constants take their width from the
 * operand (the row), a phi's from its type. `; 0x… via 0x…` at the end of a line is its location, any other comment is
 * dropped. `preds` comments are not read: predecessors follow from terminators, and a phi names its own.
 * The header line may be left out: gfx1013, wave64, 64 threads.
 */
import { atLine, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import { TARGETS, type Target } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { OPERAND } from '../../isa/operands.ts';
import { IrFunction, type LaunchShape, NO_LOCATION, type Switch } from './function.ts';
import { OP, OPS, type Op, type OpName, type OpRow } from './ops.ts';
import {
  type BlockId,
  NO_VALUE,
  parseType,
  type Type,
  typeOf,
  type ValueId,
  WIDTH_1,
  WIDTH_32,
  WIDTH_64,
  type Width,
} from './types.ts';

const DEFAULT_SHAPE: LaunchShape = {
  target: 'gfx1013',
  waveSize: 64,
  threads: [64, 1, 1],
  partialGroups: false,
  ldsBytes: 0,
};

class ParseFailure extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export function parseFunction(text: string): Result<IrFunction> {
  try {
    return ok(new Parser(text).parse());
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    const d: Diagnostic = diagnostic('REC001', 'badInput', error.message, atLine(error.line, 1));
    return fail([d]);
  }
}

/** Operand code of a register name as print.ts writes it. */
export function parseRegister(name: string): number | undefined {
  const known: Record<string, number> = {
    scc: OPERAND.SCC,
    vcc: OPERAND.VCC_LO,
    vcc_hi: OPERAND.VCC_HI,
    exec: OPERAND.EXEC_LO,
    exec_hi: OPERAND.EXEC_HI,
    m0: OPERAND.M0,
  };
  const code = known[name];
  if (code !== undefined) return code;
  const match = /^([sv])(\d+)$/.exec(name);
  return match ? Number(match[2]) + (match[1] === 'v' ? OPERAND.VGPR0 : 0) : undefined;
}

/** Widths of the fixed operands of a row, and whether further 32-bit ones may follow. */
function operandWidths(row: OpRow): { widths: readonly Width[]; more: boolean } {
  const letters = row.in === '' ? [] : row.in.split(' ');
  const more = letters.at(-1) === '*';
  if (more) letters.pop();
  const widths = letters.map((l): Width => (/64$/.test(l) ? WIDTH_64 : /32$/.test(l) ? WIDTH_32 : WIDTH_1));
  return { widths, more };
}

interface PhiEntry {
  readonly block: string;
  readonly value: string;
}

class Parser {
  private readonly lines: string[];
  private line = 0;
  private fn = new IrFunction('', DEFAULT_SHAPE);
  private readonly values = new Map<string, ValueId>();
  private readonly blocks = new Map<string, BlockId>();
  private readonly phis: { value: ValueId; entries: PhiEntry[]; line: number }[] = [];
  /** Operands named before their definition. */
  private readonly pending: { value: ValueId; index: number; name: string; line: number }[] = [];

  constructor(text: string) {
    this.lines = text.split(/\r?\n/);
  }

  parse(): IrFunction {
    this.declareBlocks();
    let block: BlockId | undefined;
    for (this.line = 1; this.line <= this.lines.length; this.line++) {
      const { code, location } = this.split(this.lines[this.line - 1]!);
      if (code === '' || code.startsWith('function ')) continue;
      const label = /^(b\d+):$/.exec(code);
      if (label) {
        block = this.blocks.get(label[1]!)!;
        continue;
      }
      if (block === undefined) this.error('an instruction outside a block');
      this.parseValue(block, code, location);
    }
    this.resolve();
    return this.fn;
  }

  private error(message: string, line = this.line): never {
    throw new ParseFailure(line, message);
  }

  private declareBlocks(): void {
    for (this.line = 1; this.line <= this.lines.length; this.line++) {
      const { code } = this.split(this.lines[this.line - 1]!);
      if (code.startsWith('function ')) this.fn = this.parseHeader(code);
      const label = /^(b\d+):$/.exec(code);
      if (!label) continue;
      if (this.blocks.has(label[1]!)) this.error(`block ${label[1]} is defined twice`);
      // Block numbers are kept: b7 is block 7, holes stay empty blocks.
      const number = Number(label[1]!.slice(1));
      if (number > 100_000) this.error('the block number is too large');
      while (this.fn.blockCount <= number) this.fn.createBlock();
      this.blocks.set(label[1]!, number as BlockId);
    }
    if (this.fn.blockCount === 0) this.fn.createBlock();
    this.fn.names = new Map();
  }

  private parseHeader(code: string): IrFunction {
    const match = /^function (\w+) wave(32|64) threads=(\d+),(\d+),(\d+) lds=(\d+)( partial)? "([^"]*)"$/.exec(code);
    if (!match) this.error('bad function line');
    const target = match[1] as Target;
    if (!TARGETS.includes(target)) this.error(`unknown target ${match[1]}`);
    return new IrFunction(match[8]!, {
      target,
      waveSize: match[2] === '32' ? 32 : 64,
      threads: [Number(match[3]), Number(match[4]), Number(match[5])],
      partialGroups: match[7] !== undefined,
      ldsBytes: Number(match[6]),
    });
  }

  private split(raw: string): { code: string; location: number } {
    const at = raw.indexOf(';');
    const code = (at < 0 ? raw : raw.slice(0, at)).trim();
    if (at < 0) return { code, location: NO_LOCATION };
    const match = /^;\s*0x([0-9a-f]+)(?:\s+via((?:\s+0x[0-9a-f]+)+))?\s*$/.exec(raw.slice(at));
    if (!match || code === '') return { code, location: NO_LOCATION };
    const path = (match[2] ?? '').trim().split(/\s+/).filter(Boolean);
    const address = Number.parseInt(match[1]!, 16) as GuestAddress;
    return {
      code,
      location: this.internLocation(
        address,
        path.map((p) => Number(p) as GuestAddress),
      ),
    };
  }

  private readonly locationKeys = new Map<string, number>();

  private internLocation(address: GuestAddress, callPath: GuestAddress[]): number {
    const key = `${address} ${callPath.join(' ')}`;
    let id = this.locationKeys.get(key);
    if (id === undefined || id >= this.fn.locations.length) {
      id = this.fn.addLocation(address, callPath);
      this.locationKeys.set(key, id);
    }
    return id;
  }

  private parseValue(block: BlockId, code: string, location: number): void {
    const match = /^(?:%([\w.]+)\s*:\s*(\w+)\s*=\s*)?([\w.]+)\s*(.*)$/.exec(code);
    if (!match) this.error('cannot read this line');
    const name = match[1];
    const opName = match[3]! as OpName;
    const rest = match[4]!;
    if (!Object.hasOwn(OPS, opName)) this.error(`unknown operation ${opName}`);
    const type = name === undefined ? (0 as Type) : parseType(match[2]!);
    if (type === undefined) this.error(`unknown type ${match[2]}`);
    let v: ValueId;
    switch (opName) {
      case 'phi':
        v = this.parsePhi(block, type, rest, location);
        break;
      case 'jump':
        v = this.fn.setJump(block, this.blockOf(rest), location);
        break;
      case 'branch':
        v = this.parseBranch(block, rest, location);
        break;
      case 'switch':
        v = this.parseSwitch(block, rest, location);
        break;
      default:
        v = this.parsePlain(block, opName, type, rest, location);
    }
    if (name !== undefined) {
      if (this.values.has(name)) this.error(`%${name} is defined twice`);
      this.values.set(name, v);
      this.fn.names!.set(v, name);
    }
  }

  private blockOf(text: string): BlockId {
    const b = this.blocks.get(text.trim());
    if (b === undefined) this.error(`unknown block ${text.trim()}`);
    return b;
  }

  private parsePhi(block: BlockId, type: Type, rest: string, location: number): ValueId {
    const match = /^\[(.*)\](?:\s*@(\w+))?$/.exec(rest);
    if (!match) this.error('a phi is `phi [b0: %a, b1: %b] @register`');
    const entries = match[1]!
      .split(',')
      .filter((part) => part.trim() !== '')
      .map((part): PhiEntry => {
        const pair = /^\s*(b\d+)\s*:\s*(\S+)\s*$/.exec(part);
        if (!pair) this.error(`bad phi operand ${part.trim()}`);
        return { block: pair[1]!, value: pair[2]! };
      });
    const register = match[2] === undefined ? -1 : parseRegister(match[2]);
    if (register === undefined) this.error(`unknown register ${match[2]}`);
    const v = this.fn.createValue(OP.phi, type, entries.length, register, 0, location);
    this.fn.append(block, v);
    this.phis.push({ value: v, entries, line: this.line });
    return v;
  }

  private parseBranch(block: BlockId, rest: string, location: number): ValueId {
    const match = /^(\S+)\s*,\s*(b\d+)\s*,\s*(b\d+)$/.exec(rest);
    if (!match) this.error('a branch is `branch %condition, b1, b2`');
    if (match[2] === match[3]) this.error('a branch has two different targets');
    const v = this.fn.setBranch(block, NO_VALUE, this.blockOf(match[2]!), this.blockOf(match[3]!), location);
    this.setOperand(v, 0, match[1]!, WIDTH_1);
    return v;
  }

  private parseSwitch(block: BlockId, rest: string, location: number): ValueId {
    const match = /^(\S+)\s*,\s*\[(.*)\]\s*,\s*(b\d+)$/.exec(rest);
    if (!match) this.error('a switch is `switch %selector, [1: b1, 2: b2], b3`');
    const cases: Switch = { values: [], targets: [], fallback: this.blockOf(match[3]!) };
    for (const part of match[2]!.split(',').filter((p) => p.trim() !== '')) {
      const pair = /^\s*(\w+)\s*:\s*(b\d+)\s*$/.exec(part);
      if (!pair) this.error(`bad case ${part.trim()}`);
      cases.values.push(Number(pair[1]) | 0);
      cases.targets.push(this.blockOf(pair[2]!));
    }
    const v = this.fn.setSwitch(block, NO_VALUE, cases, location);
    this.setOperand(v, 0, match[1]!, WIDTH_32);
    return v;
  }

  private parsePlain(block: BlockId, opName: OpName, type: Type, rest: string, location: number): ValueId {
    const row: OpRow = OPS[opName];
    const operands: string[] = [];
    let immediates = rest;
    for (;;) {
      const match = /^(%[\w.]+|-?\d\w*|0x[0-9a-f]+|true|false|undef)(?=[\s,]|$)\s*(,?)\s*/.exec(immediates);
      if (!match) break;
      operands.push(match[1]!);
      immediates = immediates.slice(match[0].length);
      if (!match[2]) break;
    }
    const v = this.fn.createValue(OP[opName] as Op, type, operands.length, 0, 0, location);
    this.parseImmediates(v, row, immediates.trim());
    const { widths, more } = operandWidths(row);
    if (operands.length < widths.length || (!more && operands.length > widths.length)) {
      this.error(`${opName} has ${widths.length} operands, not ${operands.length}`);
    }
    for (let i = 0; i < operands.length; i++) this.setOperand(v, i, operands[i]!, widths[i] ?? WIDTH_32);
    this.fn.append(block, v);
    return v;
  }

  private parseImmediates(v: ValueId, row: OpRow, text: string): void {
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const [key, valueText] = word.split('=');
      const f = row.imm?.find((candidate) => candidate.name === key);
      if (!f) this.error(`unknown immediate ${word}`);
      let value = 1;
      if (valueText !== undefined) {
        const named = f.names?.indexOf(valueText) ?? -1;
        value = named >= 0 ? named : Number(valueText);
        if (!Number.isInteger(value)) this.error(`bad value in ${word}`);
      }
      const bits = f.bits === 32 ? value | 0 : (value & ((1 << f.bits) - 1)) << f.shift;
      if (f.word === 0) this.fn.imm0[v] = this.fn.imm0[v]! | bits;
      else this.fn.imm1[v] = this.fn.imm1[v]! | bits;
    }
  }

  private setOperand(v: ValueId, index: number, text: string, width: Width): void {
    if (text.startsWith('%')) {
      const known = this.values.get(text.slice(1));
      if (known === undefined) this.pending.push({ value: v, index, name: text.slice(1), line: this.line });
      else this.fn.setOperand(v, index, known);
      return;
    }
    this.fn.setOperand(v, index, this.constant(text, width));
  }

  private constant(text: string, width: Width): ValueId {
    if (text === 'undef') return this.fn.undef(typeOf(width, false));
    if (width === WIDTH_1) {
      if (text !== 'true' && text !== 'false') this.error(`${text} is not true or false`);
      return this.fn.constant1(text === 'true');
    }
    if (!/^-?(\d+|0x[0-9a-f]+)$/.test(text)) this.error(`${text} is not a number`);
    const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
    const low = Number(BigInt.asIntN(32, value));
    if (width === WIDTH_32) return this.fn.constant32(low);
    return this.fn.constant64(low, Number(BigInt.asIntN(32, value >> 32n)));
  }

  private resolve(): void {
    for (const p of this.pending) {
      const v = this.values.get(p.name);
      if (v === undefined) this.error(`%${p.name} is not defined`, p.line);
      this.fn.setOperand(p.value, p.index, v);
    }
    for (const phi of this.phis) {
      const preds = this.fn.preds[this.fn.block[phi.value] as BlockId]!;
      if (preds.length !== phi.entries.length) {
        this.error(`the phi has ${phi.entries.length} operands, its block ${preds.length} predecessors`, phi.line);
      }
      const width = (this.fn.type[phi.value]! & 3) as Width;
      for (const entry of phi.entries) {
        const index = preds.indexOf(this.blocks.get(entry.block) ?? (-1 as BlockId));
        if (index < 0) this.error(`${entry.block} is no predecessor`, phi.line);
        this.line = phi.line;
        const name = entry.value.startsWith('%') ? entry.value.slice(1) : undefined;
        const value = name === undefined ? this.constant(entry.value, width) : this.values.get(name);
        if (value === undefined) this.error(`${entry.value} is not defined`, phi.line);
        this.fn.setOperand(phi.value, index, value);
      }
    }
  }
}
