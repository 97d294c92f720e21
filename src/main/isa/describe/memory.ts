/**
 * What memory instructions do, from the parts of their names: scalar loads, buffers, flat, global and scratch accesses,
 * LDS, exports. A family is one expression with its sentence; single ones are listed.
 *
 * Source: ISA manuals of GCN 2 and RDNA 2, in our words.
 */
import { atomicUpdate, ldsAtomicUpdate } from './atomics.ts';

const SINGLE: Readonly<Record<string, string>> = {
  s_dcache_inv: 'Discards the scalar data cache.',
  s_dcache_inv_vol: 'Discards the volatile lines of the scalar data cache.',
  s_dcache_wb: 'Writes changed lines of the scalar data cache back to memory.',
  s_dcache_discard: 'Drops 64 bytes of the scalar data cache at an address without writing them back.',
  s_dcache_discard_x2: 'Drops 128 bytes of the scalar data cache at an address without writing them back.',
  s_gl1_inv: 'Discards the graphics L1 cache.',
  s_memtime: 'D = a 64-bit counter of core clocks.',
  s_memrealtime: 'D = a 64-bit counter of the constant reference clock.',
  s_atc_probe: 'Translates an address ahead of its use; the constant says for reading, writing or executing.',
  s_atc_probe_buffer: 'Translates an address of a buffer ahead of its use.',
  s_get_waveid_in_workgroup: 'D = number of the wave in its group.',
  buffer_wbinvl1: 'Writes changed lines of the vector L1 cache back and discards it.',
  buffer_wbinvl1_vol: 'Writes changed volatile lines of the vector L1 cache back and discards them.',
  buffer_gl0_inv: 'Discards the vector cache of the compute unit (L0).',
  buffer_gl1_inv: 'Discards the graphics L1 cache.',
  ds_nop: 'Does nothing.',
  ds_append: 'Adds the number of active lanes to the LDS or GDS word at the offset; D = its old value.',
  ds_consume: 'Takes the number of active lanes from the LDS or GDS word at the offset; D = its old value.',
  ds_condxchg32_rtn_b64:
    'Each of two LDS dwords at address + offset = its data without bit 31, if that bit is set there; D = the old values.',
  ds_ordered_count: 'Adds to a GDS counter in the order in which waves were launched; D = its old value.',
  ds_gws_init: 'Sets a global wave synchronisation resource to the number of waves that it waits for.',
  ds_gws_barrier: 'Waits at a global wave synchronisation barrier.',
  ds_gws_sema_v: 'Adds one to a global wave synchronisation semaphore.',
  ds_gws_sema_br: 'Adds a number to a global wave synchronisation semaphore.',
  ds_gws_sema_p: 'Waits until a global wave synchronisation semaphore is above 0, and takes one.',
  ds_gws_sema_release_all: 'Releases all waves that wait at a global wave synchronisation semaphore.',
  exp: 'Exports up to four values of each lane to the named target: a colour, depth, a position, a parameter or primitive data.',
};

const COUNT: Readonly<Record<string, string>> = {
  '': 'one dword',
  x2: 'two dwords',
  x3: 'three dwords',
  x4: 'four dwords',
  x8: 'eight dwords',
  x16: 'sixteen dwords',
};

const PLACE: Readonly<Record<string, string>> = {
  s: 'at base + offset',
  s_scratch: 'of scratch at base + constant offset + 64 × offset register',
  s_buffer: 'of the buffer at the offset (loads outside its range give 0)',
  buffer: 'of the buffer at index × stride + offset',
  tbuffer: 'of the buffer at index × stride + offset',
  flat: 'at the flat address (global memory, LDS or scratch by its aperture)',
  global: 'of global memory at the address',
  scratch: 'of the lane’s scratch at the offset',
};

const SMALL: Readonly<Record<string, string>> = {
  ubyte: 'a byte, zero-extended,',
  sbyte: 'a byte, sign-extended,',
  ushort: 'two bytes, zero-extended,',
  sshort: 'two bytes, sign-extended,',
  short: 'two bytes',
  byte: 'the low byte',
};

interface Family {
  readonly name: RegExp;
  readonly text: (parts: Readonly<Record<string, string>>) => string | undefined;
}

const half = (parts: Readonly<Record<string, string>>): string =>
  parts.hi
    ? ' into the high half of D; its low half stays'
    : parts.d16
      ? ' into the low half of D; its high half stays'
      : '';

const FAMILIES: readonly Family[] = [
  {
    name: /^(?<unit>s|s_scratch|s_buffer|buffer|flat|global|scratch)_load_dword(?<count>x\d+)?$/,
    text: ({ unit, count }) => `D = ${COUNT[count ?? '']} ${PLACE[unit!]}.`,
  },
  {
    name: /^(?<unit>s|s_scratch|s_buffer|buffer|flat|global|scratch)_store_dword(?<count>x\d+)?$/,
    text: ({ unit, count }) => `Stores ${COUNT[count ?? '']} ${PLACE[unit!]}.`,
  },
  {
    name: /^(?<unit>buffer|flat|global|scratch)_load_(?<type>[us]?(?:byte|short))(?<d16>_d16(?<hi>_hi)?)?$/,
    text: (p) =>
      p.d16
        ? `Loads ${SMALL[p.type!]!.replace(/,$/, '')} ${PLACE[p.unit!]}${half(p)}.`
        : `D = ${SMALL[p.type!]} ${PLACE[p.unit!]}.`,
  },
  {
    name: /^(?<unit>buffer|flat|global|scratch)_store_(?<type>byte|short)(?<hi>_d16_hi)?$/,
    text: ({ unit, type, hi }) => {
      const bits = type === 'byte' ? (hi ? '[23:16]' : '[7:0]') : hi ? '[31:16]' : '[15:0]';
      return `Stores bits ${bits} of the data ${PLACE[unit!]}.`;
    },
  },
  {
    name: /^(?<unit>t?buffer)_(?<way>load|store)_format_(?<d16>d16_)?(?<hi>hi_)?(?<parts>x|xy|xyz|xyzw)$/,
    text: ({ unit, way, d16, hi, parts }) => {
      const from = unit === 'buffer' ? 'the descriptor’s format' : 'the format in the instruction';
      const what = parts === 'x' ? 'component x' : `components ${parts}`;
      const kind = d16 ? `${what} as 16 bits each` : what;
      const into = hi
        ? way === 'load'
          ? ' into the high half of D; its low half stays'
          : ' from the high half of the data'
        : '';
      const verb = way === 'load' ? `Loads ${kind}, converted from ${from},` : `Stores ${kind}, converted to ${from},`;
      return `${verb} ${PLACE[unit!]}${into}.`;
    },
  },
  {
    name: /^(?<unit>s|s_buffer|buffer|flat|global)_atomic_(?<op>[a-z]+)(?<wide>_x2)?$/,
    text: ({ unit, op, wide }) => {
      const update = atomicUpdate(op!);
      return (
        update &&
        `On the ${wide ? '64-bit' : '32-bit'} word M ${PLACE[unit!]}, at once: ${update}. With glc, D = its old value.`
      );
    },
  },
  {
    name: /^global_(?<way>load|store)_dword_addtid$/,
    text: ({ way }) =>
      `${way === 'load' ? 'D = one dword' : 'Stores one dword'} of global memory at the address + 4 × the lane’s number.`,
  },
  {
    name: /^ds_read_(?:b(?<bits>\d+)|(?<small>[iu])(?<width>8|16))(?<d16>_d16(?<hi>_hi)?)?$/,
    text: (p) => {
      if (p.bits) return `D = ${p.bits} bits of LDS at address + offset.`;
      const extended = p.small === 'i' ? 'sign-extended' : 'zero-extended';
      return p.d16
        ? `Loads ${p.width} bits of LDS at address + offset, ${extended},${half(p)}.`
        : `D = ${p.width} bits of LDS at address + offset, ${extended}.`;
    },
  },
  {
    name: /^ds_write_b(?<bits>\d+)(?<hi>_d16_hi)?$/,
    text: ({ bits, hi }) =>
      `LDS at address + offset = ${hi ? (bits === '8' ? 'bits [23:16]' : 'bits [31:16]') : `the low ${bits} bits`} of the data.`,
  },
  {
    name: /^ds_read2(?<far>st64)?_b(?<bits>\d+)$/,
    text: ({ far, bits }) =>
      `D = two times ${bits} bits of LDS, at address + each offset × ${(Number(bits) / 8) * (far ? 64 : 1)}.`,
  },
  {
    name: /^ds_write2(?<far>st64)?_b(?<bits>\d+)$/,
    text: ({ far, bits }) =>
      `Writes two times ${bits} bits to LDS, at address + each offset × ${(Number(bits) / 8) * (far ? 64 : 1)}.`,
  },
  {
    name: /^ds_wrxchg2(?<far>st64)?_rtn_b(?<bits>\d+)$/,
    text: ({ far, bits }) =>
      `Exchanges two times ${bits} bits of LDS, at address + each offset × ${(Number(bits) / 8) * (far ? 64 : 1)}; D = the old values.`,
  },
  {
    name: /^ds_(?<way>read|write)_addtid_b32$/,
    text: ({ way }) => `${way === 'read' ? 'D =' : 'Writes'} 32 bits of LDS at M0 + offset + 4 × the lane’s number.`,
  },
  {
    name: /^ds_write_src2_b(?<bits>\d+)$/,
    text: ({ bits }) => `Copies ${bits} bits of LDS from a second place, which the offset names, to the address.`,
  },
  {
    name: /^ds_(?<op>[a-z]+)_src2_(?<type>[biuf]\d+)$/,
    text: ({ op, type }) => {
      const update = ldsAtomicUpdate(op!, type!);
      return (
        update &&
        `On the ${type!.slice(1)}-bit LDS word M at the address, with the word at a second place, which the offset names, as data: ${update}.`
      );
    },
  },
  {
    name: /^ds_(?<op>[a-z]+)(?<rtn>_rtn)?_(?<type>[biuf]\d+)$/,
    text: ({ op, rtn, type }) => {
      const update = ldsAtomicUpdate(op!, type!);
      return (
        update &&
        `On the ${type!.slice(1)}-bit LDS word M at address + offset, at once: ${update}.${rtn ? ' D = its old value.' : ''}`
      );
    },
  },
];

/** undefined when the mnemonic is no memory instruction told here; images are in image.ts. */
export function memorySummary(mnemonic: string): string | undefined {
  const single = SINGLE[mnemonic];
  if (single !== undefined) return single;
  for (const { name, text } of FAMILIES) {
    const parts = name.exec(mnemonic)?.groups;
    const summary = parts && text(parts);
    if (summary) return summary;
  }
  return undefined;
}
