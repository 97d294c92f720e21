/**
 * Writes PM4 type-3 packets: as much of the command language as captures made by importers and sample tools need.
 *
 * Header: bits 31:30 = 3, 29:16 = body dwords − 1, 15:8 opcode, bit 1 = compute shader type, bit 0 = predicate.
 * SET_*_REG bodies begin with the register's index inside its space. Register indices below are offsets in the SH space
 * (base 0x2C00) of gfx7 and gfx10 alike.
 * Source: AMD's public PM4 definitions (Linux: nvd.h, cikd.h) and register headers (gfx_7_2, gc_10_1_0).
 */
import { assert } from '../../base/assert.ts';
import type { Target, Vec3, WaveSize } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { encodeText } from '../format/field-writer.ts';
import { REGISTER_SPACE_RANGE, type RegisterSpace } from '../format/model.ts';

export const PM4_OPCODE = {
  nop: 0x10,
  setBase: 0x11,
  dispatchDirect: 0x15,
  dispatchIndirect: 0x16,
  writeData: 0x37,
  indirectBuffer: 0x3f,
  setConfigReg: 0x68,
  setContextReg: 0x69,
  setShReg: 0x76,
  setUconfigReg: 0x79,
} as const;

const SET_OPCODE: Readonly<Record<RegisterSpace, number>> = {
  config: PM4_OPCODE.setConfigReg,
  context: PM4_OPCODE.setContextReg,
  sh: PM4_OPCODE.setShReg,
  uconfig: PM4_OPCODE.setUconfigReg,
};

/** Indices in the SH space. */
export const COMPUTE_REGISTER = {
  startX: 0x204,
  numThreadX: 0x207,
  pgmLo: 0x20c,
  pgmRsrc1: 0x212,
  pgmRsrc2: 0x213,
  resourceLimits: 0x215,
  tmpringSize: 0x218,
  pgmRsrc3: 0x228,
  userData0: 0x240,
} as const;

export const MAX_USER_SGPRS = 16;

/** COMPUTE_DISPATCH_INITIATOR. */
export const INITIATOR = {
  enable: 1 << 0,
  partialGroups: 1 << 1,
  forceStartAtZero: 1 << 2,
  useThreadDimensions: 1 << 5,
  wave32: 1 << 15,
} as const;

/** NOP payloads that mark ranges of a command buffer. */
const MARKER_PUSH = 0x68750001;
const MARKER_POP = 0x68750002;
const MARKER_SET = 0x68750003;

export interface ComputeState {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly programAddress: GuestAddress;
  readonly rsrc1: number;
  readonly rsrc2: number;
  readonly rsrc3: number;
  readonly threads: Vec3;
  readonly userData: readonly number[];
  /** Waves that may hold scratch at once, and bytes for each; absent without scratch. */
  readonly scratch?: { readonly waves: number; readonly bytesPerWave: number };
}

/** Groups, or work-items where the last groups are not full. */
export type DispatchSize =
  | { readonly kind: 'groups'; readonly groups: Vec3 }
  | { readonly kind: 'workItems'; readonly workItems: Vec3 };

export class Pm4Stream {
  private readonly words: number[] = [];

  get dwords(): number {
    return this.words.length;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Uint32Array.from(this.words).buffer);
  }

  /** Any dwords, as they are: for packets this writer has no method for, and for damaged streams. */
  raw(...words: readonly number[]): this {
    for (const word of words) this.words.push(word >>> 0);
    return this;
  }

  packet(opcode: number, body: readonly number[]): this {
    assert(body.length >= 1 && body.length <= 0x3fff, 'a packet body has 1 to 16383 dwords');
    return this.raw(((3 << 30) | ((body.length - 1) << 16) | (opcode << 8) | (1 << 1)) >>> 0, ...body);
  }

  /** Consecutive registers from `index`, which counts from the start of the space. */
  setRegisters(space: RegisterSpace, index: number, ...values: readonly number[]): this {
    assert(index + values.length <= REGISTER_SPACE_RANGE[space].count, 'registers lie inside their space');
    return this.packet(SET_OPCODE[space], [index, ...values]);
  }

  setSh(index: number, ...values: readonly number[]): this {
    return this.setRegisters('sh', index, ...values);
  }

  /** All registers that a compute dispatch reads, but for its size. */
  setComputeState(state: ComputeState): this {
    assert(state.programAddress % 256 === 0, 'a program starts at a multiple of 256');
    assert(state.userData.length <= MAX_USER_SGPRS, 'at most 16 user SGPRs');
    const block = Math.floor(state.programAddress / 256);
    this.setSh(COMPUTE_REGISTER.pgmLo, block % 2 ** 32, Math.floor(block / 2 ** 32));
    this.setSh(COMPUTE_REGISTER.pgmRsrc1, state.rsrc1, state.rsrc2);
    if (state.target !== 'gfx700') this.setSh(COMPUTE_REGISTER.pgmRsrc3, state.rsrc3);
    this.setSh(COMPUTE_REGISTER.resourceLimits, 0);
    this.setSh(COMPUTE_REGISTER.tmpringSize, tmpringSize(state.scratch));
    if (state.userData.length > 0) this.setSh(COMPUTE_REGISTER.userData0, ...state.userData);
    return this;
  }

  /** Start, group size and DISPATCH_DIRECT. */
  dispatch(state: ComputeState, size: DispatchSize): this {
    const wave = state.waveSize === 32 ? INITIATOR.wave32 : 0;
    const initiator = INITIATOR.enable | INITIATOR.forceStartAtZero | wave;
    if (size.kind === 'groups') {
      this.setSh(COMPUTE_REGISTER.startX, 0, 0, 0, ...state.threads);
      return this.packet(PM4_OPCODE.dispatchDirect, [...size.groups, initiator]);
    }
    // NUM_THREAD_PARTIAL (bits 31:16) is the size of the last group; a full last group repeats the full size.
    const threads = state.threads.map((full, axis) => {
      const rest = size.workItems[axis]! % full;
      return full | ((rest === 0 ? full : rest) << 16);
    });
    this.setSh(COMPUTE_REGISTER.startX, 0, 0, 0, ...threads);
    const flags = initiator | INITIATOR.useThreadDimensions | INITIATOR.partialGroups;
    return this.packet(PM4_OPCODE.dispatchDirect, [...size.workItems, flags]);
  }

  /** Group counts are read from guest memory at `base` + `offset`. */
  dispatchIndirect(state: ComputeState, base: GuestAddress, offset = 0): this {
    const wave = state.waveSize === 32 ? INITIATOR.wave32 : 0;
    this.setSh(COMPUTE_REGISTER.startX, 0, 0, 0, ...state.threads);
    this.packet(PM4_OPCODE.setBase, [1, addressLow32(base), addressHigh32(base) & 0xffff]);
    return this.packet(PM4_OPCODE.dispatchIndirect, [offset, INITIATOR.enable | INITIATOR.forceStartAtZero | wave]);
  }

  /** Runs another buffer and returns. */
  indirectBuffer(address: GuestAddress, dwords: number): this {
    assert(address % 4 === 0 && dwords < 2 ** 20, 'an indirect buffer is aligned and below 2^20 dwords');
    return this.packet(PM4_OPCODE.indirectBuffer, [addressLow32(address), addressHigh32(address) & 0xffff, dwords]);
  }

  /** Writes dwords to memory, confirmed. */
  writeData(address: GuestAddress, ...values: readonly number[]): this {
    // DST_SEL (11:8) = 5: memory, asynchronous; WR_CONFIRM bit 20.
    const control = (5 << 8) | (1 << 20);
    return this.packet(PM4_OPCODE.writeData, [
      control,
      addressLow32(address),
      addressHigh32(address) & 0xffff,
      ...values,
    ]);
  }

  pushMarker(text: string): this {
    return this.packet(PM4_OPCODE.nop, [MARKER_PUSH, ...textWords(text)]);
  }

  setMarker(text: string): this {
    return this.packet(PM4_OPCODE.nop, [MARKER_SET, ...textWords(text)]);
  }

  popMarker(): this {
    return this.packet(PM4_OPCODE.nop, [MARKER_POP]);
  }
}

/** COMPUTE_TMPRING_SIZE: WAVES 11:0, WAVESIZE 24:12 in KiB. */
export function tmpringSize(scratch: ComputeState['scratch']): number {
  if (!scratch) return 0;
  const size = Math.ceil(scratch.bytesPerWave / 1024);
  assert(size < 2 ** 13, 'scratch of one wave stays below 8 MiB');
  return Math.min(scratch.waves, 0xfff) | (size << 12);
}

/** NUL-terminated UTF-8, padded to dwords. */
function textWords(text: string): number[] {
  const bytes = encodeText(text);
  const padded = new Uint8Array((Math.floor(bytes.length / 4) + 1) * 4);
  padded.set(bytes);
  return [...new Uint32Array(padded.buffer)];
}
