/** Captures of one dispatch of a shader given by its words, of 64 lanes with an output of 64 words. */
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { type ComputeState, Pm4Stream } from '../../../src/main/capture/importers/pm4-builder.ts';
import { outputDescriptor } from '../../../tools/samples/call-program.ts';

const CODE = 0x1_0000_0000 as GuestAddress;
const DATA = 0x3_0000_0000 as GuestAddress;
const COMMANDS = 0x4_0000_0000 as GuestAddress;

export interface SmallCapture {
  readonly words: readonly number[];
  /** What the output shall hold. */
  readonly expected?: readonly number[];
}

/** The descriptor of the output is in s[4:7], the local id in v0. */
export function smallCapture(title: string, { words, expected }: SmallCapture): Uint8Array {
  const builder = new CaptureBuilder({ target: 'gfx1013', producer: 'tests', title });
  builder.map(CODE, 4096, READ | EXECUTE).writeWords(CODE, words);
  builder.map(DATA, 4096, READ | WRITE);
  builder.label({ address: CODE, text: title });
  const state: ComputeState = {
    target: 'gfx1013',
    waveSize: 64,
    programAddress: CODE,
    rsrc1: 0x402c0000,
    rsrc2: 8 << 1,
    rsrc3: 0,
    threads: [64, 1, 1],
    userData: [0, 0, 0, 0, ...outputDescriptor(DATA, 64)],
  };
  const stream = new Pm4Stream();
  stream.setComputeState(state).dispatch(state, { kind: 'groups', groups: [1, 1, 1] });
  if (expected) {
    const bytes = new Uint8Array(Uint32Array.from(expected).buffer);
    builder.expect({ kind: 'memory', event: 0, address: DATA, bytes, source: 'by hand', exceptions: [] });
  }
  builder.submitStream(stream, COMMANDS);
  return builder.build();
}

/** A capture in which nothing was submitted. */
export function emptyCapture(): Uint8Array {
  return new CaptureBuilder({ target: 'gfx1013', producer: 'tests', title: 'empty' }).build();
}
