/**
 * ATOMIC_MEM: one integer atomic on memory, 32 or 64 bits.
 *
 * ATOMIC 6:0 is an operation of the texture cache: bits 4:0 the kind, bit 5 64-bit, bit 6 without return value. The
 * old value is kept for COPY_DATA. Floating-point kinds are refused by number. COMMAND 1 repeats a compare-and-swap
 * until it succeeds; when it does not succeed at once nothing can make it, so it is reported and passed.
 * Source: TC_OP in the kernel's gfx_7_2_enum.h and navi10_enum.h.
 */
import { addToAddress } from '../../base/guest-address.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  type PacketDefinition,
  type PacketEffect,
  word,
} from './definition.ts';
import { readDword, writeDword } from './places.ts';

const KINDS: Readonly<Record<number, string>> = {
  7: 'SWAP',
  8: 'CMPSWAP',
  15: 'ADD',
  16: 'SUB',
  17: 'SMIN',
  18: 'UMIN',
  19: 'SMAX',
  20: 'UMAX',
  21: 'AND',
  22: 'OR',
  23: 'XOR',
  24: 'INC',
  25: 'DEC',
};
const CMPSWAP = 0x08;
const COMMANDS = { 0: 'SINGLE_PASS', 1: 'LOOP_UNTIL_COMPARE', 2: 'WAIT_FOR_CONFIRM', 3: 'SEND_AND_CONTINUE' };

export const ATOMIC_MEM: PacketDefinition = {
  name: 'ATOMIC_MEM',
  opcode: 0x1e,
  generations: EVERY_GENERATION,
  body: [8, 8],
  fields: [
    bits('ATOMIC_KIND', 0, 0, 5, { values: KINDS }),
    bits('ATOMIC_64', 0, 5, 1),
    bits('ATOMIC_NO_RETURN', 0, 6, 1),
    bits('COMMAND', 0, 8, 4, { values: COMMANDS }),
    bits('CACHE_POLICY', 0, 25, 2, { values: { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' } }),
    bits('ENGINE_SEL', 0, 30, 2, { values: { 0: 'ME', 1: 'PFP' } }),
    address('ADDR', 1),
    word('SRC_DATA_LO', 3),
    word('SRC_DATA_HI', 4),
    word('CMP_DATA_LO', 5),
    word('CMP_DATA_HI', 6),
    bits('LOOP_INTERVAL', 7, 0, 13),
  ],
  execute({ body }, context): PacketEffect {
    const kind = body[0]! & 0x1f;
    const wide = (body[0]! & 0x20) !== 0;
    if (KINDS[kind] === undefined) {
      const message = `ATOMIC_MEM operation 0x${(body[0]! & 0x7f).toString(16)} is not executed`;
      context.report('PM4014', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    const at = addressAt(body, 1, wide ? 3 : 2);
    const low = { kind: 'memory', address: at } as const;
    const high = { kind: 'memory', address: addToAddress(at, 4) } as const;
    const oldLow = readDword(context, low, 'ATOMIC_MEM');
    const oldHigh = wide ? readDword(context, high, 'ATOMIC_MEM') : 0;
    if (oldLow === undefined || oldHigh === undefined) return { kind: 'write', written: [] };
    const old = join(oldLow, oldHigh);
    const operand = join(body[3]!, wide ? body[4]! : 0);
    const expected = join(body[5]!, wide ? body[6]! : 0);
    if (kind === CMPSWAP && ((body[0]! >>> 8) & 15) === 1 && old !== expected) {
      context.report('PM4015', 'warning', 'ATOMIC_MEM waits for a value that nothing in this queue writes; passed');
    }
    const result = BigInt.asUintN(wide ? 64 : 32, apply(kind, old, operand, expected, wide ? 64 : 32));
    if (!writeDword(context, low, Number(result & 0xffffffffn), 'ATOMIC_MEM')) return { kind: 'write', written: [] };
    if (wide && !writeDword(context, high, Number(result >> 32n), 'ATOMIC_MEM')) return { kind: 'write', written: [] };
    context.state.setProcessor({ atomicReturn: old });
    return { kind: 'write', written: [{ address: at, sizeBytes: wide ? 8 : 4 }] };
  },
};

function join(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

function apply(kind: number, old: bigint, operand: bigint, expected: bigint, width: 32 | 64): bigint {
  const signed = (value: bigint) => BigInt.asIntN(width, value);
  switch (kind) {
    case 0x07:
      return operand;
    case CMPSWAP:
      return old === expected ? operand : old;
    case 0x0f:
      return old + operand;
    case 0x10:
      return old - operand;
    case 0x11:
      return signed(old) < signed(operand) ? old : operand;
    case 0x12:
      return old < operand ? old : operand;
    case 0x13:
      return signed(old) > signed(operand) ? old : operand;
    case 0x14:
      return old > operand ? old : operand;
    case 0x15:
      return old & operand;
    case 0x16:
      return old | operand;
    case 0x17:
      return old ^ operand;
    case 0x18:
      return old >= operand ? 0n : old + 1n;
    default:
      return old === 0n || old > operand ? operand : old - 1n;
  }
}
