/**
 * Prepared entries in memory: compiled modules by key, with the reason of a miss.
 *
 * The key holds everything that code generation looks at (program/prepared-key.ts). The reason of a miss is told from
 * the parts of the key that an earlier entry of the same shader had.
 */
import type { ComputeDispatch } from '../base/dispatch.ts';
import { type PreparedKeyOptions, preparedKey } from '../program/prepared-key.ts';
import type { Program } from '../program/program.ts';

export interface CacheAnswer<T> {
  readonly key: string;
  readonly value: T;
  readonly result: 'hit' | 'miss';
  readonly reason: string;
}

interface Entry<T> {
  readonly value: T;
  readonly codeParts: ReadonlyMap<number, string>;
  readonly callMap: string;
}

const MAXIMUM = 1024;

export class PreparedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Latest entry of each shader, by entry address. */
  private readonly latest = new Map<number, Entry<T>>();

  get(program: Program, dispatch: ComputeDispatch, options: PreparedKeyOptions, make: () => T): CacheAnswer<T> {
    const key = preparedKey(program, dispatch, options);
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return { key, value: known.value, result: 'hit', reason: 'same code, call targets and launch shape' };
    }
    const entry: Entry<T> = { value: make(), codeParts: codeParts(program), callMap: callMap(program) };
    const reason = whyMissed(this.latest.get(program.entryAddress), entry);
    this.entries.set(key, entry);
    this.latest.set(program.entryAddress, entry);
    if (this.entries.size > MAXIMUM) this.entries.delete(this.entries.keys().next().value!);
    return { key, value: entry.value, result: 'miss', reason };
  }
}

function codeParts(program: Program): Map<number, string> {
  return new Map(program.segments.map((s) => [s.address, s.words.join()]));
}

function callMap(program: Program): string {
  return program.calls.map((c) => `${c.address}→${c.targets.map((t) => t.address).join()}`).join(' ');
}

function whyMissed(before: Entry<unknown> | undefined, now: Entry<unknown>): string {
  if (!before) return 'first dispatch of this shader';
  for (const [address, words] of now.codeParts) {
    const old = before.codeParts.get(address);
    if (old !== undefined && old !== words) return `code at 0x${address.toString(16)} changed`;
  }
  if (before.callMap !== now.callMap) return 'calls reach other callees';
  return 'another launch shape';
}
