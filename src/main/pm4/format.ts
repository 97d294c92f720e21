/**
 * Packets, events and states as plain objects for JSON and as lines of text: what the command line and panels show.
 *
 * Addresses, register indices and raw words are hex strings, because JSON readers lose 64-bit numbers and people read
 * hex; field values are numbers. Keys are stable. Nothing here decodes; it only names.
 */
import { formatDiagnostic } from '../base/diagnostics.ts';
import type { Target } from '../base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { EventEffect, GpuEvent, PathStep } from './events.ts';
import type { GpuState, RegisterChange } from './gpu-state.ts';
import type { Packet, PacketFieldValue, RegisterWrite } from './packet-stream.ts';
import type { MemoryRange } from './packets/definition.ts';
import { type DecodedField, decodeFields, registerAt, registerName } from './registers/register-table.ts';

export interface FieldShape {
  readonly name: string;
  /** Hex string for addresses, list of hex strings for payloads. */
  readonly value: number | string | readonly string[];
  readonly text?: string;
}

export interface RegisterShape {
  readonly name: string;
  readonly index: string;
  readonly value: string;
  readonly fields: readonly FieldShape[];
}

export interface PacketShape {
  readonly address: string;
  readonly name: string;
  readonly opcode?: string;
  readonly compute?: true;
  readonly predicated?: true;
  readonly dwords: readonly string[];
  readonly fields: readonly FieldShape[];
  readonly registers: readonly RegisterShape[];
  /** Why the packet is damaged. */
  readonly reason?: string;
}

export interface EventShape {
  readonly index: number;
  readonly kind: EventEffect['kind'];
  readonly summary: string;
  readonly packet?: { readonly name: string; readonly address: string; readonly sequence: number };
  readonly submit: number;
  readonly path: readonly { readonly address: string; readonly dwordCount: number; readonly dwordOffset: number }[];
  readonly markers: readonly string[];
  readonly written?: readonly { readonly address: string; readonly sizeBytes: number }[];
  readonly read?: readonly { readonly address: string; readonly sizeBytes: number }[];
  readonly diagnostics: readonly string[];
}

export function hex32(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
}

export function packetShape(packet: Packet): PacketShape {
  const { opcode, reason } = packet;
  return {
    address: formatAddress(packet.address),
    name: packet.name,
    ...(opcode === undefined ? {} : { opcode: `0x${opcode.toString(16).padStart(2, '0')}` }),
    ...(packet.isCompute ? { compute: true as const } : {}),
    ...(packet.isPredicated ? { predicated: true as const } : {}),
    dwords: Array.from(packet.words, hex32),
    fields: packet.fields().map(packetFieldShape),
    registers: packet.registerWrites().map((w) => registerWriteShape(w, packet.stream.target)),
    ...(reason === undefined ? {} : { reason }),
  };
}

function packetFieldShape(field: PacketFieldValue): FieldShape {
  const { name, text } = field;
  if (typeof field.value !== 'number') return { name, value: field.value.map(hex32) };
  const value = field.kind === 'address' ? formatAddress(field.value as GuestAddress) : field.value;
  return text === undefined ? { name, value } : { name, value, text };
}

function registerFieldShape({ name, value, text }: DecodedField): FieldShape {
  return text === undefined ? { name, value } : { name, value, text };
}

function registerWriteShape(write: RegisterWrite, target: Target): RegisterShape {
  return registerShape(target, write.index, write.value);
}

export function registerShape(target: Target, index: number, value: number): RegisterShape {
  const register = registerAt(target, index);
  return {
    name: registerName(target, index),
    index: `0x${index.toString(16)}`,
    value: hex32(value),
    fields: register ? decodeFields(register, value).map(registerFieldShape) : [],
  };
}

export function eventShape(event: GpuEvent): EventShape {
  const { effect, packet } = event;
  return {
    index: event.index,
    kind: effect.kind,
    summary: eventSummary(event),
    ...(packet
      ? { packet: { name: packet.name, address: formatAddress(packet.address), sequence: event.sequence } }
      : {}),
    submit: event.submit,
    path: event.path.map(pathShape),
    markers: event.markers,
    ...('written' in effect ? { written: effect.written.map(rangeShape) } : {}),
    ...('read' in effect ? { read: effect.read.map(rangeShape) } : {}),
    diagnostics: event.diagnostics.map(formatDiagnostic),
  };
}

function pathShape(step: PathStep) {
  return { address: formatAddress(step.address), dwordCount: step.dwordCount, dwordOffset: step.dwordOffset };
}

function rangeShape(range: MemoryRange) {
  return { address: formatAddress(range.address), sizeBytes: range.sizeBytes };
}

/** One line without the packet's name. */
export function eventSummary(event: GpuEvent): string {
  const effect = event.effect;
  switch (effect.kind) {
    case 'dispatch': {
      const { dimensions, argumentsAt } = effect.dispatch;
      const from = argumentsAt === undefined ? '' : ` from ${formatAddress(argumentsAt)}`;
      return `${dimensions.join(' × ')}${from}`;
    }
    case 'draw': {
      const count = effect.vertexOrIndexCount ?? 'unknown count of';
      return `${count} vertices × ${effect.instances ?? 1} (not executed)`;
    }
    case 'write':
      return rangesText('writes', effect.written);
    case 'copy':
      return `${rangesText('writes', effect.written)} ${rangesText('from', effect.read)}`;
    case 'marker':
      return `${effect.action} ${effect.label}`.trim();
    case 'sync':
    case 'wait':
    case 'state':
    case 'unsupported':
    case 'damaged':
    case 'problem':
      return effect.summary;
  }
}

function rangesText(verb: string, ranges: readonly MemoryRange[]): string {
  if (ranges.length === 0) return verb === 'from' ? 'from no memory' : 'writes no memory';
  return `${verb} ${ranges.map((r) => `${r.sizeBytes} bytes at ${formatAddress(r.address)}`).join(', ')}`;
}

/** Every register ever written, with the packet that wrote it last. `addressOf`: CommandProcessor.packetAddress. */
export function stateShape(
  state: GpuState,
  target: Target,
  addressOf: (sequence: number) => GuestAddress | undefined,
): (RegisterShape & { readonly writer: string })[] {
  return Array.from(state.written(), ({ index, value, writer }) => ({
    ...registerShape(target, index, value),
    writer: writerText(writer, addressOf),
  }));
}

export interface ChangeShape {
  readonly name: string;
  readonly index: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly kind: RegisterChange['kind'];
  readonly writer: string;
}

export function changeShapes(
  changes: readonly RegisterChange[],
  target: Target,
  addressOf: (sequence: number) => GuestAddress | undefined,
): ChangeShape[] {
  return changes.map((c) => ({
    name: registerName(target, c.index),
    index: `0x${c.index.toString(16)}`,
    before: c.before === undefined ? null : hex32(c.before),
    after: c.after === undefined ? null : hex32(c.after),
    kind: c.kind,
    writer: c.writer === undefined ? 'nobody' : writerText(c.writer, addressOf),
  }));
}

function writerText(sequence: number, addressOf: (sequence: number) => GuestAddress | undefined): string {
  const address = addressOf(sequence);
  return address === undefined ? 'before the first packet' : `packet ${sequence} at ${formatAddress(address)}`;
}

/** A packet as lines: name and place, then fields, then registers with their fields. */
export function packetLines(packet: Packet): string[] {
  const shape = packetShape(packet);
  const flags = `${shape.compute ? ' compute' : ''}${shape.predicated ? ' predicated' : ''}`;
  const lines = [`${shape.address}  ${shape.name}${flags}`];
  if (shape.reason !== undefined) lines.push(`  ${shape.reason}`, `  ${shape.dwords.join(' ')}`);
  const registers = shape.registers.length > 0;
  for (const f of shape.fields) {
    // Values of registers are shown as registers.
    if (!(registers && Array.isArray(f.value))) lines.push(`  ${fieldText(f)}`);
  }
  for (const r of shape.registers) {
    lines.push(`  ${r.name} = ${r.value}`);
    const [only] = r.fields;
    const wholeWord = r.fields.length === 1 && only?.value === Number(r.value);
    if (!wholeWord) for (const f of r.fields) lines.push(`    ${fieldText(f)}`);
  }
  return lines;
}

function fieldText(field: FieldShape): string {
  if (typeof field.value === 'object') return `${field.name} = ${field.value.join(' ')}`;
  const value = typeof field.value === 'number' ? `0x${field.value.toString(16)}` : field.value;
  return `${field.name} = ${value}${field.text === undefined ? '' : ` ${field.text}`}`;
}
