/** Calls about the shader of a dispatch: the linked program and its SPIR-V. */
import { z } from 'zod';
import { call } from './call.ts';
import { eventIndex } from './capture.ts';
import type { DiagnosticView } from './views.ts';

export type EdgeKind = 'fallthrough' | 'branch' | 'call' | 'return' | 'jump';

/** The listing, one entry per instruction in each column, in order of blocks. */
export interface ListingView {
  readonly address: Float64Array;
  readonly block: Int32Array;
  /** Line i has the words from `wordStart[i]` to `wordStart[i + 1]`. */
  readonly wordStart: Uint32Array;
  readonly words: Uint32Array;
  readonly text: readonly string[];
  /** What the instruction of line i does: an index into `helps`. */
  readonly help: Int32Array;
  /** One for each mnemonic that the program uses, in each of its encodings. */
  readonly helps: readonly InstructionHelp[];
}

/** An instruction in words. D and S0 … S3 in `summary` are the operands. */
export interface InstructionHelp {
  readonly mnemonic: string;
  /** How it is written, with the operands under these names. */
  readonly syntax: string;
  readonly summary: string;
  readonly operands: readonly { readonly name: string; readonly text: string }[];
  readonly encoding: string;
  readonly size: string;
  /** Registers that it touches without naming them. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly targets: readonly string[];
}

export interface BlockView {
  readonly id: number;
  readonly address: number;
  readonly end: number;
  readonly segment: number;
  readonly firstLine: number;
  readonly lines: number;
  /** How it ends, in words, where that is not a plain fall-through. */
  readonly ending: string;
  /** Index into the program's diagnostics, where control cannot be followed. */
  readonly stop?: number;
}

export interface CallView {
  readonly address: number;
  readonly block: number;
  readonly kind: string;
  readonly linkPair: string;
  readonly targetPair: string | null;
  readonly dynamic: boolean;
  readonly targets: readonly { readonly address: number; readonly name: string; readonly evidence: string }[];
}

/** A piece of the program entered through one chain of calls; context 0 is the main program. */
export interface ContextView {
  readonly parent: number;
  readonly entry: number;
  readonly blocks: readonly number[];
  readonly callPath: readonly number[];
  readonly recursive: boolean;
  /** Name of the callee, and how its address is known; undefined for the main program. */
  readonly region?: {
    readonly name: string;
    readonly origin: string;
    readonly call: number;
    readonly linkPair: string;
  };
}

export interface FlowView {
  readonly fromContext: number;
  readonly from: number;
  readonly toContext: number;
  readonly to: number;
  readonly kind: EdgeKind;
  /** Branches: what makes control take the edge. */
  readonly label?: string;
}

export interface ProgramView {
  readonly event: number;
  readonly name: string;
  readonly target: string;
  readonly waveSize: number;
  readonly entryAddress: number;
  /** Same key, same code and same links. */
  readonly key: string;
  /** Memory that it was linked from: packets only, or also the dispatches before it. */
  readonly linkedFrom: 'packets' | 'executed';
  readonly complete: boolean;
  readonly recursive: boolean;
  readonly segments: readonly {
    readonly address: number;
    readonly sizeBytes: number;
    readonly origin: string;
    readonly name: string;
  }[];
  readonly listing: ListingView;
  readonly blocks: readonly BlockView[];
  readonly calls: readonly CallView[];
  readonly contexts: readonly ContextView[];
  readonly flow: readonly FlowView[];
  readonly diagnostics: readonly DiagnosticView[];
}

/** Absent program: the event is no dispatch, or its registers make none; then `diagnostics` says why. */
export interface ProgramAnswer {
  readonly event: number;
  readonly program?: ProgramView;
  readonly diagnostics: readonly DiagnosticView[];
}

export type SpirvView =
  | {
      readonly kind: 'ready';
      readonly event: number;
      readonly lines: readonly string[];
      /** Guest address that line i comes from, −1 where it comes from none. */
      readonly address: Float64Array;
      readonly words: number;
      /** What the module was made for: lanes per invocation, subgroup size, options. */
      readonly profile: string;
      readonly diagnostics: readonly DiagnosticView[];
    }
  /** `reason` is a sentence; `diagnostics` holds what was refused, at its addresses. */
  | {
      readonly kind: 'unavailable';
      readonly event: number;
      readonly reason: string;
      readonly diagnostics: readonly DiagnosticView[];
    };

const event = z.object({ event: eventIndex }).strict();

export const SHADER_CALLS = {
  'shader.program': call(event)<ProgramAnswer>({ progress: true }),
  'shader.spirv': call(event)<SpirvView>({ progress: true }),
};
