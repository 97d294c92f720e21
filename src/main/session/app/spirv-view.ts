/** The SPIR-V of a dispatch as text, with the guest address of every line. Line i is instruction i of the module. */
import type { SpirvView } from '../../../preload/contract/shader.ts';
import type { ComputeDispatch } from '../../base/dispatch.ts';
import type { Program } from '../../program/program.ts';
import { type CompileOptions, compileProgram } from '../../recompiler/compile-program.ts';
import { disassembleSpirv } from '../../recompiler/spirv/disassemble.ts';
import { diagnosticViews } from './diagnostic-view.ts';

export interface SpirvTarget {
  readonly profile: CompileOptions['profile'];
  /** Of the device, or what stands in for one. */
  readonly name: string;
}

export function spirvView(event: number, program: Program, dispatch: ComputeDispatch, target: SpirvTarget): SpirvView {
  if (!program.complete) {
    const diagnostics = diagnosticViews(program.diagnostics);
    return { kind: 'unavailable', event, reason: 'the program cannot be linked whole', diagnostics };
  }
  const compiled = compileProgram(program, dispatch, { profile: target.profile, deterministic: true, tripLimit: true });
  const diagnostics = diagnosticViews(compiled.diagnostics);
  const { module } = compiled;
  if (!module) {
    return { kind: 'unavailable', event, reason: 'the recompiler does not support this program', diagnostics };
  }
  const lines = disassembleSpirv(module.words);
  const address = new Float64Array(lines.length).fill(-1);
  for (const { first, count, location } of module.map) {
    const from = module.locations[location];
    if (from) address.fill(from.address, first, first + count);
  }
  const { lanesPerInvocation, subgroupSize } = module;
  const lanes = `${lanesPerInvocation} ${lanesPerInvocation === 1 ? 'lane' : 'lanes'} per invocation`;
  const profile = `${target.name}: subgroup of ${subgroupSize}, ${lanes}, deterministic`;
  return { kind: 'ready', event, lines, address, words: module.words.length, profile, diagnostics };
}
