/**
 * The assembler's door: text in LLVM syntax → machine words of gfx700, gfx1013 or gfx1030.
 *
 * Never throws on any text; all mistakes are collected, each with line, column and what was expected. Words of good
 * statements are produced even when others are bad, but then they are not what the author meant: check `ok`.
 */
import type { Diagnostic } from '../../base/diagnostics.ts';
import type { Target, WaveSize } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { type AssembledLine, Assembler } from './assembler.ts';
import { type OriginalCode, warnAboutOriginal } from './original.ts';

export type { AssembledLine } from './assembler.ts';
export type { OriginalCode } from './original.ts';
export { ASM as ASSEMBLER_CODES } from './reporter.ts';

export interface AssembleOptions {
  /** `.amdgcn_target` in the text overrides it. */
  readonly target: Target;
  /** gfx700 is always 64. `.wavefront_size` in the text overrides it. */
  readonly waveSize: WaveSize;
  /** Where the first byte will be: pc-relative values are computed from it. Default 0. */
  readonly address?: GuestAddress;
  /** Labels from outside the text; the text may define them anew. */
  readonly symbols?: ReadonlyMap<string, GuestAddress>;
  /** What the text replaces; differences are warnings. */
  readonly original?: OriginalCode;
  /** Name for diagnostics. */
  readonly file?: string;
}

export interface AssembleResult {
  /** No errors; warnings and notes may be there. */
  readonly ok: boolean;
  readonly words: Uint32Array;
  /** Same as `words` without the padding of a last partial dword. */
  readonly bytes: Uint8Array;
  /** Every line that yields bytes, in order of address. */
  readonly lines: readonly AssembledLine[];
  readonly labels: ReadonlyMap<string, GuestAddress>;
  readonly diagnostics: readonly Diagnostic[];
  readonly target: Target;
  readonly waveSize: WaveSize;
}

export function assemble(source: string, options: AssembleOptions): AssembleResult {
  const address = options.address ?? (0 as GuestAddress);
  const assembler = new Assembler(source, options.target, options.waveSize, address, options.symbols, options.file);
  assembler.run();
  if (options.original) warnAboutOriginal(source, assembler, options.original);
  const { reporter, output, symbols, lines, target, waveSize } = assembler;
  return {
    ok: reporter.errorCount === 0,
    words: output.toWords(),
    bytes: output.toBytes(),
    lines,
    labels: symbols.labels,
    diagnostics: reporter.diagnostics,
    target,
    waveSize,
  };
}
