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
/** Entries of one shader that a miss is explained by. */
const REMEMBERED = 16;

export class PreparedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  /** Entries of each shader, by entry address, latest first. */
  private readonly byShader = new Map<number, Entry<T>[]>();

  get(program: Program, dispatch: ComputeDispatch, options: PreparedKeyOptions, make: () => T): CacheAnswer<T> {
    const key = preparedKey(program, dispatch, options);
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return { key, value: known.value, result: 'hit', reason: 'same code, call targets and launch shape' };
    }
    const entry: Entry<T> = { value: make(), codeParts: codeParts(program), callMap: callMap(program) };
    const earlier = this.byShader.get(program.entryAddress) ?? [];
    const reason = whyMissed(earlier, entry);
    this.entries.set(key, entry);
    this.byShader.set(program.entryAddress, [entry, ...earlier.slice(0, REMEMBERED - 1)]);
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

/** Told against the nearest earlier entry: equal code and calls, then equal calls, then the latest. */
function whyMissed(earlier: readonly Entry<unknown>[], now: Entry<unknown>): string {
  const sameCalls = earlier.filter((entry) => entry.callMap === now.callMap);
  if (sameCalls.some((entry) => changedCode(entry, now) === undefined))
    return 'another launch shape (wave size, threads, registers)';
  const before = sameCalls[0] ?? earlier[0];
  if (!before) return 'first dispatch of this shader';
  if (sameCalls.length === 0) return 'calls reach other callees';
  return `code at 0x${changedCode(before, now)!.toString(16)} changed`;
}

/** Address of the first segment whose words differ. */
function changedCode(before: Entry<unknown>, now: Entry<unknown>): number | undefined {
  for (const [address, words] of now.codeParts) if (before.codeParts.get(address) !== words) return address;
  return undefined;
}
