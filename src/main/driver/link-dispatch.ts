/**
 * Links the program of a dispatch from guest memory of that moment, and says whether an engine may run it.
 */
import type { Diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch } from '../base/dispatch.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { type LinkOptions, linkProgram } from '../program/link-program.ts';
import type { Program } from '../program/program.ts';

/** Name of the shader for messages, registered shaders, targets seen in earlier runs, edits. */
export type LinkContext = Pick<LinkOptions, 'name' | 'registered' | 'seenTargets' | 'edits'>;

export function linkDispatch(dispatch: ComputeDispatch, memory: GuestMemory, context: LinkContext = {}): Program {
  return linkProgram({
    target: dispatch.target,
    waveSize: dispatch.waveSize,
    entry: dispatch.programAddress,
    memory,
    userSgprs: dispatch.userSgprs,
    ...context,
  });
}

/** Bad code that no engine may start on: a call or jump into nothing, undecodable bytes on the way. */
export function refusals(program: Program): readonly Diagnostic[] {
  return program.diagnostics.filter((d) => d.kind === 'badInput' || d.kind === 'fault');
}
