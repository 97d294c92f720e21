/** Code generation for display: every step's IR as text, the module, its text and its figures. */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import type { Program } from '../program/program.ts';
import { compileProgram } from '../recompiler/compile-program.ts';
import { printFunction } from '../recompiler/ir/print.ts';
import { disassembleSpirv } from '../recompiler/spirv/disassemble.ts';
import type { EmittedModule } from '../recompiler/spirv/emit-module.ts';
import type { CodegenProfile } from '../recompiler/spirv/emitter.ts';

export interface RecompileView {
  readonly steps: readonly { readonly name: string; readonly changed: boolean; readonly text: string }[];
  readonly module?: EmittedModule;
  readonly spirvText?: readonly string[];
  readonly stats?: Readonly<Record<string, number>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecompileViewOptions {
  readonly subgroup: number;
  readonly deterministic: boolean;
  /** An opened device's; otherwise a capable one of that subgroup size is assumed. */
  readonly profile?: CodegenProfile;
}

/** Everything that Vulkan devices of today have, with fused multiply-add not relied upon. */
export function assumedProfile(subgroupSize: number): CodegenProfile {
  return {
    subgroupSize,
    float16: true,
    float64: true,
    int64: true,
    storage8: true,
    storage16: true,
    bufferAtomics64: true,
    maxSharedBytes: 65536,
    maxWorkgroupInvocations: 4096,
    subgroupUniformControlFlow: false,
    loopTurnLimit: 0,
  };
}

export function recompileDispatch(
  program: Program,
  dispatch: ComputeDispatch,
  options: RecompileViewOptions,
): RecompileView {
  const steps: { name: string; changed: boolean; text: string }[] = [];
  const started = performance.now();
  const compiled = compileProgram(program, dispatch, {
    profile: options.profile ?? assumedProfile(options.subgroup),
    deterministic: options.deterministic,
    tripLimit: true,
    onStep: (name, fn, changed) => steps.push({ name, changed, text: printFunction(fn) }),
  });
  const milliseconds = performance.now() - started;
  const { module, diagnostics } = compiled;
  if (!module) return { steps, diagnostics };
  const instructions = program.blocks.reduce((sum, b) => sum + b.instructions.length, 0);
  return {
    steps,
    module,
    spirvText: disassembleSpirv(module.words),
    stats: {
      guestInstructions: instructions,
      spirvWords: module.words.length,
      spirvFunctionWords: module.functionWords,
      wordsPerGuestInstruction: Math.round((100 * module.words.length) / Math.max(instructions, 1)) / 100,
      lanesPerInvocation: module.lanesPerInvocation,
      workgroupInvocations: module.workgroupInvocations,
      millisecondsWithDisplay: Math.round(100 * milliseconds) / 100,
    },
    diagnostics,
  };
}
