/**
 * Sample instructions for every row, form and operand variety of a target: what the table check, the report and the
 * committed corpus are made of. They are built as `Instruction`s from the rows and encoded by our encoder; llvm-mc then
 * says whether the words mean what we say.
 */
import type { Target } from '../../src/main/base/dispatch.ts';
import { imageTuples, isRay, nsaWordsAllowed } from '../../src/main/isa/image-operands.ts';
import {
  type Encoding,
  encodeInstruction,
  FLAG,
  formatOn,
  Instruction,
  isGfx7,
  KIND,
  MNEMONICS,
  OPERAND,
  opcodeOn,
  type ParsedKind,
  type Shape,
  shapeOf,
} from '../../src/main/isa/index.ts';

export interface Sample {
  readonly op: number;
  readonly encoding: Encoding;
  readonly words: Uint32Array;
}

type Slot = 'dst' | 'sdst' | 'src0' | 'src1' | 'src2' | 'src3';
const SLOTS: readonly Slot[] = ['dst', 'sdst', 'src0', 'src1', 'src2', 'src3'];
const FIRST_VGPR: Readonly<Record<Slot, number>> = { dst: 5, sdst: 0, src0: 17, src1: 34, src2: 51, src3: 68 };
const FIRST_SGPR: Readonly<Record<Slot, number>> = { dst: 4, sdst: 20, src0: 8, src1: 24, src2: 40, src3: 56 };

/** Scalar codes that are no plain SGPR, tried in every scalar and 9-bit source. */
const SCALAR_VARIETY = [OPERAND.VCC_LO, 127, OPERAND.M0, OPERAND.TTMP0, 129, 192, 193, 208, 240, 245, 253];
const SCALAR_VARIETY_GFX10 = [105, OPERAND.NULL, OPERAND.SHARED_BASE, OPERAND.FLOAT_INV_2PI];
const LITERALS = [0x12345678, 0xfffffbff, 0x1234];
/** Values that have an inline code: LLVM prints them like it, so they do not come back as literals. */
const INLINE_LITERALS = [0x3f800000, 0x40, 0xfffffff0, 0x3c00];

function base(target: Target, shape: Shape): Instruction {
  const inst = new Instruction();
  inst.op = shape.op;
  inst.mnemonic = shape.mnemonic;
  inst.format = formatOn(shape.row, target);
  for (const slot of SLOTS) fill(inst, slot, shape[slot]);
  return inst;
}

function fill(inst: Instruction, slot: Slot, kind: ParsedKind): void {
  switch (kind.kind) {
    case KIND.NONE:
      return;
    case KIND.SCALAR:
    case KIND.SCALAR_DST:
    case KIND.REGISTER:
      inst[slot] = FIRST_SGPR[slot];
      return;
    case KIND.MASK:
      inst[slot] = OPERAND.VCC_LO;
      return;
    case KIND.LITERAL:
      inst[slot] = OPERAND.LITERAL;
      inst.literal = LITERALS[0]!;
      return;
    case KIND.IMMEDIATE:
      inst[slot] = 2;
      return;
    case KIND.SCALAR_ADDRESS:
      return;
    default:
      inst[slot] = 256 + FIRST_VGPR[slot];
  }
}

function copy(inst: Instruction, change: (copied: Instruction) => void): Instruction {
  const { nsa, ...fields } = inst;
  const copied = Object.assign(new Instruction(), fields);
  copied.nsa.push(...nsa);
  change(copied);
  return copied;
}

const SOURCE_SLOTS = ['src0', 'src1', 'src2'] as const;

/** gfx7 vector instructions read one scalar value; masks, second scalars and literals already take it. */
function usesConstantBus(target: Target, inst: Instruction, shape: Shape, slot: Slot): boolean {
  if (!isGfx7(target) || shape.row.class === 'salu' || inst.encoding === 'plain') return false;
  if (shape.row.readsVcc || shape.row.readsM0) return true;
  return SOURCE_SLOTS.some((other) => other !== slot && inst[other] >= 0 && inst[other] < 256);
}

function readsScalar(code: number): boolean {
  return code < 128 || code === 253;
}

function* sourceVariety(target: Target, shape: Shape, inst: Instruction): Generator<Instruction> {
  const codes = isGfx7(target) ? SCALAR_VARIETY : [...SCALAR_VARIETY, ...SCALAR_VARIETY_GFX10];
  for (const slot of SOURCE_SLOTS) {
    const { kind } = shape[slot];
    if (kind === KIND.VGPR || kind === KIND.ANY) yield copy(inst, (c) => void (c[slot] = 256));
    if (kind !== KIND.SCALAR && kind !== KIND.ANY) continue;
    const busTaken = usesConstantBus(target, inst, shape, slot);
    for (const code of codes) {
      if (!busTaken || !readsScalar(code)) yield copy(inst, (c) => void (c[slot] = code));
    }
    if (busTaken || shape.row.class === 'branch') continue;
    for (const literal of isGfx7(target) ? LITERALS : [...LITERALS, ...INLINE_LITERALS]) {
      yield copy(inst, (c) => {
        c[slot] = OPERAND.LITERAL;
        c.literal = literal;
      });
    }
  }
}

function* scalarSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  yield inst;
  yield* sourceVariety(target, shape, inst);
  const immediates = shape.row.imm === undefined || shape.row.imm === 'none' ? [] : IMMEDIATES;
  for (const imm of immediates) yield copy(inst, (c) => void (c.imm = imm));
}

/** 16-bit immediates that reach every branch of the structured ones. */
const IMMEDIATES = [
  0, 1, 2, 3, 0x12, 0x22, 0x123, 0x7f, 0x0f7f, 0x3f70, 0xc07f, 0xff7f, 0xff9f, 0x1843, 0xf801, 0x7fff, 0x8000, 0xffff,
];

function* scalarMemorySamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  if (!shape.src0Dwords) {
    yield inst;
    return;
  }
  const gfx7 = isGfx7(target);
  if (shape.row.memory === 'atomic') inst.dst = OPERAND.NONE;
  yield inst;
  const offsets = gfx7 ? [0, 4, 1020] : [0, 4, -4, 0x7ffff, -0x100000];
  for (const imm of offsets) {
    yield copy(inst, (c) => {
      c.src1 = OPERAND.NONE;
      c.imm = imm;
      c.flags |= FLAG.IMM;
    });
  }
  if (gfx7) {
    yield copy(inst, (c) => {
      c.src1 = OPERAND.LITERAL;
      c.literal = 0x12345;
    });
    return;
  }
  yield copy(inst, (c) => void (c.imm = 0x10));
  if (shape.row.memory === 'cache') return;
  for (const flags of [FLAG.GLC, FLAG.DLC, FLAG.GLC | FLAG.DLC]) {
    yield copy(inst, (c) => {
      c.flags |= flags;
      if (shape.row.memory === 'atomic' && flags & FLAG.GLC) c.dst = c.src2;
    });
  }
}

function* modifierVariety(shape: Shape, inst: Instruction): Generator<Instruction> {
  const takes = shape.modifierMask;
  for (const mask of [1, 2, 4, 7]) {
    if (!(mask & takes)) continue;
    yield copy(inst, (c) => void (c.neg = mask & takes));
    yield copy(inst, (c) => void (c.abs = mask & takes & ~shape.integerModifiers));
    yield copy(inst, (c) => void (c.neg = c.abs = mask & takes & ~shape.integerModifiers));
    yield copy(inst, (c) => {
      c.neg = mask & takes;
      if (shape.src0.kind === KIND.ANY) c.src0 = 242;
    });
  }
  yield copy(inst, (c) => void (c.clamp = 1));
  for (const omod of [1, 2, 3]) yield copy(inst, (c) => void (c.omod = omod));
}

function* e64Samples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  inst.encoding = 'e64';
  if (!isGfx7(target) && shape.dst.kind === KIND.MASK && shape.row.writesExec) inst.dst = OPERAND.EXEC_LO;
  yield inst;
  yield* sourceVariety(target, shape, inst);
  if (shape.src1.kind === KIND.VGPR) {
    if (!usesConstantBus(target, inst, shape, 'src1')) yield copy(inst, (c) => void (c.src1 = 10));
    yield copy(inst, (c) => void (c.src1 = 129));
  }
  for (const slot of ['dst', 'sdst', 'src2'] as const) {
    if (shape[slot].kind === KIND.MASK && inst[slot] !== OPERAND.EXEC_LO) yield copy(inst, (c) => void (c[slot] = 22));
  }
  yield* modifierVariety(shape, inst);
  if (shape.opSelAllowed) {
    const bits = shape.row.class === 'cross-lane' ? 3 : shape.sourceMask | 8;
    for (let opSel = 1; opSel < 16; opSel++)
      if ((opSel & bits) === opSel) yield copy(inst, (c) => void (c.opSel = opSel));
  }
  if (shape.row.imm === 'attr') {
    yield copy(inst, (c) => void (c.imm = 31 | (3 << 8)));
    if (shape.format !== 'VINTRP') yield copy(inst, (c) => void (c.flags |= FLAG.HIGH));
  }
}

function* shortSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  inst.encoding = 'e32';
  const gfx7 = isGfx7(target);
  if (!gfx7 && shape.dst.kind === KIND.MASK && shape.row.writesExec) inst.dst = OPERAND.EXEC_LO;
  yield inst;
  // Rows that are VOP3 on gfx10 have wide kinds; in e32 the second source stays a VGPR.
  for (const varied of sourceVariety(target, shape, inst)) {
    if (varied.src1 === inst.src1 || shape.src1.kind === KIND.SCALAR || varied.src1 >= 256) yield varied;
  }
  if (!shape.noE64) yield* e64Samples(target, shape);
  if (gfx7) return;
  if (!shape.noSdwa) yield* sdwaSamples(shape, inst);
  if (!shape.noDpp16) yield* dpp16Samples(shape, inst);
  if (!shape.noDpp8) {
    for (const dppCtrl of [0xfac688, 0x000000, 0x05397]) {
      for (const flags of [0, FLAG.FETCH_INACTIVE]) {
        yield copy(inst, (c) => {
          c.encoding = 'dpp8';
          c.dppCtrl = dppCtrl;
          c.flags = flags;
        });
      }
    }
  }
}

function* sdwaSamples(shape: Shape, e32: Instruction): Generator<Instruction> {
  const inst = copy(e32, (c) => void (c.encoding = 'sdwa'));
  yield inst;
  if (shape.src0.kind === KIND.NONE) return;
  for (let select = 0; select < 6; select++) {
    yield copy(inst, (c) => void (c.src0Sel = select));
    if (shape.src1.kind !== KIND.NONE) yield copy(inst, (c) => void (c.src1Sel = select));
    if (shape.dst.kind === KIND.VGPR) {
      yield copy(inst, (c) => {
        c.dstSel = select;
        c.dstUnused = select % 3;
      });
    }
  }
  yield copy(inst, (c) => void (c.src0 = 10));
  yield copy(inst, (c) => void (c.src0 = 129));
  if (shape.src1.kind !== KIND.NONE) yield copy(inst, (c) => void (c.src1 = 11));
  if (shape.dst.kind === KIND.MASK && !shape.row.writesExec) yield copy(inst, (c) => void (c.dst = 22));
  const sources = shape.src1.kind === KIND.NONE ? 1 : 3;
  const floats = shape.modifierMask & ~shape.integerModifiers & sources;
  yield copy(inst, (c) => void (c.neg = floats));
  yield copy(inst, (c) => void (c.neg = c.abs = floats));
  yield copy(inst, (c) => void (c.sext = sources & ~floats));
  if (shape.dst.kind !== KIND.VGPR) return;
  yield copy(inst, (c) => void (c.clamp = 1));
  if (shape.sdwaOmodAllowed) yield copy(inst, (c) => void (c.omod = 2));
}

function* dpp16Samples(shape: Shape, e32: Instruction): Generator<Instruction> {
  const inst = copy(e32, (c) => {
    c.encoding = 'dpp16';
    c.dppCtrl = 0xe4;
  });
  for (const ctrl of [0xe4, 0x1b, 0x101, 0x10f, 0x111, 0x12f, 0x140, 0x141, 0x150, 0x15f, 0x161, 0x16f]) {
    yield copy(inst, (c) => void (c.dppCtrl = ctrl));
  }
  yield copy(inst, (c) => void (c.rowMask = 3));
  yield copy(inst, (c) => void (c.bankMask = 0));
  yield copy(inst, (c) => void (c.flags = FLAG.BOUND_CTRL));
  yield copy(inst, (c) => void (c.flags = FLAG.BOUND_CTRL | FLAG.FETCH_INACTIVE));
  const takes = shape.modifierMask & 3;
  if (!takes || shape.src0.kind === KIND.NONE) return;
  yield copy(inst, (c) => void (c.neg = takes));
  yield copy(inst, (c) => void (c.abs = takes & ~shape.integerModifiers));
}

function* packedSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  inst.encoding = 'e64';
  const all = shape.sourceMask;
  inst.opSelHi = all;
  yield inst;
  yield* sourceVariety(target, shape, inst);
  for (let bits = 1; bits <= all; bits++) {
    if ((bits & all) !== bits) continue;
    yield copy(inst, (c) => void (c.opSel = bits));
    yield copy(inst, (c) => void (c.opSelHi = all & ~bits));
    yield copy(inst, (c) => void (c.neg = bits));
    yield copy(inst, (c) => void (c.negHi = bits));
  }
  yield copy(inst, (c) => void (c.clamp = 1));
}

function* interpolationSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  for (const imm of [0, 1 | (2 << 8), 32 | (3 << 8)]) yield copy(inst, (c) => void (c.imm = imm));
  if (shape.src0.kind === KIND.IMMEDIATE) for (const slot of [0, 1]) yield copy(inst, (c) => void (c.src0 = slot));
  if (!isGfx7(target)) yield* e64Samples(target, shape);
}

function* dataShareSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  if (shape.row.gds === 'only') inst.flags = FLAG.GDS;
  yield inst;
  if (shape.row.imm !== 'none') {
    const offsets = shape.row.imm === 'swizzle' ? SWIZZLES : [0x0001, 0x0100, 0x1234, 0xffff];
    for (const imm of offsets) yield copy(inst, (c) => void (c.imm = imm));
  }
  if (!shape.row.gds) yield copy(inst, (c) => void (c.flags = FLAG.GDS));
}

const SWIZZLES = [0x80e4, 0x801b, 0x001f, 0x041f, 0x401f, 0x7c1f, 0x1c1f, 0x0018, 0x0208, 0x4515, 0x1234, 0xc123];

function* bufferSamples(target: Target, shape: Shape): Generator<Instruction> {
  if (shape.row.memory === 'cache') {
    yield base(target, shape);
    return;
  }
  const inst = base(target, shape);
  const gfx7 = isGfx7(target);
  const isAtomic = shape.row.memory === 'atomic';
  const isTyped = inst.format === 'MTBUF';
  inst.src0 = OPERAND.NONE;
  inst.bufferFormat = isTyped ? 22 : 0;
  if (isAtomic) inst.dst = OPERAND.NONE;
  yield inst;
  const address = 256 + FIRST_VGPR.src0;
  const modes = [FLAG.OFFEN, FLAG.IDXEN, FLAG.OFFEN | FLAG.IDXEN];
  if (gfx7) modes.push(FLAG.ADDR64);
  for (const flags of modes) {
    yield copy(inst, (c) => {
      c.src0 = address;
      c.flags = flags;
      c.imm = 4095;
    });
  }
  for (const flags of [FLAG.GLC, FLAG.SLC, ...(gfx7 || isAtomic ? [] : [FLAG.DLC]), FLAG.GLC | FLAG.SLC]) {
    yield copy(inst, (c) => {
      c.flags = flags;
      if (isAtomic && flags & FLAG.GLC) c.dst = c.src3;
    });
  }
  for (const soffset of [128, 129, OPERAND.M0, ...(gfx7 ? [] : [OPERAND.NULL])])
    yield copy(inst, (c) => void (c.src2 = soffset));
  if (shape.row.memory === 'load' && !isTyped) yield copy(inst, (c) => void (c.flags = FLAG.TFE));
  if (isTyped) for (let f = 0; f < 128; f += 3) yield copy(inst, (c) => void (c.bufferFormat = f));
  if (shape.row.lds) {
    yield copy(inst, (c) => {
      c.flags = FLAG.LDS | FLAG.OFFEN;
      c.src0 = address;
      c.dst = OPERAND.NONE;
    });
  }
}

function* imageSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  const gfx7 = isGfx7(target);
  const isAtomic = shape.row.memory === 'atomic';
  inst.dmask = shape.dstDwords ? 1 : isAtomic ? (shape.mnemonic.endsWith('cmpswap') ? 3 : 1) : 15;
  if (isAtomic) inst.dst = OPERAND.NONE;
  if (isRay(shape)) {
    inst.dmask = 15;
    inst.flags = FLAG.UNORM | FLAG.R128;
    for (const flags of [0, FLAG.A16]) {
      yield copy(inst, (c) => void (c.flags |= flags));
      yield* nsaSample(
        shape,
        copy(inst, (c) => void (c.flags |= flags)),
      );
    }
    return;
  }
  for (const dim of gfx7 ? [0] : [0, 1, 2, 3, 4, 5]) {
    const dimensioned = copy(inst, (c) => void (c.dim = dim));
    yield dimensioned;
    if (gfx7) continue;
    yield* nsaSample(shape, dimensioned);
    const packed = copy(dimensioned, (c) => void (c.flags = FLAG.A16));
    yield packed;
    yield* nsaSample(shape, packed);
  }
  const flagList = [FLAG.UNORM, FLAG.GLC, FLAG.SLC, FLAG.R128, FLAG.LWE, ...(gfx7 ? [FLAG.DA] : [FLAG.DLC])];
  if (!isAtomic) flagList.push(FLAG.TFE);
  if (shape.row.d16 && !gfx7) flagList.push(FLAG.D16);
  for (const flags of flagList) {
    yield copy(inst, (c) => {
      c.flags = flags;
      if (isAtomic && flags & FLAG.GLC) c.dst = c.src3;
    });
  }
  if (!isAtomic)
    for (const dmask of shape.dstDwords ? [2, 4, 8] : SOME_DMASKS) yield copy(inst, (c) => void (c.dmask = dmask));
}

const SOME_DMASKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

/** The same with the addresses as a list, where the row has that form. */
function* nsaSample(shape: Shape, inst: Instruction): Generator<Instruction> {
  const count = imageTuples(inst, shape, 0, 0, 0) & 0xff;
  const words = (count + 2) >> 2;
  if (count < 2 || count > 13 || !nsaWordsAllowed(shape, words, (inst.flags & FLAG.A16) !== 0)) return;
  yield copy(inst, (c) => {
    for (let i = 1; i < count; i++) c.nsa.push(256 + 100 + 3 * i);
  });
}

function* flatSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  const isAtomic = shape.row.memory === 'atomic';
  if (isAtomic) inst.dst = OPERAND.NONE;
  yield inst;
  const gfx7 = isGfx7(target);
  const offsets = gfx7 ? [] : shape.format === 'FLAT' ? [1, 2047, 4095] : [1, 2047, -1, -2048];
  for (const imm of offsets) yield copy(inst, (c) => void (c.imm = imm));
  for (const flags of [FLAG.GLC, FLAG.SLC, ...(gfx7 ? [] : [FLAG.DLC]), FLAG.GLC | FLAG.SLC]) {
    yield copy(inst, (c) => {
      c.flags = flags;
      if (isAtomic && flags & FLAG.GLC) c.dst = 256 + FIRST_VGPR.dst;
    });
  }
  if (shape.src2.kind === KIND.SCALAR_ADDRESS) {
    yield copy(inst, (c) => {
      c.src2 = 40;
      if (c.format === 'SCRATCH') c.src0 = OPERAND.NONE;
    });
    if (target === 'gfx1030' && shape.format === 'SCRATCH') {
      yield copy(inst, (c) => {
        c.src0 = OPERAND.NONE;
        c.flags |= FLAG.NO_ADDRESS;
      });
    }
  }
  if (shape.row.lds) {
    yield copy(inst, (c) => {
      c.flags = FLAG.LDS;
      c.dst = OPERAND.NONE;
    });
  }
}

function* exportSamples(target: Target, shape: Shape): Generator<Instruction> {
  const inst = base(target, shape);
  const registers = [inst.src0, inst.src1, inst.src2, inst.src3];
  const gfx7 = isGfx7(target);
  const withMask = (imm: number, mask: number, flags: number): Instruction =>
    copy(inst, (c) => {
      c.imm = imm;
      c.exportMask = mask;
      c.flags = flags;
      const compressed = (flags & FLAG.COMPR) !== 0;
      c.src0 = (compressed ? mask & 3 : mask & 1) ? registers[0]! : OPERAND.NONE;
      c.src1 = (compressed ? mask & 12 : mask & 2) ? registers[1]! : OPERAND.NONE;
      c.src2 = !compressed && mask & 4 ? registers[2]! : OPERAND.NONE;
      c.src3 = !compressed && mask & 8 ? registers[3]! : OPERAND.NONE;
    });
  for (let imm = 0; imm < 64; imm++) {
    const exists = imm < 10 || (imm >= 12 && imm < (gfx7 ? 16 : 17)) || imm >= 32 || (imm === 20 && !gfx7);
    if (exists) yield withMask(imm, 15, 0);
  }
  for (let mask = 0; mask < 16; mask++) yield withMask(0, mask, FLAG.DONE);
  yield withMask(1, 15, FLAG.COMPR | FLAG.VM);
  yield withMask(1, 3, FLAG.COMPR);
  yield withMask(1, 12, FLAG.COMPR | FLAG.DONE | FLAG.VM);
}

function* samplesOf(target: Target, shape: Shape): Generator<Instruction> {
  switch (formatOn(shape.row, target)) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
    case 'SOPK':
    case 'SOPP':
      return yield* scalarSamples(target, shape);
    case 'SMEM':
    case 'SMRD':
      return yield* scalarMemorySamples(target, shape);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
      return yield* shortSamples(target, shape);
    case 'VOP3':
    case 'VOP3B':
      return yield* e64Samples(target, shape);
    case 'VOP3P':
      return yield* packedSamples(target, shape);
    case 'VINTRP':
      return yield* interpolationSamples(target, shape);
    case 'DS':
      return yield* dataShareSamples(target, shape);
    case 'MUBUF':
    case 'MTBUF':
      return yield* bufferSamples(target, shape);
    case 'MIMG':
      return yield* imageSamples(target, shape);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return yield* flatSamples(target, shape);
    case 'EXP':
      return yield* exportSamples(target, shape);
  }
}

/** All samples of a target that our encoder accepts, without repetition, in the order of the tables. */
export function samples(target: Target): Sample[] {
  const result: Sample[] = [];
  const seen = new Set<string>();
  const words = new Uint32Array(8);
  MNEMONICS.forEach((_, op) => {
    const shape = shapeOf(op);
    if (opcodeOn(shape.row, target) === undefined) return;
    for (const inst of samplesOf(target, shape)) {
      const size = encodeInstruction(target, inst, words);
      if (size <= 0) continue;
      const key = words.subarray(0, size).join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      result.push({ op, encoding: inst.encoding, words: words.slice(0, size) });
    }
  });
  return result;
}
