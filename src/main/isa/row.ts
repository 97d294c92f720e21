/**
 * The form of one row of the instruction tables: the only authority about an instruction. Decode, encode, print,
 * assemble, def/use sets, coverage and hovers derive from it.
 *
 * `op` gives the opcode number within the row's family per generation; a missing generation means that the instruction
 * does not exist there. `targets` narrows gfx10 further (it lists gfx10 targets only; gfx7 is decided by `op.gfx7`). VOP1, VOP2 and VOPC rows also exist as VOP3 (opcode number +
 * 0x180, 0x100, 0; gfx10 and gfx7 alike) and, on gfx10, as SDWA and DPP, unless `no` lists the form.
 */
import type { Target } from '../base/dispatch.ts';
import type { Format } from './instruction.ts';

/**
 * What an operand slot holds: letters, width in bits, type. `dst` lists [dst, sdst]; `src` lists src0…src3 by position, with
 * `-` for a slot that the instruction leaves empty.
 *
 *   s32b   SGPR or scalar source (constants allowed). As the first `dst` of SOPK: a register that is only read
 *   r64b   scalar register only, no constants
 *   sd32b  scalar destination
 *   v32f   VGPR only (in VOP1, VOP2, VOPC the kinds are those of e32; as VOP3 a `v` source is an `x`)
 *   x32f   any 9-bit source
 *   k32f   the 32-bit literal that follows (slot holds LITERAL)
 *   m      wave mask: one SGPR in wave32, a pair in wave64
 *   va     address VGPRs, counted by the flags (buffers, flat family) or by `address` and dim (images)
 *   sa     scalar address of the flat family: pair for global, one for scratch; an empty slot is "off"
 *   vdf    image data, counted by dmask, d16 and tfe
 *   i7     no register: the slot holds a small unsigned immediate of that many bits
 *
 * Widths: 16 (low half of a register, or the half that op_sel picks), 32, 64, 96, 128, 256, 512. Types: b bits, i signed,
 * u unsigned, f float; after 32, `pb pi pu pf` = a packed pair of 16-bit values, `m` = f32 or f16 by op_sel_hi (fma_mix).
 */
export type OperandKind = string & { readonly __operandKind?: never };

export type InstructionClass =
  | 'salu'
  | 'salu-compare'
  | 'branch'
  | 'program-control'
  | 'wait'
  | 'smem'
  | 'valu-int'
  | 'valu-float'
  | 'valu-compare'
  | 'valu-convert'
  | 'valu-approximate'
  | 'valu-packed'
  | 'cross-lane'
  | 'interpolation'
  | 'lds'
  | 'gds'
  | 'buffer'
  | 'typed-buffer'
  | 'image'
  | 'flat'
  | 'export';

/** What `Instruction.imm` means and how it is written. */
export type ImmediateKind =
  | 'none'
  | 'end'
  | 'decimal'
  | 'hex'
  | 'branch'
  | 'waitcnt'
  | 'depctr'
  | 'sendmsg'
  | 'hwreg'
  | 'version'
  | 'attr'
  | 'offset'
  | 'offset2'
  | 'swizzle'
  | 'target';

/** Parts of an image address in hardware order; `coordinates` is as many as dim says, `gradients` two per dimension. */
export type AddressPart =
  | 'offset'
  | 'bias'
  | 'compare'
  | 'gradients'
  | 'gradients16'
  | 'coordinates'
  | 'lod'
  | 'clamp'
  | 'mip'
  | 'ray'
  | 'ray64';

export interface Row {
  readonly format: Format;
  /** The family on gfx7 where it differs (VOP2 there, VOP3 on gfx10). SMEM rows are SMRD on gfx7 without saying so. */
  readonly formatGfx7?: Format;
  readonly op: { readonly gfx7?: number; readonly gfx10?: number };
  readonly targets?: readonly Target[];
  readonly dst: readonly OperandKind[];
  readonly src: readonly OperandKind[];
  readonly class: InstructionClass;
  /** Old contents of `dst` are an input (accumulators, partial writes, conditional moves). */
  readonly readsDst?: boolean;
  /** v_swap: src0 is written too. */
  readonly writesSrc0?: boolean;
  readonly writesScc?: boolean;
  readonly readsScc?: boolean;
  /** Scalar rows say it. Vector, memory and export rows depend on EXEC without saying so, unless `ignoresExec`. */
  readonly readsExec?: boolean;
  readonly ignoresExec?: boolean;
  readonly writesExec?: boolean;
  readonly readsVcc?: boolean;
  readonly writesVcc?: boolean;
  /** `gfx7`: only there (LDS accesses are clamped by M0 on gfx7). */
  readonly readsM0?: boolean | 'gfx7';
  /** The register number of that operand is relative to M0, so any register may be touched. */
  readonly relative?: 'dst' | 'src' | 'both';
  readonly memory?: 'load' | 'store' | 'atomic' | 'cache';
  readonly imm?: ImmediateKind;
  /** DS: legal only with, or only without, the GDS bit. */
  readonly gds?: 'only' | 'never';
  /** MUBUF loads that may carry the LDS bit. */
  readonly lds?: boolean;
  readonly address?: readonly AddressPart[];
  /** Images that may carry the d16 bit. */
  readonly d16?: boolean;
  /**
   * Exceptions to what VOP3 modifiers follow from the operand types (shape.ts): `modifiers` is a mask of the sources that
   * take abs and neg; on an integer source neg reads as sign extension. `opSel`: picks halves of 16-bit operands.
   */
  readonly modifiers?: number;
  readonly clamp?: boolean;
  readonly omod?: boolean;
  readonly opSel?: boolean;
  /** Encodings that the hardware or the assembler lacks. */
  readonly no?: readonly ('e64' | 'sdwa' | 'dpp16' | 'dpp8')[];
}
