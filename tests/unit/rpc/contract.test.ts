/** What follows from the contract's table: names, handlers, and that a forgotten handler does not compile. */
import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../src/main/rpc/handlers.ts';
import { ENGINE_CALLS } from '../../../src/main/session/app/engine-protocol.ts';
import { CONTRACT, isCallName } from '../../../src/preload/contract/index.ts';

type Without<Name extends keyof Handlers> = Omit<Handlers, Name>;

/** Compiled, never called: each line must be an error, or the type check of the project fails. */
function doesNotCompile(without: Without<'events.state'>, other: Without<'capture.current'>): Handlers[] {
  return [
    // @ts-expect-error a call without a handler
    without,
    // @ts-expect-error a handler that answers something else
    { ...other, 'capture.current': () => 7 },
  ];
}

describe('the contract', () => {
  it('does not compile without a handler for every call', () => {
    expect(doesNotCompile).toHaveLength(2);
  });

  it('names its calls by group', () => {
    for (const name of Object.keys(CONTRACT))
      expect(name).toMatch(/^(app|capture|events|shader|run|devices)\.[a-z][A-Za-z]*$/);
  });

  it('knows its own names and nothing that objects bring along', () => {
    expect(isCallName('app.info')).toBe(true);
    for (const name of ['toString', '__proto__', 'constructor', 'app', '']) expect(isCallName(name)).toBe(false);
  });

  it('takes no arguments that it does not know', () => {
    for (const { args } of Object.values(CONTRACT)) {
      expect(args.safeParse({ unknown: 1 }).success).toBe(false);
      expect(args.safeParse(undefined).success).toBe(false);
      expect(args.safeParse([]).success).toBe(false);
    }
  });

  it('is answered by the worker only where it says so', () => {
    for (const name of ENGINE_CALLS) expect(isCallName(name)).toBe(true);
    expect(new Set(ENGINE_CALLS).size).toBe(ENGINE_CALLS.length);
  });
});
