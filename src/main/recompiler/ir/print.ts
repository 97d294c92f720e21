/**
 * Text of a function: for people (IR after each pass), for filetests and for parse.ts, which reads it back.
 *
 *   function gfx1013 wave64 threads=64,1,1 lds=0 "probe"
 *   b1:                                       ; preds b0, b5
 *     %7 : s32 = phi [b0: 3, b5: %12] @s8
 *     %9 : v32 = iadd.u32 %8, 5               ; 0x200000000 via 0x10000000c
 *     branch %13, b1, b6
 *
 * Constants and undefs have no line of their own: they appear in operands (`5`, `0x3f800000`, `true`, `undef`), with
 * the width that the operand asks for. Values are renumbered in printing order unless they have names from text.
 */
import { OPERAND } from '../../isa/operands.ts';
import type { IrFunction, LocationId } from './function.ts';
import { fieldValue, OP, OP_NAMES, OPS, type OpRow } from './ops.ts';
import { type BlockId, NO_VALUE, printType, type Type, type ValueId, WIDTH_1, WIDTH_64 } from './types.ts';

/** Name of the register that a phi stands for. */
export function printRegister(code: number): string {
  switch (code) {
    case OPERAND.SCC:
      return 'scc';
    case OPERAND.VCC_LO:
      return 'vcc';
    case OPERAND.VCC_HI:
      return 'vcc_hi';
    case OPERAND.EXEC_LO:
      return 'exec';
    case OPERAND.EXEC_HI:
      return 'exec_hi';
    case OPERAND.M0:
      return 'm0';
  }
  return code >= OPERAND.VGPR0 ? `v${code - OPERAND.VGPR0}` : `s${code}`;
}

export interface PrintOptions {
  /** Guest addresses behind each value. Default true. */
  readonly locations?: boolean;
}

export function printConstant(fn: IrFunction, v: ValueId): string {
  if (fn.op[v] === OP.undef) return 'undef';
  const width = fn.type[v]! & 3;
  const low = fn.imm0[v]! >>> 0;
  if (width === WIDTH_1) return low ? 'true' : 'false';
  if (width === WIDTH_64) {
    const value = (BigInt(fn.imm1[v]! >>> 0) << 32n) | BigInt(low);
    return value < 10000n ? value.toString() : `0x${value.toString(16)}`;
  }
  if (low < 10000) return String(low);
  if (low >= 0xffffff00) return String(low | 0);
  return `0x${low.toString(16)}`;
}

export function printFunction(fn: IrFunction, options: PrintOptions = {}): string {
  const printer = new Printer(fn, options.locations ?? true);
  return printer.print();
}

/** One value as in the whole text, with ids as numbers: for messages of the verifier. */
export function printValue(fn: IrFunction, v: ValueId): string {
  return new Printer(fn, true, true).line(v);
}

class Printer {
  private readonly fn: IrFunction;
  private readonly withLocations: boolean;
  private readonly rawIds: boolean;
  private readonly numbers: Int32Array;

  constructor(fn: IrFunction, withLocations: boolean, rawIds = false) {
    this.fn = fn;
    this.withLocations = withLocations;
    this.rawIds = rawIds;
    this.numbers = new Int32Array(fn.valueCount).fill(-1);
  }

  print(): string {
    const fn = this.fn;
    const s = fn.shape;
    const out: string[] = [];
    const partial = s.partialGroups ? ' partial' : '';
    out.push(
      `function ${s.target} wave${s.waveSize} threads=${s.threads.join(',')} lds=${s.ldsBytes}${partial} "${fn.name}"`,
    );
    let number = 0;
    for (let b = 0; b < fn.blockCount; b++) {
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        if (fn.type[v] !== 0 && fn.op[v] !== OP.const && fn.op[v] !== OP.undef) this.numbers[v] = number++;
      }
    }
    for (let b = 0; b < fn.blockCount; b++) {
      if (fn.firstValue[b] === NO_VALUE && b !== 0) continue;
      const preds = fn.preds[b]!;
      out.push(pad(`b${b}:`, preds.length ? `preds ${preds.map((p) => `b${p}`).join(', ')}` : ''));
      for (let v = fn.firstValue[b]!; v !== NO_VALUE; v = fn.next[v] as ValueId) {
        if (fn.op[v] !== OP.const && fn.op[v] !== OP.undef) out.push(this.line(v));
      }
    }
    return `${out.join('\n')}\n`;
  }

  line(v: ValueId): string {
    const fn = this.fn;
    const type = fn.type[v] as Type;
    const head = type === 0 ? '' : `${this.name(v)} : ${printType(type)} = `;
    const text = `  ${head}${OP_NAMES[fn.op[v]!]}${this.body(v)}`;
    const location = fn.location[v] as LocationId;
    return this.withLocations && location >= 0 ? pad(text, printLocation(fn, location)) : text;
  }

  private name(v: ValueId): string {
    const known = this.fn.names?.get(v);
    if (known !== undefined) return `%${known}`;
    const number = this.numbers[v]!;
    // Beside names from text, numbers get a prefix so that they cannot meet one of them.
    return this.rawIds || number < 0 ? `%${v}` : this.fn.names ? `%_${number}` : `%${number}`;
  }

  private operand(v: ValueId): string {
    if (v === NO_VALUE) return '?';
    const op = this.fn.op[v];
    return op === OP.const || op === OP.undef ? printConstant(this.fn, v) : this.name(v);
  }

  private body(v: ValueId): string {
    const fn = this.fn;
    const operands = fn.operandsOf(v);
    switch (fn.op[v]) {
      case OP.phi: {
        const preds = fn.preds[fn.block[v] as BlockId] ?? [];
        const pairs = operands.map((o, i) => `b${preds[i] ?? '?'}: ${this.operand(o)}`);
        const register = fn.imm0[v]!;
        return ` [${pairs.join(', ')}]${register >= 0 ? ` @${printRegister(register)}` : ''}`;
      }
      case OP.const:
      case OP.undef:
        return ` ${printConstant(fn, v)}`;
      case OP.jump:
        return ` b${fn.imm0[v]}`;
      case OP.branch:
        return ` ${this.operand(operands[0]!)}, b${fn.imm0[v]}, b${fn.imm1[v]}`;
      case OP.switch: {
        const s = fn.switches[fn.imm0[v]!]!;
        const cases = s.values.map((value, i) => `${value >>> 0}: b${s.targets[i]}`);
        return ` ${this.operand(operands[0]!)}, [${cases.join(', ')}], b${s.fallback}`;
      }
    }
    const list = operands.map((o) => this.operand(o)).join(', ');
    return (list ? ` ${list}` : '') + this.immediates(v);
  }

  private immediates(v: ValueId): string {
    const fn = this.fn;
    const row: OpRow = OPS[OP_NAMES[fn.op[v]!]!];
    let text = '';
    for (const f of row.imm ?? []) {
      const value = fieldValue(f, fn.imm0[v]!, fn.imm1[v]!);
      if (value === 0 && f.name !== 'kind') continue;
      if (f.names) text += ` ${f.name}=${f.names[value] ?? value}`;
      else if (f.bits === 1) text += ` ${f.name}`;
      else text += ` ${f.name}=${value}`;
    }
    return text;
  }
}

export function printLocation(fn: IrFunction, id: LocationId): string {
  const location = fn.locations[id]!;
  const via = location.callPath.map((a) => `0x${a.toString(16)}`).join(' ');
  return `0x${location.address.toString(16)}${via ? ` via ${via}` : ''}`;
}

function pad(text: string, comment: string): string {
  return comment ? `${text.padEnd(56)} ; ${comment}` : text;
}
