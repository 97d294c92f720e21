/**
 * What integer vector instructions, moves, lane exchanges and packed integers do, per lane, in a sentence each.
 *
 * D, S0, S1, S2 are the lane's operands; "the mask" is the lane's bit in VCC or in the SGPR pair that the text names.
 * A key without its type suffix stands for all of that operation. Source: ISA manuals of GCN 2 and RDNA 2, in our words.
 */
const MOVES: Readonly<Record<string, string>> = {
  v_mov_b32: 'D = S0.',
  v_movrels_b32: 'D = the VGPR that lies M0 places after S0.',
  v_movreld_b32: 'The VGPR that lies M0 places after D = S0.',
  v_movrelsd_b32: 'The VGPR M0 places after D = the VGPR M0 places after S0.',
  v_movrelsd_2_b32: 'The VGPR M0[25:16] places after D = the VGPR M0[9:0] places after S0.',
  v_swap_b32: 'D and S0 exchange their values.',
  v_swaprel_b32: 'The VGPR M0[25:16] places after D and the VGPR M0[9:0] places after S0 exchange their values.',
  v_cndmask_b32: 'D = S1 where the mask is set, else S0.',
  v_not_b32: 'D = ~S0.',
  v_bfrev_b32: 'D = the bits of S0 in reverse order.',
  v_ffbh_u32: 'D = how many 0 bits are above the highest 1 bit of S0, −1 if S0 = 0.',
  v_ffbh_i32: 'D = how many bits from the top of S0 are equal to its sign, −1 if all are.',
  v_ffbl_b32: 'D = position of the lowest 1 bit of S0, −1 if S0 = 0.',
  v_perm_b32:
    'Each byte of D is picked by a byte of S2 from the eight bytes S1 (0–3) and S0 (4–7); 8–11 give a sign, 12 gives 0, more gives 0xff.',
};

const SHIFTS: Readonly<Record<string, string>> = {
  v_lshl_b32: 'D = S0 << S1[4:0].',
  v_lshr_b32: 'D = S0 >> S1[4:0], filled with 0.',
  v_ashr_i32: 'D = S0 >> S1[4:0], filled with the sign.',
  v_lshl_b64: 'D = S0 << S1[5:0], 64 bits.',
  v_lshr_b64: 'D = S0 >> S1[5:0], 64 bits, filled with 0.',
  v_ashr_i64: 'D = S0 >> S1[5:0], 64 bits, filled with the sign.',
  v_lshlrev_b32: 'D = S1 << S0[4:0].',
  v_lshrrev_b32: 'D = S1 >> S0[4:0], filled with 0.',
  v_ashrrev_i32: 'D = S1 >> S0[4:0], filled with the sign.',
  v_lshlrev_b16: 'D = S1 << S0[3:0], 16 bits.',
  v_lshrrev_b16: 'D = S1 >> S0[3:0], 16 bits, filled with 0.',
  v_ashrrev_i16: 'D = S1 >> S0[3:0], 16 bits, filled with the sign.',
  v_lshlrev_b64: 'D = S1 << S0[5:0], 64 bits.',
  v_lshrrev_b64: 'D = S1 >> S0[5:0], 64 bits, filled with 0.',
  v_ashrrev_i64: 'D = S1 >> S0[5:0], 64 bits, filled with the sign.',
  v_alignbit_b32: 'D = low 32 bits of the 64-bit value {S0, S1} >> S2[4:0].',
  v_alignbyte_b32: 'D = low 32 bits of the 64-bit value {S0, S1} >> (8 × S2[1:0]).',
  v_bfe_u32: 'D = S2[4:0] bits of S0 from bit S1[4:0] on, zero-extended.',
  v_bfe_i32: 'D = S2[4:0] bits of S0 from bit S1[4:0] on, sign-extended.',
  v_bfi_b32: 'D = bits of S1 where S0 is 1, bits of S2 where S0 is 0.',
  v_bfm_b32: 'D = a mask of S0[4:0] ones that starts at bit S1[4:0].',
};

const LOGIC: Readonly<Record<string, string>> = {
  v_and_b32: 'D = S0 & S1.',
  v_or_b32: 'D = S0 | S1.',
  v_xor_b32: 'D = S0 ^ S1.',
  v_xnor_b32: 'D = ~(S0 ^ S1).',
  v_xor3_b32: 'D = S0 ^ S1 ^ S2.',
  v_or3_b32: 'D = S0 | S1 | S2.',
  v_and_or_b32: 'D = (S0 & S1) | S2.',
  v_lshl_or_b32: 'D = (S0 << S1[4:0]) | S2.',
  v_bcnt_u32_b32: 'D = how many bits of S0 are 1, plus S1.',
};

const ADDITIONS: Readonly<Record<string, string>> = {
  v_add_nc_u32: 'D = S0 + S1; with clamp it stops at 2³² − 1.',
  v_sub_nc_u32: 'D = S0 − S1; with clamp it stops at 0.',
  v_subrev_nc_u32: 'D = S1 − S0; with clamp it stops at 0.',
  v_add_nc_i32: 'D = S0 + S1; with clamp it stops at the ends of the signed range.',
  v_sub_nc_i32: 'D = S0 − S1; with clamp it stops at the ends of the signed range.',
  v_add_i32: 'D = S0 + S1; the mask gets the carry of the lane.',
  v_sub_i32: 'D = S0 − S1; the mask gets the borrow of the lane.',
  v_subrev_i32: 'D = S1 − S0; the mask gets the borrow of the lane.',
  v_add_co_u32: 'D = S0 + S1; the mask gets the carry of the lane.',
  v_sub_co_u32: 'D = S0 − S1; the mask gets the borrow of the lane.',
  v_subrev_co_u32: 'D = S1 − S0; the mask gets the borrow of the lane.',
  v_add_co_ci_u32: 'D = S0 + S1 + the lane’s carry from the mask; the mask gets the new carry.',
  v_sub_co_ci_u32: 'D = S0 − S1 − the lane’s borrow from the mask; the mask gets the new borrow.',
  v_subrev_co_ci_u32: 'D = S1 − S0 − the lane’s borrow from the mask; the mask gets the new borrow.',
  v_addc_u32: 'D = S0 + S1 + the lane’s carry from the mask; the mask gets the new carry.',
  v_subb_u32: 'D = S0 − S1 − the lane’s borrow from the mask; the mask gets the new borrow.',
  v_subbrev_u32: 'D = S1 − S0 − the lane’s borrow from the mask; the mask gets the new borrow.',
  v_add_nc_u16: 'D = S0 + S1, 16 bits; with clamp it stops at 65,535.',
  v_sub_nc_u16: 'D = S0 − S1, 16 bits; with clamp it stops at 0.',
  v_add_nc_i16: 'D = S0 + S1, 16 bits; with clamp it stops at the ends of the signed range.',
  v_sub_nc_i16: 'D = S0 − S1, 16 bits; with clamp it stops at the ends of the signed range.',
  v_add3_u32: 'D = S0 + S1 + S2.',
  v_lshl_add_u32: 'D = (S0 << S1[4:0]) + S2.',
  v_add_lshl_u32: 'D = (S0 + S1) << S2[4:0].',
  v_xad_u32: 'D = (S0 ^ S1) + S2.',
  v_lerp_u8: 'For each byte, D = (S0 + S1 + the lowest bit of S2’s byte) >> 1.',
};

const PRODUCTS: Readonly<Record<string, string>> = {
  v_mul_i32_i24: 'D = S0[23:0] × S1[23:0], signed, low 32 bits.',
  v_mul_u32_u24: 'D = S0[23:0] × S1[23:0], unsigned, low 32 bits.',
  v_mul_hi_i32_i24: 'D = S0[23:0] × S1[23:0], signed, bits above the low 32.',
  v_mul_hi_u32_u24: 'D = S0[23:0] × S1[23:0], unsigned, bits above the low 32.',
  v_mul_lo_u32: 'D = S0 × S1, low 32 bits.',
  v_mul_lo_i32: 'D = S0 × S1, low 32 bits (the same for signed values).',
  v_mul_hi_u32: 'D = S0 × S1, high 32 bits, unsigned.',
  v_mul_hi_i32: 'D = S0 × S1, high 32 bits, signed.',
  v_mul_lo_u16: 'D = S0 × S1, low 16 bits.',
  v_mad_i32_i24: 'D = S0[23:0] × S1[23:0] + S2, signed.',
  v_mad_u32_u24: 'D = S0[23:0] × S1[23:0] + S2, unsigned.',
  v_mad_u16: 'D = S0 × S1 + S2, 16 bits, unsigned.',
  v_mad_i16: 'D = S0 × S1 + S2, 16 bits, signed.',
  v_mad_u32_u16: 'D = S0[15:0] × S1[15:0] + S2, 32 bits, unsigned.',
  v_mad_i32_i16: 'D = S0[15:0] × S1[15:0] + S2, 32 bits, signed.',
  v_mad_u64_u32: 'D = S0 × S1 + the 64-bit S2, unsigned; the mask gets the carry of the lane.',
  v_mad_i64_i32: 'D = S0 × S1 + the 64-bit S2, signed; the mask gets the sign of the 65-bit sum.',
};

const DISTANCES: Readonly<Record<string, string>> = {
  v_sad_u8: 'D = S2 + the sum of |S0 − S1| over the four bytes.',
  v_sad_hi_u8: 'D = S2 + (the sum of |S0 − S1| over the four bytes << 16).',
  v_sad_u16: 'D = S2 + the sum of |S0 − S1| over the two halves.',
  v_sad_u32: 'D = S2 + |S0 − S1|, unsigned.',
  v_msad_u8: 'D = S2 + the sum of |S0 − S1| over the bytes that are not 0 in S1.',
  v_qsad_pk_u16_u8:
    'Four sums of byte distances between S1 and four bytes of the 64-bit S0, from byte 0, 1, 2 and 3 on, each added to a half of S2.',
  v_mqsad_pk_u16_u8:
    'Four sums of byte distances between S1 and four bytes of the 64-bit S0, from byte 0 to 3 on, without bytes that are 0 in S1; each added to a half of S2.',
  v_mqsad_u32_u8:
    'Four sums of byte distances between S1 and four bytes of the 64-bit S0, from byte 0 to 3 on, without bytes that are 0 in S1; each added to a dword of S2.',
};

function extremes(): Record<string, string> {
  const out: Record<string, string> = {};
  const types = [
    ['i32', 'signed'],
    ['u32', 'unsigned'],
    ['i16', '16 bits, signed'],
    ['u16', '16 bits, unsigned'],
  ] as const;
  for (const [type, how] of types) {
    out[`v_min_${type}`] = `D = the smaller of S0 and S1, ${how}.`;
    out[`v_max_${type}`] = `D = the larger of S0 and S1, ${how}.`;
    out[`v_min3_${type}`] = `D = the smallest of S0, S1 and S2, ${how}.`;
    out[`v_max3_${type}`] = `D = the largest of S0, S1 and S2, ${how}.`;
    out[`v_med3_${type}`] = `D = the middle one of S0, S1 and S2, ${how}.`;
  }
  return out;
}

const LANES: Readonly<Record<string, string>> = {
  v_readfirstlane_b32: 'D, an SGPR, = S0 of the lowest active lane; of lane 0 if none is active.',
  v_readlane_b32: 'D, an SGPR, = S0 of the lane that S1 names, active or not.',
  v_writelane_b32: 'D of the lane that S1 names = S0, active or not; other lanes stay.',
  v_mbcnt_lo_u32_b32: 'D = S1 + how many bits of S0 are set for lanes below this one, counting lanes 0–31.',
  v_mbcnt_hi_u32_b32: 'D = S1 + how many bits of S0 are set for lanes below this one, counting lanes 32–63.',
  v_permlane16_b32: 'D = S0 of another lane of the same 16; four bits for each lane in {S2, S1} name it.',
  v_permlanex16_b32: 'D = S0 of a lane of the other 16 of the 32; four bits for each lane in {S2, S1} name it.',
  ds_swizzle_b32:
    'D = S0 of another lane of the same 32 (or 4), by the pattern in the offset; inactive lanes give 0. LDS is not touched.',
  ds_permute_b32:
    'Sends the data to the lane whose number × 4 is in the address; lanes that get nothing get 0. LDS is not touched.',
  ds_bpermute_b32:
    'Fetches the data of the lane whose number × 4 is in the address; inactive lanes give 0. LDS is not touched.',
};

export const VECTOR_INTEGER_SUMMARIES: Readonly<Record<string, string>> = {
  ...MOVES,
  ...SHIFTS,
  ...LOGIC,
  ...ADDITIONS,
  ...PRODUCTS,
  ...DISTANCES,
  ...extremes(),
  ...LANES,
};
