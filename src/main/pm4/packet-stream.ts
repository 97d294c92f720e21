/**
 * A decoded buffer: where its packets begin and what kind each is, as parallel typed arrays, because one capture has a
 * million packets. `Packet` is a view made on demand; names, fields and register writes are decoded when asked for.
 *
 * Invariant: packets cover the buffer without gaps or overlaps; what could not be understood is a `damaged` packet.
 */
import type { Target } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import { generationOf } from './generation.ts';
import { headerIsCompute, headerIsPredicated, headerOpcode } from './header.ts';
import type { PacketDefinition, PacketField, RegisterRun } from './packets/definition.ts';
import { definitionOf, opcodeName } from './packets/index.ts';
import { bitsOf, type Register, registerAt } from './registers/register-table.ts';
import { REGISTER_SPACES } from './registers/spaces.ts';

/**
 * `command` is a type-3 packet with a definition, `named` one whose opcode has a name only, `registers` a type-0
 * packet, `filler` a type-2 packet.
 */
export const PACKET_KINDS = ['command', 'named', 'registers', 'filler', 'damaged'] as const;
export type PacketKind = (typeof PACKET_KINDS)[number];

export class PacketStream {
  readonly words: Uint32Array;
  readonly address: GuestAddress;
  readonly target: Target;
  /** Dword offset of each packet; one more entry than packets, the last is the length of the buffer. */
  private readonly offsets: Uint32Array;
  private readonly kinds: Uint8Array;
  private readonly reasons: ReadonlyMap<number, string>;

  constructor(
    words: Uint32Array,
    address: GuestAddress,
    target: Target,
    offsets: Uint32Array,
    kinds: Uint8Array,
    reasons: ReadonlyMap<number, string>,
  ) {
    this.words = words;
    this.address = address;
    this.target = target;
    this.offsets = offsets;
    this.kinds = kinds;
    this.reasons = reasons;
  }

  get count(): number {
    return this.kinds.length;
  }

  offsetOf(index: number): number {
    return this.offsets[index]!;
  }

  kindOf(index: number): PacketKind {
    return PACKET_KINDS[this.kinds[index]!]!;
  }

  reasonOf(index: number): string | undefined {
    return this.reasons.get(index);
  }

  packet(index: number): Packet {
    return new Packet(this, index);
  }

  *[Symbol.iterator](): Generator<Packet> {
    for (let i = 0; i < this.count; i++) yield this.packet(i);
  }

  /** The packet that begins at a dword offset, or undefined when none does. The length of the buffer gives `count`. */
  indexAtOffset(offset: number): number | undefined {
    let low = 0;
    let high = this.count;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.offsets[middle]!;
      if (at === offset) return middle;
      if (at < offset) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/** A field of a packet with its value; addresses are byte addresses, `payload` gives the dwords. */
export interface PacketFieldValue {
  readonly name: string;
  readonly kind: PacketField['kind'];
  readonly dword: number;
  readonly shift: number;
  readonly width: number;
  readonly value: number | readonly number[];
  readonly text?: string;
}

export interface RegisterWrite {
  /** Absolute dword address. */
  readonly index: number;
  readonly value: number;
  /** Undefined where the target has no register of that address that is known. */
  readonly register: Register | undefined;
}

export class Packet {
  readonly stream: PacketStream;
  readonly index: number;

  constructor(stream: PacketStream, index: number) {
    this.stream = stream;
    this.index = index;
  }

  get kind(): PacketKind {
    return this.stream.kindOf(this.index);
  }

  /** From the start of the buffer. */
  get dwordOffset(): number {
    return this.stream.offsetOf(this.index);
  }

  get dwordCount(): number {
    return this.stream.offsetOf(this.index + 1) - this.dwordOffset;
  }

  get address(): GuestAddress {
    return addToAddress(this.stream.address, 4 * this.dwordOffset);
  }

  /** First dword; of a damaged packet, whatever stands there. */
  get header(): number {
    return this.stream.words[this.dwordOffset]!;
  }

  get words(): Uint32Array {
    return this.stream.words.subarray(this.dwordOffset, this.dwordOffset + this.dwordCount);
  }

  get body(): Uint32Array {
    return this.stream.words.subarray(this.dwordOffset + 1, this.dwordOffset + this.dwordCount);
  }

  /** Undefined for packets that are not type 3. */
  get opcode(): number | undefined {
    return this.kind === 'command' || this.kind === 'named' ? headerOpcode(this.header) : undefined;
  }

  get definition(): PacketDefinition | undefined {
    return this.kind === 'command' ? definitionOf(this.header, generationOf(this.stream.target)) : undefined;
  }

  get name(): string {
    return nameOf(this);
  }

  /** Why the packet is damaged. */
  get reason(): string | undefined {
    return this.stream.reasonOf(this.index);
  }

  get isCompute(): boolean {
    return this.opcode !== undefined && headerIsCompute(this.header);
  }

  get isPredicated(): boolean {
    return this.opcode !== undefined && headerIsPredicated(this.header);
  }

  fields(): PacketFieldValue[] {
    const definition = this.definition;
    if (!definition) return [];
    const body = this.body;
    const generation = generationOf(this.stream.target);
    return definition.fields
      .filter((f) => (!f.only || f.only === generation) && f.dword < body.length && (!f.when || f.when(body)))
      .map((f) => fieldValue(f, body));
  }

  /** Registers that the packet writes from its own body. */
  registerRun(): RegisterRun | undefined {
    if (this.kind === 'registers') return { first: this.header & 0xffff, valuesAt: 0, count: this.dwordCount - 1 };
    const space = this.definition?.setsRegistersOf;
    if (space === undefined) return undefined;
    const offset = this.stream.words[this.dwordOffset + 1]! & 0xffff;
    return { first: REGISTER_SPACES[space].first + offset, valuesAt: 1, count: this.dwordCount - 2 };
  }

  registerWrites(): RegisterWrite[] {
    const run = this.registerRun();
    if (!run) return [];
    const body = this.body;
    return Array.from({ length: run.count }, (_, i) => ({
      index: run.first + i,
      value: body[run.valuesAt + i]!,
      register: registerAt(this.stream.target, run.first + i),
    }));
  }
}

function nameOf(packet: Packet): string {
  switch (packet.kind) {
    case 'command':
      return packet.definition!.name;
    case 'named':
      return opcodeName(headerOpcode(packet.header), generationOf(packet.stream.target))!;
    case 'registers':
      return 'TYPE0';
    case 'filler':
      return 'TYPE2';
    case 'damaged':
      return 'DAMAGED';
  }
}

function fieldValue(field: PacketField, body: Uint32Array): PacketFieldValue {
  const { name, kind, dword } = field;
  switch (field.kind) {
    case 'bits': {
      const { shift, width } = field;
      const value = bitsOf(body[dword]!, shift, width);
      const text = field.values?.[value];
      return { name, kind, dword, shift, width, value, ...(text === undefined ? {} : { text }) };
    }
    case 'address': {
      const high = bitsOf(body[dword + 1] ?? 0, 0, Math.min(field.highBits, 16));
      const value = high * 2 ** 32 + ((body[dword]! & -(2 ** field.alignBits)) >>> 0);
      return { name, kind, dword, shift: field.alignBits, width: 32 - field.alignBits + field.highBits, value };
    }
    case 'payload':
      return { name, kind, dword, shift: 0, width: 32, value: [...body.subarray(dword)] };
  }
}
