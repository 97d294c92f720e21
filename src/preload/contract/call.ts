/**
 * How one call of the contract is written down: schema of its arguments, type of its result, whether it reports
 * progress. Only the schema exists at run time; the result type is carried in a field that is never set.
 */
import type { z } from 'zod';

export interface CallDefinition<Schema extends z.ZodType = z.ZodType, Result = unknown> {
  readonly args: Schema;
  /** Takes long enough to report progress and to be cancelled. */
  readonly progress: boolean;
  /** Type only. */
  readonly result?: Result;
}

/** `call(schema)<Result>()`: the schema is inferred, the result is named. */
export function call<Schema extends z.ZodType>(args: Schema) {
  return <Result>(options: { readonly progress?: boolean } = {}): CallDefinition<Schema, Result> => ({
    args,
    progress: options.progress ?? false,
  });
}

export interface Progress {
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
  /** What is being done, for the status bar. */
  readonly text: string;
}
