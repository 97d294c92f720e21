/**
 * Our own bugs. An assertion never guards input: bad input is a `Diagnostic` (result.ts).
 */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InternalError(message);
}

/** For the end of exhaustive switches: a forgotten case does not compile. */
export function unreachable(value: never, message = 'unreachable case'): never {
  throw new InternalError(`${message}: ${String(value)}`);
}
