/**
 * Scalar memory: s_load, s_buffer_load, their stores, clocks and cache operations.
 *
 * Address = base + immediate + SGPR offset; the two low bits of each part are ignored. s_buffer_load checks each dword:
 * outside num_records · max(stride, 1) bytes it gives 0. A fault gives 0 too and is recorded.
 * Source: Sea Islands, RDNA 1 ISA manuals, "Scalar memory operations".
 */
import { addressFromHalves } from '../base/guest-address.ts';
import type { Instruction } from '../isa/instruction.ts';
import { OPERAND } from '../isa/operands.ts';
import { decodeBufferDescriptor } from './descriptor.ts';
import { type Handler, unsupported } from './handler.ts';
import { scalar32, scalarHigh, scalarLow } from './operands.ts';
import { writePair } from './salu-64.ts';
import type { Wave } from './wave.ts';

const WORDS = new Uint32Array(16);

/** Immediate plus SGPR offset, each without its two low bits. gfx7's literal offset is already in the immediate. */
export function scalarOffset(wave: Wave, inst: Instruction): number {
  const scalar = inst.src1 < 0 || inst.src1 === OPERAND.LITERAL ? 0 : scalar32(wave, inst, inst.src1);
  return (inst.imm & ~3) + scalar - (scalar & 3);
}

/** The 64-bit base without its two low bits. */
export function scalarBase(wave: Wave, inst: Instruction): number {
  const low = scalarLow(wave, inst, inst.src0, 'b64');
  return addressFromHalves(low & ~3, scalarHigh(wave, inst, inst.src0, 'b64'));
}

/** Writes after all reads: the destination may overlap base and offset. */
function writeWords(wave: Wave, code: number, count: number): void {
  if (code === OPERAND.NULL) return;
  for (let i = 0; i < count && code + i < 128; i++) wave.setScalar(code + i, WORDS[i]!);
}

function load(count: number): Handler {
  return (wave, inst) => {
    const address = scalarBase(wave, inst) + scalarOffset(wave, inst);
    for (let i = 0; i < count; i++) WORDS[i] = wave.machine.load(wave, -1, address + 4 * i, 4);
    writeWords(wave, inst.dst, count);
  };
}

/** Bytes that a scalar access may touch. */
function bufferSize(numRecords: number, strideBytes: number): number {
  return numRecords * Math.max(strideBytes, 1);
}

function bufferLoad(count: number): Handler {
  return (wave, inst) => {
    const { base, numRecords, strideBytes } = decodeBufferDescriptor(wave, inst, inst.src0);
    const size = bufferSize(numRecords, strideBytes);
    const start = base - (base % 4);
    const offset = scalarOffset(wave, inst);
    for (let i = 0; i < count; i++) {
      const at = offset + 4 * i;
      WORDS[i] = at >= 0 && at + 4 <= size ? wave.machine.load(wave, -1, start + at, 4) : 0;
    }
    writeWords(wave, inst.dst, count);
  };
}

function store(count: number): Handler {
  return (wave, inst) => {
    const address = scalarBase(wave, inst) + scalarOffset(wave, inst);
    for (let i = 0; i < count; i++) {
      wave.machine.store(wave, -1, address + 4 * i, 4, scalar32(wave, inst, inst.src2 + i));
    }
  };
}

function bufferStore(count: number): Handler {
  return (wave, inst) => {
    const { base, numRecords, strideBytes } = decodeBufferDescriptor(wave, inst, inst.src0);
    const size = bufferSize(numRecords, strideBytes);
    const start = base - (base % 4);
    const offset = scalarOffset(wave, inst);
    for (let i = 0; i < count; i++) {
      const at = offset + 4 * i;
      if (at < 0 || at + 4 > size) continue;
      wave.machine.store(wave, -1, start + at, 4, scalar32(wave, inst, inst.src2 + i));
    }
  };
}

const nothing: Handler = () => {};

/** Deterministic clock: instructions executed so far by the dispatch. */
const readClock: Handler = (wave, inst) => {
  writePair(wave, inst.dst, wave.machine.clock % 2 ** 32, Math.floor(wave.machine.clock / 2 ** 32));
};

const scratchForm = unsupported('the address rule of scalar scratch accesses is not documented for this generation');

export const SMEM_MEMORY = {
  s_load_dword: load(1),
  s_load_dwordx2: load(2),
  s_load_dwordx4: load(4),
  s_load_dwordx8: load(8),
  s_load_dwordx16: load(16),
  s_buffer_load_dword: bufferLoad(1),
  s_buffer_load_dwordx2: bufferLoad(2),
  s_buffer_load_dwordx4: bufferLoad(4),
  s_buffer_load_dwordx8: bufferLoad(8),
  s_buffer_load_dwordx16: bufferLoad(16),
  s_store_dword: store(1),
  s_store_dwordx2: store(2),
  s_store_dwordx4: store(4),
  s_buffer_store_dword: bufferStore(1),
  s_buffer_store_dwordx2: bufferStore(2),
  s_buffer_store_dwordx4: bufferStore(4),
  s_scratch_load_dword: scratchForm,
  s_scratch_load_dwordx2: scratchForm,
  s_scratch_load_dwordx4: scratchForm,
  s_scratch_store_dword: scratchForm,
  s_scratch_store_dwordx2: scratchForm,
  s_scratch_store_dwordx4: scratchForm,
  s_dcache_inv_vol: nothing,
  s_gl1_inv: nothing,
  s_dcache_inv: nothing,
  s_dcache_wb: nothing,
  s_dcache_discard: nothing,
  s_dcache_discard_x2: nothing,
  s_atc_probe: nothing,
  s_atc_probe_buffer: nothing,
  s_memtime: readClock,
  s_memrealtime: readClock,
  s_get_waveid_in_workgroup: (wave, inst) => wave.setScalar(inst.dst, wave.index),
} satisfies Record<string, Handler | ReturnType<typeof unsupported>>;
