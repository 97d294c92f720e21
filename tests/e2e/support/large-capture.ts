/**
 * A capture of many events: frames of markers, dispatches of one small shader and writes between them. The shader is
 * two instructions: v_mov_b32 v1, 7 and s_endpgm.
 */
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { type ComputeState, Pm4Stream } from '../../../src/main/capture/importers/pm4-builder.ts';

const CODE = 0x1_0000_0000 as GuestAddress;
const DATA = 0x3_0000_0000 as GuestAddress;
const COMMANDS = 0x4_0000_0000 as GuestAddress;
/** v_mov_b32_e32 v1, 7 (VOP1, opcode 1, inline constant 7); s_endpgm. */
const PROGRAM = [0x7e020287, 0xbf810000];
const PER_GROUP = 10;

/** At least `events` events; each group of ten is one marker with five dispatches and three writes. */
export function largeCapture(events: number): Uint8Array {
  const builder = new CaptureBuilder({ target: 'gfx1013', producer: 'tests', title: `${events} events` });
  builder.map(CODE, 4096, READ | EXECUTE).writeWords(CODE, Uint32Array.from(PROGRAM));
  builder.map(DATA, 4096, READ | WRITE);
  builder.label({ address: CODE, text: 'constant seven' });
  const state: ComputeState = {
    target: 'gfx1013',
    waveSize: 64,
    programAddress: CODE,
    rsrc1: 0x402c0000,
    rsrc2: 2 << 1,
    rsrc3: 0,
    threads: [64, 1, 1],
    userData: [0, 0],
  };
  const stream = new Pm4Stream();
  const groups = Math.ceil(events / PER_GROUP);
  for (let group = 0; group < groups; group++) {
    stream.pushMarker(`pass ${group}`);
    for (let i = 0; i < PER_GROUP - 2; i++) {
      if (i % 3 === 2) stream.writeData((DATA + 4 * (i + (group % 100))) as GuestAddress, group);
      else
        stream
          .setComputeState({ ...state, userData: [group, i] })
          .dispatch(state, { kind: 'groups', groups: [1, 1, 1] });
    }
    stream.popMarker();
  }
  builder.submitStream(stream, COMMANDS);
  return builder.build();
}
