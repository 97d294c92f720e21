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
import { PACKET_KINDS, type PacketKind, PacketStream } from './packet-stream.ts';
import { definitionOf, opcodeName } from './packets/index.ts';
import { spaceOf } from './registers/spaces.ts';

const FILLER = 0x80000000;

interface Step {
  readonly kind: PacketKind;
  readonly dwords: number;
  readonly reason?: string;
}

export function decodePackets(words: Uint32Array, address: GuestAddress, target: Target): PacketStream {
  const generation = generationOf(target);
  // One entry per dword is the most there can be; trimmed at the end.
  const offsets = new Uint32Array(words.length + 1);
  const kinds = new Uint8Array(words.length);
  const reasons = new Map<number, string>();
  let count = 0;
  let at = 0;
  while (at < words.length) {
    let step = stepAt(words, at, generation);
    if (step.kind === 'damaged') {
      step = { ...step, dwords: damagedLength(words, at, step.dwords, generation) };
      reasons.set(count, step.reason!);
    }
    offsets[count] = at;
    kinds[count] = PACKET_KINDS.indexOf(step.kind);
    count++;
    at += step.dwords;
  }
  offsets[count] = words.length;
  return new PacketStream(words, address, target, offsets.slice(0, count + 1), kinds.slice(0, count), reasons);
}

/** `dwords` of a damaged step is the length that the header claims, or 0 when it claims none. */
function stepAt(words: Uint32Array, at: number, generation: Generation): Step {
  const header = words[at]!;
  switch (headerType(header)) {
    case 2:
      return { kind: 'filler', dwords: 1 };
    case 1:
      return damaged(0, 'type-1 header, which no processor of these generations accepts');
    case 0:
      return registersStep(words, at, header);
    case 3:
      return commandStep(words, at, header, generation);
  }
}

function registersStep(words: Uint32Array, at: number, header: number): Step {
  const count = headerBodyDwords(header);
  const first = header & 0xffff;
  if (spaceOf(first) === undefined || spaceOf(first) !== spaceOf(first + count - 1)) {
    return damaged(0, `type-0 header that writes ${count} registers at 0x${first.toString(16)}, outside every space`);
  }
  if (at + 1 + count > words.length) return damaged(0, offTheEnd('type-0 packet', count, words.length - at - 1));
  return { kind: 'registers', dwords: 1 + count };
}

function commandStep(words: Uint32Array, at: number, header: number, generation: Generation): Step {
  const body = headerBodyDwords(header);
  const opcode = headerOpcode(header);
  const name = opcodeName(opcode, generation);
  const left = words.length - at - 1;
  if (name === undefined) {
    return damaged(1 + body, `unknown opcode 0x${opcode.toString(16).padStart(2, '0')} (${generation})`);
  }
  const definition = definitionOf(header, generation);
  if (definition && (body < definition.body[0] || body > definition.body[1])) {
    const [min, max] = definition.body;
    return damaged(1 + body, `${name} has ${body} body dwords; it has ${min === max ? min : `${min} to ${max}`}`);
  }
  if (body > left) return damaged(0, offTheEnd(name, body, left));
  const reason = definition?.check?.(words.subarray(at + 1, at + 1 + body), generation);
  if (reason !== undefined) return damaged(1 + body, reason);
  return { kind: definition ? 'command' : 'named', dwords: 1 + body };
}

function damaged(claimed: number, reason: string): Step {
  return { kind: 'damaged', dwords: claimed, reason };
}

function offTheEnd(name: string, body: number, left: number): string {
  return `${name} with ${body} body dwords runs off the end of the buffer, which has ${left} more`;
}

function damagedLength(words: Uint32Array, at: number, claimed: number, generation: Generation): number {
  if (claimed > 0 && (at + claimed === words.length || isPlausible(words, at + claimed, generation))) return claimed;
  let next = at + 1;
  while (next < words.length && !isPlausible(words, next, generation)) next++;
  return next - at;
}

function isPlausible(words: Uint32Array, at: number, generation: Generation): boolean {
  if (at >= words.length) return false;
  const header = words[at]!;
  if (header === FILLER) return true;
  if (headerType(header) !== 3) return false;
  if (headerHasReservedBits(header) && headerOpcode(header) !== PACKET_NOP) return false;
  return commandStep(words, at, header, generation).kind !== 'damaged';
}
