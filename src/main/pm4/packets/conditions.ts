/**
 * COND_EXEC, PRED_EXEC, SET_PREDICATION and REWIND: what decides whether later packets run.
 *
 * COND_EXEC discards the dwords after it where memory holds 0. PRED_EXEC selects devices of a linked group; a capture
 * is of the first. SET_PREDICATION from a boolean in memory is executed; from occlusion or primitive counts it is not,
 * as those are not counted, and drawing goes on. REWIND lets the processor fetch again what a packet before patched.
 */
import { formatAddress } from '../../base/guest-address.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
} from './definition.ts';
import { loadU64, readDword } from './places.ts';

export const COND_EXEC: PacketDefinition = {
  name: 'COND_EXEC',
  opcode: 0x22,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [address('ADDR', 0), bits('EXEC_COUNT', 3, 0, 14)],
  execute({ body }, context) {
    const at = addressAt(body, 0);
    const count = body[3]! & 0x3fff;
    const value = readDword(context, { kind: 'memory', address: at }, 'COND_EXEC');
    if (value === undefined)
      return { kind: 'state', summary: `condition is not readable: the next ${count} dwords run` };
    if (value !== 0)
      return { kind: 'state', summary: `condition at ${formatAddress(at)} is ${value}: the next ${count} dwords run` };
    context.skipDwords(count);
    return { kind: 'state', summary: `condition at ${formatAddress(at)} is 0: ${count} dwords skipped` };
  },
};

export const PRED_EXEC: PacketDefinition = {
  name: 'PRED_EXEC',
  opcode: 0x23,
  generations: EVERY_GENERATION,
  body: [1, 1],
  fields: [bits('EXEC_COUNT', 0, 0, 14), bits('DEVICE_SELECT', 0, 24, 8)],
  execute({ body }, context) {
    const selected = (body[0]! & 0x01000000) !== 0;
    if (!selected) context.skipDwords(body[0]! & 0x3fff);
    return {
      kind: 'state',
      summary: selected ? 'the first device is selected' : 'the first device is not selected: skipped',
    };
  },
};

const PRED_OPS = { 0: 'CLEAR', 1: 'ZPASS', 2: 'PRIMCOUNT', 3: 'BOOL64', 4: 'BOOL32' };
const [CLEAR, BOOL64, BOOL32] = [0, 3, 4];

/** gfx7 packs the control into the high half of the address; gfx9 and later have a dword of their own. */
export const SET_PREDICATION: PacketDefinition = {
  name: 'SET_PREDICATION',
  opcode: 0x20,
  generations: EVERY_GENERATION,
  body: [2, 3],
  fields: [
    ...[1, 0].flatMap((dword) => {
      const when = (body: Uint32Array) => body.length === (dword === 1 ? 2 : 3);
      return [
        bits('PRED_BOOL', dword, 8, 1, { when, values: { 0: 'DRAW_IF_NOT_VISIBLE', 1: 'DRAW_IF_VISIBLE' } }),
        bits('HINT', dword, 12, 1, { when, values: { 0: 'WAIT', 1: 'NOWAIT_DRAW' } }),
        bits('PRED_OP', dword, 16, 3, { when, values: PRED_OPS }),
        flag('CONTINUE', dword, 31, { when }),
      ];
    }),
    address('START_ADDR', 0, { alignBits: 4, highBits: 8, when: (body) => body.length === 2 }),
    address('START_ADDR', 1, { alignBits: 4, when: (body) => body.length === 3 }),
  ],
  execute({ body }, context) {
    const separate = body.length === 3;
    const control = separate ? body[0]! : body[1]!;
    const at = separate ? addressAt(body, 1, 4) : addressAt(Uint32Array.of(body[0]!, body[1]! & 0xff), 0, 4);
    const operation = (control >>> 16) & 7;
    if (operation === CLEAR) return setPredicate(context, true, 'predication off');
    if (operation !== BOOL64 && operation !== BOOL32) {
      const message = `predication by ${PRED_OPS[operation as 1 | 2] ?? operation} is not evaluated; drawing goes on`;
      context.report('PM4016', 'unsupported', message);
      return setPredicate(context, true, message);
    }
    const value = operation === BOOL64 ? loadU64(context.memory, at) : context.memory.loadU32(at);
    if (value === undefined) {
      context.report(
        'PM4010',
        'fault',
        `SET_PREDICATION: memory at ${formatAddress(at)} is not readable; drawing goes on`,
      );
      return setPredicate(context, true, 'condition is not readable');
    }
    const draws = (BigInt(value) !== 0n) === ((control & 0x100) !== 0);
    return setPredicate(context, draws, `value ${value}: predicated packets ${draws ? 'run' : 'are skipped'}`);
  },
};

function setPredicate(context: PacketContext, predicate: boolean, summary: string): PacketEffect {
  context.state.setProcessor({ predicate });
  return { kind: 'state', summary };
}

export const REWIND: PacketDefinition = {
  name: 'REWIND',
  opcode: 0x59,
  generations: EVERY_GENERATION,
  body: [1, 1],
  fields: [flag('OFFLOAD_ENABLE', 0, 24), flag('VALID', 0, 31)],
  execute(packet, context): PacketEffect {
    const at = (packet.address + 4) as typeof packet.address;
    const value = readDword(context, { kind: 'memory', address: at }, 'REWIND');
    context.reloadRest();
    const satisfied = value !== undefined && value >>> 31 === 1;
    if (!satisfied)
      context.report('PM4015', 'warning', 'REWIND waits for its VALID bit, which nothing in this queue sets; passed');
    return { kind: 'wait', summary: 'VALID bit of REWIND', satisfied };
  },
};
