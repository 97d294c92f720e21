/**
 * The form of one row of the instruction tables: the only authority about an instruction. Decode, encode, print,
 * assemble, def/use sets, coverage and hovers derive from it.
 *
 * `op` gives the opcode number within the row's family per generation; a missing generation means that the instruction
 * does not exist there. `targets` narrows gfx10 further. VOP1, VOP2 and VOPC rows also exist as VOP3 (opcode number +
 * 0x180, 0x100, 0; gfx10 and gfx7 alike) and, on gfx10, as SDWA and DPP, unless `no` lists the form.
 */
import type { Target } from '../base/dispatch.ts';
import type { Format } from './instruction.ts';

/**
 * What an operand slot holds. Width is in bits and may exceed 64 (s128: a V#). Letters: `s` SGPR or scalar source,
 * `sd` scalar destination, `v` VGPR only, `x` any 9-bit source, `m` wave mask (32 or 64 bits by wave size),
 * types after the width say how constants and modifiers are read: b bits, i signed, u unsigned, f float.
 */
export type OperandKind = string & { readonly __operandKind?: never };

export type InstructionClass =
  | 'salu' | 'salu-compare' | 'branch' | 'program-control' | 'wait' | 'smem'
  | 'valu-int' | 'valu-float' | 'valu-compare' | 'valu-convert' | 'valu-approximate' | 'valu-packed' | 'cross-lane' | 'interpolation'
  | 'lds' | 'gds' | 'buffer' | 'typed-buffer' | 'image' | 'flat' | 'export';

export interface Row {
  readonly format: Format;
  readonly op: { readonly gfx7?: number; readonly gfx10?: number };
  readonly targets?: readonly Target[];
  readonly dst: readonly OperandKind[];
  readonly src: readonly OperandKind[];
  readonly class: InstructionClass;
  readonly readsDst?: boolean;
  readonly writesScc?: boolean;
  readonly readsScc?: boolean;
  readonly readsExec?: boolean;
  readonly writesExec?: boolean;
  readonly readsVcc?: boolean;
  readonly writesVcc?: boolean;
  readonly readsM0?: boolean;
  /** Encodings that the hardware or the assembler lacks. */
  readonly no?: readonly ('e64' | 'sdwa' | 'dpp16' | 'dpp8')[];
  /** One sentence for hovers: what it computes. */
  readonly summary?: string;
}
