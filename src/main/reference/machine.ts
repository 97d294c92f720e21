/**
 * Everything that the waves of one dispatch share: guest memory behind checked accesses, GDS, apertures, the records
 * of faults and accesses, and what was found unsupported.
 *
 * Why one object: handlers see memory only through it, so that page faults, access records and an undo log have one
 * place each. A load that faults gives 0 and is recorded; a store that faults changes nothing and is recorded.
 */
import { atAddress, type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import type { Target, WaveSize } from '../base/dispatch.ts';
import { ADDRESS_LIMIT, canonicalAddress, type GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, READ, WRITE } from '../base/guest-memory.ts';
import { Apertures } from './apertures.ts';
import type { Fault, FaultReason } from './faults.ts';
import { type AccessSize, Lds } from './lds.ts';
import type { Wave } from './wave.ts';

/** One access of guest memory that took effect. `lane` is −1 for scalar accesses. */
export interface MemoryAccess {
  readonly kind: 'read' | 'write';
  readonly address: number;
  readonly sizeBytes: number;
  readonly value: number;
  readonly lane: number;
  readonly instructionAddress: GuestAddress;
  readonly workgroup: number;
  readonly wave: number;
}

/** Told before each store to guest memory that takes effect: the place of an undo log. */
export type GuestStoreListener = (address: GuestAddress, sizeBytes: AccessSize, before: number, after: number) => void;

export interface MachineOptions {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly memory: GuestMemory;
  readonly scratchBytesPerWave: number;
  readonly maxFaults: number;
  readonly stopOnFault: boolean;
  readonly recordAccesses: boolean;
  readonly gdsBytes: number;
  /** gfx7: base of all scratch memory (SH_HIDDEN_PRIVATE_BASE), to which FLAT_SCRATCH_HI is relative. */
  readonly privateBase: number;
}

export class Machine {
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly memory: GuestMemory;
  readonly scratchBytesPerWave: number;
  readonly apertures = new Apertures();
  readonly privateBase: number;
  readonly gds: Lds;
  readonly faults: Fault[] = [];
  /** Faults beyond `maxFaults` are only counted. */
  faultCount = 0;
  readonly diagnostics: Diagnostic[] = [];
  readonly accesses: MemoryAccess[] = [];
  onStore: GuestStoreListener | undefined;
  /** s_icache_inv: code may have been written. */
  onInvalidateCode: (() => void) | undefined;
  /** Instructions executed by all waves: the time that clocks and s_memtime show. */
  clock = 0;
  private readonly maxFaults: number;
  private readonly stopOnFault: boolean;
  private readonly recordAccesses: boolean;
  private readonly reported = new Set<string>();

  constructor(options: MachineOptions) {
    this.target = options.target;
    this.waveSize = options.waveSize;
    this.memory = options.memory;
    this.scratchBytesPerWave = options.scratchBytesPerWave;
    this.privateBase = options.privateBase;
    this.gds = new Lds(options.gdsBytes);
    this.maxFaults = options.maxFaults;
    this.stopOnFault = options.stopOnFault;
    this.recordAccesses = options.recordAccesses;
  }

  /** Records a fault of the running instruction; the wave stops when the run was asked to stop on faults. */
  fault(wave: Wave, reason: FaultReason, lane: number, address: number, sizeBytes: number, detail?: string): void {
    this.faultCount++;
    if (this.stopOnFault) wave.status = 'stopped';
    if (this.faults.length >= this.maxFaults) return;
    const { instructionAddress, index } = wave;
    const base = { reason, instructionAddress, lane, workgroup: wave.groupId, wave: index, address, sizeBytes };
    this.faults.push(detail === undefined ? base : { ...base, detail });
  }

  /** The wave cannot go on: recorded whatever `stopOnFault` says. */
  fatal(wave: Wave, reason: FaultReason, address: number, detail?: string): void {
    this.fault(wave, reason, -1, address, 0, detail);
    wave.status = 'stopped';
  }

  /** Stops the wave at an instruction that this engine does not execute; told once per address. */
  unsupported(wave: Wave, mnemonic: string, reason: string): void {
    wave.status = 'stopped';
    const key = `${wave.instructionAddress} ${mnemonic}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.diagnostics.push(
      diagnostic(
        'REF001',
        'unsupported',
        `${mnemonic} is not executed by the reference: ${reason}`,
        atAddress(wave.instructionAddress),
      ),
    );
  }

  /** Reads 1, 2 or 4 bytes of guest memory for `lane` (−1: scalar). A fault is recorded and gives 0. */
  load(wave: Wave, lane: number, address: number, sizeBytes: AccessSize): number {
    const at = canonical(address);
    const { memory } = this;
    const value = sizeBytes === 4 ? memory.loadU32(at) : sizeBytes === 2 ? memory.loadU16(at) : memory.loadU8(at);
    if (value === undefined) {
      const reason = isMapped(memory, at, sizeBytes)
        ? 'read of memory without read permission'
        : 'read of unmapped memory';
      this.fault(wave, reason, lane, at, sizeBytes);
      return 0;
    }
    if (this.recordAccesses) this.record(wave, 'read', lane, at, sizeBytes, value);
    return value;
  }

  store(wave: Wave, lane: number, address: number, sizeBytes: AccessSize, value: number): void {
    const at = canonical(address);
    const { memory } = this;
    if (this.onStore && memory.allows(at, sizeBytes, WRITE))
      this.onStore(at, sizeBytes, peek(memory, at, sizeBytes), value);
    const stored =
      sizeBytes === 4
        ? memory.storeU32(at, value)
        : sizeBytes === 2
          ? memory.storeU16(at, value)
          : memory.storeU8(at, value);
    if (!stored) {
      const reason = isMapped(memory, at, sizeBytes)
        ? 'write to memory without write permission'
        : 'write to unmapped memory';
      this.fault(wave, reason, lane, at, sizeBytes);
      return;
    }
    if (this.recordAccesses) this.record(wave, 'write', lane, at, sizeBytes, value);
  }

  /** Whether an atomic may take place; otherwise the fault is recorded. */
  mayUpdate(wave: Wave, lane: number, address: number, sizeBytes: number): boolean {
    const at = canonical(address);
    if (this.memory.allows(at, sizeBytes, READ | WRITE)) return true;
    const mapped = isMapped(this.memory, at, sizeBytes);
    this.fault(
      wave,
      mapped ? 'write to memory without write permission' : 'write to unmapped memory',
      lane,
      at,
      sizeBytes,
    );
    return false;
  }

  private record(
    wave: Wave,
    kind: 'read' | 'write',
    lane: number,
    address: number,
    sizeBytes: number,
    value: number,
  ): void {
    const { instructionAddress, index } = wave;
    const workgroup = wave.group.index;
    this.accesses.push({ kind, address, sizeBytes, value, lane, instructionAddress, workgroup, wave: index });
  }
}

/** As `canonicalAddress`, quick for what needs no change. */
function canonical(address: number): GuestAddress {
  return address >= 0 && address < ADDRESS_LIMIT ? (address as GuestAddress) : canonicalAddress(address);
}

function isMapped(memory: GuestMemory, address: GuestAddress, sizeBytes: number): boolean {
  return memory.allows(address, sizeBytes, 0);
}

function peek(memory: GuestMemory, address: GuestAddress, sizeBytes: number): number {
  const bytes = memory.peekBytes(address, sizeBytes)!;
  let value = 0;
  for (let i = sizeBytes - 1; i >= 0; i--) value = value * 256 + bytes[i]!;
  return value;
}
