/**
 * What a pass is: it changes the function in place and says whether it did. Options are data; a pass that needs none
 * ignores them.
 */
import type { IrFunction } from '../ir/function.ts';
import type { FloatSupport } from './floats/arithmetic.ts';
import type { KnownWords } from './specialise-descriptors.ts';

export interface PassOptions {
  /** Bit-identical floats on every device (docs/float-arithmetic.md). */
  readonly deterministic: boolean;
  /** What the device's float operations are good for; a common driver's when absent. */
  readonly floats?: FloatSupport;
  /** Specialise descriptors for one dispatch; the values are part of the prepared code's key then. */
  readonly known?: KnownWords;
}

export type Pass = (fn: IrFunction, options: PassOptions) => boolean;
