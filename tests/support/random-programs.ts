/**
 * Seeded random programs for differential tests, and packs of them in one dispatch.
 *
 * A snippet is a piece of assembly on the registers of random-instructions.ts. A pack is one program: a prologue that
 * fills those registers from memory, a jump to the snippet of this group, and an epilogue that stores every register of
 * every lane. Group g runs snippet g. Compiling costs most of a device test, and a pack pays for loads and stores once.
 *
 * Shapes: `straight`; `divergent` (saveexec, v_cmpx, scalar ifs, nested); `loops` (scalar and per-lane counts, breaks);
 * `graph` (blocks that jump anywhere, bounded by fuel: irreducible graphs). Memory: each wave has 4 KiB of its own and
 * 1 KiB of LDS; input memory is read anywhere, also out of a descriptor's bounds.
 */
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { READ } from '../../src/main/base/guest-memory.ts';
import type { TestProgram } from './device.ts';
import {
  ALL_REGISTERS,
  FIRST_SGPR,
  FIRST_VGPR,
  type InstructionClass,
  RandomInstructions,
  SGPRS,
  VGPRS,
} from './random-instructions.ts';
import { RandomSource } from './random-source.ts';

export const SHAPES = ['straight', 'divergent', 'loops', 'graph'] as const;
export type Shape = (typeof SHAPES)[number];

export interface SnippetOptions {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly shape: Shape;
  /** Roughly the number of instructions. */
  readonly size: number;
  readonly classes: readonly InstructionClass[];
  readonly memory: boolean;
  readonly lds: boolean;
  /** Misaligned addresses too; a program that has any runs with checked memory on devices. */
  readonly misaligned?: boolean;
  /** s_barrier anywhere: waves of a group meet at different ones, and some have ended. */
  readonly barriers?: boolean;
}

const OUTPUT = 0x2_0000_0000 as GuestAddress;
const INPUT = 0x3_0000_0000 as GuestAddress;
const WORK = 0x4_0000_0000 as GuestAddress;
/** Bytes per lane of output: 16 vector registers, then one lane's share of the scalar ones. */
const LANE_BYTES = 128;
const WAVE_WORK_BYTES = 4096;
const WAVE_LDS_BYTES = 1024;
const INPUT_BYTES = 0x4000;
/** Saved masks and counters of nested statements. */
const FIRST_SAVED = 40;
const FIRST_COUNTER = 64;
const FUEL = 's72';
const DEEPEST = 3;

class SnippetWriter {
  readonly lines: string[] = [];
  private readonly random: RandomSource;
  private readonly instructions: RandomInstructions;
  private readonly options: SnippetOptions;
  private readonly name: string;
  private nextLabel = 0;

  constructor(seed: number, name: string, options: SnippetOptions) {
    this.random = new RandomSource(seed);
    const written = options.shape === 'graph' ? { vgprs: 5, sgprs: 6 } : ALL_REGISTERS;
    this.instructions = new RandomInstructions(this.random, options.target, options.waveSize, written);
    this.options = options;
    this.name = name;
  }

  private emit(text: string): void {
    this.lines.push(`  ${text}`);
  }

  private label(): string {
    return `${this.name}_${this.nextLabel++}`;
  }

  private place(label: string): void {
    this.lines.push(`${label}:`);
  }

  run(): void {
    switch (this.options.shape) {
      case 'straight':
        this.straight(this.options.size);
        break;
      case 'divergent':
      case 'loops':
        this.body(this.options.size, 0, this.options.shape === 'loops');
        break;
      case 'graph':
        this.graph(this.options.size);
        break;
    }
  }

  private straight(count: number): void {
    const { random, options } = this;
    for (let n = 0; n < count; n++) {
      if (options.memory && random.chance(8)) this.memory();
      else if (options.lds && random.chance(8)) this.lds();
      else if (options.barriers && random.chance(10)) this.emit('s_barrier');
      else if (options.barriers && random.chance(4)) this.end();
      else this.emit(this.instructions.instruction(random.pick(options.classes)));
    }
  }

  /** Some waves end here. */
  private end(): void {
    const behind = this.label();
    this.scalarCondition(behind);
    this.emit('s_endpgm');
    this.place(behind);
  }

  private body(count: number, depth: number, loops: boolean): void {
    const { random } = this;
    let left = count;
    while (left > 0) {
      const part = Math.min(left, random.between(1, 6));
      this.straight(part);
      left -= part;
      if (depth >= DEEPEST || left < 3) continue;
      const inner = Math.max(2, Math.floor(left * 0.6));
      left -= inner;
      if (loops && random.chance(50)) {
        if (random.chance(50)) this.scalarLoop(inner, depth);
        else this.laneLoop(inner, depth);
      } else this.selection(inner, depth, loops);
    }
  }

  // ── selections ─────────────────────────────────────────────────────────────────────────────────────────────────────

  private selection(count: number, depth: number, loops: boolean): void {
    const half = Math.ceil(count / 2);
    switch (this.random.below(4)) {
      case 0:
      case 1:
        return this.saveExec(half, depth, loops);
      case 2:
        return this.compareAndMask(count, depth, loops);
      default:
        return this.scalarSelection(half, depth, loops);
    }
  }

  private saveExec(half: number, depth: number, loops: boolean): void {
    const { random, instructions: i } = this;
    const saved = i.maskRegister(FIRST_SAVED + 4 * depth);
    const condition = i.maskRegister(FIRST_SAVED + 4 * depth + 2);
    this.emit(i.compare(condition));
    this.emit(`s_and_saveexec_${i.mask} ${saved}, ${condition}`);
    const [otherwise, end] = [this.label(), this.label()];
    if (random.chance(70)) this.emit(`s_cbranch_execz ${otherwise}`);
    this.body(half, depth + 1, loops);
    this.place(otherwise);
    if (random.chance(60)) {
      this.emit(`s_andn2_${i.mask} ${i.exec}, ${saved}, ${condition}`);
      if (random.chance(70)) this.emit(`s_cbranch_execz ${end}`);
      this.body(half, depth + 1, loops);
      this.place(end);
    }
    this.emit(`s_mov_${i.mask} ${i.exec}, ${saved}`);
  }

  private compareAndMask(count: number, depth: number, loops: boolean): void {
    const { random, instructions: i } = this;
    const saved = i.maskRegister(FIRST_SAVED + 4 * depth);
    this.emit(`s_mov_${i.mask} ${saved}, ${i.exec}`);
    const condition = random.pick(['lt', 'gt', 'eq', 'ne', 'le', 'ge']);
    const type = random.pick(['u32', 'i32']);
    this.emit(`v_cmpx_${condition}_${type} ${random.chance(50) ? i.vgpr() : i.inlineConstant()}, ${i.vgpr()}`);
    const end = this.label();
    if (random.chance(60)) this.emit(`s_cbranch_execz ${end}`);
    this.body(count, depth + 1, loops);
    this.place(end);
    this.emit(`s_mov_${i.mask} ${i.exec}, ${saved}`);
  }

  private scalarCondition(target: string): void {
    const { random, instructions: i } = this;
    if (random.chance(60)) {
      this.emit(
        `s_cmp_${random.pick(['lg', 'lt', 'gt', 'eq'])}_${random.pick(['u32', 'i32'])} ${i.sgpr()}, ${i.scalarSource()}`,
      );
      this.emit(`s_cbranch_scc${random.below(2)} ${target}`);
    } else {
      this.emit(i.compare(i.vcc));
      this.emit(`s_cbranch_${random.pick(['vccz', 'vccnz'])} ${target}`);
    }
  }

  private scalarSelection(half: number, depth: number, loops: boolean): void {
    const [otherwise, end] = [this.label(), this.label()];
    this.scalarCondition(otherwise);
    this.body(half, depth + 1, loops);
    if (this.random.chance(60)) {
      this.emit(`s_branch ${end}`);
      this.place(otherwise);
      this.body(half, depth + 1, loops);
    } else this.place(otherwise);
    this.place(end);
  }

  // ── loops ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  private scalarLoop(count: number, depth: number): void {
    const { random } = this;
    const counter = `s${FIRST_COUNTER + depth}`;
    const [start, end] = [this.label(), this.label()];
    this.emit(`s_mov_b32 ${counter}, ${random.between(1, 4)}`);
    this.place(start);
    this.body(Math.ceil(count / 2), depth + 1, true);
    if (random.chance(40)) this.scalarCondition(end);
    this.body(Math.floor(count / 2), depth + 1, true);
    this.emit(`s_sub_u32 ${counter}, ${counter}, 1`);
    this.emit(`s_cmp_lg_u32 ${counter}, 0`);
    this.emit(`s_cbranch_scc1 ${start}`);
    this.place(end);
  }

  /** Each lane has its own number of turns. */
  private laneLoop(count: number, depth: number): void {
    const { random, instructions: i } = this;
    const saved = i.maskRegister(FIRST_SAVED + 4 * depth);
    const counter = `v${24 + depth}`;
    const [start, end] = [this.label(), this.label()];
    this.emit(`v_and_b32 ${counter}, ${random.pick([1, 3, 5])}, ${i.vgpr()}`);
    this.emit(`s_mov_${i.mask} ${saved}, ${i.exec}`);
    this.place(start);
    if (random.chance(50)) {
      this.emit(`v_cmp_ne_u32 ${i.vcc}, 0, ${counter}`);
      this.emit(`s_and_${i.mask} ${i.exec}, ${i.exec}, ${i.vcc}`);
      this.emit(`s_cbranch_execz ${end}`);
      this.body(count, depth + 1, true);
      this.emit(`v_subrev_nc_u32 ${counter}, 1, ${counter}`);
      this.emit(`s_branch ${start}`);
    } else {
      this.body(count, depth + 1, true);
      this.emit(`v_cmp_lt_u32 ${i.vcc}, 0, ${counter}`);
      this.emit(`v_subrev_nc_u32 ${counter}, 1, ${counter}`);
      this.emit(`s_and_${i.mask} ${i.exec}, ${i.exec}, ${i.vcc}`);
      this.emit(`s_cbranch_execnz ${start}`);
    }
    this.place(end);
    this.emit(`s_mov_${i.mask} ${i.exec}, ${saved}`);
  }

  // ── any graph ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private graph(count: number): void {
    const { random, instructions: i } = this;
    const blocks = Array.from({ length: random.between(3, 9) }, () => this.label());
    const end = this.label();
    const kept = i.maskRegister(FIRST_SAVED);
    this.emit(`s_movk_i32 ${FUEL}, ${random.between(5, 30)}`);
    this.emit(`s_mov_${i.mask} ${kept}, ${i.exec}`);
    if (random.chance(30)) this.emit(`s_branch ${random.pick(blocks)}`);
    for (const block of blocks) {
      this.place(block);
      this.straight(Math.ceil(count / blocks.length));
      this.emit(`s_sub_u32 ${FUEL}, ${FUEL}, 1`);
      this.emit(`s_cbranch_scc1 ${end}`);
      if (random.chance(30)) {
        this.emit(i.compare(i.vcc));
        this.emit(`s_and_${i.mask} ${i.exec}, ${i.exec}, ${i.vcc}`);
        if (random.chance(70)) this.emit(`s_cbranch_${random.pick(['execz', 'execnz'])} ${random.pick(blocks)}`);
      }
      if (random.chance(30)) this.emit(`s_mov_${i.mask} ${i.exec}, ${kept}`);
      if (random.chance(80)) this.scalarCondition(random.pick(blocks));
      if (random.chance(40)) this.emit(`s_branch ${random.pick(blocks)}`);
    }
    this.place(end);
    this.emit(`s_mov_${i.mask} ${i.exec}, ${kept}`);
  }

  // ── memory ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private misaligned(percent: number): boolean {
    return Boolean(this.options.misaligned) && this.random.chance(percent);
  }

  /** v2 = a place of its own for each lane: (lane ^ k) · 2^shift. */
  private ownPlace(shift: number): void {
    this.emit(`v_xor_b32 v2, ${this.random.below(this.options.waveSize)}, v1`);
    this.emit(`v_lshlrev_b32 v2, ${shift}, v2`);
  }

  /** v2 = some place below 2^bits, a multiple of 2^shift. */
  private anyPlace(bits: number, shift: number): void {
    this.emit(`v_bfe_u32 v2, ${this.instructions.vgpr()}, ${this.random.below(20)}, ${bits - shift}`);
    if (shift > 0) this.emit(`v_lshlrev_b32 v2, ${shift}, v2`);
  }

  private memory(): void {
    const { random, instructions: i } = this;
    const wait = 's_waitcnt vmcnt(0)';
    switch (random.below(6)) {
      case 0: {
        const [name, registers] = random.pick([
          ['dword', 1],
          ['dwordx2', 2],
          ['dwordx3', 3],
          ['dwordx4', 4],
          ['byte', 1],
          ['short', 1],
          ['byte_d16_hi', 1],
        ] as const);
        this.ownPlace(6);
        const offset = this.misaligned(15) ? random.below(48) : 4 * random.below(12);
        if (random.chance(50)) this.emit(`global_store_${name} v2, ${i.vgprs(registers)}, s[12:13] offset:${offset}`);
        else this.emit(`buffer_store_${name} ${i.vgprs(registers)}, v2, s[76:79], 0 offen offset:${offset}`);
        return this.emit('s_waitcnt_vscnt null, 0x0');
      }
      case 1:
      case 2: {
        const [name, registers] = random.pick([
          ['dword', 1],
          ['dwordx2', 2],
          ['dwordx4', 4],
          ['ubyte', 1],
          ['sbyte', 1],
          ['ushort', 1],
          ['sshort', 1],
          ['short_d16', 1],
          ['ubyte_d16_hi', 1],
        ] as const);
        this.anyPlace(random.chance(30) ? 11 : 12, this.misaligned(15) ? 0 : 2);
        const base = random.chance(50) ? 's[12:13]' : 's[2:3]';
        const offset = base === 's[12:13]' ? '' : ` offset:${4 * random.below(100)}`;
        // Within the wave's own 4 KiB: the widest access ends inside.
        if (base === 's[12:13]') this.emit('v_min_u32 v2, 0xff0, v2');
        this.emit(`global_load_${name} ${i.target32(registers)}, v2, ${base}${offset}`);
        return this.emit(wait);
      }
      case 3: {
        const [name, registers] = random.pick([
          ['dword', 1],
          ['dwordx2', 2],
          ['dwordx3', 3],
          ['ubyte', 1],
          ['sshort', 1],
        ] as const);
        const structured = random.chance(50);
        const offset = random.chance(50)
          ? ` offset:${this.misaligned(50) ? random.below(16) : 4 * random.below(4)}`
          : '';
        this.anyPlace(structured ? 8 : 12, structured || this.misaligned(20) ? 0 : 2);
        if (structured) this.emit(`buffer_load_${name} ${i.target32(registers)}, v2, s[8:11], 0 idxen${offset}`);
        else
          this.emit(
            `buffer_load_${name} ${i.target32(registers)}, v2, s[4:7], ${this.misaligned(50) ? random.below(40) : 4 * random.below(10)} offen${offset}`,
          );
        return this.emit(wait);
      }
      case 4: {
        // Without a result any place will do: these commute.
        this.anyPlace(10, 2);
        const name = random.pick(['add', 'sub', 'and', 'or', 'xor', 'smin', 'smax', 'umin', 'umax']);
        this.emit(`global_atomic_${name} v2, ${i.vgpr()}, s[12:13]`);
        return this.emit('s_waitcnt_vscnt null, 0x0');
      }
      default: {
        this.ownPlace(6);
        const name = random.pick(['add', 'swap', 'inc', 'dec', 'umax', 'xor']);
        this.emit(`global_atomic_${name} ${i.target32()}, v2, ${i.vgpr()}, s[12:13] glc`);
        return this.emit(wait);
      }
    }
  }

  private lds(): void {
    const { random, instructions: i } = this;
    const wait = 's_waitcnt lgkmcnt(0)';
    const inWave = (): void => this.emit('v_add_nc_u32 v2, v3, v2');
    switch (random.below(5)) {
      case 0:
      case 1: {
        const [name, registers] = random.pick([
          ['ds_write_b32', 1],
          ['ds_write_b64', 2],
          ['ds_write_b8', 1],
          ['ds_write_b16', 1],
        ] as const);
        this.ownPlace(4);
        inWave();
        this.emit(`${name} v2, ${i.vgprs(registers)} offset:${8 * random.below(2)}`);
        return this.emit(wait);
      }
      case 2: {
        this.ownPlace(4);
        inWave();
        this.emit(
          `ds_write2_b32 v2, ${i.vgpr()}, ${i.vgpr()} offset0:${random.below(2)} offset1:${random.between(2, 3)}`,
        );
        return this.emit(wait);
      }
      case 3: {
        const [name, registers, shift] = random.pick([
          ['ds_read_b32', 1, 2],
          ['ds_read_b64', 2, 3],
          ['ds_read_u8', 1, 0],
          ['ds_read_i16', 1, 1],
          ['ds_read2_b32', 2, 2],
        ] as const);
        this.anyPlace(9, shift);
        inWave();
        const offset = name === 'ds_read2_b32' ? ` offset0:${random.below(8)} offset1:${random.below(64)}` : '';
        this.emit(`${name} ${i.target32(registers)}, v2${offset}`);
        return this.emit(wait);
      }
      default: {
        this.anyPlace(9, 2);
        inWave();
        this.emit(
          `ds_${random.pick(['add_u32', 'sub_u32', 'min_i32', 'max_u32', 'or_b32', 'xor_b32'])} v2, ${i.vgpr()}`,
        );
        return this.emit(wait);
      }
    }
  }
}

export function randomSnippet(seed: number, options: SnippetOptions, name = `L${seed}`): string {
  const writer = new SnippetWriter(seed, name, options);
  writer.run();
  return writer.lines.join('\n');
}

export interface Pack {
  readonly target: Target;
  readonly waveSize: WaveSize;
  /** Assembly, one for each group. */
  readonly snippets: readonly string[];
  /** Threads of a group; more than a wave makes groups of several waves, a remainder a wave with idle lanes. */
  readonly threads: number;
  readonly seed: number;
}

function prologue(pack: Pack, waves: number): string[] {
  const { waveSize } = pack;
  const lines = [
    '  v_mbcnt_lo_u32_b32 v1, -1, 0',
    ...(waveSize === 64 ? ['  v_mbcnt_hi_u32_b32 v1, -1, v1'] : []),
    '  v_readfirstlane_b32 s15, v0',
    `  s_lshr_b32 s15, s15, ${Math.log2(waveSize)}`,
    `  s_mul_i32 s80, s14, ${waves}`,
    '  s_add_u32 s80, s80, s15',
    `  s_mul_i32 s81, s80, ${waveSize * LANE_BYTES}`,
    '  s_add_u32 s0, s0, s81',
    '  s_addc_u32 s1, s1, 0',
    `  s_mul_i32 s81, s80, ${WAVE_WORK_BYTES}`,
    '  s_add_u32 s12, s12, s81',
    '  s_addc_u32 s13, s13, 0',
    '  s_mov_b32 s76, s12',
    '  s_mov_b32 s77, s13',
    `  s_movk_i32 s78, ${WAVE_WORK_BYTES}`,
    '  s_mov_b32 s79, s7',
    `  s_mul_i32 s81, s15, ${WAVE_LDS_BYTES}`,
    '  v_mov_b32 v3, s81',
    '  v_and_b32 v2, 31, v1',
    '  v_lshlrev_b32 v2, 2, v2',
    '  s_lshl_b32 s81, s80, 7',
    '  v_add_nc_u32 v2, s81, v2',
    '  global_load_dword v24, v2, s[2:3]',
    '  s_waitcnt vmcnt(0)',
  ];
  for (let n = 0; n < SGPRS; n++) lines.push(`  v_readlane_b32 s${FIRST_SGPR + n}, v24, ${n}`);
  // Every lane another value; every eighth lane the words of memory as they are, among them special floats.
  lines.push('  v_and_b32 v2, 7, v1', `  v_cmp_eq_u32 ${waveSize === 64 ? 'vcc' : 'vcc_lo'}, 3, v2`);
  for (let n = 0; n < VGPRS; n++) {
    const v = `v${FIRST_VGPR + n}`;
    lines.push(
      `  v_add_nc_u32 ${v}, s${FIRST_SGPR + n}, v1`,
      `  v_mul_lo_u32 ${v}, ${v}, 0x${(0x9e3779b1 + 0x1000 * n).toString(16)}`,
      `  v_lshrrev_b32 v2, ${11 + (n % 8)}, ${v}`,
      `  v_xor_b32 ${v}, ${v}, v2`,
      `  v_mov_b32 v2, s${FIRST_SGPR + n}`,
      `  v_cndmask_b32 ${v}, ${v}, v2, ${waveSize === 64 ? 'vcc' : 'vcc_lo'}`,
    );
  }
  pack.snippets.forEach((_, n) => {
    if (n + 1 < pack.snippets.length) lines.push(`  s_cmp_eq_u32 s14, ${n}`, `  s_cbranch_scc1 SNIPPET${n}`);
  });
  lines.push(`  s_branch SNIPPET${pack.snippets.length - 1}`);
  return lines;
}

function epilogue(waveSize: WaveSize): string[] {
  const lines = [
    'EPILOGUE:',
    '  s_cselect_b32 s80, 1, 0',
    ...['vcc_lo', 'vcc_hi', 'm0', 'exec_lo', 'exec_hi'].map((name, n) => `  s_mov_b32 s${81 + n}, ${name}`),
    `  s_mov_${waveSize === 64 ? 'b64 exec' : 'b32 exec_lo'}, -1`,
    '  v_mov_b32 v24, 0',
  ];
  for (let n = 0; n < SGPRS; n++) lines.push(`  v_writelane_b32 v24, s${FIRST_SGPR + n}, ${n}`);
  for (let n = 0; n < 6; n++) lines.push(`  v_writelane_b32 v24, s${80 + n}, ${SGPRS + n}`);
  lines.push(`  v_lshlrev_b32 v2, ${Math.log2(LANE_BYTES)}, v1`);
  for (let n = 0; n < VGPRS; n += 4)
    lines.push(`  global_store_dwordx4 v2, v[${FIRST_VGPR + n}:${FIRST_VGPR + n + 3}], s[0:1] offset:${4 * n}`);
  lines.push(`  global_store_dword v2, v24, s[0:1] offset:${4 * VGPRS}`, '  s_endpgm');
  return lines;
}

const SPECIAL = [
  0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0x80000000, 1, 0x807fffff, 0x3f800000, 0x4f000000, 0xcf000000,
];

function inputWords(seed: number): Uint32Array {
  const random = new RandomSource(seed);
  return Uint32Array.from({ length: INPUT_BYTES / 4 }, () => {
    const kind = random.below(8);
    if (kind === 0) return random.pick(SPECIAL);
    if (kind === 1) return random.below(64);
    // Floats of ordinary size, so that sums do not all end in the larger operand.
    if (kind < 4) return ((random.bits() & 0x807fffff) | ((120 + random.below(16)) << 23)) >>> 0;
    return random.bits();
  });
}

export function packText(pack: Pack): string {
  const waves = Math.ceil(pack.threads / pack.waveSize);
  const lines = prologue(pack, waves);
  pack.snippets.forEach((text, n) => lines.push(`SNIPPET${n}:`, text, '  s_branch EPILOGUE'));
  lines.push(...epilogue(pack.waveSize));
  return lines.join('\n');
}

/** Raw and structured views of the input; OOB_SELECT in bits 29:28 of the last word. */
function descriptors(): number[] {
  const [low, high] = [INPUT % 2 ** 32, Math.floor(INPUT / 2 ** 32)];
  const common = 0x01016fac;
  return [low, high, 0xa00, (common | (3 << 28)) >>> 0, low, high | (12 << 16), 150, common];
}

export function packProgram(pack: Pack): TestProgram {
  const waves = Math.ceil(pack.threads / pack.waveSize);
  const total = waves * pack.snippets.length;
  const high = (address: number): number => Math.floor(address / 2 ** 32);
  return {
    target: pack.target,
    waveSize: pack.waveSize,
    code: packText(pack),
    threads: [pack.threads, 1, 1],
    groups: [pack.snippets.length, 1, 1],
    ldsBytes: waves * WAVE_LDS_BYTES,
    userData: [
      OUTPUT % 2 ** 32,
      high(OUTPUT),
      INPUT % 2 ** 32,
      high(INPUT),
      ...descriptors(),
      WORK % 2 ** 32,
      high(WORK),
    ],
    data: [
      { address: OUTPUT, sizeBytes: total * pack.waveSize * LANE_BYTES },
      { address: INPUT, sizeBytes: INPUT_BYTES, words: inputWords(pack.seed), permissions: READ },
      { address: WORK, sizeBytes: total * WAVE_WORK_BYTES },
    ],
  };
}

/** Which snippet, lane and register a differing output word belongs to. */
export function describeOutput(pack: Pack, address: number): string {
  const waves = Math.ceil(pack.threads / pack.waveSize);
  if (address >= WORK) {
    const wave = Math.floor((address - WORK) / WAVE_WORK_BYTES);
    return `snippet ${Math.floor(wave / waves)} wave ${wave % waves} memory +${(address - WORK) % WAVE_WORK_BYTES}`;
  }
  const lane = Math.floor((address - OUTPUT) / LANE_BYTES);
  const wave = Math.floor(lane / pack.waveSize);
  const word = ((address - OUTPUT) % LANE_BYTES) / 4;
  const where = `snippet ${Math.floor(wave / waves)} wave ${wave % waves} lane ${lane % pack.waveSize}`;
  const inWave = lane % pack.waveSize;
  if (word < VGPRS) return `${where} v${FIRST_VGPR + word}`;
  const scalars = ['scc', 'vcc_lo', 'vcc_hi', 'm0', 'exec_lo', 'exec_hi'];
  return `${where} ${inWave < SGPRS ? `s${FIRST_SGPR + inWave}` : scalars[inWave - SGPRS]}`;
}
