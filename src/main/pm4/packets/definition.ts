/**
 * What one kind of packet is: its name, opcode, generations, how many dwords, its fields, and what executing it does.
 *
 * Definitions are data plus one function; they never print. `execute` works through a `PacketContext`, which the
 * command processor supplies, and says what happened as a `PacketEffect`; an effect becomes an event that the user
 * sees. Field positions count body dwords, so dword 0 is the one after the header.
 * Sources: packet definitions of the kernel (nvd.h, cikd.h, kfd_pm4_headers_ai.h) and public driver documentation.
 */
import type { DiagnosticKind } from '../../base/diagnostics.ts';
import type { Target, Vec3 } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { addressFromHalves } from '../../base/guest-address.ts';
import type { GuestMemory } from '../../base/guest-memory.ts';
import type { Generation } from '../generation.ts';
import type { GpuStateBuilder } from '../gpu-state.ts';
import type { RegisterSpace } from '../registers/spaces.ts';

export type FieldValues = Readonly<Record<number, string>>;

interface FieldBase {
  readonly name: string;
  /** Body dword of the (low half of the) field. */
  readonly dword: number;
  /** Only on this generation. */
  readonly only?: Generation;
  /** Only in packets for which this holds, where the meaning of a dword depends on another. */
  readonly when?: (body: Uint32Array) => boolean;
}

export type PacketField =
  | (FieldBase & {
      readonly kind: 'bits';
      readonly shift: number;
      readonly width: number;
      readonly values?: FieldValues;
    })
  /** Address in `dword` and `dword + 1`; `alignBits` low bits of the low half and bits above `highBits` are not part. */
  | (FieldBase & { readonly kind: 'address'; readonly alignBits: number; readonly highBits: number })
  /** All dwords from `dword` on. */
  | (FieldBase & { readonly kind: 'payload' });

/** Consecutive registers that a packet writes from its own body. */
export interface RegisterRun {
  /** Absolute dword address of the first. */
  readonly first: number;
  /** Body dword of the first value. */
  readonly valuesAt: number;
  readonly count: number;
}

export interface DispatchArguments {
  /** As in the packet or in memory: groups, or threads where the initiator says so. */
  readonly dimensions: Vec3;
  readonly initiator: number;
  /** Where an indirect dispatch read its dimensions. */
  readonly argumentsAt?: GuestAddress;
}

export interface MemoryRange {
  readonly address: GuestAddress;
  readonly sizeBytes: number;
}

/** What executing a packet did, as far as it is worth an event. */
export type PacketEffect =
  | { readonly kind: 'dispatch'; readonly dispatch: DispatchArguments }
  | { readonly kind: 'draw'; readonly vertexOrIndexCount: number | undefined; readonly instances: number | undefined }
  | { readonly kind: 'write'; readonly written: readonly MemoryRange[] }
  | { readonly kind: 'copy'; readonly written: readonly MemoryRange[]; readonly read: readonly MemoryRange[] }
  | { readonly kind: 'sync'; readonly summary: string; readonly written: readonly MemoryRange[] }
  | { readonly kind: 'wait'; readonly summary: string; readonly satisfied: boolean }
  | { readonly kind: 'marker'; readonly action: MarkerAction; readonly label: string }
  | { readonly kind: 'state'; readonly summary: string }
  | { readonly kind: 'unsupported'; readonly summary: string };

export type MarkerAction = 'push' | 'pop' | 'set' | 'hint' | 'flip';

/** What a packet may do while it executes. Everything that fails is reported; nothing throws. */
export interface PacketContext {
  readonly target: Target;
  readonly generation: Generation;
  readonly memory: GuestMemory;
  readonly state: GpuStateBuilder;
  /** On-chip memories of the processor. */
  readonly gds: Uint32Array;
  readonly constantRam: Uint32Array;
  readRegister(index: number): number;
  writeRegister(index: number, value: number): void;
  /** A diagnostic at the packet's address. */
  report(code: string, kind: DiagnosticKind, message: string): void;
  /** Continues in another buffer; afterwards here, unless `chain`. */
  enterBuffer(address: GuestAddress, dwordCount: number, chain: boolean): void;
  /** Skips dwords after this packet; they must be whole packets. */
  skipDwords(count: number): void;
  /** Reads the rest of the current buffer from memory again. */
  reloadRest(): void;
  pushMarker(label: string): void;
  /** The label that was open, or undefined when none was. */
  popMarker(): string | undefined;
  /** Ever increasing stand-in for clocks, which captures do not hold. */
  tick(): number;
}

/** The part of a packet that `execute` sees. */
export interface PacketBody {
  readonly address: GuestAddress;
  readonly header: number;
  readonly body: Uint32Array;
}

export interface PacketDefinition {
  readonly name: string;
  readonly opcode: number;
  readonly generations: readonly Generation[];
  /** Smallest and largest number of body dwords. */
  readonly body: readonly [number, number];
  readonly fields: readonly PacketField[];
  /** A further condition on the body; the reason when it does not hold. */
  readonly check?: (body: Uint32Array, generation: Generation) => string | undefined;
  /**
   * The packet sets consecutive registers of this space from its body: dword 0 bits 15:0 the first, values follow.
   * Streams are full of these, so decoder and processor do them themselves; every other packet has `execute`.
   */
  readonly setsRegistersOf?: RegisterSpace;
  /** Undefined when the packet only changed registers or position. */
  readonly execute?: (packet: PacketBody, context: PacketContext) => PacketEffect | undefined;
}

export const EVERY_GENERATION: readonly Generation[] = ['gfx7', 'gfx10'];
export const MAX_BODY_DWORDS = 0x4000;

type FieldOptions = { only?: Generation; when?: (body: Uint32Array) => boolean };

export function bits(
  name: string,
  dword: number,
  shift: number,
  width: number,
  options: FieldOptions & { values?: FieldValues } = {},
): PacketField {
  return { kind: 'bits', name, dword, shift, width, ...options };
}

export function flag(name: string, dword: number, bit: number, options: FieldOptions = {}): PacketField {
  return bits(name, dword, bit, 1, options);
}

export function word(name: string, dword: number, options: FieldOptions & { values?: FieldValues } = {}): PacketField {
  return bits(name, dword, 0, 32, options);
}

/** Byte address in two dwords. Defaults: dword aligned, bits 47:32 in the high half. */
export function address(
  name: string,
  dword: number,
  options: FieldOptions & { alignBits?: number; highBits?: number } = {},
): PacketField {
  return { kind: 'address', name, dword, alignBits: 2, highBits: 16, ...options };
}

export function payload(name: string, dword: number, options: FieldOptions = {}): PacketField {
  return { kind: 'payload', name, dword, ...options };
}

/** The address in body dwords `dword` and `dword + 1`, low bits cleared. */
export function addressAt(body: Uint32Array, dword: number, alignBits = 2): GuestAddress {
  return addressFromHalves(body[dword]! & -(2 ** alignBits), body[dword + 1]!);
}
