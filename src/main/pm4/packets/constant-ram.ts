/**
 * The constant engine's memory: LOAD_CONST_RAM, WRITE_CONST_RAM, DUMP_CONST_RAM, and the counters by which it and the
 * draw engine wait for each other. The engines run one after the other here (indirect-buffer.ts), so counters hold.
 * Offsets count bytes and are dword aligned.
 */
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  MAX_BODY_DWORDS,
  type PacketContext,
  type PacketDefinition,
  type PacketEffect,
  type PacketField,
  payload,
  word,
} from './definition.ts';
import { advance, rangesOf, readDword, writeDword } from './places.ts';

function inside(context: PacketContext, name: string, offset: number, dwords: number): boolean {
  if ((offset >>> 2) + dwords <= context.constantRam.length) return true;
  context.report(
    'PM4011',
    'badInput',
    `${name}: ${dwords} dwords at 0x${offset.toString(16)} are outside the constant RAM`,
  );
  return false;
}

export const LOAD_CONST_RAM: PacketDefinition = {
  name: 'LOAD_CONST_RAM',
  opcode: 0x80,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [address('ADDR', 0), bits('NUM_DW', 2, 0, 15), bits('START_ADDR', 3, 0, 16)],
  execute({ body }, context): PacketEffect {
    const dwords = body[2]! & 0x7fff;
    const offset = body[3]! & 0xffff;
    const from = { kind: 'memory', address: addressAt(body, 0) } as const;
    let done = 0;
    if (inside(context, 'LOAD_CONST_RAM', offset, dwords)) {
      for (; done < dwords; done++) {
        const value = readDword(context, advance(from, done), 'LOAD_CONST_RAM');
        if (value === undefined) break;
        context.constantRam[(offset >>> 2) + done] = value;
      }
    }
    return { kind: 'copy', written: [], read: rangesOf(from, done) };
  },
};

export const WRITE_CONST_RAM: PacketDefinition = {
  name: 'WRITE_CONST_RAM',
  opcode: 0x81,
  generations: EVERY_GENERATION,
  body: [2, MAX_BODY_DWORDS],
  fields: [bits('OFFSET', 0, 0, 16), payload('DATA', 1)],
  execute({ body }, context): PacketEffect {
    const offset = body[0]! & 0xffff;
    const data = body.subarray(1);
    if (inside(context, 'WRITE_CONST_RAM', offset, data.length)) context.constantRam.set(data, offset >>> 2);
    return { kind: 'write', written: [] };
  },
};

export const DUMP_CONST_RAM: PacketDefinition = {
  name: 'DUMP_CONST_RAM',
  opcode: 0x83,
  generations: EVERY_GENERATION,
  body: [4, 4],
  fields: [
    bits('OFFSET', 0, 0, 16),
    bits('CACHE_POLICY', 0, 25, 2, { values: { 0: 'LRU', 1: 'STREAM', 2: 'NOA', 3: 'BYPASS' } }),
    flag('INCREMENT_CE', 0, 30),
    flag('INCREMENT_CS', 0, 31),
    bits('NUM_DW', 1, 0, 15),
    address('ADDR', 2),
  ],
  execute({ body }, context): PacketEffect {
    const dwords = body[1]! & 0x7fff;
    const offset = body[0]! & 0xffff;
    const to = { kind: 'memory', address: addressAt(body, 2) } as const;
    let done = 0;
    if (inside(context, 'DUMP_CONST_RAM', offset, dwords)) {
      while (done < dwords) {
        const value = context.constantRam[(offset >>> 2) + done]!;
        if (!writeDword(context, advance(to, done), value, 'DUMP_CONST_RAM')) break;
        done++;
      }
    }
    return { kind: 'copy', written: rangesOf(to, done), read: [] };
  },
};

function counter(name: string, opcode: number, fields: readonly PacketField[], summary: string): PacketDefinition {
  return {
    name,
    opcode,
    generations: EVERY_GENERATION,
    body: [1, 1],
    fields,
    execute: () => ({ kind: 'sync', summary, written: [] }),
  };
}

const CNTRSEL = { 1: 'CE', 2: 'CS', 3: 'CE_AND_CS' };

export const INCREMENT_CE_COUNTER = counter(
  'INCREMENT_CE_COUNTER',
  0x84,
  [bits('CNTRSEL', 0, 0, 2, { values: CNTRSEL })],
  'the constant engine counts',
);
export const INCREMENT_DE_COUNTER = counter('INCREMENT_DE_COUNTER', 0x85, [word('DUMMY', 0)], 'the draw engine counts');
export const WAIT_ON_CE_COUNTER = counter(
  'WAIT_ON_CE_COUNTER',
  0x86,
  [flag('COND_SURFACE_SYNC', 0, 0), flag('FORCE_SYNC', 0, 1)],
  'the draw engine waits for the constant engine',
);
export const WAIT_ON_DE_COUNTER_DIFF = counter(
  'WAIT_ON_DE_COUNTER_DIFF',
  0x88,
  [word('DIFF', 0)],
  'the constant engine waits for the draw engine',
);
