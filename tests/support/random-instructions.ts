/**
 * Random instructions for differential programs: one line of assembly each, on registers that a program may change.
 *
 *   v8 … v23  vector registers      s16 … s39, vcc, m0  scalar registers      v1 lane, v2…v7, s0…s15 the program's own
 *
 * Only what has one right answer: no reads of undefined registers, no two lanes writing one place in one instruction,
 * no approximate functions. Float instructions are those that IEEE defines.
 */
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { RandomSource } from './random-source.ts';

export const FIRST_VGPR = 8;
export const VGPRS = 16;
export const FIRST_SGPR = 16;
export const SGPRS = 24;

export type InstructionClass = 'int' | 'int16' | 'float' | 'compare' | 'scalar' | 'lanes' | 'forms';
export const INSTRUCTION_CLASSES: readonly InstructionClass[] = [
  'int',
  'int16',
  'float',
  'compare',
  'scalar',
  'lanes',
  'forms',
];

/** Patterns of signatures: see `operandText`. */
type Table = Readonly<Record<string, readonly string[]>>;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Signature → mnemonics. d D: VGPR, pair; a A: any source of 32, 64 bits; v V: VGPR, pair; s S: SGPR, pair; b B: scalar source. */
const INTEGER: Table = {
  'd, a, v': words(`v_add_nc_u32 v_sub_nc_u32 v_subrev_nc_u32 v_and_b32 v_or_b32 v_xor_b32 v_xnor_b32 v_lshlrev_b32
    v_lshrrev_b32 v_ashrrev_i32 v_min_i32 v_max_i32 v_min_u32 v_max_u32 v_mul_i32_i24 v_mul_u32_u24 v_mul_hi_i32_i24
    v_mul_hi_u32_u24`),
  'd, a': words('v_mov_b32 v_not_b32 v_bfrev_b32 v_ffbh_u32 v_ffbl_b32 v_ffbh_i32'),
  'd, c, c': words(
    'v_mul_lo_u32 v_mul_hi_u32 v_mul_hi_i32 v_bfm_b32 v_bcnt_u32_b32 v_mbcnt_lo_u32_b32 v_mbcnt_hi_u32_b32',
  ),
  'd, c, c, c': words(`v_bfe_u32 v_bfe_i32 v_bfi_b32 v_alignbit_b32 v_alignbyte_b32 v_perm_b32 v_lshl_add_u32
    v_add_lshl_u32 v_lshl_or_b32 v_and_or_b32 v_or3_b32 v_xad_u32 v_add3_u32 v_xor3_b32 v_med3_i32 v_med3_u32 v_min3_i32
    v_min3_u32 v_max3_i32 v_max3_u32 v_sad_u8 v_sad_hi_u8 v_sad_u16 v_sad_u32 v_msad_u8 v_mad_u32_u24 v_mad_i32_i24
    v_lerp_u8`),
  'D, c, V': words('v_lshlrev_b64 v_lshrrev_b64 v_ashrrev_i64'),
  'd, vcc, a, v': words('v_add_co_u32 v_sub_co_u32 v_subrev_co_u32'),
  'd, vcc, v, v, vcc': words('v_add_co_ci_u32 v_sub_co_ci_u32 v_subrev_co_ci_u32'),
  'd, v, v, vcc': ['v_cndmask_b32'],
  'd, M, c, c': words('v_add_co_u32 v_sub_co_u32 v_subrev_co_u32'),
  'd, c, c, m': ['v_cndmask_b32_e64'],
  'D, M, v, v, V': words('v_mad_u64_u32 v_mad_i64_i32'),
};

const INTEGER_16: Table = {
  'd, v, v': words(`v_add_nc_u16 v_sub_nc_u16 v_mul_lo_u16 v_min_u16 v_max_u16 v_min_i16 v_max_i16 v_lshlrev_b16
    v_lshrrev_b16 v_ashrrev_i16 v_add_nc_i16 v_sub_nc_i16`),
  'd, v, v, v': words(`v_mad_u16 v_mad_i16 v_min3_i16 v_min3_u16 v_max3_i16 v_max3_u16 v_med3_i16 v_med3_u16
    v_mad_u32_u16 v_mad_i32_i16 v_pk_mad_u16 v_pk_mad_i16`),
  'd, v, v p': words(`v_pk_add_u16 v_pk_sub_u16 v_pk_mul_lo_u16 v_pk_min_u16 v_pk_max_u16 v_pk_min_i16 v_pk_max_i16
    v_pk_lshlrev_b16 v_pk_lshrrev_b16 v_pk_ashrrev_i16 v_pk_add_i16 v_pk_sub_i16`),
};

const FLOAT: Table = {
  'd, a, v': words('v_add_f32 v_sub_f32 v_subrev_f32 v_mul_f32 v_min_f32 v_max_f32 v_ldexp_f32'),
  'd, f, f': words('v_add_f32_e64 v_sub_f32_e64 v_mul_f32_e64 v_min_f32_e64 v_max_f32_e64'),
  'd, f, f, f': words('v_fma_f32 v_min3_f32 v_max3_f32 v_med3_f32'),
  'd, v, v': words('v_add_f16 v_sub_f16 v_mul_f16 v_min_f16 v_max_f16 v_fmac_f32 v_fmac_f16'),
  'd, v, v, v': words('v_fma_f16 v_min3_f16 v_max3_f16'),
  'd, v':
    words(`v_cvt_f32_u32 v_cvt_f32_i32 v_cvt_u32_f32 v_cvt_i32_f32 v_cvt_f16_f32 v_cvt_f32_f16 v_floor_f32 v_ceil_f32
    v_trunc_f32 v_rndne_f32 v_fract_f32 v_cvt_f32_ubyte0 v_cvt_f32_ubyte3 v_frexp_mant_f32 v_frexp_exp_i32_f32
    v_floor_f16 v_ceil_f16 v_trunc_f16 v_rndne_f16 v_cvt_f16_u16 v_cvt_f16_i16 v_cvt_u16_f16 v_cvt_i16_f16
    v_cvt_rpi_i32_f32 v_cvt_flr_i32_f32`),
  'D, V, V': words('v_add_f64 v_mul_f64 v_min_f64 v_max_f64'),
  'D, V, V, V': ['v_fma_f64'],
  'D, V, v': ['v_ldexp_f64'],
  'D, v': words('v_cvt_f64_f32 v_cvt_f64_i32 v_cvt_f64_u32'),
  'd, V': words('v_cvt_f32_f64 v_cvt_i32_f64 v_cvt_u32_f64'),
  'D, V': words('v_floor_f64 v_ceil_f64 v_trunc_f64 v_rndne_f64'),
};

const CONDITIONS = words('lt eq le gt ne ge');
const FLOAT_CONDITIONS = words('lt eq le gt lg ge o u nge nlg ngt nle neq nlt');

const SCALAR: Table = {
  's, b, b':
    words(`s_add_u32 s_sub_u32 s_addc_u32 s_subb_u32 s_add_i32 s_sub_i32 s_min_i32 s_max_i32 s_min_u32 s_max_u32
    s_cselect_b32 s_and_b32 s_or_b32 s_xor_b32 s_andn2_b32 s_orn2_b32 s_nand_b32 s_nor_b32 s_xnor_b32 s_lshl_b32
    s_lshr_b32 s_ashr_i32 s_bfm_b32 s_mul_i32 s_mul_hi_u32 s_mul_hi_i32 s_bfe_u32 s_bfe_i32 s_absdiff_i32
    s_lshl1_add_u32 s_lshl2_add_u32 s_lshl3_add_u32 s_lshl4_add_u32 s_pack_ll_b32_b16 s_pack_lh_b32_b16
    s_pack_hh_b32_b16`),
  'S, B, B': words(`s_cselect_b64 s_and_b64 s_or_b64 s_xor_b64 s_andn2_b64 s_orn2_b64 s_nand_b64 s_nor_b64 s_xnor_b64`),
  'S, B, b': words('s_lshl_b64 s_lshr_b64 s_ashr_i64 s_bfe_u64 s_bfe_i64'),
  'S, b, b': ['s_bfm_b64'],
  's, b': words(`s_mov_b32 s_cmov_b32 s_not_b32 s_brev_b32 s_bcnt0_i32_b32 s_bcnt1_i32_b32 s_ff0_i32_b32 s_ff1_i32_b32
    s_flbit_i32_b32 s_flbit_i32 s_sext_i32_i8 s_sext_i32_i16 s_bitset0_b32 s_bitset1_b32 s_abs_i32 s_wqm_b32`),
  'S, B': words('s_mov_b64 s_cmov_b64 s_not_b64 s_brev_b64 s_wqm_b64'),
  's, B': words(`s_bcnt0_i32_b64 s_bcnt1_i32_b64 s_ff0_i32_b64 s_ff1_i32_b64 s_flbit_i32_b64 s_flbit_i32_i64`),
  'b, b': words(`s_cmp_eq_i32 s_cmp_lg_i32 s_cmp_gt_i32 s_cmp_ge_i32 s_cmp_lt_i32 s_cmp_le_i32 s_cmp_eq_u32 s_cmp_lg_u32
    s_cmp_gt_u32 s_cmp_ge_u32 s_cmp_lt_u32 s_cmp_le_u32 s_bitcmp0_b32 s_bitcmp1_b32`),
  'B, B': words('s_cmp_eq_u64 s_cmp_lg_u64'),
  's, k': words('s_movk_i32 s_cmovk_i32 s_addk_i32 s_mulk_i32 s_cmpk_eq_i32 s_cmpk_lt_i32'),
  's, unsigned': ['s_cmpk_ge_i32'],
};

const FLOAT_WORDS =
  words(`0x7f800000 0xff800000 0x7fc00001 0x7f800001 0x80000000 0x00000001 0x807fffff 0x3f800000 0x7f7fffff
  0x33800000 0x4b000000 0x4effffff 0x4f000000 0xcf000000 0x7c00fc00 0x7e013c00 0x0001bc00`);

/** How many of the registers, from the first, are written: fewer make smaller modules where everything stays live. */
export interface WrittenRegisters {
  readonly vgprs: number;
  readonly sgprs: number;
}
export const ALL_REGISTERS: WrittenRegisters = { vgprs: VGPRS, sgprs: SGPRS };

export class RandomInstructions {
  private readonly written: WrittenRegisters;
  readonly random: RandomSource;
  readonly target: Target;
  readonly waveSize: WaveSize;
  private constantsUsed = 0;

  constructor(random: RandomSource, target: Target, waveSize: WaveSize, written = ALL_REGISTERS) {
    this.written = written;
    this.random = random;
    this.target = target;
    this.waveSize = waveSize;
  }

  /** A wave mask register: a pair in wave64. */
  maskRegister(first: number): string {
    return this.waveSize === 64 ? `s[${first}:${first + 1}]` : `s${first}`;
  }

  get vcc(): string {
    return this.waveSize === 64 ? 'vcc' : 'vcc_lo';
  }

  get exec(): string {
    return this.waveSize === 64 ? 'exec' : 'exec_lo';
  }

  get mask(): string {
    return this.waveSize === 64 ? 'b64' : 'b32';
  }

  vgpr(): string {
    return `v${FIRST_VGPR + this.random.below(VGPRS)}`;
  }

  private static range(first: number, count: number): string {
    return count === 1 ? `v${first}` : `v[${first}:${first + count - 1}]`;
  }

  vgprs(count: number): string {
    return RandomInstructions.range(FIRST_VGPR + this.random.below(VGPRS - count + 1), count);
  }

  /** A destination of so many registers. */
  target32(count = 1): string {
    return RandomInstructions.range(FIRST_VGPR + this.random.below(this.written.vgprs - count + 1), count);
  }

  sgpr(): string {
    return this.random.chance(6)
      ? this.random.pick(['vcc_lo', 'vcc_hi', 'm0'])
      : `s${FIRST_SGPR + this.random.below(SGPRS)}`;
  }

  scalarTarget(): string {
    return this.random.chance(6)
      ? this.random.pick(['vcc_lo', 'vcc_hi', 'm0'])
      : `s${FIRST_SGPR + this.random.below(this.written.sgprs)}`;
  }

  private pairOf(count: number): string {
    if (this.random.chance(10)) return 'vcc';
    const first = FIRST_SGPR + 2 * this.random.below(count / 2);
    return `s[${first}:${first + 1}]`;
  }

  /** A wave mask among the registers that may change. */
  anyMask(): string {
    if (this.random.chance(40)) return this.vcc;
    return this.maskRegister(FIRST_SGPR + 2 * this.random.below(this.written.sgprs / 2));
  }

  inlineConstant(): string {
    const { random } = this;
    if (random.chance(75)) return String(random.between(-16, 64));
    return random.pick(['0.5', '-0.5', '1.0', '-1.0', '2.0', '-2.0', '4.0', '-4.0']);
  }

  private literal(): string {
    if (this.random.chance(40)) return this.random.pick(FLOAT_WORDS);
    return `0x${this.random.bits().toString(16)}`;
  }

  /** A scalar source. One literal and two scalar registers per vector instruction on gfx10. */
  scalarSource(): string {
    const { random } = this;
    const kind = random.below(10);
    if (kind < 6) return this.sgpr();
    if (kind < 9 || this.constantsUsed > 0) return this.inlineConstant();
    this.constantsUsed++;
    return this.literal();
  }

  private vectorSource(vectorPercent: number, literals: boolean): string {
    const { random } = this;
    if (random.chance(vectorPercent)) return this.vgpr();
    if (random.chance(50)) return `s${FIRST_SGPR + random.below(SGPRS)}`;
    if (!literals || this.constantsUsed > 0 || random.chance(60)) return this.inlineConstant();
    this.constantsUsed++;
    return this.literal();
  }

  private floatSource(): string {
    const { random } = this;
    let text = random.chance(80) ? this.vgpr() : this.inlineConstant();
    if (random.chance(20)) text = `|${text}|`;
    return random.chance(20) && !text.includes('-') ? `-${text}` : text;
  }

  private operandText(code: string): string {
    switch (code) {
      case 'd':
        return this.target32();
      case 'D':
        return this.target32(2);
      case 'v':
        return this.vgpr();
      case 'V':
        return this.vgprs(2);
      case 'a':
        return this.vectorSource(60, true);
      case 'c':
        // At most one scalar register in this instruction: the rest are vector registers and constants.
        return this.random.chance(75) ? this.vgpr() : this.inlineConstant();
      case 'f':
        return this.floatSource();
      case 's':
        return this.scalarTarget();
      case 'S':
        return this.pairOf(this.written.sgprs);
      case 'b':
        return this.scalarSource();
      case 'B':
        return this.random.chance(80) ? this.pairOf(SGPRS) : String(this.random.between(-16, 64));
      case 'm':
      case 'M':
        return this.anyMask();
      case 'k':
        return String(this.random.between(-32768, 32767));
      case 'unsigned':
        return String(this.random.below(65536));
      case 'vcc':
        return this.vcc;
      default:
        throw new Error(`operand ${code}`);
    }
  }

  private from(table: Table): string {
    const { random } = this;
    this.constantsUsed = 0;
    const signatures = Object.entries(table);
    const [signature, mnemonics] = random.weighted(signatures.map((entry) => [Math.sqrt(entry[1].length) * 10, entry]));
    const [operands, flags] = signature.split(' p');
    const text = `${random.pick(mnemonics)} ${operands!
      .split(', ')
      .map((code) => this.operandText(code))
      .join(', ')}`;
    if (flags === undefined) return text;
    return random.chance(40)
      ? `${text} op_sel:[${random.below(2)},${random.below(2)}] op_sel_hi:[${random.below(2)},${random.below(2)}]`
      : text;
  }

  compare(destination = this.anyMask()): string {
    const { random } = this;
    this.constantsUsed = 0;
    const type = random.weighted([
      [30, 'u32'],
      [30, 'i32'],
      [8, 'u16'],
      [8, 'i16'],
      [8, 'u64'],
      [8, 'i64'],
      [15, 'f32'],
      [5, 'f16'],
      [5, 'f64'],
    ] as const);
    const condition = random.pick(type.startsWith('f') ? FLOAT_CONDITIONS : CONDITIONS);
    const name = `v_cmp_${condition}_${type}`;
    if (type.endsWith('64')) return `${name}_e64 ${destination}, ${this.vgprs(2)}, ${this.vgprs(2)}`;
    if (destination === this.vcc && random.chance(50) && !type.endsWith('16'))
      return `${name} ${destination}, ${this.vectorSource(60, true)}, ${this.vgpr()}`;
    return `${name}_e64 ${destination}, ${this.operandText('c')}, ${this.vgpr()}`;
  }

  /** SDWA and DPP forms. */
  private form(): string {
    const { random } = this;
    const name = random.pick(words('v_add_nc_u32 v_sub_nc_u32 v_and_b32 v_xor_b32 v_max_i32 v_min_u32 v_lshlrev_b32'));
    const [d, a, b] = [this.target32(), this.vgpr(), this.vgpr()];
    const kind = random.below(3);
    if (kind === 0) {
      const select = (): string => random.pick(words('BYTE_0 BYTE_1 BYTE_2 BYTE_3 WORD_0 WORD_1 DWORD'));
      const unused = random.pick(words('UNUSED_PAD UNUSED_SEXT UNUSED_PRESERVE'));
      const extend = (v: string): string => (random.chance(30) ? `sext(${v})` : v);
      return `${name}_sdwa ${d}, ${extend(a)}, ${extend(b)} dst_sel:${select()} dst_unused:${unused} src0_sel:${select()} src1_sel:${select()}`;
    }
    if (kind === 1) {
      const lanes = Array.from({ length: 8 }, () => random.below(8));
      return `${name}_dpp ${d}, ${a}, ${b} dpp8:[${lanes.join()}]${random.chance(30) ? ' fi:1' : ''}`;
    }
    const control = random.pick([
      `quad_perm:[${random.below(4)},${random.below(4)},${random.below(4)},${random.below(4)}]`,
      `row_shl:${random.between(1, 15)}`,
      `row_shr:${random.between(1, 15)}`,
      `row_ror:${random.between(1, 15)}`,
      'row_mirror',
      'row_half_mirror',
      `row_share:${random.below(16)}`,
      `row_xmask:${random.below(16)}`,
    ]);
    const rows = random.chance(60) ? 15 : random.below(16);
    const banks = random.chance(60) ? 15 : random.below(16);
    const bound = random.chance(50) ? ' bound_ctrl:0' : '';
    const inactive = random.chance(30) ? ' fi:1' : '';
    if (random.chance(50))
      return `v_mov_b32_dpp ${d}, ${a} ${control} row_mask:${rows} bank_mask:${banks}${bound}${inactive}`;
    return `${name}_dpp ${d}, ${a}, ${b} ${control} row_mask:${rows} bank_mask:${banks}${bound}${inactive}`;
  }

  private lanes(): string {
    const { random } = this;
    const lane = random.chance(50) ? String(random.below(this.waveSize)) : `s${FIRST_SGPR + random.below(SGPRS)}`;
    switch (random.below(9)) {
      case 0:
      case 1:
        return `v_readlane_b32 ${this.scalarTarget()}, ${this.vgpr()}, ${lane}`;
      case 2:
        return `v_readfirstlane_b32 ${this.scalarTarget()}, ${this.vgpr()}`;
      case 3:
        return `v_writelane_b32 ${this.target32()}, ${random.chance(50) ? this.inlineConstant() : `s${FIRST_SGPR + random.below(SGPRS)}`}, ${random.below(this.waveSize)}`;
      case 4:
        return `ds_bpermute_b32 ${this.target32()}, ${this.vgpr()}, ${this.vgpr()}${random.chance(30) ? ` offset:${4 * random.below(64)}` : ''}\n  s_waitcnt lgkmcnt(0)`;
      case 5: {
        // One lane per target: a permutation of lanes.
        const [result, data] = [this.target32(), this.vgpr()];
        return `v_xor_b32 v2, ${random.below(this.waveSize)}, v1\n  v_lshlrev_b32 v2, 2, v2\n  ds_permute_b32 ${result}, v2, ${data}\n  s_waitcnt lgkmcnt(0)`;
      }
      case 6: {
        const pattern = random.chance(50) ? random.below(0x8000) : 0x8000 | random.below(256);
        return `ds_swizzle_b32 ${this.target32()}, ${this.vgpr()} offset:${pattern}\n  s_waitcnt lgkmcnt(0)`;
      }
      default: {
        const name = random.chance(50) ? 'v_permlane16_b32' : 'v_permlanex16_b32';
        const flags = random.chance(40) ? ` op_sel:[${random.below(2)},${random.below(2)}]` : '';
        return `${name} ${this.target32()}, ${this.vgpr()}, s${FIRST_SGPR + random.below(SGPRS)}, s${FIRST_SGPR + random.below(SGPRS)}${flags}`;
      }
    }
  }

  instruction(kind: InstructionClass): string {
    switch (kind) {
      case 'int':
        return this.from(INTEGER);
      case 'int16':
        return this.from(INTEGER_16);
      case 'float':
        return this.from(FLOAT);
      case 'compare':
        return this.compare();
      case 'scalar':
        return this.from(SCALAR);
      case 'lanes':
        return this.lanes();
      case 'forms':
        return this.form();
    }
  }
}
