/**
 * One instruction's effect on what is known of a wave.
 *
 * Scalar arithmetic follows the equations of scalar-transfer.ts; s_getpc, links and scalar loads make values of their
 * own; v_writelane and v_readlane move values through lanes, and full-wave scratch stores and loads move lanes through
 * scratch cells. Every other destination becomes opaque: nothing that is not followed is ever taken for unchanged.
 *
 * A value that comes back from a scratch cell is wrapped in `reload`: stores through other addresses are not tracked,
 * so whatever is concluded from it must be checked at run time.
 */
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { FLAG, type Instruction } from '../../isa/instruction.ts';
import { inlineFloatBits, inlineInteger, isVgpr, OPERAND } from '../../isa/operands.ts';
import { destinationDwords, forEachDef } from '../../isa/registers-used.ts';
import { TABLES } from '../../isa/tables/index.ts';
import { FIXED_SLOTS, MachineState, SLOT_SCC, type SlotTable } from './machine-state.ts';
import type { ScalarOperation } from './scalar-operations.ts';
import { SCALAR_EQUATIONS, type ScalarOperands } from './scalar-transfer.ts';
import type { OpaqueNature, ValueNumber, ValueTable } from './value-table.ts';

/** SGPRs that relative writes (s_movreld) may touch: s0…s105. */
const SGPR_COUNT = 106;

/** Target pair as it was before a swappc wrote its link. */
export interface TargetPair {
  readonly low: ValueNumber;
  readonly high: ValueNumber;
}

export class Transfer implements ScalarOperands {
  private readonly table: ValueTable;
  private readonly slots: SlotTable;
  private readonly target: Target;
  private readonly waveSize: WaveSize;
  private state: MachineState;
  private context = 0;
  private instruction!: Instruction;
  private address: GuestAddress = 0 as GuestAddress;

  constructor(table: ValueTable, slots: SlotTable, target: Target, waveSize: WaveSize) {
    this.table = table;
    this.slots = slots;
    this.target = target;
    this.waveSize = waveSize;
    this.state = new MachineState(new Int32Array(FIXED_SLOTS), new Map());
  }

  /** Starts a block: later calls change `state` in place. */
  enter(state: MachineState, context: number): void {
    this.state = state;
    this.context = context;
  }

  /** Applies the instruction at `address`; `next` is the address that getpc and links yield. */
  step(instruction: Instruction, address: GuestAddress, next: GuestAddress): void {
    this.instruction = instruction;
    this.address = address;
    const equation = SCALAR_EQUATIONS[instruction.mnemonic];
    if (equation) {
      const result = equation(this);
      if (result.destination) this.write(instruction.dst, result.destination);
      if (result.exec) this.write(OPERAND.EXEC_LO, result.exec);
      if (TABLES[instruction.mnemonic].writesScc) {
        this.state.fixed[SLOT_SCC] = result.scc ?? this.opaque(SLOT_SCC, 'computed');
      }
      return;
    }
    switch (instruction.mnemonic) {
      case 's_getpc_b64':
        this.write(instruction.dst, [
          this.table.getpc(address, 0, addressLow32(next)),
          this.table.getpc(address, 1, addressHigh32(next)),
        ]);
        return;
      case 's_swappc_b64':
      case 's_call_b64':
        this.write(instruction.dst, [
          this.table.link(address, this.context, 0, addressLow32(next)),
          this.table.link(address, this.context, 1, addressHigh32(next)),
        ]);
        return;
      case 's_movreld_b32':
      case 's_movreld_b64':
      case 's_movrelsd_2_b32':
        this.writeRelative();
        return;
      case 'v_writelane_b32':
        this.writeLane();
        return;
      case 'v_readlane_b32':
        this.readLane();
        return;
      default:
        if (instruction.format === 'SMEM' || instruction.format === 'SMRD') this.scalarMemory();
        else this.vectorOrOther();
    }
  }

  /** The pair that a register call or jump goes to, read before `step` writes the link. */
  pair(code: number): TargetPair {
    return { low: this.read(code, 0), high: this.read(code, 1) };
  }

  // ScalarOperands

  source(index: 0 | 1, word: 0 | 1 = 0): ValueNumber {
    return this.read(index === 0 ? this.instruction.src0 : this.instruction.src1, word);
  }

  old(word: 0 | 1 = 0): ValueNumber {
    return this.read(this.instruction.dst, word);
  }

  get scc(): ValueNumber {
    return this.state.fixed[SLOT_SCC]!;
  }

  get immediate(): ValueNumber {
    return this.table.constant(this.instruction.imm);
  }

  exec(word: 0 | 1 = 0): ValueNumber {
    return this.state.fixed[OPERAND.EXEC_LO + word]!;
  }

  constant(bits: number): ValueNumber {
    return this.table.constant(bits);
  }

  make(operation: ScalarOperation, a: ValueNumber, b?: ValueNumber, c?: ValueNumber): ValueNumber {
    return this.table.operation(operation, a, b, c);
  }

  private read(code: number, word: 0 | 1): ValueNumber {
    if (code < 0 || code === OPERAND.NULL) return this.table.constant(0);
    if (code <= OPERAND.EXEC_HI)
      return code + word <= OPERAND.EXEC_HI ? this.state.fixed[code + word]! : this.unknown(code);
    const integer = inlineInteger(code);
    if (integer !== undefined) return this.table.constant(word === 0 ? integer : integer >> 31);
    if (code >= OPERAND.FLOAT_0_5 && code <= OPERAND.FLOAT_INV_2PI) {
      return word === 0 ? this.table.constant(inlineFloatBits(code, 'f32')) : this.unknown(code);
    }
    if (code === OPERAND.SCC) return word === 0 ? this.scc : this.table.constant(0);
    if (code === OPERAND.LITERAL) {
      // How a literal widens depends on the operand's type; only the case in which all agree is followed.
      if (word === 0) return this.table.constant(this.instruction.literal);
      return this.instruction.literal >>> 31 === 0 ? this.table.constant(0) : this.unknown(code);
    }
    return this.unknown(code);
  }

  /** Something readable that is not followed: VCCZ, apertures, lds_direct … */
  private unknown(code: number): ValueNumber {
    return this.table.opaque(this.address, this.context, code, 'computed');
  }

  private opaque(slot: number, nature: OpaqueNature): ValueNumber {
    return this.table.opaque(this.address, this.context, slot, nature);
  }

  private write(code: number, words: readonly ValueNumber[]): void {
    if (code < 0 || code === OPERAND.NULL) return;
    for (let w = 0; w < words.length && code + w <= OPERAND.EXEC_HI; w++) this.state.fixed[code + w] = words[w]!;
  }

  /** The register number is relative to M0: any SGPR from the named one on may change. */
  private writeRelative(): void {
    for (let slot = Math.max(0, this.instruction.dst); slot < SGPR_COUNT; slot++) {
      this.state.fixed[slot] = this.opaque(slot, 'computed');
    }
  }

  private scalarMemory(): void {
    const { instruction } = this;
    const row = TABLES[instruction.mnemonic];
    const buffer = instruction.mnemonic.startsWith('s_buffer_load');
    if (row.memory !== 'load' || !(buffer || instruction.mnemonic.startsWith('s_load'))) {
      this.makeDefsOpaque('memory');
      return;
    }
    const base = instruction.src0;
    const immediate = this.table.constant(instruction.imm);
    // On GFX7 a literal offset stands in the slot and is part of `imm` already.
    const hasRegister = instruction.src1 !== OPERAND.LITERAL;
    const offset = hasRegister ? this.make('add', this.read(instruction.src1, 0), immediate) : immediate;
    const operands = [this.read(base, 0), this.read(base, 1)];
    if (buffer) operands.push(this.state.fixed[base + 2]!, this.state.fixed[base + 3]!);
    operands.push(offset);
    const words = destinationDwords(instruction, this.waveSize, this.target);
    const loaded: ValueNumber[] = [];
    for (let w = 0; w < words; w++) {
      loaded.push(this.table.load(this.address, buffer ? 'buffer' : 'pointer', w, operands));
    }
    this.write(instruction.dst, loaded);
  }

  private vectorOrOther(): void {
    const { instruction } = this;
    const row = TABLES[instruction.mnemonic];
    if (row.class === 'buffer' || row.class === 'flat') {
      if (row.memory === 'store' && this.storeCell()) return;
      if (row.memory === 'load' && this.loadCell()) return;
    }
    this.makeDefsOpaque(row.class === 'cross-lane' ? 'lane' : 'computed');
  }

  private makeDefsOpaque(nature: OpaqueNature): void {
    forEachDef(this.instruction, this.waveSize, this.target, (code, dwords) => {
      for (let i = 0; i < dwords; i++) this.forget(code + i, nature);
    });
  }

  private forget(code: number, nature: OpaqueNature): void {
    if (isVgpr(code)) this.forgetLanes(code - OPERAND.VGPR0);
    else if (code === OPERAND.SCC) this.state.fixed[SLOT_SCC] = this.opaque(SLOT_SCC, nature);
    else if (code <= OPERAND.EXEC_HI) this.state.fixed[code] = this.opaque(code, nature);
  }

  // Lanes of vector registers

  private laneNumber(): number {
    const select = this.table.bits[this.read(this.instruction.src1, 0)]!;
    return select < 0 ? -1 : select & (this.waveSize - 1);
  }

  private writeLane(): void {
    const vgpr = this.instruction.dst - OPERAND.VGPR0;
    const lane = this.laneNumber();
    if (lane < 0) this.forgetLanes(vgpr);
    else this.state.extra.set(this.slots.lane(vgpr, lane), this.read(this.instruction.src0, 0));
  }

  private readLane(): void {
    const lane = this.laneNumber();
    const vgpr = this.instruction.src0 - OPERAND.VGPR0;
    const held = lane < 0 || vgpr < 0 ? undefined : this.state.extra.get(this.slots.lane(vgpr, lane));
    this.write(this.instruction.dst, [held ?? this.opaque(this.instruction.dst, 'lane')]);
  }

  private forgetLanes(vgpr: number): void {
    const { extra } = this.state;
    if (extra.size === 0) return;
    for (const slot of extra.keys()) {
      const what = this.slots.describe(slot);
      if (what.kind === 'lane' && what.vgpr === vgpr) extra.delete(slot);
    }
  }

  // Scratch cells

  /** A dword store or load whose place is one cell for the whole wave; undefined when it is not. */
  private cellPlace(
    data: number,
  ): { readonly space: string; readonly offset: number; readonly vgpr: number } | undefined {
    const { instruction } = this;
    if (data < OPERAND.VGPR0 || instruction.src0 >= 0) return undefined;
    let space: string;
    if (instruction.format === 'MUBUF') {
      if (instruction.flags & (FLAG.OFFEN | FLAG.IDXEN | FLAG.ADDR64 | FLAG.LDS)) return undefined;
      const base = instruction.src1;
      const soffset = this.table.bits[this.read(instruction.src2, 0)]!;
      if (soffset < 0) return undefined;
      const words = [0, 1, 2, 3].map((w) => this.state.fixed[base + w]!);
      if (!words.every((value) => this.isStable(value, 0))) return undefined;
      space = `b${words.join()}+${soffset}`;
    } else if (instruction.format === 'SCRATCH') {
      const saddr =
        instruction.src2 < 0 || instruction.src2 === OPERAND.NULL
          ? 0
          : this.table.bits[this.read(instruction.src2, 0)]!;
      if (saddr < 0) return undefined;
      space = `s${saddr}`;
    } else return undefined;
    return { space, offset: instruction.imm, vgpr: data - OPERAND.VGPR0 };
  }

  /** Every active lane of a wave whose EXEC is known to be full. */
  private allLanesActive(): boolean {
    if (this.table.bits[this.exec(0)] !== 0xffffffff) return false;
    return this.waveSize === 32 || this.table.bits[this.exec(1)] === 0xffffffff;
  }

  /** The value is the same whenever this symbol stands for it: nothing in it varies around a loop. */
  private isStable(value: ValueNumber, depth: number): boolean {
    const kind = this.table.values[value]!.kind;
    if (kind === 'phi' || kind === 'opaque' || depth > 16) return false;
    return this.table.operandsOf(value).every((operand) => this.isStable(operand, depth + 1));
  }

  private storeCell(): boolean {
    const name = this.instruction.mnemonic;
    if (name !== 'buffer_store_dword' && name !== 'scratch_store_dword') return false;
    const place = this.cellPlace(name === 'buffer_store_dword' ? this.instruction.src3 : this.instruction.src1);
    if (!place) return false;
    const { extra } = this.state;
    const kept: [number, ValueNumber][] = [];
    const full = this.allLanesActive();
    for (const [slot, value] of extra) {
      const what = this.slots.describe(slot);
      if (what.kind === 'lane' && full && what.vgpr === place.vgpr) {
        kept.push([this.slots.cell(place.space, place.offset, what.lane), value]);
      }
      if (what.kind === 'cell' && what.space === place.space && what.offset === place.offset) extra.delete(slot);
    }
    for (const [slot, value] of kept) extra.set(slot, value);
    return true;
  }

  private loadCell(): boolean {
    const name = this.instruction.mnemonic;
    if (name !== 'buffer_load_dword' && name !== 'scratch_load_dword') return false;
    const place = this.cellPlace(this.instruction.dst);
    if (!place || !this.allLanesActive()) return false;
    this.forgetLanes(place.vgpr);
    const { extra } = this.state;
    const restored: [number, ValueNumber][] = [];
    for (const [slot, value] of extra) {
      const what = this.slots.describe(slot);
      if (what.kind === 'cell' && what.space === place.space && what.offset === place.offset) {
        restored.push([this.slots.lane(place.vgpr, what.lane), this.table.reload(value)]);
      }
    }
    for (const [slot, value] of restored) extra.set(slot, value);
    return true;
  }
}
