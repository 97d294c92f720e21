/**
 * The door of the recompiler: compile a linked program, look at its IR after each pass.
 */
export {
  APERTURES,
  type CompiledProgram,
  type CompileOptions,
  compileProgram,
  GENERATOR_VERSION,
} from './compile-program.ts';
export type { IrFunction, LaunchShape, Location } from './ir/function.ts';
export { FAULT_REASONS, type FaultReason, LAUNCH_WORDS } from './ir/ops.ts';
export { parseFunction } from './ir/parse.ts';
export { printFunction } from './ir/print.ts';
export { verifyFunction } from './ir/verify.ts';
export { type LoweredProgram, lowerProgram } from './lower/program.ts';
export type { FloatSupport } from './passes/floats/arithmetic.ts';
export type { KnownWords } from './passes/specialise-descriptors.ts';
export { PIPELINE, type PipelineOptions, runPipeline } from './pipeline.ts';
