/**
 * Slots and reasons of the decoder, from the manuals' encoding tables (words checked with llvm-mc). Text equality over
 * whole families is in tests/conformance/isa-decode.test.ts.
 */
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import {
  cloneInstruction,
  decodeAll,
  decodeInstruction,
  decodeLoosely,
  encodeInstruction,
  FLAG,
  ILLEGAL,
  Instruction,
  illegalReason,
  isIllegal,
  OPERAND,
  printInstruction,
} from '../../../src/main/isa/index.ts';

function decode(target: Target, ...words: number[]): Instruction {
  const inst = new Instruction();
  const size = decodeInstruction(target, Uint32Array.from(words), 0, inst);
  expect(size).toBe(words.length);
  return inst;
}

function refusal(target: Target, ...words: number[]): number {
  return decodeInstruction(target, Uint32Array.from(words), 0, new Instruction());
}

const V = (n: number) => 256 + n;

describe('implicit operands', () => {
  it('carry of e32 is VCC, out and in', () => {
    // v_add_co_ci_u32_e32 v3, vcc_lo, v1, v2, vcc_lo
    const inst = decode('gfx1013', 0x50060501);
    expect(inst).toMatchObject({ mnemonic: 'v_add_co_ci_u32', format: 'VOP2', encoding: 'e32', dst: V(3), sdst: 106 });
    expect(inst).toMatchObject({ src0: V(1), src1: V(2), src2: OPERAND.VCC_LO });
  });

  it('VOP3B names both', () => {
    // v_add_co_ci_u32_e64 v5, s0, v1, v3, s4
    const inst = decode('gfx1013', 0xd5280005, 0x00120701);
    expect(inst).toMatchObject({ encoding: 'e64', dst: V(5), sdst: 0, src0: V(1), src1: V(3), src2: 4 });
  });

  it('compares: VCC in e32, an SGPR in e64, EXEC for v_cmpx of gfx10, VCC for v_cmpx of gfx7', () => {
    expect(decode('gfx1013', 0x7c040501).dst).toBe(OPERAND.VCC_LO);
    expect(decode('gfx1013', 0xd4020005, 0x00000501).dst).toBe(5);
    expect(decode('gfx1013', 0x7c220501)).toMatchObject({ mnemonic: 'v_cmpx_lt_f32', dst: OPERAND.EXEC_LO });
    expect(decode('gfx1013', 0xd411007e, 0x00020701).dst).toBe(OPERAND.EXEC_LO);
    expect(decode('gfx700', 0x7c220501)).toMatchObject({ mnemonic: 'v_cmpx_lt_f32', dst: OPERAND.VCC_LO });
  });

  it('the mask of v_cndmask is source 2', () => {
    expect(decode('gfx1013', 0x02060501)).toMatchObject({ mnemonic: 'v_cndmask_b32', src2: OPERAND.VCC_LO });
    expect(decode('gfx1013', 0xd501000a, 0x00120301).src2).toBe(4);
  });

  it('VOPC with DPP exists here though LLVM lacks it', () => {
    const inst = decode('gfx1013', 0x7c0404fa, 0xff00e401);
    expect(inst).toMatchObject({
      mnemonic: 'v_cmp_eq_f32',
      encoding: 'dpp16',
      dst: OPERAND.VCC_LO,
      src0: V(1),
      src1: V(2),
    });
    expect(inst).toMatchObject({ dppCtrl: 0xe4, rowMask: 15, bankMask: 15 });
  });
});

describe('slots per family', () => {
  it('the literal stands in its slot', () => {
    const madmk = decode('gfx1013', 0x40060501, 0x3f800000);
    expect(madmk).toMatchObject({
      mnemonic: 'v_madmk_f32',
      src0: V(1),
      src1: OPERAND.LITERAL,
      src2: V(2),
      literal: 0x3f800000,
    });
    const madak = decode('gfx1013', 0x42060501, 0x3f800000);
    expect(madak).toMatchObject({ mnemonic: 'v_madak_f32', src1: V(2), src2: OPERAND.LITERAL, literal: 0x3f800000 });
    expect(decode('gfx1013', 0xba800001, 0x12345678)).toMatchObject({
      src0: OPERAND.LITERAL,
      literal: 0x12345678,
      imm: 1,
    });
  });

  it('scalar loads: byte offsets on both generations', () => {
    // s_load_dword s4, s[4:5], -0x10 and, on gfx7, dword offset 4, a register, a literal
    expect(decode('gfx1013', 0xf4000102, 0xfa1ffff0)).toMatchObject({ dst: 4, src0: 4, src1: -1, imm: -16 });
    expect(decode('gfx1013', 0xf4000102, 0x06000010)).toMatchObject({ src1: 3, imm: 16 });
    expect(decode('gfx700', 0xc0010704)).toMatchObject({ format: 'SMRD', dst: 2, src0: 6, src1: -1, imm: 16 });
    expect(decode('gfx700', 0xc0010605)).toMatchObject({ src1: 5, imm: 0 });
    expect(decode('gfx700', 0xc00106ff, 0x100)).toMatchObject({ src1: OPERAND.LITERAL, literal: 0x100, imm: 0x400 });
  });

  it('stores keep their data apart from the destination; returning atomics fill both', () => {
    expect(decode('gfx1013', 0xe0701000, 0x05010203)).toMatchObject({
      dst: -1,
      src0: V(3),
      src1: 4,
      src2: 5,
      src3: V(2),
    });
    expect(decode('gfx1013', 0xdcc88010, 0x057d0401)).toMatchObject({ dst: -1, src0: V(1), src1: V(4), src2: -1 });
    expect(decode('gfx1013', 0xdcc98010, 0x057d0401)).toMatchObject({ dst: V(5), src1: V(4), flags: FLAG.GLC });
    // buffer_atomic_add v2, v3, s[4:7], s5 offen glc
    expect(decode('gfx1013', 0xe0c85000, 0x05010203)).toMatchObject({ dst: V(2), src3: V(2) });
  });

  it('a buffer without offen and idxen has no vector address', () => {
    expect(decode('gfx1013', 0xe0300000, 0x05010203)).toMatchObject({ dst: V(2), src0: -1 });
  });

  it('NSA lists follow the first address', () => {
    const inst = decode('gfx1013', 0xf0000f0a, 0x00020401, 0x00000005);
    expect(inst).toMatchObject({ mnemonic: 'image_load', dst: V(4), src0: V(1), dmask: 15, dim: 1 });
    expect(inst.nsa).toEqual([V(5)]);
  });

  it('exports keep only the enabled registers', () => {
    expect(decode('gfx1013', 0xf8000003, 0x04030201)).toMatchObject({ src0: V(1), src1: V(2), src2: -1, src3: -1 });
    expect(decode('gfx1013', 0xf800140c, 0x04030201)).toMatchObject({ src0: -1, src1: V(2), src2: -1 });
  });

  it('gfx7 numbers: v_cndmask is VOP2 0, v_readlane VOP2 1, VOP3 starts at another prefix', () => {
    expect(decode('gfx700', 0x00020905).mnemonic).toBe('v_cndmask_b32');
    expect(decode('gfx700', 0x02040d01)).toMatchObject({ mnemonic: 'v_readlane_b32', dst: 2, src0: V(1), src1: 6 });
    expect(decode('gfx700', 0xd2060001, 0x00021305).mnemonic).toBe('v_add_f32');
    expect(decode('gfx700', 0xd2060801, 0x00021305).clamp).toBe(1);
  });
});

describe('illegal words', () => {
  it('name why', () => {
    expect(refusal('gfx1013', 0xbe800002)).toBe(ILLEGAL.OPCODE);
    expect(refusal('gfx1013', 0xc0000000, 0)).toBe(ILLEGAL.FAMILY);
    expect(refusal('gfx1013', 0x7e0002e0)).toBe(ILLEGAL.OPERAND);
    expect(refusal('gfx1013', 0x7e060700 | 0x1ff)).toBe(ILLEGAL.REGISTER_RANGE);
    expect(refusal('gfx1013', 0xd5250405, 0x00020701)).toBe(ILLEGAL.MODIFIER);
    expect(refusal('gfx1013', 0x7e0602f9, 0x00070601)).toBe(ILLEGAL.SELECT);
    expect(refusal('gfx1013', 0xd8620004, 0)).toBe(2);
    expect(refusal('gfx1013', 0xd8600004, 0)).toBe(ILLEGAL.DATA_SHARE);
    expect(refusal('gfx700', 0xd2060001, 0x000212ff, 0)).toBe(ILLEGAL.LITERAL);
    for (const code of Object.values(ILLEGAL)) expect(illegalReason(code)).not.toBe('not an instruction');
  });

  it('an encoding that the end cuts is named, and nothing past the end is read', () => {
    for (const words of [[0xd5010005], [0xf4000102], [0x7e0602ff], [0x7e0602f9], [0xf0000f0a, 0x00020401]]) {
      expect(refusal('gfx1013', ...words)).toBe(ILLEGAL.CUT);
    }
    expect(decodeInstruction('gfx1013', new Uint32Array(0), 0, new Instruction())).toBe(ILLEGAL.CUT);
    expect(decodeInstruction('gfx1013', Uint32Array.of(0xbf800000), 1, new Instruction())).toBe(ILLEGAL.CUT);
  });

  it('a run of code goes on behind them', () => {
    const items = decodeAll('gfx1013', Uint32Array.of(0xbf800000, 0xffffffff, 0xbf810000));
    expect(items.map((item) => (isIllegal(item) ? item.reason : item.mnemonic))).toEqual([
      's_nop',
      'the leading bits belong to no encoding family of the target',
      's_endpgm',
    ]);
  });
});

describe('misplaced operands', () => {
  function loose(target: Target, ...words: number[]): { inst: Instruction; size: number } {
    const inst = new Instruction();
    return { inst, size: decodeLoosely(target, Uint32Array.from(words), 0, inst) };
  }

  // Texts from llvm-mc.
  it.each([
    [[0xbe802081], 's_setpc_b64 1/*Invalid immediate*/'],
    [[0xbe8020ff, 0x12345678], 's_setpc_b64 0x12345678/*Invalid immediate*/'],
    [[0xd4020080, 0x00010102], 'v_cmp_eq_f32_e64 0/*Invalid immediate*/, v2, 0'],
    [[0xd75a0405, 0x02010102], 'v_interp_p2_f16 v5, 0/*Invalid immediate*/, attr2.x, |0/*Invalid immediate*/| high'],
    [[0x7e0a8600], "v_movrels_b32_e32 v5, s0/*Invalid register, operand has 'VGPR_32' register class*/"],
    [[0x7e0a86fd], 'v_movrels_b32_e32 v5, src_scc'],
  ])('%j are read as llvm-mc reads them, and refused by everything else', (words, text) => {
    const { inst, size } = loose('gfx1013', ...words);
    expect(size).toBe(words.length);
    expect(inst.flags & FLAG.MISPLACED).not.toBe(0);
    expect(printInstruction(inst, { target: 'gfx1013', waveSize: 32 })).toBe(text);
    expect(refusal('gfx1013', ...words)).toBe(ILLEGAL.OPERAND);
    expect(encodeInstruction('gfx1013', inst, new Uint32Array(8))).toBe(ILLEGAL.OPERAND);
  });

  it('instructions without them are read as always', () => {
    const { inst, size } = loose('gfx1013', 0x50060501);
    expect(size).toBe(1);
    expect(inst).toEqual(decode('gfx1013', 0x50060501));
  });

  it('reserved codes stay illegal, so do misplaced operands of gfx7', () => {
    expect(loose('gfx1013', 0x7e0002e0).size).toBe(ILLEGAL.OPERAND);
    expect(loose('gfx1013', 0xbe8020fe).size).toBe(ILLEGAL.OPERAND);
    expect(loose('gfx700', 0xbe802081).size).toBe(ILLEGAL.OPERAND);
    expect(loose('gfx1013', 0xbe8020ff).size).toBe(ILLEGAL.CUT);
  });
});

describe('reuse', () => {
  it('leaves nothing of the instruction before', () => {
    const inst = new Instruction();
    decodeInstruction('gfx1013', Uint32Array.of(0xf0000f0a, 0x00020401, 0x08070605), 0, inst);
    const kept = cloneInstruction(inst);
    decodeInstruction('gfx1013', Uint32Array.of(0xbf800000), 0, inst);
    const fresh = decode('gfx1013', 0xbf800000);
    expect(inst).toEqual(fresh);
    expect(kept.nsa).toEqual([V(5)]);
    expect(kept.mnemonic).toBe('image_load');
  });
});
