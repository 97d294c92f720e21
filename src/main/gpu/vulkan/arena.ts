/**
 * Vulkan structs in one ordinary ArrayBuffer whose address is taken once.
 *
 * Why: koffi is used for scalar and pointer calls only; structs are written by DataView at generated offsets, so
 * nothing that koffi allocates can be freed under the driver, and nothing needs an external ArrayBuffer (Electron
 * aborts on those). `mark`/`reset` free everything allocated in between; pointers taken before a reset are dead after.
 */
import koffi from 'koffi';
import { assert } from '../../base/assert.ts';
import { STRUCTS, type VulkanMember, type VulkanStruct } from './vulkan.gen.ts';

export type StructName = keyof typeof STRUCTS;
export type FieldValue = number | bigint | boolean | string | Fields;
export interface Fields {
  readonly [member: string]: FieldValue;
}
/** What `read` gives: numbers, bigints for u64, strings for char arrays, arrays and nested records. */
// biome-ignore lint/suspicious/noExplicitAny: the shape follows the struct's name at run time
export type StructValue = any;

export class Arena {
  private readonly buffer: ArrayBuffer;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly base: bigint;
  private top = 0;

  constructor(sizeBytes = 4 << 20) {
    this.buffer = new ArrayBuffer(sizeBytes);
    this.view = new DataView(this.buffer);
    this.bytes = new Uint8Array(this.buffer);
    this.base = BigInt(koffi.address(this.buffer));
  }

  mark(): number {
    return this.top;
  }

  reset(mark: number): void {
    this.top = mark;
  }

  /** Zeroed memory; returns its address. */
  allocate(sizeBytes: number, align = 8): bigint {
    const offset = Math.ceil(this.top / align) * align;
    assert(offset + sizeBytes <= this.buffer.byteLength, 'the Vulkan arena is full');
    this.top = offset + sizeBytes;
    this.bytes.fill(0, offset, this.top);
    return this.base + BigInt(offset);
  }

  private offsetOf(pointer: bigint): number {
    return Number(pointer - this.base);
  }

  string(text: string): bigint {
    const encoded = new TextEncoder().encode(text);
    const pointer = this.allocate(encoded.length + 1, 1);
    this.bytes.set(encoded, this.offsetOf(pointer));
    return pointer;
  }

  u64s(items: readonly bigint[]): bigint {
    const pointer = this.allocate(8 * Math.max(items.length, 1));
    items.forEach((item, i) => this.view.setBigUint64(this.offsetOf(pointer) + 8 * i, item, true));
    return pointer;
  }

  u32s(items: ArrayLike<number>): bigint {
    const pointer = this.allocate(4 * Math.max(items.length, 1));
    for (let i = 0; i < items.length; i++) this.view.setUint32(this.offsetOf(pointer) + 4 * i, items[i]!, true);
    return pointer;
  }

  f32s(items: readonly number[]): bigint {
    const pointer = this.allocate(4 * items.length);
    items.forEach((item, i) => this.view.setFloat32(this.offsetOf(pointer) + 4 * i, item, true));
    return pointer;
  }

  copy(data: Uint8Array): bigint {
    const pointer = this.allocate(Math.max(data.length, 1));
    this.bytes.set(data, this.offsetOf(pointer));
    return pointer;
  }

  readU32(pointer: bigint): number {
    return this.view.getUint32(this.offsetOf(pointer), true);
  }

  readU64(pointer: bigint): bigint {
    return this.view.getBigUint64(this.offsetOf(pointer), true);
  }

  writeU32(pointer: bigint, value: number): void {
    this.view.setUint32(this.offsetOf(pointer), value, true);
  }

  writeU64(pointer: bigint, value: bigint): void {
    this.view.setBigUint64(this.offsetOf(pointer), value, true);
  }

  readBytes(pointer: bigint, sizeBytes: number): Uint8Array {
    const offset = this.offsetOf(pointer);
    return this.bytes.slice(offset, offset + sizeBytes);
  }

  /** A struct with its sType set. */
  make(name: StructName, fields: Fields = {}): bigint {
    return this.array(name, [fields]);
  }

  array(name: StructName, items: readonly Fields[]): bigint {
    const struct: VulkanStruct = STRUCTS[name];
    const pointer = this.allocate(struct.size * Math.max(items.length, 1));
    items.forEach((fields, i) => {
      this.write(name, this.offsetOf(pointer) + i * struct.size, fields);
    });
    return pointer;
  }

  private write(name: StructName, offset: number, fields: Fields): void {
    const struct: VulkanStruct = STRUCTS[name];
    if (struct.sType >= 0) this.view.setInt32(offset, struct.sType, true);
    for (const [key, value] of Object.entries(fields)) {
      const member = struct.members[key];
      assert(member, `${name} has no member ${key}`);
      this.writeMember(offset + member[0], member[1], value);
    }
  }

  private writeMember(offset: number, kind: string, value: FieldValue): void {
    if (typeof value === 'object') this.write(kind as StructName, offset, value);
    else if (kind === 'ptr' || kind === 'u64') {
      this.view.setBigUint64(offset, typeof value === 'string' ? this.string(value) : BigInt(value), true);
    } else if (kind === 'f32') this.view.setFloat32(offset, Number(value), true);
    else if (kind === 'i32') this.view.setInt32(offset, Number(value), true);
    else if (kind === 'u32') this.view.setUint32(offset, Number(value), true);
    else assert(false, `cannot write a ${kind}`);
  }

  read(name: StructName, pointer: bigint): StructValue {
    return this.readAt(name, this.offsetOf(pointer));
  }

  private readAt(name: StructName, offset: number): StructValue {
    const struct: VulkanStruct = STRUCTS[name];
    const out: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(struct.members)) out[key] = this.readMember(offset + member[0], member);
    return out;
  }

  private readMember(offset: number, [, kind, count, size]: VulkanMember): unknown {
    if (count > 1 && kind === 'i8') {
      const text = this.bytes.subarray(offset, offset + count);
      const end = text.indexOf(0);
      return new TextDecoder().decode(text.subarray(0, end < 0 ? count : end));
    }
    if (count > 1) return Array.from({ length: count }, (_, i) => this.readScalar(offset + i * size, kind));
    return this.readScalar(offset, kind);
  }

  private readScalar(offset: number, kind: string): unknown {
    switch (kind) {
      case 'u8':
        return this.bytes[offset];
      case 'i8':
        return this.view.getInt8(offset);
      case 'u32':
        return this.view.getUint32(offset, true);
      case 'i32':
        return this.view.getInt32(offset, true);
      case 'f32':
        return this.view.getFloat32(offset, true);
      case 'f64':
        return this.view.getFloat64(offset, true);
      case 'i64':
        return this.view.getBigInt64(offset, true);
      case 'u64':
      case 'ptr':
        return this.view.getBigUint64(offset, true);
      default:
        return this.readAt(kind as StructName, offset);
    }
  }
}
