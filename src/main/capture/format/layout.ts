/**
 * Numbers of the capture file's layout, shared by encoder and decoder. Prose: docs/capture-format.md.
 * ELF values are those of the System V ABI and of the AMDGPU processor supplement (e_machine, e_flags).
 */
import type { Target } from '../../base/dispatch.ts';

export const ELF_HEADER_SIZE = 64;
export const PROGRAM_HEADER_SIZE = 56;
export const SECTION_HEADER_SIZE = 64;
export const ET_REL = 1;
export const ET_DYN = 3;
export const ET_CORE = 4;
export const EM_AMDGPU = 224;
export const PT_LOAD = 1;
export const PT_NOTE = 4;
/** In the range that ELF leaves to operating systems. */
export const PT_LANESCOPE_PAYLOAD = 0x6c736301;
/** e_phnum when the true count stands in sh_info of section header 0. */
export const PN_XNUM = 0xffff;

export const NOTE_OWNER = 'Lanescope';
/** 'LS' in the upper half keeps clear of the types that readelf and debuggers interpret in core files. */
export const NOTE = {
  meta: 0x4c530001,
  registers: 0x4c530002,
  submit: 0x4c530003,
  memoryUpdate: 0x4c530004,
  shader: 0x4c530005,
  expected: 0x4c530006,
  label: 0x4c530007,
} as const;

/** EF_AMDGPU_MACH_* of e_flags: for other tools only; META is what counts. */
export const ELF_MACHINE_FLAGS: Readonly<Record<Target, number>> = { gfx700: 0x22, gfx1013: 0x42, gfx1030: 0x36 };

export const PAYLOAD_REF_SIZE = 32;
export const NO_BOUND = 0xffffffff;

/** Limits that keep a hostile file from asking for memory that its own size does not justify. */
export const MAX_PROGRAM_HEADERS = 1 << 20;
export const MAX_NOTE_BYTES = 256 * 1024 * 1024;
export const MAX_PAYLOAD_BYTES = 256 * 1024 * 1024;
export const MAX_DAMAGE_ENTRIES = 100;
