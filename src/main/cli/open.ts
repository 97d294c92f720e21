/** Opens what a verb was given and finds the event that it names. Replay is loaded only by verbs that play. */
import type { OpenCapture } from '../capture/store/open-capture.ts';
import { inputKind, openCapture, readInput } from '../session/open-input.ts';
import type { ReplayOptions, ReplayStep } from '../session/replay.ts';
import { parseNumber } from './arguments.ts';
import { CommandError, EXIT, failWith, warn } from './output.ts';

/** A capture, or the reason why the file is none. Damage is told on stderr. */
export function openCaptureOrFail(path: string): OpenCapture {
  const opened = openCapture(path);
  if (!opened.ok) failWith(opened.error);
  warn(opened.value.capture.damage);
  return opened.value;
}

/** Whether the file is a capture, without opening it as one. */
export function readFileOrFail(path: string): {
  readonly kind: ReturnType<typeof inputKind>;
  readonly bytes: Uint8Array;
} {
  const bytes = readInput(path);
  if (!bytes.ok) failWith(bytes.error);
  return { kind: inputKind(bytes.value), bytes: bytes.value };
}

/** Raw code as dwords. */
export function wordsOrFail(bytes: Uint8Array): Uint32Array {
  if (bytes.length === 0) throw new CommandError(EXIT.badInput, 'the file is empty');
  if (bytes.length % 4 !== 0)
    throw new CommandError(EXIT.badInput, `raw code must be whole dwords; the file has ${bytes.length} bytes`);
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return new Uint32Array(bytes.slice().buffer);
}

/** Fails for an event that a capture with `count` events has not. */
export function noSuchEvent(event: number, count: number): never {
  const has = count === 0 ? 'none' : `0 to ${count - 1}`;
  throw new CommandError(EXIT.badInput, `the capture has no event ${event}; it has ${has}`);
}

/** Plays until the event with this index. Its dispatch, if it is one, has run when an engine was given. */
export async function stepOf(open: OpenCapture, event: number, options: ReplayOptions = {}): Promise<ReplayStep> {
  const { replay } = await import('../session/replay.ts');
  let count = 0;
  for await (const step of replay(open, options)) {
    if (step.event.index === event) return step;
    count = step.event.index + 1;
  }
  return noSuchEvent(event, count);
}

/** The event named, or the first dispatch. Fails when it is no dispatch. */
export async function dispatchStepOf(
  open: OpenCapture,
  event: string | undefined,
  options: ReplayOptions = {},
): Promise<ReplayStep> {
  if (event !== undefined) {
    const step = await stepOf(open, parseNumber(event, '--event'), options);
    if (!step.dispatch)
      throw new CommandError(
        EXIT.badInput,
        `event ${event} is no dispatch but ${step.event.effect.kind}; 'events' lists them`,
      );
    return step;
  }
  const { replay } = await import('../session/replay.ts');
  for await (const step of replay(open, options)) if (step.dispatch) return step;
  throw new CommandError(EXIT.badInput, 'the capture has no dispatch');
}
