/**
 * From a linked program to a SPIR-V module: lowering, passes, structuring, emission, in this order and nothing else.
 *
 * Never throws for what the program asks for: what is not supported comes back in `diagnostics`, and `module` is absent
 * when it could be reached. The IR of every step is handed to `onStep` for display.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import type { Program } from '../program/program.ts';
import type { IrFunction } from './ir/function.ts';
import type { LoweringOptions } from './lower/lowering.ts';
import { lowerProgram } from './lower/program.ts';
import { runPipeline } from './pipeline.ts';
import type { MemoryMode } from './spirv/abi.ts';
import { type EmitOptions, type EmittedModule, emitModule } from './spirv/emit-module.ts';
import type { CodegenProfile } from './spirv/emitter.ts';
import { unprovedBarriers } from './structure/barrier-flow.ts';
import { type StructuredFunction, structureFunction } from './structure/index.ts';

/** Raised when the same program and options give other code. */
export const GENERATOR_VERSION = 4;

/** High halves of the flat address windows of LDS and scratch, as the Linux driver programs them. */
export const APERTURES = { sharedHigh: 0x0001_0000, privateHigh: 0x0002_0000 } as const;

export interface CompileOptions {
  readonly profile: CodegenProfile;
  readonly deterministic: boolean;
  readonly tripLimit: boolean;
  /** Default: direct, which is what runs first. */
  readonly memory?: MemoryMode;
  /** Regions that memory has at most; absent: any number. */
  readonly regions?: number;
  readonly lines?: EmitOptions['lines'];
  /** Registers that the launcher sets, and those that it wants of ending waves. */
  readonly given?: LoweringOptions['given'];
  readonly taps?: LoweringOptions['taps'];
  /** The verifier between all passes: tests. */
  readonly verify?: boolean;
  readonly onStep?: (name: string, fn: IrFunction, changed: boolean) => void;
}

export interface CompiledProgram {
  readonly module?: EmittedModule;
  readonly structured?: StructuredFunction;
  readonly diagnostics: readonly Diagnostic[];
}

export function compileProgram(program: Program, dispatch: ComputeDispatch, options: CompileOptions): CompiledProgram {
  const lowered = lowerProgram(program, dispatch, {
    apertures: APERTURES,
    zeroRegisters: options.deterministic,
    scratchBytesPerWave: dispatch.scratchBytesPerWave,
    ...(options.given ? { given: options.given } : {}),
    ...(options.taps ? { taps: options.taps } : {}),
  });
  const { fn } = lowered;
  options.onStep?.('lowering', fn, true);
  if (!lowered.runnable) return { diagnostics: lowered.diagnostics };
  runPipeline(fn, {
    deterministic: options.deterministic,
    ...(options.profile.floats ? { floats: options.profile.floats } : {}),
    ...(options.verify ? { verify: true } : {}),
    ...(options.onStep ? { onStep: options.onStep } : {}),
  });
  const structured = structureFunction(fn, { phases: unprovedBarriers(fn).length > 0 });
  options.onStep?.('structure', fn, true);
  const emitted = emitModule(structured, options.profile, {
    tripLimit: options.tripLimit,
    memory: options.memory ?? 'direct',
    ...(options.regions === undefined ? {} : { regions: options.regions }),
    zeroLds: options.deterministic,
    ...(options.lines ? { lines: options.lines } : {}),
    ...(options.taps ? { taps: options.taps } : {}),
  });
  const diagnostics = [...lowered.diagnostics, ...emitted.diagnostics];
  if (emitted.diagnostics.some((d) => d.kind === 'unsupported')) return { structured, diagnostics };
  return { module: emitted, structured, diagnostics };
}
