/**
 * What a lowering function sees: the instruction, the registers as SSA values, and a builder that folds as it goes.
 *
 * One object serves a whole program; `i`, `address` and `b.block` say where it stands. Scalar operands here, vector
 * operands with SDWA, DPP and modifiers in vector-operands.ts.
 *
 * EXEC: register writes keep the old value of inactive lanes (`select(active, new, old)`), memory operations carry the
 * active mask, compares are `ballot(result & active)`. With EXEC known to be full all three vanish at once.
 */
import { assert } from '../../base/assert.ts';
import { atAddress, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { Instruction } from '../../isa/instruction.ts';
import { inlineFloatBits, inlineInteger, OPERAND } from '../../isa/operands.ts';
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { FAULT, OP } from '../ir/ops.ts';
import { type BlockId, NO_BLOCK, NO_VALUE, type ValueId } from '../ir/types.ts';
import { foldValue } from '../passes/fold.ts';
import type { FloatMode } from './float-mode.ts';
import { Registers } from './registers.ts';

/** How a 32-bit literal or an inline float fills 64 bits. */
export type Type64 = 'b64' | 'i64' | 'f64';

export type Lower = (l: Lowering) => void;

export interface Unsupported {
  readonly unsupported: string;
}

/** Marks a mnemonic that is not compiled, with the reason that the user is told. */
export function unsupported(reason: string): Unsupported {
  return { unsupported: reason };
}

export type Entry = Lower | Unsupported;

/** High halves of the flat address windows; the reference and the driver use the same. */
export interface Apertures {
  readonly sharedHigh: number;
  readonly privateHigh: number;
}

export interface LoweringOptions {
  readonly apertures: Apertures;
  /** Registers that nothing wrote read as 0; otherwise as anything. */
  readonly zeroRegisters: boolean;
  readonly scratchBytesPerWave: number;
  /**
   * Registers that the launcher sets over what a launch puts there (snippets): scalars by operand code come as
   * `user.data` of that number, VGPRs by number as `initial.vgpr`.
   */
  readonly given?: { readonly scalars: ReadonlySet<number>; readonly vgprs: ReadonlySet<number> };
  /** Registers by operand code (SCC 253) whose final values every ending wave stores: tap slot = place in the list. */
  readonly taps?: readonly number[];
}

export class Lowering {
  readonly fn: IrFunction;
  readonly b: Builder;
  readonly registers: Registers;
  readonly options: LoweringOptions;
  readonly gfx10: boolean;
  readonly wave64: boolean;
  readonly diagnostics: Diagnostic[] = [];
  /** The instruction being lowered and its address. */
  i = new Instruction();
  address = 0 as GuestAddress;
  mode: FloatMode;
  /** Numbers of the VGPRs that relative moves may reach, ascending. */
  relativeVgprs: () => readonly number[] = () => [];
  /** An instruction was met that the result cannot run without. */
  blocked = false;

  private activeBlock = NO_BLOCK;
  private activeExec = NO_VALUE;
  private activeMask = NO_VALUE;

  constructor(
    fn: IrFunction,
    mode: FloatMode,
    options: LoweringOptions,
    initial: (variable: number, type: number) => ValueId,
  ) {
    this.fn = fn;
    this.options = options;
    this.mode = mode;
    this.gfx10 = fn.shape.target !== 'gfx700';
    this.wave64 = fn.shape.waveSize === 64;
    this.b = new Builder(fn, 0 as BlockId);
    this.b.onEmit = (v) => foldValue(fn, v);
    this.registers = new Registers(fn, initial);
  }

  /** REC002: the instruction is left out, a fault is raised in its place. */
  refuse(reason: string): void {
    this.diagnostics.push(
      diagnostic('REC002', 'unsupported', `${this.i.mnemonic}: ${reason}`, atAddress(this.address)),
    );
    this.b.emit1('fault', this.b.bool(true), FAULT.unsupported);
    this.blocked = true;
  }

  // ── scalar registers ───────────────────────────────────────────────────────────────────────────────────────────────

  /** 32 bits of a scalar register by operand code. */
  readScalar(code: number): ValueId {
    if (code === OPERAND.NULL && this.gfx10) return this.b.u32(0);
    if (this.wave64) {
      if (code === OPERAND.VCC_LO || code === OPERAND.EXEC_LO) return this.b.emit1('lo.64', this.read(code));
      if (code === OPERAND.VCC_HI || code === OPERAND.EXEC_HI) return this.b.emit1('hi.64', this.read(code - 1));
    }
    return this.read(code);
  }

  writeScalar(code: number, value: ValueId): void {
    if (code === OPERAND.NULL && this.gfx10) return;
    if (this.wave64) {
      if (code === OPERAND.VCC_LO || code === OPERAND.EXEC_LO) {
        const high = this.b.emit1('hi.64', this.read(code));
        this.write(code, this.b.emit2('pack.64', value, high));
        return;
      }
      if (code === OPERAND.VCC_HI || code === OPERAND.EXEC_HI) {
        const low = this.b.emit1('lo.64', this.read(code - 1));
        this.write(code - 1, this.b.emit2('pack.64', low, value));
        return;
      }
    }
    this.write(code, value);
  }

  readScalar64(code: number): ValueId {
    if (code === OPERAND.NULL && this.gfx10) return this.b.u64(0, 0);
    if (this.wave64 && (code === OPERAND.VCC_LO || code === OPERAND.EXEC_LO)) return this.read(code);
    return this.b.emit2('pack.64', this.readScalar(code), this.readScalar(code + 1));
  }

  writeScalar64(code: number, value: ValueId): void {
    if (code === OPERAND.NULL && this.gfx10) return;
    if (this.wave64 && (code === OPERAND.VCC_LO || code === OPERAND.EXEC_LO)) {
      this.write(code, value);
      return;
    }
    this.writeScalar(code, this.b.emit1('lo.64', value));
    this.writeScalar(code + 1, this.b.emit1('hi.64', value));
  }

  read(variable: number): ValueId {
    return this.registers.read(variable, this.b.block);
  }

  write(variable: number, value: ValueId): void {
    this.registers.write(variable, this.b.block, value);
  }

  get scc(): ValueId {
    return this.read(OPERAND.SCC);
  }

  set scc(value: ValueId) {
    this.write(OPERAND.SCC, value);
  }

  setSccIfNotZero(value: ValueId): void {
    const wide = (this.fn.type[value]! & 3) === 3;
    this.scc = wide
      ? this.b.emit2('icmp.ne.u64', value, this.b.u64(0, 0))
      : this.b.emit2('icmp.ne.u32', value, this.b.u32(0));
  }

  // ── scalar operands ────────────────────────────────────────────────────────────────────────────────────────────────

  code(slot: number): number {
    const i = this.i;
    return slot === 0 ? i.src0 : slot === 1 ? i.src1 : slot === 2 ? i.src2 : i.src3;
  }

  /** 32 bits of a scalar operand; `half`: inline floats as f16 bits. */
  scalarOf(code: number, half = false): ValueId {
    if (code < 128) return this.readScalar(code);
    const integer = inlineInteger(code);
    if (integer !== undefined) return this.b.u32(integer);
    if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) {
      return this.b.u32(inlineFloatBits(code, half ? 'f16' : 'f32'));
    }
    switch (code) {
      case OPERAND.LITERAL:
        return this.b.u32(this.i.literal);
      case OPERAND.SCC:
        return this.b.emit3('select.32', this.scc, this.b.u32(1), this.b.u32(0));
      case OPERAND.VCCZ:
        return this.b.emit3('select.32', this.anyOf(OPERAND.VCC_LO), this.b.u32(0), this.b.u32(1));
      case OPERAND.EXECZ:
        return this.b.emit3('select.32', this.anyOf(OPERAND.EXEC_LO), this.b.u32(0), this.b.u32(1));
      case OPERAND.SHARED_BASE:
      case OPERAND.PRIVATE_BASE:
        return this.b.u32(0);
      case OPERAND.SHARED_LIMIT:
      case OPERAND.PRIVATE_LIMIT:
        return this.b.u32(-1);
    }
    this.refuse(
      code === OPERAND.LDS_DIRECT ? 'lds_direct operands are not compiled' : `operand ${code} is not compiled`,
    );
    return this.b.u32(0);
  }

  scalar32(slot: number): ValueId {
    return this.scalarOf(this.code(slot));
  }

  scalar64(slot: number, type: Type64 = 'b64'): ValueId {
    return this.scalarOf64(this.code(slot), type);
  }

  scalarOf64(code: number, type: Type64): ValueId {
    if (code < 128) return this.readScalar64(code);
    const integer = inlineInteger(code);
    if (integer !== undefined) return this.b.u64(integer, integer >> 31);
    if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) {
      return this.b.u64(inlineFloatBits(code, 'f64low'), inlineFloatBits(code, 'f64high'));
    }
    if (code === OPERAND.LITERAL) {
      const literal = this.i.literal | 0;
      if (type === 'f64') return this.b.u64(0, literal);
      return this.b.u64(literal, type === 'i64' ? literal >> 31 : 0);
    }
    const { sharedHigh, privateHigh } = this.options.apertures;
    const low = this.scalarOf(code);
    const isShared = code === OPERAND.SHARED_BASE || code === OPERAND.SHARED_LIMIT;
    const isPrivate = code === OPERAND.PRIVATE_BASE || code === OPERAND.PRIVATE_LIMIT;
    return this.b.emit2('pack.64', low, this.b.u32(isShared ? sharedHigh : isPrivate ? privateHigh : 0));
  }

  // ── masks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A wave mask register (or constant) as it stands: u32 in wave32, u64 in wave64. */
  readMaskScalar(code: number): ValueId {
    return this.wave64 ? this.scalarOf64(code, 'b64') : this.scalarOf(code);
  }

  inverseBallot(mask: ValueId): ValueId {
    return this.b.emit1(this.wave64 ? 'inverse.ballot.64' : 'inverse.ballot.32', mask);
  }

  ballot(condition: ValueId): ValueId {
    return this.b.emit1(this.wave64 ? 'ballot.64' : 'ballot.32', condition);
  }

  /** One bit per lane of a mask operand. */
  readMask(code: number): ValueId {
    return this.inverseBallot(this.readMaskScalar(code));
  }

  writeMaskScalar(code: number, mask: ValueId): void {
    if (this.wave64) this.writeScalar64(code, mask);
    else this.writeScalar(code, mask);
  }

  /** Whether some lane of the register's mask is set. */
  anyOf(code: number): ValueId {
    return this.b.emit1('any', this.readMask(code));
  }

  /** EXEC, one bit per lane. */
  active(): ValueId {
    const exec = this.read(OPERAND.EXEC_LO);
    if (this.activeBlock !== this.b.block || this.activeExec !== exec || this.fn.isRemoved(this.activeMask)) {
      this.activeMask = this.inverseBallot(exec);
      this.activeBlock = this.b.block;
      this.activeExec = exec;
    }
    return this.activeMask;
  }

  /** A constant set of lanes. */
  laneSet(low: number, high: number): ValueId {
    return this.wave64
      ? this.b.emit1('inverse.ballot.64', this.b.u64(low, high))
      : this.b.emit1('inverse.ballot.32', this.b.u32(low));
  }

  isTrue(v: ValueId): boolean {
    return this.fn.op[v] === OP.const && this.fn.imm0[v] === 1;
  }

  // ── vector registers ───────────────────────────────────────────────────────────────────────────────────────────────

  readVector(code: number): ValueId {
    assert(code >= OPERAND.VGPR0, 'not a VGPR');
    return this.read(OPERAND.VGPR0 + ((code - OPERAND.VGPR0) & 255));
  }

  readVector64(code: number): ValueId {
    return this.b.emit2('pack.64', this.readVector(code), this.readVector(code + 1));
  }

  /** Lanes outside `mask` keep what they had. */
  writeVectorMasked(code: number, value: ValueId, mask: ValueId): void {
    const variable = OPERAND.VGPR0 + ((code - OPERAND.VGPR0) & 255);
    const kept = this.isTrue(mask) ? value : this.b.emit3('select.32', mask, value, this.read(variable));
    this.write(variable, kept);
  }

  writeVector(code: number, value: ValueId): void {
    this.writeVectorMasked(code, value, this.active());
  }

  writeVector64(code: number, value: ValueId): void {
    this.writeVector(code, this.b.emit1('lo.64', value));
    this.writeVector(code + 1, this.b.emit1('hi.64', value));
  }
}
