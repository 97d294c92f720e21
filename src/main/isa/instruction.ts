/**
 * One decoded instruction as a flat record of integers, filled by `decode`, read by print, encode, program, reference
 * and recompiler. Flat and reusable so that decoding allocates nothing per operand.
 *
 * Operands are codes of operands.ts in fixed slots; unused slots are −1. **Implicit operands are filled in**: users see
 * the same slots whatever the encoding (`e32`, `e64`, SDWA, DPP):
 *
 *   family        dst            sdst            src0        src1       src2        src3        imm
 *   SOP1          sdst           –               ssrc0       –          –           –           –
 *   SOP2, SOPC    sdst / –       –               ssrc0       ssrc1      –           –           –
 *   SOPK          sdst           –               –  (cmp, addk, mulk, setreg read `dst`)        simm16, sign-extended
 *   SOPP          –              –               –           –          –           –           simm16, unsigned
 *   SMEM, SMRD    sdata          –               sbase       soffset    sdata (st)  –           byte offset, signed
 *   VOP1, VOP2    vdst           VCC or VOP3B's  src0        src1       carry-in VCC/SGPR, mask of cndmask, VOP3 src2
 *   VOPC          VCC/SGPR/EXEC  –               src0        src1
 *   VOP3P         vdst           –               src0        src1       src2
 *   VINTRP        vdst           –               vsrc (i/j)                                     attr | chan << 8
 *   DS            vdst           –               addr        data0      data1       –           offset0 | offset1 << 8
 *   MUBUF, MTBUF  vdata (loads)  –               vaddr       srsrc      soffset     vdata (st)  byte offset
 *   MIMG          vdata (loads)  –               vaddr       srsrc      ssamp       vdata (st)  –
 *   FLAT family   vdst           –               vaddr       vdata      saddr       –           byte offset, signed
 *   EXP           –              –               vsrc0       vsrc1      vsrc2       vsrc3       target
 *
 * Atomics that return fill `dst` too (glc set). v_mac, v_fmac and others that read their destination say so in the row
 * (`readsDst`). SOPK s_call_b64: `dst` link pair, imm = signed dword count. v_madmk/v_madak: the literal is in its slot
 * as code LITERAL. Buffer `vaddr` is −1 when neither offen, idxen nor addr64 is set. Compressed exports have two registers
 * (src0, src1), each a pair of components; a register whose components are all off is −1. v_interp_mov and s_atc_probe hold a
 * small number in src0 and src2 (kind `i…`). Rows that exist only as VOP3 or VOP3P have encoding `e64`. Wave masks keep the
 * number in the encoding; in wave64 the pair begins at it (an odd number is read as the even one below).
 */
import type { Mnemonic } from './tables/index.ts';

export const FORMATS = [
  'SOP1',
  'SOP2',
  'SOPC',
  'SOPK',
  'SOPP',
  'SMEM',
  'SMRD',
  'VOP1',
  'VOP2',
  'VOPC',
  'VOP3',
  'VOP3B',
  'VOP3P',
  'VINTRP',
  'DS',
  'MUBUF',
  'MTBUF',
  'MIMG',
  'FLAT',
  'GLOBAL',
  'SCRATCH',
  'EXP',
] as const;
export type Format = (typeof FORMATS)[number];

/** How a vector ALU instruction is encoded; every other family is `plain`. */
export const ENCODINGS = ['plain', 'e32', 'e64', 'sdwa', 'dpp16', 'dpp8'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bits of `Instruction.flags`. */
export const FLAG = {
  GLC: 1 << 0,
  SLC: 1 << 1,
  DLC: 1 << 2,
  OFFEN: 1 << 3,
  IDXEN: 1 << 4,
  ADDR64: 1 << 5,
  LDS: 1 << 6,
  TFE: 1 << 7,
  LWE: 1 << 8,
  GDS: 1 << 9,
  UNORM: 1 << 10,
  DA: 1 << 11,
  R128: 1 << 12,
  A16: 1 << 13,
  D16: 1 << 14,
  DONE: 1 << 15,
  COMPR: 1 << 16,
  VM: 1 << 17,
  /** SMEM: `imm` is present in the encoding (gfx7: the offset field is a literal or dword count). */
  IMM: 1 << 18,
  SOFFSET_EN: 1 << 19,
  /** DPP16 */
  BOUND_CTRL: 1 << 20,
  FETCH_INACTIVE: 1 << 21,
  /** v_interp_*_f16: the high half of the attribute. */
  HIGH: 1 << 22,
  /** Scratch access with neither vector nor scalar address (gfx1030). */
  NO_ADDRESS: 1 << 23,
  /** An operand has a kind that its place does not take: only from `decodeLoosely`, never executed or encoded. */
  MISPLACED: 1 << 24,
} as const;

export class Instruction {
  /** Row of the table, e.g. `v_add_f32`: the mnemonic without encoding suffix. */
  mnemonic: Mnemonic = 's_nop';
  /** Dense number of the mnemonic: index into `MNEMONICS`; for jump tables. */
  op = 0;
  format: Format = 'SOPP';
  encoding: Encoding = 'plain';
  /** Dword index from which it was decoded, and its length in dwords (1…6). */
  index = 0;
  sizeDwords = 1;
  dst = -1;
  sdst = -1;
  src0 = -1;
  src1 = -1;
  src2 = -1;
  src3 = -1;
  imm = 0;
  /** The 32-bit literal; meaningful when a source is LITERAL. */
  literal = 0;
  flags = 0;
  /** Bit i: source i. VOP3P: `neg` is neg_lo, `negHi` neg_hi. SDWA sext is in `sext`. */
  abs = 0;
  neg = 0;
  negHi = 0;
  sext = 0;
  /** 0 none, 1 ×2, 2 ×4, 3 ÷2 */
  omod = 0;
  clamp = 0;
  /** Bits 0…2: sources, bit 3: destination. */
  opSel = 0;
  opSelHi = 0;
  /** SDWA: 0…3 byte 0…3, 4…5 word 0…1, 6 dword. `dstUnused`: 0 pad, 1 sign-extend, 2 preserve. */
  dstSel = 6;
  dstUnused = 0;
  src0Sel = 6;
  src1Sel = 6;
  /** DPP16: dpp_ctrl (9 bits), row and bank masks. DPP8: `dppCtrl` holds the 24 bits of lane selects. */
  dppCtrl = 0;
  rowMask = 15;
  bankMask = 15;
  /** MTBUF: `format` field (gfx10: 7 bits; gfx7: dfmt | nfmt << 4). */
  bufferFormat = 0;
  dmask = 0;
  dim = 0;
  /** MIMG with NSA: addresses beyond src0, as codes. */
  readonly nsa: number[] = [];
  /** EXP: mask of enabled components. */
  exportMask = 0;
}

/** Makes slots, modifiers and flags as in a new instruction, for who fills one again and again. */
export function clearFields(out: Instruction): void {
  out.encoding = 'plain';
  out.dst = -1;
  out.sdst = -1;
  out.src0 = -1;
  out.src1 = -1;
  out.src2 = -1;
  out.src3 = -1;
  out.imm = 0;
  out.literal = 0;
  out.flags = 0;
  out.abs = 0;
  out.neg = 0;
  out.negHi = 0;
  out.sext = 0;
  out.omod = 0;
  out.clamp = 0;
  out.opSel = 0;
  out.opSelHi = 0;
  out.dstSel = 6;
  out.dstUnused = 0;
  out.src0Sel = 6;
  out.src1Sel = 6;
  out.dppCtrl = 0;
  out.rowMask = 15;
  out.bankMask = 15;
  out.bufferFormat = 0;
  out.dmask = 0;
  out.dim = 0;
  out.exportMask = 0;
  if (out.nsa.length) out.nsa.length = 0;
}

/** A word sequence that is no instruction of the target, with why. */
export interface IllegalInstruction {
  readonly index: number;
  readonly sizeDwords: number;
  readonly reason: string;
}
