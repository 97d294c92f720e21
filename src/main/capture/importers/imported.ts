/** What importers take and give: shared by all of them. */
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Result } from '../../base/result.ts';
import type { CaptureBuilder } from './capture-builder.ts';

/** Gives the bytes of a file that a description names. The name comes from outside: see store/file-resolver.ts. */
export type FileResolver = (name: string) => Result<Uint8Array>;

/** `builder.build()` gives the capture file; callers may add to it first. Diagnostics are notes and warnings. */
export interface Imported {
  readonly builder: CaptureBuilder;
  readonly diagnostics: readonly Diagnostic[];
}

export const IMPORT_PRODUCER = 'lanescope import';

/** A fact that the input does not hold, and what was taken instead. */
export function assumed(message: string): Diagnostic {
  return diagnostic('CAP120', 'note', `assumed: ${message}`);
}

/** Guest address ranges that importers use; every thing of a kind is placed from its start on. */
export const PLACE = {
  code: 0x1_0000_0000,
  kernarg: 0x2_0000_0000,
  dispatchPacket: 0x2_1000_0000,
  queue: 0x2_2000_0000,
  scratch: 0x3_0000_0000,
  /** gfx7 addresses scratch by a 32-bit offset from a hidden base, which captures leave at 0. */
  scratchGfx7: 0x4000_0000,
  buffers: 0x4_0000_0000,
  commands: 0x7_0000_0000,
} as const;

/** High halves of the addresses at which flat instructions find LDS and scratch (as the Linux driver sets them up). */
export const APERTURE_HIGH = { shared: 0x0001_0000, private: 0x0002_0000 } as const;

/** At most this much scratch is mapped; more waves than fit share it. */
export const MAX_SCRATCH_BYTES = 2 ** 30;
export const MAX_BUFFER_BYTES = 2 ** 32;
