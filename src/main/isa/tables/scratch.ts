/**
 * SCRATCH: scratch memory (gfx10): prefix 110111, segment 01, opcode in bits 24:18.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const SCRATCH = family('SCRATCH', {
  scratch_load_ubyte:         { op: { gfx10: 0x08 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', lds: true },
  scratch_load_sbyte:         { op: { gfx10: 0x09 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', lds: true },
  scratch_load_ushort:        { op: { gfx10: 0x0a }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', lds: true },
  scratch_load_sshort:        { op: { gfx10: 0x0b }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', lds: true },
  scratch_load_dword:         { op: { gfx10: 0x0c }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', lds: true },
  scratch_load_dwordx2:       { op: { gfx10: 0x0d }, dst: ['v64b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load' },
  scratch_load_dwordx4:       { op: { gfx10: 0x0e }, dst: ['v128b'], src: ['va', '-', 'sa'],     class: 'flat', memory: 'load' },
  scratch_load_dwordx3:       { op: { gfx10: 0x0f }, dst: ['v96b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load' },
  scratch_store_byte:         { op: { gfx10: 0x18 }, dst: [],        src: ['va', 'v32b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_byte_d16_hi:  { op: { gfx10: 0x19 }, dst: [],        src: ['va', 'v32b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_short:        { op: { gfx10: 0x1a }, dst: [],        src: ['va', 'v32b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_short_d16_hi: { op: { gfx10: 0x1b }, dst: [],        src: ['va', 'v32b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_dword:        { op: { gfx10: 0x1c }, dst: [],        src: ['va', 'v32b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_dwordx2:      { op: { gfx10: 0x1d }, dst: [],        src: ['va', 'v64b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_store_dwordx4:      { op: { gfx10: 0x1e }, dst: [],        src: ['va', 'v128b', 'sa'], class: 'flat', memory: 'store' },
  scratch_store_dwordx3:      { op: { gfx10: 0x1f }, dst: [],        src: ['va', 'v96b', 'sa'],  class: 'flat', memory: 'store' },
  scratch_load_ubyte_d16:     { op: { gfx10: 0x20 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
  scratch_load_ubyte_d16_hi:  { op: { gfx10: 0x21 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
  scratch_load_sbyte_d16:     { op: { gfx10: 0x22 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
  scratch_load_sbyte_d16_hi:  { op: { gfx10: 0x23 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
  scratch_load_short_d16:     { op: { gfx10: 0x24 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
  scratch_load_short_d16_hi:  { op: { gfx10: 0x25 }, dst: ['v32b'],  src: ['va', '-', 'sa'],     class: 'flat', memory: 'load', readsDst: true },
});
