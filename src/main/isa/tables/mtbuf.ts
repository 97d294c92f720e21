/**
 * MTBUF: typed buffer memory: prefix 111010, opcode in bits 18:16 and, on gfx10, dword 1 bit 21 as its bit 3.
 * Columns are described in ../row.ts. Checked against llvm-mc by tools/isa/check-tables.ts.
 */
import { family } from './family.ts';

export const MTBUF = family('MTBUF', {
  tbuffer_load_format_x:         { op: { gfx7: 0x00, gfx10: 0x00 }, dst: ['v32b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_xy:        { op: { gfx7: 0x01, gfx10: 0x01 }, dst: ['v64b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_xyz:       { op: { gfx7: 0x02, gfx10: 0x02 }, dst: ['v96b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_xyzw:      { op: { gfx7: 0x03, gfx10: 0x03 }, dst: ['v128b'], src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_store_format_x:        { op: { gfx7: 0x04, gfx10: 0x04 }, dst: [],        src: ['va', 's128b', 's32u', 'v32b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_xy:       { op: { gfx7: 0x05, gfx10: 0x05 }, dst: [],        src: ['va', 's128b', 's32u', 'v64b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_xyz:      { op: { gfx7: 0x06, gfx10: 0x06 }, dst: [],        src: ['va', 's128b', 's32u', 'v96b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_xyzw:     { op: { gfx7: 0x07, gfx10: 0x07 }, dst: [],        src: ['va', 's128b', 's32u', 'v128b'], class: 'typed-buffer', memory: 'store' },
  tbuffer_load_format_d16_x:     { op: { gfx10: 0x08 },             dst: ['v32b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_d16_xy:    { op: { gfx10: 0x09 },             dst: ['v32b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_d16_xyz:   { op: { gfx10: 0x0a },             dst: ['v64b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_load_format_d16_xyzw:  { op: { gfx10: 0x0b },             dst: ['v64b'],  src: ['va', 's128b', 's32u'],          class: 'typed-buffer', memory: 'load' },
  tbuffer_store_format_d16_x:    { op: { gfx10: 0x0c },             dst: [],        src: ['va', 's128b', 's32u', 'v32b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_d16_xy:   { op: { gfx10: 0x0d },             dst: [],        src: ['va', 's128b', 's32u', 'v32b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_d16_xyz:  { op: { gfx10: 0x0e },             dst: [],        src: ['va', 's128b', 's32u', 'v64b'],  class: 'typed-buffer', memory: 'store' },
  tbuffer_store_format_d16_xyzw: { op: { gfx10: 0x0f },             dst: [],        src: ['va', 's128b', 's32u', 'v64b'],  class: 'typed-buffer', memory: 'store' },
});
