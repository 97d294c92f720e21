/**
 * Buffer of dwords → packets. Total: every dword belongs to one packet, whatever the input is.
 *
 * What is not a packet becomes `damaged` with its reason: reserved header types, unknown opcodes, counts that the
 * packet does not have, bodies that run off the end, type-0 writes outside the register spaces. Decoding then resumes
 * at the next plausible header. A header counts as plausible when it is a one-dword filler or a type-3 packet that is
 * known, fits, has a legal count and no reserved bits; type-0 headers are never resumed at, since any small number
 * looks like one. A damaged packet whose own length leads to a plausible header keeps that length.
 */
import type { Target } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { type Generation, generationOf } from './generation.ts';
import { headerBodyDwords, headerHasReservedBits, headerOpcode, headerType, PACKET_NOP } from './header.ts';
import { PACKET_KINDS, PacketStream } from './packet-stream.ts';
import type { PacketDefinition } from './packets/definition.ts';
import { definitionOf, opcodeName } from './packets/index.ts';
import { REGISTER_SPACES, spaceOf } from './registers/spaces.ts';

const FILLER = 0x80000000;

const COMMAND = PACKET_KINDS.indexOf('command');
const NAMED = PACKET_KINDS.indexOf('named');
const REGISTERS = PACKET_KINDS.indexOf('registers');
const TYPE2 = PACKET_KINDS.indexOf('filler');
const DAMAGED = PACKET_KINDS.indexOf('damaged');

export function decodePackets(words: Uint32Array, address: GuestAddress, target: Target): PacketStream {
  const decoder = new Decoder(words, generationOf(target));
  // One entry per dword is the most there can be; trimmed at the end.
  const offsets = new Uint32Array(words.length + 1);
  const kinds = new Uint8Array(words.length);
  const reasons = new Map<number, string>();
  let count = 0;
  let at = 0;
  while (at < words.length) {
    decoder.read(at);
    if (decoder.kind === DAMAGED) {
      reasons.set(count, decoder.reason);
      decoder.settleDamage(at);
    }
    offsets[count] = at;
    kinds[count] = decoder.kind;
    count++;
    at += decoder.dwords;
  }
  offsets[count] = words.length;
  return new PacketStream(words, address, target, offsets.slice(0, count + 1), kinds.slice(0, count), reasons);
}

/** Reads one packet at a time into its own fields, so that nothing is allocated per packet. */
class Decoder {
  private readonly words: Uint32Array;
  private readonly generation: Generation;
  kind = 0;
  /** Length; of a damaged packet the length that its header claims, or 0 when it claims none. */
  dwords = 0;
  reason = '';

  constructor(words: Uint32Array, generation: Generation) {
    this.words = words;
    this.generation = generation;
  }

  read(at: number): void {
    const header = this.words[at]!;
    switch (headerType(header)) {
      case 3:
        this.readCommand(at, header);
        return;
      case 2:
        this.set(TYPE2, 1);
        return;
      case 1:
        this.damage(0, 'type-1 header, which no processor of these generations accepts');
        return;
      case 0:
        this.readRegisters(at, header);
    }
  }

  private readCommand(at: number, header: number): void {
    const body = headerBodyDwords(header);
    const left = this.words.length - at - 1;
    const definition = definitionOf(header, this.generation);
    if (!definition) {
      const opcode = headerOpcode(header);
      const name = opcodeName(opcode, this.generation);
      if (name === undefined) this.damage(1 + body, `unknown opcode ${hexByte(opcode)} (${this.generation})`);
      else if (body > left) this.damage(0, offTheEnd(name, body, left));
      else this.set(NAMED, 1 + body);
      return;
    }
    const [min, max] = definition.body;
    if (body < min || body > max) {
      const wanted = min === max ? `${min}` : `${min} to ${max}`;
      this.damage(1 + body, `${definition.name} has ${body} body dwords; it has ${wanted}`);
      return;
    }
    if (body > left) {
      this.damage(0, offTheEnd(definition.name, body, left));
      return;
    }
    const reason = this.damageOfBody(definition, at + 1, body);
    if (reason !== undefined) this.damage(1 + body, reason);
    else this.set(COMMAND, 1 + body);
  }

  private damageOfBody(definition: PacketDefinition, at: number, dwords: number): string | undefined {
    const space = definition.setsRegistersOf;
    if (space === undefined) return definition.check?.(this.words.subarray(at, at + dwords), this.generation);
    const { first, end } = REGISTER_SPACES[space];
    const offset = this.words[at]! & 0xffff;
    const count = dwords - 1;
    if (first + offset + count <= end) return undefined;
    return `${definition.name} writes past the end of the ${space} space: offset 0x${offset.toString(16)}, ${count} values`;
  }

  private readRegisters(at: number, header: number): void {
    const count = headerBodyDwords(header);
    const first = header & 0xffff;
    const left = this.words.length - at - 1;
    if (spaceOf(first) === undefined || spaceOf(first) !== spaceOf(first + count - 1)) {
      this.damage(0, `type-0 header that writes ${count} registers at 0x${first.toString(16)}, outside every space`);
    } else if (count > left) this.damage(0, offTheEnd('type-0 packet', count, left));
    else this.set(REGISTERS, 1 + count);
  }

  private set(kind: number, dwords: number): void {
    this.kind = kind;
    this.dwords = dwords;
  }

  private damage(claimed: number, reason: string): void {
    this.kind = DAMAGED;
    this.dwords = claimed;
    this.reason = reason;
  }

  /** Gives the damaged packet just read its length: up to where decoding resumes. */
  settleDamage(at: number): void {
    const claimed = this.dwords;
    let next = at + claimed;
    if (claimed === 0 || (next !== this.words.length && !this.isPlausible(next))) {
      next = at + 1;
      while (next < this.words.length && !this.isPlausible(next)) next++;
    }
    this.set(DAMAGED, next - at);
  }

  private isPlausible(at: number): boolean {
    if (at >= this.words.length) return false;
    const header = this.words[at]!;
    if (header === FILLER) return true;
    if (headerType(header) !== 3) return false;
    if (headerHasReservedBits(header) && headerOpcode(header) !== PACKET_NOP) return false;
    this.readCommand(at, header);
    return this.kind !== DAMAGED;
  }
}

function hexByte(value: number): string {
  return `0x${value.toString(16).padStart(2, '0')}`;
}

function offTheEnd(name: string, body: number, left: number): string {
  return `${name} with ${body} body dwords runs off the end of the buffer, which has ${left} more`;
}
