/**
 * Symbolic 32-bit values: what the link step knows about a scalar register.
 *
 * Every value is interned, so that "the same value reaches on every path" is a comparison of two numbers. A value keeps
 * how it came about (user data, getpc, a load, an operation on others) even where its bits are known: the evidence of a
 * call target, the words that linking read and the reason of a refusal are all read off this graph.
 *
 *   user(10)  load(0x…, table + 8)      phi(node, s16)
 *      └── add ──┘                      operands: exits of the node's predecessors
 *
 * Invariants: ids are dense from 0; operands of a value have smaller ids (phis have none); `bits[id]` is the u32 where
 * it is known, else −1. A phi never has bits: its operands live in the analysis.
 */
import type { GuestAddress } from '../../base/guest-address.ts';
import { evaluateScalar, type ScalarOperation } from './scalar-operations.ts';

export type ValueNumber = number;

export type Value =
  /** Literal, inline constant or immediate. */
  | { readonly kind: 'constant' }
  /** User SGPR `index` at wave start; bits known once there is a dispatch. */
  | { readonly kind: 'user'; readonly index: number }
  /** Whatever else the wave started with in a slot (group ids, EXEC …): the same on every path, bits unknown. */
  | { readonly kind: 'initial'; readonly slot: number }
  /** s_getpc_b64 at `at`; half 0 is the low word. */
  | { readonly kind: 'getpc'; readonly at: GuestAddress; readonly half: 0 | 1 }
  /** Link of the call at `call`, made in context `context`. */
  | { readonly kind: 'link'; readonly call: GuestAddress; readonly context: number; readonly half: 0 | 1 }
  | { readonly kind: 'operation'; readonly operation: ScalarOperation; readonly operands: readonly ValueNumber[] }
  /** Word `word` of a scalar load; `source` is set when the address is known, bits when memory there is readable. */
  | {
      readonly kind: 'load';
      readonly at: GuestAddress;
      readonly form: LoadForm;
      readonly word: number;
      readonly operands: readonly ValueNumber[];
      readonly source: GuestAddress | undefined;
    }
  /** Came back from a scratch cell that seemed to hold `operands[0]`; another store may have changed it unseen. */
  | { readonly kind: 'reload'; readonly operands: readonly ValueNumber[] }
  /** Different values reach `node` in `slot`. */
  | { readonly kind: 'phi'; readonly node: number; readonly slot: number }
  /** Written by an instruction that is not followed. */
  | {
      readonly kind: 'opaque';
      readonly at: GuestAddress;
      readonly context: number;
      readonly slot: number;
      readonly nature: OpaqueNature;
    };

/**
 * What kind of thing made an opaque value. `memory` and `lane` values may be a link that was kept there; `computed`
 * ones cannot be.
 */
export type OpaqueNature = 'memory' | 'lane' | 'computed';

/**
 * Operands of a load. `pointer`: base low, base high, offset. `buffer`: the four words of the V#, offset.
 * Offsets are in bytes and exclude 4 × word.
 */
export type LoadForm = 'pointer' | 'buffer';

/** Reads captured memory for the evaluator: undefined when it is not readable. */
export type ReadWord = (address: GuestAddress) => number | undefined;

const MASK_48 = 2 ** 48;

export class ValueTable {
  readonly values: Value[] = [];
  /** u32, or −1. */
  readonly bits: number[] = [];
  private readonly ids = new Map<string, ValueNumber>();
  private readonly constants = new Map<number, ValueNumber>();
  private readonly readWord: ReadWord;

  constructor(readWord: ReadWord) {
    this.readWord = readWord;
  }

  constant(bits: number): ValueNumber {
    const word = bits >>> 0;
    let id = this.constants.get(word);
    if (id === undefined) {
      id = this.add({ kind: 'constant' }, word);
      this.constants.set(word, id);
    }
    return id;
  }

  user(index: number, bits: number | undefined): ValueNumber {
    return this.intern(`u${index}`, () => ({ kind: 'user', index }), bits ?? -1);
  }

  initial(slot: number): ValueNumber {
    return this.intern(`i${slot}`, () => ({ kind: 'initial', slot }), -1);
  }

  getpc(at: GuestAddress, half: 0 | 1, bits: number): ValueNumber {
    return this.intern(`g${at},${half}`, () => ({ kind: 'getpc', at, half }), bits);
  }

  link(call: GuestAddress, context: number, half: 0 | 1, bits: number): ValueNumber {
    return this.intern(`l${call},${context},${half}`, () => ({ kind: 'link', call, context, half }), bits);
  }

  reload(stored: ValueNumber): ValueNumber {
    if (this.values[stored]!.kind === 'reload') return stored;
    return this.intern(`r${stored}`, () => ({ kind: 'reload', operands: [stored] }), this.bits[stored]!);
  }

  phi(node: number, slot: number): ValueNumber {
    return this.intern(`p${node},${slot}`, () => ({ kind: 'phi', node, slot }), -1);
  }

  opaque(at: GuestAddress, context: number, slot: number, nature: OpaqueNature): ValueNumber {
    return this.intern(
      `o${at},${context},${slot},${nature}`,
      () => ({ kind: 'opaque', at, context, slot, nature }),
      -1,
    );
  }

  operation(operation: ScalarOperation, a: ValueNumber, b?: ValueNumber, c?: ValueNumber): ValueNumber {
    const simpler = this.simplify(operation, a, b ?? -1, c ?? -1);
    if (simpler >= 0) return simpler;
    const operands = c !== undefined ? [a, b!, c] : b !== undefined ? [a, b] : [a];
    const known = operands.every((operand) => this.bits[operand]! >= 0);
    const bits = known
      ? evaluateScalar(
          operation,
          this.bits[a]!,
          b === undefined ? 0 : this.bits[b]!,
          c === undefined ? 0 : this.bits[c]!,
        )
      : -1;
    if (known && operands.every((operand) => this.values[operand]!.kind === 'constant')) return this.constant(bits);
    return this.intern(`x${operation},${operands.join()}`, () => ({ kind: 'operation', operation, operands }), bits);
  }

  load(at: GuestAddress, form: LoadForm, word: number, operands: readonly ValueNumber[]): ValueNumber {
    const source = this.loadAddress(form, word, operands);
    const bits = source === undefined ? -1 : source === OUT_OF_BOUNDS ? 0 : (this.readWord(source) ?? -1);
    return this.intern(
      `m${at},${form},${word},${operands.join()}`,
      () => ({ kind: 'load', at, form, word, operands, source: source === OUT_OF_BOUNDS ? undefined : source }),
      bits,
    );
  }

  /** Every component of an SMEM address ignores its two low bits. */
  private loadAddress(form: LoadForm, word: number, operands: readonly ValueNumber[]): GuestAddress | undefined {
    const bits = operands.map((operand) => this.bits[operand]!);
    if (bits.some((b) => b < 0)) return undefined;
    if (form === 'pointer') {
      const base = (bits[1]! & 0xffff) * 2 ** 32 + bits[0]!;
      const sum = base - (base % 4) + alignDown(bits[2]! | 0) + 4 * word;
      return (((sum % MASK_48) + MASK_48) % MASK_48) as GuestAddress;
    }
    const stride = (bits[1]! >>> 16) & 0x3fff;
    const size = stride === 0 ? bits[2]! : stride * bits[2]!;
    const offset = alignDown(bits[4]!) + 4 * word;
    if (offset + 4 > size) return OUT_OF_BOUNDS;
    const base = (bits[1]! & 0xffff) * 2 ** 32 + bits[0]!;
    return ((base - (base % 4) + offset) % MASK_48) as GuestAddress;
  }

  /** Identities that hold although an operand is not known; −1 when none applies. */
  private simplify(operation: ScalarOperation, a: ValueNumber, b: ValueNumber, c: ValueNumber): ValueNumber {
    const x = this.bits[a]!;
    const y = b >= 0 ? this.bits[b]! : -1;
    switch (operation) {
      case 'carry':
        return y === 0 && this.bits[c] === 0 ? this.constant(0) : -1;
      case 'add':
      case 'or':
      case 'xor':
        if (operation === 'or' && (x === 0xffffffff || y === 0xffffffff)) return this.constant(0xffffffff);
        if (operation === 'or' && a === b) return a;
        if (operation === 'xor' && a === b) return this.constant(0);
        return y === 0 ? a : x === 0 ? b : -1;
      case 'subtract':
      case 'shiftLeft':
      case 'shiftRight':
      case 'shiftRightSigned':
        return y === 0 ? a : -1;
      case 'and':
        if (x === 0 || y === 0) return this.constant(0);
        if (a === b) return a;
        return y === 0xffffffff ? a : x === 0xffffffff ? b : -1;
      case 'select':
        if (b === c) return b;
        return x < 0 ? -1 : x !== 0 ? b : c;
      default:
        return -1;
    }
  }

  private intern(key: string, make: () => Value, bits: number): ValueNumber {
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.add(make(), bits);
      this.ids.set(key, id);
    }
    return id;
  }

  private add(value: Value, bits: number): ValueNumber {
    this.values.push(value);
    this.bits.push(bits);
    return this.values.length - 1;
  }

  operandsOf(id: ValueNumber): readonly ValueNumber[] {
    const value = this.values[id]!;
    return 'operands' in value ? value.operands : NO_OPERANDS;
  }
}

const NO_OPERANDS: readonly ValueNumber[] = [];
const OUT_OF_BOUNDS = -1 as GuestAddress;

function alignDown(offset: number): number {
  return offset - (((offset % 4) + 4) % 4);
}
