/**
 * The call program: one shader that calls two callees through user data, dispatched with different callees.
 *
 * This is the sample that the app opens: a submit with markers, an indirect buffer, and WRITE_DATA packets that change
 * a callee's code in place between two dispatches. Expected values follow from the sources by hand: each dispatch does
 * three turns of first callee, then second callee, on v1 = 0.
 */
import { join } from 'node:path';
import type { WaveSize } from '../../src/main/base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, READ, WRITE } from '../../src/main/base/guest-memory.ts';
import { CaptureBuilder } from '../../src/main/capture/importers/capture-builder.ts';
import { type ComputeState, Pm4Stream } from '../../src/main/capture/importers/pm4-builder.ts';
import { assembleWithLlvm } from './assemble.ts';

const MAIN = 0x1_0000_0000 as GuestAddress;
const CALLEES = 0x2_0000_0000 as GuestAddress;
const OUTPUT = 0x3_0000_0000 as GuestAddress;
const COMMANDS = 0x4_0000_0000 as GuestAddress;
const LANES = 64;

type CalleeName = 'add5' | 'add64' | 'double';
/** Each callee in a 64 KiB block of its own. */
const CALLEE_ADDRESS: Readonly<Record<CalleeName, GuestAddress>> = {
  add5: CALLEES,
  add64: (CALLEES + 0x10000) as GuestAddress,
  double: (CALLEES + 0x20000) as GuestAddress,
};

interface Case {
  readonly name: string;
  readonly first: CalleeName;
  readonly second: CalleeName;
  /** What `first` is replaced by for this dispatch, in place. */
  readonly replaceFirst?: 'add1';
  /** Three turns, worked out by hand. */
  readonly expected: number;
}

const CASES: readonly Case[] = [
  { name: 'add 5, add 64', first: 'add5', second: 'add64', expected: 3 * (5 + 64) },
  {
    name: 'first callee replaced by add 1',
    first: 'add5',
    second: 'add64',
    replaceFirst: 'add1',
    expected: 3 * (1 + 64),
  },
  { name: 'both pointers to the first callee', first: 'add5', second: 'add5', expected: 6 * 5 },
  { name: 'both pointers to the second callee', first: 'add64', second: 'add64', expected: 6 * 64 },
  // 0 → 5 → 15 → 35
  { name: 'double, add 5', first: 'double', second: 'add5', expected: 35 },
  // 0 → 10 → 30 → 70
  { name: 'pointers swapped: add 5, double', first: 'add5', second: 'double', expected: 70 },
  // The first one again: its prepared entry is found.
  { name: 'add 5, add 64 again', first: 'add5', second: 'add64', expected: 3 * (5 + 64) },
];

/** V# of 64 dwords: stride 4, 32-bit uint data, OOB_SELECT 0 (index against num_records). Words as in the RDNA manual. */
export function outputDescriptor(address: GuestAddress, records: number): number[] {
  const strideBytes = 4;
  const dstSelXyzw = 4 | (5 << 3) | (6 << 6) | (7 << 9);
  const format32Uint = 20;
  return [
    addressLow32(address),
    (addressHigh32(address) & 0xffff) | (strideBytes << 16),
    records,
    dstSelXyzw | (format32Uint << 12),
  ];
}

export function buildCallProgram(sources: string): Uint8Array {
  const builder = new CaptureBuilder({
    target: 'gfx1013',
    producer: 'Lanescope samples',
    title: 'Calls through user data',
  });
  const code = (name: string): Uint32Array =>
    assembleWithLlvm(join(sources, 'call-program', `${name}.s`), 'gfx1013', 64);
  builder.map(MAIN, 4096, READ | EXECUTE).writeWords(MAIN, code('main'));
  builder.label({ address: MAIN, text: 'main' });
  const callees = { add5: code('add5'), add64: code('add64'), double: code('double') };
  for (const [name, address] of Object.entries(CALLEE_ADDRESS)) {
    builder.map(address, 4096, READ | EXECUTE | WRITE).writeWords(address, callees[name as CalleeName]);
    builder.label({ address, text: name });
  }
  builder.map(OUTPUT, 4096, READ | WRITE);

  let event = 0;
  const record = (stream: Pm4Stream, waveSize: WaveSize): void => {
    stream.pushMarker(`wave${waveSize}`);
    for (const c of CASES) {
      const output = (OUTPUT + event * 4 * LANES) as GuestAddress;
      stream.pushMarker(c.name);
      if (c.replaceFirst) stream.writeData(CALLEE_ADDRESS[c.first], ...code(c.replaceFirst));
      const first = CALLEE_ADDRESS[c.first];
      const second = CALLEE_ADDRESS[c.second];
      const state: ComputeState = {
        target: 'gfx1013',
        waveSize,
        programAddress: MAIN,
        // FLOAT_MODE 0xC0, DX10_CLAMP, MEM_ORDERED; 8 user SGPRs, no ids but local x.
        rsrc1: 0x402c0000,
        rsrc2: 8 << 1,
        rsrc3: 0,
        threads: [LANES, 1, 1],
        userData: [
          addressLow32(first),
          addressHigh32(first),
          addressLow32(second),
          addressHigh32(second),
          ...outputDescriptor(output, LANES),
        ],
      };
      stream.setComputeState(state).dispatch(state, { kind: 'groups', groups: [1, 1, 1] });
      if (c.replaceFirst) stream.writeData(CALLEE_ADDRESS[c.first], ...callees[c.first]);
      stream.popMarker();
      builder.expect({
        kind: 'memory',
        event,
        address: output,
        bytes: new Uint8Array(new Uint32Array(LANES).fill(c.expected).buffer),
        source: 'worked out by hand in tools/samples/call-program.ts',
        exceptions: [],
      });
      builder.label({ event, text: `${c.name}, wave${waveSize}` });
      event++;
    }
    stream.popMarker();
  };

  const stream = new Pm4Stream();
  stream.setMarker('calls through user data');
  record(stream, 64);
  const nested = new Pm4Stream();
  record(nested, 32);
  const nestedAddress = builder.placeStream(nested, (COMMANDS + 0x100000) as GuestAddress);
  stream.indirectBuffer(nestedAddress, nested.dwords);
  builder.submitStream(stream, COMMANDS);
  return builder.build();
}

/** The same shader with a second callee that is not mapped: to be refused, by name, for both wave sizes. */
export function buildUnmappedCallee(sources: string, refusalCode: string): Uint8Array {
  const builder = new CaptureBuilder({
    target: 'gfx1013',
    producer: 'Lanescope samples',
    title: 'Call to an unmapped callee',
  });
  const code = (name: string): Uint32Array =>
    assembleWithLlvm(join(sources, 'call-program', `${name}.s`), 'gfx1013', 64);
  builder.map(MAIN, 4096, READ | EXECUTE).writeWords(MAIN, code('main'));
  builder.map(CALLEES, 4096, READ | EXECUTE).writeWords(CALLEES, code('add5'));
  builder.label({ address: MAIN, text: 'main' }).label({ address: CALLEES, text: 'add5' });
  builder.map(OUTPUT, 4096, READ | WRITE);
  const stream = new Pm4Stream();
  for (const [event, waveSize] of ([64, 32] as const).entries()) {
    const absent = 0x5_0000_0000 as GuestAddress;
    const state: ComputeState = {
      target: 'gfx1013',
      waveSize,
      programAddress: MAIN,
      rsrc1: 0x402c0000,
      rsrc2: 8 << 1,
      rsrc3: 0,
      threads: [LANES, 1, 1],
      userData: [
        addressLow32(CALLEES),
        addressHigh32(CALLEES),
        addressLow32(absent),
        addressHigh32(absent),
        ...outputDescriptor(OUTPUT, LANES),
      ],
    };
    stream.setComputeState(state).dispatch(state, { kind: 'groups', groups: [1, 1, 1] });
    builder.expect({
      kind: 'refused',
      event,
      code: refusalCode,
      reason: 'the second callee, 0x500000000, is not readable',
    });
  }
  builder.submitStream(stream, COMMANDS);
  return builder.build();
}
