/**
 * Buffer instructions → guest memory accesses: addresses and bounds of V# descriptors as ordinary arithmetic.
 *
 * Why as IR: with a descriptor known at dispatch nearly all of it folds; unknown, its fields are uniform and computed
 * once. Emission then has one kind of memory access.
 *
 *   index  = vindex (idxen) + lane (add_tid)          offset = voffset (offen) + immediate
 *   linear:   index · stride + offset
 *   swizzled: ((index / index_stride) · stride + (offset / element) · element) · index_stride
 *             + (index % index_stride) · element + offset % element
 *   address = base + SGPR offset + one of these
 *
 * In range, gfx10 by OOB_SELECT: 0 index < num_records and offset < stride; 1 index < num_records; 2 num_records ≠ 0;
 * 3 swizzled with a stride: index < num_records and offset + size ≤ stride; otherwise linear + size ≤ num_records.
 * gfx7: stride 0: linear < num_records − SGPR offset; otherwise index < num_records. Each dword of a wide access is
 * checked by itself; atomics as a whole. Out of range: loads give 0, stores and atomics do nothing.
 * Source: Sea Islands, RDNA 1 and 2 ISA manuals, "Buffer addressing", "Range checking".
 */
import { Builder } from '../ir/builder.ts';
import type { IrFunction } from '../ir/function.ts';
import { ACCESS_COUNT_MASK, ATOMIC_KIND_SHIFT, BUFFER_IDXEN, BUFFER_OFFEN, OP_NAMES, type OpName } from '../ir/ops.ts';
import type { BlockId, ValueId } from '../ir/types.ts';
import { applyForwards, computeUses, type Uses } from '../ir/uses.ts';
import { foldValue } from './fold.ts';

export function expandBufferAccess(fn: IrFunction): boolean {
  return new BufferExpansion(fn).run();
}

/** What the four words say; all uniform. */
interface Descriptor {
  readonly base: ValueId;
  readonly stride: ValueId;
  readonly numRecords: ValueId;
  readonly isSwizzled: ValueId;
  /** log2 of index_stride. */
  readonly indexShift: ValueId;
  readonly elementShift: ValueId;
  readonly addsThreadId: ValueId;
  readonly oobSelect: ValueId;
}

interface Place {
  readonly index: ValueId;
  readonly offset: ValueId;
  /** voffset + immediate left 32 bits. */
  readonly wraps: ValueId;
  /** 64-bit offset from base + SGPR offset. */
  readonly linear: ValueId;
  readonly address: ValueId;
}

class BufferExpansion {
  private readonly fn: IrFunction;
  private readonly b: Builder;
  private readonly gfx10: boolean;
  private readonly forward: Int32Array;
  private readonly uses: Uses;

  constructor(fn: IrFunction) {
    this.fn = fn;
    this.b = new Builder(fn, 0 as BlockId);
    this.b.onEmit = (v) => foldValue(fn, v);
    this.gfx10 = fn.shape.target !== 'gfx700';
    this.forward = new Int32Array(fn.valueCount).fill(-1);
    this.uses = computeUses(fn);
  }

  run(): boolean {
    const { fn } = this;
    const count = fn.valueCount;
    let changed = false;
    for (let v = 0 as ValueId; v < count; v++) {
      if (fn.isRemoved(v)) continue;
      const name = OP_NAMES[fn.op[v]!]!;
      const isScalar = name === 'scalar.buffer.load';
      if (!isScalar && !name.startsWith('buffer.')) continue;
      this.b.block = fn.block[v] as BlockId;
      this.b.before = v;
      this.b.location = fn.location[v]!;
      if (isScalar) this.expandScalar(v);
      else this.expandVector(v, name);
      changed = true;
    }
    if (!changed) return false;
    applyForwards(fn, this.forward);
    for (let v = 0 as ValueId; v < count; v++) {
      const name = OP_NAMES[fn.op[v]!]!;
      const isBuffer = name === 'scalar.buffer.load' || name.startsWith('buffer.');
      if (!fn.isRemoved(v) && (isBuffer || this.forward[v]! >= 0)) fn.remove(v);
    }
    return true;
  }

  private field(word: ValueId, shift: number, bits: number): ValueId {
    return this.b.emit3('ubfe.u32', word, this.b.u32(shift), this.b.u32(bits));
  }

  private bit(word: ValueId, shift: number): ValueId {
    return this.b.emit2('icmp.ne.u32', this.b.emit2('and.u32', word, this.b.u32(1 << shift)), this.b.u32(0));
  }

  private wide(value: ValueId): ValueId {
    return this.b.emit2('pack.64', value, this.b.u32(0));
  }

  private base(word0: ValueId, word1: ValueId): ValueId {
    return this.b.emit2('pack.64', word0, this.b.emit2('and.u32', word1, this.b.u32(0xffff)));
  }

  private decode(v: ValueId): Descriptor {
    const { fn, b } = this;
    const words = [0, 1, 2, 3].map((n) => fn.operand(v, n)) as [ValueId, ValueId, ValueId, ValueId];
    return {
      base: this.base(words[0], words[1]),
      stride: this.field(words[1], 16, 14),
      numRecords: words[2],
      isSwizzled: this.bit(words[1], 31),
      indexShift: b.emit2('iadd.u32', this.field(words[3], 21, 2), b.u32(3)),
      elementShift: this.gfx10 ? b.u32(2) : b.emit2('iadd.u32', this.field(words[3], 19, 2), b.u32(1)),
      addsThreadId: this.bit(words[3], 23),
      oobSelect: this.gfx10 ? this.field(words[3], 28, 2) : b.u32(0),
    };
  }

  // ── scalar ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** num_records · max(stride, 1) bytes, each dword by itself. */
  private expandScalar(v: ValueId): void {
    const { fn, b } = this;
    const { base, stride, numRecords } = this.decode(v);
    const count = fn.imm1[v]! & ACCESS_COUNT_MASK;
    const scale = b.emit2('umax.u32', stride, b.u32(1));
    const size = b.emit2('umulwide.u64', numRecords, scale);
    const start = b.emit2('and.u64', base, b.u64(-4, -1));
    const scalarOffset = this.wide(b.emit2('and.u32', fn.operand(v, 4), b.u32(-4)));
    const bits = (fn.imm1[v]! & ~ACCESS_COUNT_MASK) | 1;
    const words: ValueId[] = [];
    for (let n = 0; n < count; n++) {
      const immediate = (fn.imm0[v]! & ~3) + 4 * n;
      const offset = b.emit2('iadd.u64', scalarOffset, b.u64(immediate, immediate >> 31));
      const end = b.emit2('iadd.u64', offset, b.u64(4, 0));
      const inRange = b.emit2(
        'and.1',
        b.emit2('icmp.ule.u64', end, size),
        b.emit2('icmp.sle.i64', b.u64(0, 0), offset),
      );
      const address = b.emit2('iadd.u64', start, offset);
      words.push(b.emit2('scalar.load.if', address, inRange, 0, bits));
    }
    this.replaceComponents(v, words);
  }

  /** Gives the readers of a tuple its components one by one. */
  private replaceComponents(tuple: ValueId, words: readonly ValueId[]): void {
    const { fn, forward, uses } = this;
    if (words.length === 1) {
      forward[tuple] = words[0]!;
      return;
    }
    for (let i = uses.start[tuple]!; i < uses.start[tuple + 1]!; i++) {
      const extract = uses.users[i]!;
      forward[extract] = words[fn.imm0[extract]!]!;
    }
  }

  // ── vector ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  private place(v: ValueId, d: Descriptor): Place {
    const { fn, b } = this;
    const imm1 = fn.imm1[v]!;
    let index = imm1 & BUFFER_IDXEN ? fn.operand(v, 4) : b.u32(0);
    index = b.emit2('iadd.u32', index, b.select(d.addsThreadId, b.emit0('lane.id'), b.u32(0)));
    const vectorOffset = imm1 & BUFFER_OFFEN ? fn.operand(v, 5) : b.u32(0);
    const offset = b.emit2('iadd.u32', vectorOffset, b.u32(fn.imm0[v]!));
    const wraps = b.emit2('icmp.ult.u32', offset, vectorOffset);
    const straight = b.emit2('iadd.u64', b.emit2('umulwide.u64', index, d.stride), this.wide(offset));
    const linear = b.select(d.isSwizzled, this.swizzled(d, index, offset), straight);
    const start = b.emit2('iadd.u64', d.base, this.wide(fn.operand(v, 6)));
    return { index, offset, wraps, linear, address: b.emit2('iadd.u64', start, linear) };
  }

  private swizzled(d: Descriptor, index: ValueId, offset: ValueId): ValueId {
    const { b } = this;
    const one = b.u32(1);
    const below = (shift: ValueId): ValueId => b.emit2('isub.u32', b.emit2('shl.u32', one, shift), one);
    const elementMask = below(d.elementShift);
    const block = b.emit2('umulwide.u64', b.emit2('shr.u32', index, d.indexShift), d.stride);
    const element = b.emit2('and.u32', offset, b.emit1('not.u32', elementMask));
    const rows = b.emit2('shl.u64', b.emit2('iadd.u64', block, this.wide(element)), d.indexShift);
    const column = b.emit2('shl.u32', b.emit2('and.u32', index, below(d.indexShift)), d.elementShift);
    const within = b.emit2('iadd.u32', column, b.emit2('and.u32', offset, elementMask));
    return b.emit2('iadd.u64', rows, this.wide(within));
  }

  /** Whether `size` bytes at byte `skip` of the element are inside the buffer. */
  private inRange(v: ValueId, d: Descriptor, p: Place, skip: number, size: number): ValueId {
    const { b } = this;
    const below = b.emit2('icmp.ult.u32', p.index, d.numRecords);
    if (!this.gfx10) {
      const limit = b.emit2('isub.u64', this.wide(d.numRecords), this.wide(this.fn.operand(v, 6)));
      const at = b.emit2('iadd.u64', p.linear, b.u64(skip, 0));
      const raw = b.emit2('icmp.slt.i64', at, limit);
      return b.select(b.emit2('icmp.eq.u32', d.stride, b.u32(0)), raw, below);
    }
    const fits = b.emit1('not.1', p.wraps);
    // offset + skip < stride, and offset + skip + size ≤ stride, without overflow: strides have 14 bits.
    const small = b.emit2('icmp.ult.u32', p.offset, b.u32(0x10000));
    const startsInside = b.emit2('icmp.ult.u32', b.emit2('iadd.u32', p.offset, b.u32(skip)), d.stride);
    const endsInside = b.emit2('icmp.ule.u32', b.emit2('iadd.u32', p.offset, b.u32(skip + size)), d.stride);
    const structured = b.emit2('and.1', below, b.emit2('and.1', b.emit2('and.1', fits, small), startsInside));
    const isStructured = b.emit2('and.1', d.isSwizzled, b.emit2('icmp.ne.u32', d.stride, b.u32(0)));
    const swizzledRaw = b.emit2('and.1', below, b.emit2('and.1', b.emit2('and.1', fits, small), endsInside));
    const end = b.emit2('iadd.u64', p.linear, b.u64(skip + size, 0));
    const linearRaw = b.emit2('and.1', fits, b.emit2('icmp.ule.u64', end, this.wide(d.numRecords)));
    const raw = b.select(isStructured, swizzledRaw, linearRaw);
    const some = b.emit2('icmp.ne.u32', d.numRecords, b.u32(0));
    const is = (n: number): ValueId => b.emit2('icmp.eq.u32', d.oobSelect, b.u32(n));
    return b.select(is(3), raw, b.select(is(0), structured, b.select(is(1), below, some)));
  }

  private expandVector(v: ValueId, name: OpName): void {
    const { fn, b } = this;
    const d = this.decode(v);
    const p = this.place(v, d);
    const mask = fn.operand(v, 7);
    const kind = name.slice('buffer.'.length);
    const access = (skip: number, size: number): ValueId => b.emit2('and.1', mask, this.inRange(v, d, p, skip, size));
    const cache = fn.imm1[v]! & 0xe0;
    if (kind.startsWith('atomic')) {
      const wide = kind === 'atomic.64';
      const operands = [p.address, access(0, wide ? 8 : 4), fn.operand(v, 8), fn.operand(v, 9)];
      const bits = 1 | cache | (fn.imm1[v]! & (31 << ATOMIC_KIND_SHIFT));
      this.forward[v] = b.emit(`global.${kind}` as OpName, operands, 0, bits);
      return;
    }
    const size = kind.endsWith('8') ? 1 : kind.endsWith('16') ? 2 : 4;
    // Linear dwords follow each other; so do swizzled ones only inside an element, so each gets its own address.
    const address = (n: number): ValueId => (n === 0 ? p.address : this.dwordAddress(v, d, p, 4 * n));
    if (kind.startsWith('store')) {
      for (let n = 0; n + 8 < fn.operandCount[v]!; n++) {
        const operands = [address(n), access(4 * n, size), fn.operand(v, 8 + n)];
        b.emit(`global.${kind}` as OpName, operands, 0, 1 | cache);
      }
      return;
    }
    const words: ValueId[] = [];
    const count = fn.imm1[v]! & ACCESS_COUNT_MASK;
    for (let n = 0; n < count; n++) {
      words.push(b.emit2(`global.${kind}` as OpName, address(n), access(4 * n, size), 0, 1 | cache));
    }
    this.replaceComponents(v, words);
  }

  private dwordAddress(v: ValueId, d: Descriptor, p: Place, skip: number): ValueId {
    const { b, fn } = this;
    const straight = b.emit2('iadd.u64', p.address, b.u64(skip, 0));
    if (fn.isConstant(d.isSwizzled) && fn.imm0[d.isSwizzled] === 0) return straight;
    const offset = b.emit2('iadd.u32', p.offset, b.u32(skip));
    const start = b.emit2('iadd.u64', d.base, this.wide(fn.operand(v, 6)));
    const swizzled = b.emit2('iadd.u64', start, this.swizzled(d, p.index, offset));
    return b.select(d.isSwizzled, swizzled, straight);
  }
}
