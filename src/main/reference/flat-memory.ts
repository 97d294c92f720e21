/**
 * Loads and stores of the flat, global and scratch segments: one set of shapes under three prefixes.
 *
 * Source: RDNA 1 ISA manual, "Flat, scratch and global instructions"; Sea Islands manual, "FLAT instructions".
 */
import { addressFromHalves } from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import { flatAccess } from './flat-access.ts';
import type { Handler } from './handler.ts';
import {
  asIs,
  loadHalf,
  loadSmall,
  loadWide,
  signExtend8,
  signExtend16,
  storeSmall,
  storeWide,
} from './lane-access.ts';
import { scalarHigh, scalarLow } from './operands.ts';
import type { Wave } from './wave.ts';

/** The data operand of stores and atomics. */
const DATA = 1;

const SEGMENT = {
  load_ubyte: loadSmall(flatAccess, 1, asIs),
  load_sbyte: loadSmall(flatAccess, 1, signExtend8),
  load_ushort: loadSmall(flatAccess, 2, asIs),
  load_sshort: loadSmall(flatAccess, 2, signExtend16),
  load_dword: loadSmall(flatAccess, 4, asIs),
  load_dwordx2: loadWide(flatAccess, 2),
  load_dwordx3: loadWide(flatAccess, 3),
  load_dwordx4: loadWide(flatAccess, 4),
  load_ubyte_d16: loadHalf(flatAccess, 1, asIs, false),
  load_ubyte_d16_hi: loadHalf(flatAccess, 1, asIs, true),
  load_sbyte_d16: loadHalf(flatAccess, 1, signExtend8, false),
  load_sbyte_d16_hi: loadHalf(flatAccess, 1, signExtend8, true),
  load_short_d16: loadHalf(flatAccess, 2, asIs, false),
  load_short_d16_hi: loadHalf(flatAccess, 2, asIs, true),
  store_byte: storeSmall(flatAccess, DATA, 1),
  store_byte_d16_hi: storeSmall(flatAccess, DATA, 1, 16),
  store_short: storeSmall(flatAccess, DATA, 2),
  store_short_d16_hi: storeSmall(flatAccess, DATA, 2, 16),
  store_dword: storeSmall(flatAccess, DATA, 4),
  store_dwordx2: storeWide(flatAccess, DATA, 2),
  store_dwordx3: storeWide(flatAccess, DATA, 3),
  store_dwordx4: storeWide(flatAccess, DATA, 4),
} satisfies Record<string, Handler>;

type Prefixed<Prefix extends string> = { [K in keyof typeof SEGMENT as `${Prefix}_${K}`]: Handler };

function segment<Prefix extends string>(prefix: Prefix): Prefixed<Prefix> {
  return Object.fromEntries(Object.entries(SEGMENT).map(([name, f]) => [`${prefix}_${name}`, f])) as Prefixed<Prefix>;
}

/** addtid forms (gfx1030): SGPR base + immediate + 4 · lane, no address register. */
function threadAddress(wave: Wave, inst: Instruction, lane: number): number {
  const scalar = inst.src2 >= 0 && inst.src2 !== OPERAND.NULL;
  const base = scalar
    ? addressFromHalves(scalarLow(wave, inst, inst.src2, 'b64'), scalarHigh(wave, inst, inst.src2, 'b64'))
    : 0;
  return base + inst.imm + 4 * lane;
}

const ADD_THREAD_ID = {
  global_load_dword_addtid: (wave, inst) => {
    const lanes = wave.lanes();
    const out = wave.vgprOf(inst.dst);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      out[lane] = wave.machine.load(wave, lane, threadAddress(wave, inst, lane), 4);
    }
  },
  global_store_dword_addtid: (wave, inst) => {
    const lanes = wave.lanes();
    const data = wave.vgprOf(inst.src1);
    for (let i = 0; i < lanes.count; i++) {
      const lane = lanes.at[i]!;
      wave.machine.store(wave, lane, threadAddress(wave, inst, lane), 4, data[lane]!);
    }
  },
} satisfies Record<string, Handler>;

export const FLAT_MEMORY = { ...segment('flat'), ...segment('global'), ...segment('scratch'), ...ADD_THREAD_ID };
