/**
 * Register names of each generation → operand codes. Tuples `v[4:7]`, `s5`, `ttmp[2:3]` are parsed by operand.ts; the
 * words with a fixed meaning (`vcc_lo`, `src_shared_base`, `null`, …) are here.
 *
 * `dwords` 0 means that the name fits 32-bit and 64-bit operands alike (apertures, scc, null).
 * Source: AMD ISA manuals, "scalar source operands"; names as llvm-mc accepts them.
 */
import type { Target } from '../../base/dispatch.ts';
import { OPERAND } from '../operands.ts';

export interface NamedRegister {
  readonly code: number;
  readonly dwords: number;
  /** May be written as a scalar destination. */
  readonly writable: boolean;
}

export interface RegisterFile {
  /** General SGPRs: s0 … s(count−1). */
  readonly sgprCount: number;
  readonly ttmpBase: number;
  readonly ttmpCount: number;
  readonly named: ReadonlyMap<string, NamedRegister>;
}

type Entry = readonly [name: string, code: number, dwords: number, writable?: boolean];

const COMMON: readonly Entry[] = [
  ['vcc', OPERAND.VCC_LO, 2, true],
  ['vcc_lo', OPERAND.VCC_LO, 1, true],
  ['vcc_hi', OPERAND.VCC_HI, 1, true],
  ['exec', OPERAND.EXEC_LO, 2, true],
  ['exec_lo', OPERAND.EXEC_LO, 1, true],
  ['exec_hi', OPERAND.EXEC_HI, 1, true],
  ['m0', OPERAND.M0, 1, true],
  ['vccz', OPERAND.VCCZ, 0],
  ['src_vccz', OPERAND.VCCZ, 0],
  ['execz', OPERAND.EXECZ, 0],
  ['src_execz', OPERAND.EXECZ, 0],
  ['scc', OPERAND.SCC, 0],
  ['src_scc', OPERAND.SCC, 0],
  ['lds_direct', OPERAND.LDS_DIRECT, 1],
  ['src_lds_direct', OPERAND.LDS_DIRECT, 1],
];

const GFX7: readonly Entry[] = [
  ['flat_scratch', OPERAND.FLAT_SCRATCH_LO_GFX7, 2, true],
  ['flat_scratch_lo', OPERAND.FLAT_SCRATCH_LO_GFX7, 1, true],
  ['flat_scratch_hi', OPERAND.FLAT_SCRATCH_HI_GFX7, 1, true],
  ['tba', 108, 2, true],
  ['tba_lo', 108, 1, true],
  ['tba_hi', 109, 1, true],
  ['tma', 110, 2, true],
  ['tma_lo', 110, 1, true],
  ['tma_hi', 111, 1, true],
];

const GFX10: readonly Entry[] = [
  ['null', OPERAND.NULL, 0, true],
  ['shared_base', OPERAND.SHARED_BASE, 0],
  ['src_shared_base', OPERAND.SHARED_BASE, 0],
  ['shared_limit', OPERAND.SHARED_LIMIT, 0],
  ['src_shared_limit', OPERAND.SHARED_LIMIT, 0],
  ['private_base', OPERAND.PRIVATE_BASE, 0],
  ['src_private_base', OPERAND.PRIVATE_BASE, 0],
  ['private_limit', OPERAND.PRIVATE_LIMIT, 0],
  ['src_private_limit', OPERAND.PRIVATE_LIMIT, 0],
  ['pops_exiting_wave_id', OPERAND.POPS_EXITING_WAVE_ID, 0],
  ['src_pops_exiting_wave_id', OPERAND.POPS_EXITING_WAVE_ID, 0],
];

function names(...lists: readonly (readonly Entry[])[]): ReadonlyMap<string, NamedRegister> {
  const map = new Map<string, NamedRegister>();
  for (const list of lists) {
    for (const [name, code, dwords, writable] of list) map.set(name, { code, dwords, writable: writable ?? false });
  }
  return map;
}

const FILE_GFX7: RegisterFile = { sgprCount: 104, ttmpBase: 112, ttmpCount: 12, named: names(COMMON, GFX7) };
const FILE_GFX10: RegisterFile = {
  sgprCount: 106,
  ttmpBase: OPERAND.TTMP0,
  ttmpCount: 16,
  named: names(COMMON, GFX10),
};

export function registerFile(target: Target): RegisterFile {
  return target === 'gfx700' ? FILE_GFX7 : FILE_GFX10;
}

/** Whether a word names a register of some generation: for "not a register of gfx700" instead of "unknown symbol". */
export function isRegisterName(word: string): boolean {
  return FILE_GFX7.named.has(word) || FILE_GFX10.named.has(word) || /^([sv]|ttmp)\d+$/i.test(word);
}

/** ", not 'V0'; registers are written in lower case": a name where a register must stand. */
export function notThisName(name: string): string {
  const lower = name.toLowerCase();
  if (name !== lower && isRegisterName(lower)) return `, not '${name}'; registers are written in lower case`;
  if (/^([sv]|ttmp)\d+$/.test(name)) return `: '${name}' alone, without parentheses or operators`;
  if (isRegisterName(name)) return `, and '${name}' is no register of this target`;
  return `, not '${name}'`;
}
