/**
 * Labels and symbols of one assembly. Local labels `1:` get the internal names `1@0`, `1@1`, … in order; `1b` is the
 * last one so far, `1f` the next one.
 */
import type { GuestAddress } from '../../base/guest-address.ts';
import { VERSION_FLAGS, VERSIONS } from '../names/versions.ts';
import type { Expression, SymbolScope, SymbolValue } from './expressions.ts';

/** Constants that LLVM predefines for `s_version`. */
const PREDEFINED: readonly (readonly [string, number])[] = Object.entries({ ...VERSIONS, ...VERSION_FLAGS });

export class SymbolTable implements SymbolScope {
  private readonly values = new Map<string, SymbolValue>();
  private readonly localCounts = new Map<number, number>();
  /** Labels of the text itself, without locals and those given from outside. */
  readonly labels = new Map<string, GuestAddress>();
  /** Where the statement begins. */
  address = 0;
  /** How often something was asked that may have another answer elsewhere in the text. */
  questions = 0;

  constructor(outside: ReadonlyMap<string, GuestAddress> | undefined) {
    for (const [name, value] of PREDEFINED) this.values.set(name, { kind: 'constant', value: BigInt(value) });
    if (outside)
      for (const [name, address] of outside) this.values.set(name, { kind: 'label', address: BigInt(address) });
  }

  get here(): bigint {
    this.questions++;
    return BigInt(this.address);
  }

  readonly resolve = (name: string): SymbolValue | undefined => {
    this.questions++;
    return this.values.get(name);
  };

  /** Everything that is defined and has a name of its own. */
  names(): string[] {
    return [...this.values.keys()].filter((name) => !name.includes('@') && !name.startsWith('UC_VERSION_'));
  }

  localLabel(number: number, direction: 'b' | 'f'): string {
    this.questions++;
    const count = this.localCounts.get(number) ?? 0;
    return `${number}@${direction === 'b' ? count - 1 : count}`;
  }

  /** False when the text defines the name already. Names given from outside may be redefined. */
  defineLabel(name: string, address: number): boolean {
    if (
      this.labels.has(name) ||
      this.values.get(name)?.kind === 'constant' ||
      this.values.get(name)?.kind === 'expression'
    ) {
      return false;
    }
    this.labels.set(name, address as GuestAddress);
    this.values.set(name, { kind: 'label', address: BigInt(address) });
    return true;
  }

  defineLocal(number: number, address: number): void {
    const count = this.localCounts.get(number) ?? 0;
    this.localCounts.set(number, count + 1);
    this.values.set(`${number}@${count}`, { kind: 'label', address: BigInt(address) });
  }

  /** `.set name, expression`; false when the name is a label of the text. */
  assign(name: string, expression: Expression): boolean {
    if (this.labels.has(name)) return false;
    if (expression.kind === 'constant') this.values.set(name, expression);
    else this.values.set(name, { kind: 'expression', expression });
    return true;
  }
}
