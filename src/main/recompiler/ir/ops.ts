/**
 * The operations of the IR: the only authority about their operands, results, immediates and effects. Printer, parser,
 * verifier, passes, interpreter (tests) and SPIR-V emission derive from this table.
 *
 * `in`: one letter group per operand: `1` `32` `64` any uniformity, `s1` `s32` `s64` uniform only, `m` `v32` per lane or
 * uniform but meant per lane (same as 1, 32: kept for reading), `*` = zero or more further 32-bit operands (stored data).
 * `out`: width of the result, with `s` when it is always uniform, `v`/`m` when it is always per lane; a bare width is
 * per lane as soon as one operand is. `xN` = a tuple whose length is the `count` field.
 *
 * `effect`:
 *   pure      depends on operands only; may be merged, moved, dropped
 *   read      reads memory; may be dropped when unused (see `mayFault`), not moved over a write
 *   write     everything that must stay, in order (stores, atomics, barriers, faults)
 *   phi, const, terminator: as named
 * Cross-lane operations are pure: control flow is uniform and every operand is explicit, so they are functions of whole
 * vectors.
 *
 * Numbers: all integers are modular; shift amounts are taken modulo the width. f32/f64/f16 operations are IEEE with
 * round to nearest even unless `round` says otherwise, keep denormals (flushing is an explicit `fflush`), and return
 * quiet NaNs; see docs/float-arithmetic.md for NaN payloads and approximate operations. `native`: the device's own
 * operation, NaN results as it makes them.
 */
export type Effect = 'pure' | 'read' | 'write' | 'phi' | 'const' | 'terminator';

/** A field inside imm0 or imm1. `names` prints values as words; a one-bit field prints as its name when set. */
export interface ImmediateField {
  readonly name: string;
  readonly word: 0 | 1;
  readonly shift: number;
  readonly bits: number;
  readonly signed?: boolean;
  readonly names?: readonly string[];
}

export interface OpRow {
  readonly in: string;
  readonly out: string;
  readonly effect?: Effect;
  readonly commutative?: true;
  /** Lane sources of B6: per lane even when every operand is uniform. */
  readonly laneSource?: true;
  /** Reads guest memory, and records a fault where it may not: in deterministic code it stays without readers. */
  readonly mayFault?: true;
  readonly imm?: readonly ImmediateField[];
}

const field = (name: string, word: 0 | 1, shift: number, bits: number): ImmediateField => ({ name, word, shift, bits });

/** Rounding of MODE: 0 nearest even, 1 towards +∞, 2 towards −∞, 3 towards zero. */
export const ROUND_NAMES = ['rne', 'rtp', 'rtn', 'rtz'] as const;
const IEEE: readonly ImmediateField[] = [field('ieee', 0, 0, 1)];
const ROUND: readonly ImmediateField[] = [
  { name: 'round', word: 0, shift: 0, bits: 2, names: ROUND_NAMES },
  field('native', 0, 2, 1),
];
/** div.fixup: a result that underflows is flushed. */
export const DIV_FIXUP_FLUSH = 1 << 3;
const FIXUP: readonly ImmediateField[] = [...ROUND, field('flush', 0, 3, 1)];
const NATIVE: readonly ImmediateField[] = [field('native', 0, 2, 1)];

export const ATOMIC_KINDS = [
  'swap',
  'cmpswap',
  'add',
  'sub',
  'smin',
  'umin',
  'smax',
  'umax',
  'and',
  'or',
  'xor',
  'inc',
  'dec',
  'rsub',
  'fcmpswap',
  'fmin',
  'fmax',
  'csub',
  'mskor',
] as const;
export type AtomicKind = (typeof ATOMIC_KINDS)[number];

/** Why a fault was raised; words of the fault record. */
export const FAULT_REASONS = [
  'none',
  'unmapped-read',
  'unmapped-write',
  'trip-limit',
  'trap',
  'unexpected-target',
  'illegal',
  'unsupported',
  'misaligned',
  'assumption',
  'depth',
  'forbidden-read',
  'forbidden-write',
  'register-range',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];
/** A reason as it stands in IR and in fault records. */
export const FAULT = Object.fromEntries(FAULT_REASONS.map((reason, number) => [reason, number])) as Readonly<
  Record<FaultReason, number>
>;

/**
 * waveInDispatch: number of this wave among all waves of the dispatch, group by group: selects its part of scratch.
 * privateBase: gfx7, the address to which FLAT_SCRATCH_HI is relative.
 */
export const LAUNCH_WORDS = ['waveInDispatch', 'privateBaseLow', 'privateBaseHigh'] as const;

const OMOD: readonly ImmediateField[] = [
  { name: 'scale', word: 0, shift: 0, bits: 2, names: ['none', 'mul2', 'mul4', 'div2'] },
];

const OFFSET = { name: 'offset', word: 0, shift: 0, bits: 32, signed: true } as const;
const COUNT = field('count', 1, 0, 5);
const CACHE = [field('glc', 1, 5, 1), field('slc', 1, 6, 1), field('dlc', 1, 7, 1)] as const;
const ACCESS: readonly ImmediateField[] = [OFFSET, COUNT, ...CACHE];
const BUFFER: readonly ImmediateField[] = [...ACCESS, field('idxen', 1, 8, 1), field('offen', 1, 9, 1)];
const KIND: ImmediateField = { name: 'kind', word: 1, shift: 24, bits: 5, names: ATOMIC_KINDS };
const REASON: ImmediateField = { name: 'reason', word: 0, shift: 0, bits: 8, names: FAULT_REASONS };
/** Same field layout for atomics; `count` is 1. */
const ATOMIC: readonly ImmediateField[] = [...ACCESS, KIND];
const BUFFER_ATOMIC: readonly ImmediateField[] = [...BUFFER, KIND];
const DPP: readonly ImmediateField[] = [field('ctrl', 0, 0, 9)];

const pure2 = { in: '32 32', out: '32' } as const;
const pure2c = { in: '32 32', out: '32', commutative: true } as const;
const float1 = { in: '32', out: '32' } as const;
const float2 = { in: '32 32', out: '32', imm: ROUND } as const;
const float2c = { in: '32 32', out: '32', commutative: true, imm: ROUND } as const;
const float3 = { in: '32 32 32', out: '32', imm: ROUND } as const;
const compare32 = { in: '32 32', out: '1' } as const;
const compare32c = { in: '32 32', out: '1', commutative: true } as const;
const compare64 = { in: '64 64', out: '1' } as const;
const compare64c = { in: '64 64', out: '1', commutative: true } as const;
const double1 = { in: '64', out: '64' } as const;
const double2c = { in: '64 64', out: '64', commutative: true, imm: ROUND } as const;

export const OPS = {
  // ── structure ────────────────────────────────────────────────────────────────────────────────────────────────────
  /** Operand i belongs to predecessor i. imm0 = operand code of the register it stands for, −1 none, 253 SCC. */
  phi: { in: '', out: '', effect: 'phi', imm: [{ name: 'register', word: 0, shift: 0, bits: 32, signed: true }] },
  /** imm0, imm1 = low and high word; s1: 0 or 1. Unique per value, in the first block. */
  const: { in: '', out: '', effect: 'const' },
  /** One per type, in the first block. */
  undef: { in: '', out: '', effect: 'const' },
  /** Component `index` of a tuple. */
  extract: { in: 't', out: 'e', imm: [field('index', 0, 0, 5)] },
  jump: { in: '', out: '', effect: 'terminator' },
  /** operand true → imm0, else imm1. */
  branch: { in: 's1', out: '', effect: 'terminator' },
  /** imm0 = index into IrFunction.switches. */
  switch: { in: 's32', out: '', effect: 'terminator' },
  /** The wave ends. */
  end: { in: '', out: '', effect: 'terminator' },

  // ── 32-bit integers ──────────────────────────────────────────────────────────────────────────────────────────────
  'iadd.u32': pure2c,
  'isub.u32': pure2,
  'imul.u32': pure2c,
  'umulhi.u32': pure2c,
  'smulhi.i32': pure2c,
  /** Divisor 0 is undefined: only used with known divisors (ids of threads). */
  'udiv.u32': pure2,
  'umod.u32': pure2,
  'and.u32': pure2c,
  'or.u32': pure2c,
  'xor.u32': pure2c,
  'not.u32': float1,
  'shl.u32': pure2,
  'shr.u32': pure2,
  'sar.i32': pure2,
  /** value, offset, width, both modulo 32: (value >> offset) & ((1 << width) − 1). */
  'ubfe.u32': { in: '32 32 32', out: '32' },
  /** Like ubfe, sign-extended from bit width − 1; width 0 gives 0. */
  'sbfe.i32': { in: '32 32 32', out: '32' },
  /** mask, a, b: (mask & a) | (~mask & b). */
  'bitselect.u32': { in: '32 32 32', out: '32' },
  /** high, low, amount modulo 32: low word of (high:low) >> amount. */
  'funnel.u32': { in: '32 32 32', out: '32' },
  /** high, low, selector: v_perm_b32. */
  'perm.u32': { in: '32 32 32', out: '32' },
  'bitreverse.u32': float1,
  'popcount.u32': float1,
  /** Number of the lowest set bit, −1 when none. */
  'findlsb.u32': float1,
  /** Leading zeros, −1 when the value is 0 (ffbh_u32, flbit). */
  'clz.u32': float1,
  /** Leading bits equal to the sign bit, −1 when all are (ffbh_i32, flbit_i32). */
  'cls.i32': float1,
  'umin.u32': pure2c,
  'umax.u32': pure2c,
  'smin.i32': pure2c,
  'smax.i32': pure2c,
  'icmp.eq.u32': compare32c,
  'icmp.ne.u32': compare32c,
  'icmp.ult.u32': compare32,
  'icmp.ule.u32': compare32,
  'icmp.slt.i32': compare32,
  'icmp.sle.i32': compare32,

  // ── 64-bit integers ──────────────────────────────────────────────────────────────────────────────────────────────
  /** low, high. */
  'pack.64': { in: '32 32', out: '64' },
  'lo.64': { in: '64', out: '32' },
  'hi.64': { in: '64', out: '32' },
  'iadd.u64': { in: '64 64', out: '64', commutative: true },
  'isub.u64': { in: '64 64', out: '64' },
  'imul.u64': { in: '64 64', out: '64', commutative: true },
  /** 32 × 32 → 64. */
  'umulwide.u64': { in: '32 32', out: '64', commutative: true },
  'smulwide.i64': { in: '32 32', out: '64', commutative: true },
  'and.u64': { in: '64 64', out: '64', commutative: true },
  'or.u64': { in: '64 64', out: '64', commutative: true },
  'xor.u64': { in: '64 64', out: '64', commutative: true },
  'not.u64': double1,
  /** The amount is a 32-bit value modulo 64. */
  'shl.u64': { in: '64 32', out: '64' },
  'shr.u64': { in: '64 32', out: '64' },
  'sar.i64': { in: '64 32', out: '64' },
  'popcount.u64': { in: '64', out: '32' },
  'findlsb.u64': { in: '64', out: '32' },
  'clz.u64': { in: '64', out: '32' },
  'cls.i64': { in: '64', out: '32' },
  'icmp.eq.u64': compare64c,
  'icmp.ne.u64': compare64c,
  'icmp.ult.u64': compare64,
  'icmp.ule.u64': compare64,
  'icmp.slt.i64': compare64,
  'icmp.sle.i64': compare64,

  // ── booleans and selection ───────────────────────────────────────────────────────────────────────────────────────
  'and.1': { in: '1 1', out: '1', commutative: true },
  'or.1': { in: '1 1', out: '1', commutative: true },
  'xor.1': { in: '1 1', out: '1', commutative: true },
  'not.1': { in: '1', out: '1' },
  /** condition, when true, when false. */
  'select.1': { in: '1 1 1', out: '1' },
  'select.32': { in: '1 32 32', out: '32' },
  'select.64': { in: '1 64 64', out: '64' },

  // ── f32 ──────────────────────────────────────────────────────────────────────────────────────────────────────────
  'fadd.f32': float2c,
  'fsub.f32': float2,
  'fmul.f32': float2c,
  /** Fused: one rounding. */
  'ffma.f32': float3,
  /** (a · b + c) · 2^n, |n| ≤ 200, one rounding. */
  'ffma.scaled.f32': { in: '32 32 32 32', out: '32', imm: ROUND },
  /** Sign-bit operations: exact on every pattern, NaN too. */
  'fneg.f32': float1,
  'fabs.f32': float1,
  /** Denormals become zeros of the same sign. */
  'fflush.f32': float1,
  /** Signalling NaNs become quiet ones. */
  'fquiet.f32': float1,
  /** −0 < +0. A NaN gives the other operand as it is, two NaNs the second; with `ieee` a signalling NaN wins, made quiet. */
  'fmin.f32': { in: '32 32', out: '32', imm: IEEE },
  'fmax.f32': { in: '32 32', out: '32', imm: IEEE },
  /** To [0, 1]; NaN gives 0 when `dx10`, else stays. */
  'fsaturate.f32': { in: '32', out: '32', imm: [field('dx10', 0, 0, 1)] },
  /** Output modifier: ×2, ×4, ÷2; denormal results and −0 become +0. */
  'fomod.f32': { in: '32', out: '32', imm: OMOD },
  'fcmp.eq.f32': compare32c,
  'fcmp.lt.f32': compare32,
  'fcmp.le.f32': compare32,
  /** Ordered and different. */
  'fcmp.lg.f32': compare32c,
  'fcmp.ord.f32': compare32c,
  /** value, mask of the ten classes of v_cmp_class. */
  'fclass.f32': compare32,
  'ffloor.f32': float1,
  'fceil.f32': float1,
  'ftrunc.f32': float1,
  'frndne.f32': float1,
  /** x − floor(x), below 1. */
  'ffract.f32': { in: '32', out: '32', imm: ROUND },
  /** Correctly rounded to nearest even; denormals as they are. */
  'frcp.f32': float1,
  'frsq.f32': float1,
  'fsqrt.f32': { in: '32', out: '32', imm: NATIVE },
  'fdiv.f32': float2,
  /** Approximations of docs/float-arithmetic.md; they flush denormals. */
  'fexp2.f32': float1,
  'flog2.f32': float1,
  /** Argument in turns: sin(2π·x). */
  'fsin.f32': float1,
  'fcos.f32': float1,
  /** x · 2^n, one rounding. */
  'fldexp.f32': float2,
  'ffrexp.mant.f32': float1,
  'ffrexp.exp.f32': float1,
  /** quotient, denominator, numerator: special cases of a division put right. */
  'div.fixup.f32': { in: '32 32 32', out: '32', imm: FIXUP },
  /** value, denominator, numerator: the scaled value, and whether div_fmas has to undo a scale. */
  'div.scale.f32': float3,
  'div.scale.flag.f32': { in: '32 32 32', out: '1' },

  // ── f64 ──────────────────────────────────────────────────────────────────────────────────────────────────────────
  'fadd.f64': double2c,
  'fmul.f64': double2c,
  'ffma.scaled.f64': { in: '64 64 64 32', out: '64', imm: ROUND },
  'ffma.f64': { in: '64 64 64', out: '64', imm: ROUND },
  'fneg.f64': double1,
  'fabs.f64': double1,
  'fflush.f64': double1,
  'fquiet.f64': double1,
  'fmin.f64': { in: '64 64', out: '64', imm: IEEE },
  'fmax.f64': { in: '64 64', out: '64', imm: IEEE },
  'fsaturate.f64': { in: '64', out: '64', imm: [field('dx10', 0, 0, 1)] },
  'fomod.f64': { in: '64', out: '64', imm: OMOD },
  'fcmp.eq.f64': compare64c,
  'fcmp.lt.f64': compare64,
  'fcmp.le.f64': compare64,
  'fcmp.lg.f64': compare64c,
  'fcmp.ord.f64': compare64c,
  'fclass.f64': { in: '64 32', out: '1' },
  'ffloor.f64': double1,
  'fceil.f64': double1,
  'ftrunc.f64': double1,
  'frndne.f64': double1,
  'ffract.f64': { in: '64', out: '64', imm: ROUND },
  'frcp.f64': double1,
  'frsq.f64': double1,
  'fsqrt.f64': { in: '64', out: '64', imm: NATIVE },
  'fdiv.f64': { in: '64 64', out: '64', imm: ROUND },
  'fldexp.f64': { in: '64 32', out: '64', imm: ROUND },
  'ffrexp.mant.f64': double1,
  'ffrexp.exp.f64': { in: '64', out: '32' },
  'div.fixup.f64': { in: '64 64 64', out: '64', imm: FIXUP },
  'div.scale.f64': { in: '64 64 64', out: '64', imm: ROUND },
  'div.scale.flag.f64': { in: '64 64 64', out: '1' },

  // ── f16: in the low half; results have zeros above ───────────────────────────────────────────────────────────────
  'fadd.f16': float2c,
  'fmul.f16': float2c,
  'ffma.f16': float3,
  'fneg.f16': float1,
  'fabs.f16': float1,
  'fflush.f16': float1,
  'fquiet.f16': float1,
  'fmin.f16': { in: '32 32', out: '32', imm: IEEE },
  'fmax.f16': { in: '32 32', out: '32', imm: IEEE },
  'fsaturate.f16': { in: '32', out: '32', imm: [field('dx10', 0, 0, 1)] },
  'fomod.f16': { in: '32', out: '32', imm: OMOD },
  'fcmp.eq.f16': compare32c,
  'fcmp.lt.f16': compare32,
  'fcmp.le.f16': compare32,
  'fcmp.lg.f16': compare32c,
  'fcmp.ord.f16': compare32c,
  'fclass.f16': compare32,
  'ffloor.f16': float1,
  'fceil.f16': float1,
  'ftrunc.f16': float1,
  'frndne.f16': float1,
  'ffract.f16': { in: '32', out: '32', imm: ROUND },
  'fldexp.f16': float2,
  'ffrexp.mant.f16': float1,
  'ffrexp.exp.f16': float1,
  'div.fixup.f16': { in: '32 32 32', out: '32', imm: FIXUP },

  // ── conversions: result.source. Float to integer truncates, saturates, and gives 0 for NaN ───────────────────────
  'cvt.f32.u32': { in: '32', out: '32', imm: ROUND },
  'cvt.f32.i32': { in: '32', out: '32', imm: ROUND },
  'cvt.u32.f32': float1,
  'cvt.i32.f32': float1,
  'cvt.f16.f32': { in: '32', out: '32', imm: ROUND },
  'cvt.f32.f16': float1,
  'cvt.f64.f32': { in: '32', out: '64' },
  'cvt.f32.f64': { in: '64', out: '32', imm: ROUND },
  'cvt.f64.u32': { in: '32', out: '64' },
  'cvt.f64.i32': { in: '32', out: '64' },
  'cvt.u32.f64': { in: '64', out: '32' },
  'cvt.i32.f64': { in: '64', out: '32' },
  'cvt.f16.u16': { in: '32', out: '32', imm: ROUND },
  'cvt.f16.i16': { in: '32', out: '32', imm: ROUND },
  'cvt.u16.f16': float1,
  'cvt.i16.f16': float1,

  // ── lanes ────────────────────────────────────────────────────────────────────────────────────────────────────────
  /** 0 … wave size − 1. */
  'lane.id': { in: '', out: 'v32', laneSource: true },
  /** One bit per lane → the mask; bits above the wave size do not exist. */
  'ballot.32': { in: '1', out: 's32' },
  'ballot.64': { in: '1', out: 's64' },
  'inverse.ballot.32': { in: 's32', out: 'm', laneSource: true },
  'inverse.ballot.64': { in: 's64', out: 'm', laneSource: true },
  /** True when it is true for some lane. */
  any: { in: '1', out: 's1' },
  /** value, lane modulo wave size. */
  'readlane.32': { in: '32 s32', out: 's32' },
  /** value, active mask: the lowest active lane; lane 0 when none is. */
  'readfirstlane.32': { in: '32 1', out: 's32' },
  /** old, value, lane modulo wave size. */
  'writelane.32': { in: '32 s32 s32', out: 'v32', laneSource: true },
  /** value, lane: each lane reads the value of lane `lane` modulo wave size. */
  'shuffle.32': { in: '32 32', out: 'v32', laneSource: true },
  /** value, lane, active: lane `lane` receives the value of the highest-numbered active lane that names it; 0 when none. */
  'scatter.32': { in: '32 32 1', out: 'v32', laneSource: true },
  /** Static pattern of DPP16 (`ctrl` as encoded); a lane without a source reads itself. */
  'dpp.32': { in: '32', out: 'v32', laneSource: true, imm: DPP },
  'dpp.1': { in: '1', out: 'm', laneSource: true, imm: DPP },
  /** `select`: 8 × 3 bits, lane within each group of 8. */
  'dpp8.32': { in: '32', out: 'v32', laneSource: true, imm: [field('select', 0, 0, 24)] },
  'dpp8.1': { in: '1', out: 'm', laneSource: true, imm: [field('select', 0, 0, 24)] },
  /** ds_swizzle within 32 lanes: `pattern` as encoded in the offset field. */
  'swizzle.32': { in: '32', out: 'v32', laneSource: true, imm: [field('pattern', 0, 0, 16)] },
  'swizzle.1': { in: '1', out: 'm', laneSource: true, imm: [field('pattern', 0, 0, 16)] },
  /** value, select low, select high: v_permlane16_b32; `cross` v_permlanex16_b32. */
  'permlane16.32': { in: '32 s32 s32', out: 'v32', laneSource: true, imm: [field('cross', 0, 0, 1)] },
  'permlane16.1': { in: '1 s32 s32', out: 'm', laneSource: true, imm: [field('cross', 0, 0, 1)] },
  /** mask, addend: addend + number of mask bits below this lane, lanes 0…31 / 32…63. */
  'mbcnt.lo': { in: '32 32', out: 'v32', laneSource: true },
  'mbcnt.hi': { in: '32 32', out: 'v32', laneSource: true },

  // ── where am I ───────────────────────────────────────────────────────────────────────────────────────────────────
  /** VGPR `index` as the launcher gave it for each thread (snippets); see LoweringOptions.given. */
  'initial.vgpr': { in: '', out: 'v32', laneSource: true, imm: [field('index', 0, 0, 8)] },
  /** Thread id within the group; dim 0…2. */
  'local.id': { in: '', out: 'v32', laneSource: true, imm: [field('dim', 0, 0, 2)] },
  'workgroup.id': { in: '', out: 's32', imm: [field('dim', 0, 0, 2)] },
  /** Number of this wave within its group. */
  'wave.id': { in: '', out: 's32' },
  /** Threads of this group per dimension: smaller in partial groups. */
  'group.size': { in: '', out: 's32', imm: [field('dim', 0, 0, 2)] },
  /** User SGPR `index`. */
  'user.data': { in: '', out: 's32', imm: [field('index', 0, 0, 8)] },
  /** What the launcher knows and the hardware would keep in its own registers. */
  'launch.word': { in: '', out: 's32', imm: [{ name: 'word', word: 0, shift: 0, bits: 8, names: LAUNCH_WORDS }] },
  clock: { in: '', out: 's64', effect: 'write' },

  // ── guest memory: 64-bit guest addresses, bits 63:48 ignored; a fault yields 0 and is recorded. Loads and atomics
  //    give 0 in lanes outside the mask (LDS too) ─────────────────────────────────────────────────────────────────────
  /** Address is 4-aligned by the operation; count dwords. */
  'scalar.load': { in: 's64', out: 's32xN', effect: 'read', mayFault: true, imm: ACCESS },
  /** address, condition: 0 without a memory access when the condition is false. */
  'scalar.load.if': { in: 's64 s1', out: 's32xN', effect: 'read', mayFault: true, imm: ACCESS },
  /** d0 d1 d2 d3, byte offset: out of bounds dwords are 0. Replaced by expandBufferAccess. */
  'scalar.buffer.load': { in: 's32 s32 s32 s32 s32', out: 's32xN', effect: 'read', mayFault: true, imm: ACCESS },
  /** address, mask. */
  'global.load.u8': { in: '64 1', out: 'v32xN', effect: 'read', mayFault: true, laneSource: true, imm: ACCESS },
  'global.load.i8': { in: '64 1', out: 'v32xN', effect: 'read', mayFault: true, laneSource: true, imm: ACCESS },
  'global.load.u16': { in: '64 1', out: 'v32xN', effect: 'read', mayFault: true, laneSource: true, imm: ACCESS },
  'global.load.i16': { in: '64 1', out: 'v32xN', effect: 'read', mayFault: true, laneSource: true, imm: ACCESS },
  'global.load.u32': { in: '64 1', out: 'v32xN', effect: 'read', mayFault: true, laneSource: true, imm: ACCESS },
  /** address, mask, data… */
  'global.store.u8': { in: '64 1 *', out: '', effect: 'write', imm: ACCESS },
  'global.store.u16': { in: '64 1 *', out: '', effect: 'write', imm: ACCESS },
  'global.store.u32': { in: '64 1 *', out: '', effect: 'write', imm: ACCESS },
  /** address, mask, data, comparand (read by cmpswap kinds only): the old value. */
  'global.atomic.32': { in: '64 1 32 32', out: 'v32', effect: 'write', laneSource: true, imm: ATOMIC },
  'global.atomic.64': { in: '64 1 64 64', out: 'v64', effect: 'write', laneSource: true, imm: ATOMIC },

  // ── buffers: d0 d1 d2 d3, index, vector offset, scalar offset, mask. Replaced by expandBufferAccess ──────────────
  'buffer.load.u8': {
    in: 's32 s32 s32 s32 32 32 s32 1',
    out: 'v32xN',
    effect: 'read',
    mayFault: true,
    laneSource: true,
    imm: BUFFER,
  },
  'buffer.load.i8': {
    in: 's32 s32 s32 s32 32 32 s32 1',
    out: 'v32xN',
    effect: 'read',
    mayFault: true,
    laneSource: true,
    imm: BUFFER,
  },
  'buffer.load.u16': {
    in: 's32 s32 s32 s32 32 32 s32 1',
    out: 'v32xN',
    effect: 'read',
    mayFault: true,
    laneSource: true,
    imm: BUFFER,
  },
  'buffer.load.i16': {
    in: 's32 s32 s32 s32 32 32 s32 1',
    out: 'v32xN',
    effect: 'read',
    mayFault: true,
    laneSource: true,
    imm: BUFFER,
  },
  'buffer.load.u32': {
    in: 's32 s32 s32 s32 32 32 s32 1',
    out: 'v32xN',
    effect: 'read',
    mayFault: true,
    laneSource: true,
    imm: BUFFER,
  },
  'buffer.store.u8': { in: 's32 s32 s32 s32 32 32 s32 1 *', out: '', effect: 'write', imm: BUFFER },
  'buffer.store.u16': { in: 's32 s32 s32 s32 32 32 s32 1 *', out: '', effect: 'write', imm: BUFFER },
  'buffer.store.u32': { in: 's32 s32 s32 s32 32 32 s32 1 *', out: '', effect: 'write', imm: BUFFER },
  'buffer.atomic.32': {
    in: 's32 s32 s32 s32 32 32 s32 1 32 32',
    out: 'v32',
    effect: 'write',
    laneSource: true,
    imm: BUFFER_ATOMIC,
  },
  'buffer.atomic.64': {
    in: 's32 s32 s32 s32 32 32 s32 1 64 64',
    out: 'v64',
    effect: 'write',
    laneSource: true,
    imm: BUFFER_ATOMIC,
  },

  // ── LDS: byte address, mask. Outside the allocation loads give 0 and stores are dropped ──────────────────────────
  'lds.load.u8': { in: '32 1', out: 'v32xN', effect: 'read', laneSource: true, imm: ACCESS },
  'lds.load.i8': { in: '32 1', out: 'v32xN', effect: 'read', laneSource: true, imm: ACCESS },
  'lds.load.u16': { in: '32 1', out: 'v32xN', effect: 'read', laneSource: true, imm: ACCESS },
  'lds.load.i16': { in: '32 1', out: 'v32xN', effect: 'read', laneSource: true, imm: ACCESS },
  'lds.load.u32': { in: '32 1', out: 'v32xN', effect: 'read', laneSource: true, imm: ACCESS },
  'lds.store.u8': { in: '32 1 *', out: '', effect: 'write', imm: ACCESS },
  'lds.store.u16': { in: '32 1 *', out: '', effect: 'write', imm: ACCESS },
  'lds.store.u32': { in: '32 1 *', out: '', effect: 'write', imm: ACCESS },
  'lds.atomic.32': { in: '32 1 32 32', out: 'v32', effect: 'write', laneSource: true, imm: ATOMIC },
  'lds.atomic.64': { in: '32 1 64 64', out: 'v64', effect: 'write', laneSource: true, imm: ATOMIC },

  // ── order and failure ────────────────────────────────────────────────────────────────────────────────────────────
  /** s_barrier: all waves of the group that have not ended. */
  barrier: { in: '', out: '', effect: 'write' },
  /** Phase form only, made by structuring. This wave has ended: whether some wave of the group has not; a barrier. */
  'barrier.phase': { in: 's1', out: 's1', effect: 'write' },
  /** Phase form only. Counts a turn of a loop: whether there were too many, which is then a recorded fault. */
  'trip.check': { in: '', out: 's1', effect: 'write' },
  /** Lanes of this wave see each other's LDS (or, `global`, memory) accesses before it. */
  'wave.fence': { in: '', out: '', effect: 'write', imm: [field('global', 0, 0, 1)] },
  /** Stores of this wave become visible to, and those of others are seen by, the device (cache invalidates, waits). */
  'memory.fence': { in: '', out: '', effect: 'write' },
  /** When the condition holds for a lane: record a fault with `reason`; the wave goes on. */
  fault: { in: '1', out: '', effect: 'write', imm: [REASON] },
  /** actual, expected: a fault with `reason` and the actual value when they differ, and the wave ends. */
  'check.equal.32': { in: 's32 s32', out: '', effect: 'write', imm: [REASON] },
  'check.equal.64': { in: 's64 s64', out: '', effect: 'write', imm: [REASON] },
  /** Debug tap: stores a value for every lane of the mask into slot `slot` of the tap buffer. */
  'tap.32': { in: '32 1', out: '', effect: 'write', imm: [field('slot', 0, 0, 16)] },
} as const satisfies Record<string, OpRow>;

export type OpName = keyof typeof OPS;

/** Dense numbers, in table order. */
export const OP_NAMES = Object.keys(OPS) as OpName[];
export type Op = number & { readonly __brand: 'IrOp' };

export const OP = Object.fromEntries(OP_NAMES.map((name, index) => [name, index])) as Readonly<Record<OpName, Op>>;

export function opRow(op: Op): OpRow {
  return OPS[OP_NAMES[op]!];
}

export const EFFECTS: readonly Effect[] = OP_NAMES.map((name) => (OPS[name] as OpRow).effect ?? 'pure');
const IS_PURE = Uint8Array.from(EFFECTS, (e) => (e === 'pure' ? 1 : 0));
const IS_LANE_SOURCE = Uint8Array.from(OP_NAMES, (name) => ((OPS[name] as OpRow).laneSource ? 1 : 0));
const IS_COMMUTATIVE = Uint8Array.from(OP_NAMES, (name) => ((OPS[name] as OpRow).commutative ? 1 : 0));
/** May be deleted when nobody reads it. */
const IS_REMOVABLE = Uint8Array.from(EFFECTS, (e) => (e === 'write' || e === 'terminator' ? 0 : 1));
const MAY_FAULT = Uint8Array.from(OP_NAMES, (name) => ((OPS[name] as OpRow).mayFault ? 1 : 0));

export function isPure(op: Op): boolean {
  return IS_PURE[op] === 1;
}
export function isLaneSource(op: Op): boolean {
  return IS_LANE_SOURCE[op] === 1;
}
export function isCommutative(op: Op): boolean {
  return IS_COMMUTATIVE[op] === 1;
}
export function isRemovable(op: Op): boolean {
  return IS_REMOVABLE[op] === 1;
}
/** Without readers it may still record a fault. */
export function mayFault(op: Op): boolean {
  return MAY_FAULT[op] === 1;
}
export function isTerminator(op: Op): boolean {
  return EFFECTS[op] === 'terminator';
}

export function fieldValue(f: ImmediateField, imm0: number, imm1: number): number {
  const word = f.word === 0 ? imm0 : imm1;
  if (f.bits === 32) return f.signed ? word | 0 : word >>> 0;
  return (word >>> f.shift) & ((1 << f.bits) - 1);
}

/** imm1 of memory operations. */
export function accessBits(count: number, glc = false, slc = false, dlc = false): number {
  return count | (glc ? 1 << 5 : 0) | (slc ? 1 << 6 : 0) | (dlc ? 1 << 7 : 0);
}
export const ACCESS_COUNT_MASK = 31;
export const ACCESS_GLC = 1 << 5;
export const ACCESS_SLC = 1 << 6;
export const ACCESS_DLC = 1 << 7;
export const BUFFER_IDXEN = 1 << 8;
export const BUFFER_OFFEN = 1 << 9;
export const ATOMIC_KIND_SHIFT = 24;
