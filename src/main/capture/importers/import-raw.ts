/**
 * Raw shader dwords + a description of the state → capture of one compute dispatch.
 *
 * The description gives what a register dump would: user data, group size, enabled system SGPRs, float mode. What it
 * leaves out is taken by default and said so, because a wrong default looks like a wrong shader.
 */
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { WaveSize } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { EXECUTE, READ } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { CaptureBuilder } from './capture-builder.ts';
import { bufferDescriptor, scratchDescriptor } from './descriptors.ts';
import {
  dispatchSizeOf,
  type ParsedSpec,
  parseSpec,
  parseU64,
  RAW_SPEC,
  type RawSpec,
  specProblem,
  type UserDataSpec,
} from './dispatch-spec.ts';
import { assumed, type FileResolver, IMPORT_PRODUCER, type Imported, PLACE } from './imported.ts';
import { freeAddress, type PlacedBuffer, placeBuffers, placeExpectations } from './place-buffers.ts';
import { type ComputeState, type DispatchSize, MAX_USER_SGPRS, Pm4Stream } from './pm4-builder.ts';
import { allocateScratch, type ScratchArea, waveCount } from './scratch-area.ts';

export interface RawInput {
  readonly code: Uint8Array;
  readonly spec: string;
  readonly specName?: string;
  readonly resolveFile?: FileResolver;
}

/** f32 denormals flushed, f16 and f64 denormals kept, round to nearest even: what drivers set for compute. */
const DEFAULT_FLOAT_MODE = 0xc0;

export function importRaw(input: RawInput): Result<Imported> {
  const parsed = parseSpec<RawSpec>(RAW_SPEC, input.spec, input.specName);
  if (!parsed.ok) return parsed;
  const size = dispatchSizeOf(parsed.value);
  if (!size.ok) return size;
  return new RawImport(input, parsed.value, size.value).run();
}

class RawImport {
  private readonly input: RawInput;
  private readonly parsed: ParsedSpec<RawSpec>;
  private readonly size: DispatchSize;
  private readonly builder: CaptureBuilder;
  private readonly notes: Diagnostic[] = [];
  private readonly functions = new Map<string, GuestAddress>();

  constructor(input: RawInput, parsed: ParsedSpec<RawSpec>, size: DispatchSize) {
    this.input = input;
    this.parsed = parsed;
    this.size = size;
    const { target, title } = parsed.spec;
    this.builder = new CaptureBuilder({ target, producer: IMPORT_PRODUCER, title: title ?? 'raw shader' });
  }

  private problem(path: readonly (string | number)[], message: string, code = 'CAP102'): Diagnostic {
    return specProblem(this.parsed.document, path, message, code);
  }

  /** The value, or its default with a notice that names the key. */
  private orAssume<T>(value: T | undefined, fallback: T, key: string): T {
    if (value !== undefined) return value;
    this.notes.push(assumed(`"${key}": ${JSON.stringify(fallback)}`));
    return fallback;
  }

  run(): Result<Imported> {
    const { builder, parsed, input, size } = this;
    const { spec } = parsed;
    const waveSize = this.waveSize();
    if (!waveSize.ok) return waveSize;
    const code = this.placeCode();
    if (!code.ok) return code;
    const buffers = placeBuffers(builder, parsed, input.resolveFile);
    if (!buffers.ok) return buffers;
    const scratch = this.placeScratch(waveSize.value);
    if (!scratch.ok) return scratch;
    const userData = this.userData(waveSize.value, buffers.value, scratch.value);
    if (!userData.ok) return userData;
    const state: ComputeState = {
      target: spec.target,
      waveSize: waveSize.value,
      programAddress: code.value,
      rsrc1: spec.rsrc1 ?? this.rsrc1(waveSize.value),
      rsrc2: spec.rsrc2 ?? this.rsrc2(userData.value.length, scratch.value !== undefined),
      rsrc3: spec.rsrc3 ?? 0,
      threads: spec.threads,
      userData: userData.value,
      ...(scratch.value ? { scratch: scratch.value } : {}),
    };
    const stream = new Pm4Stream().setComputeState(state).dispatch(state, size);
    builder.submitStream(stream, PLACE.commands as GuestAddress);
    builder.shader({ codeAddress: code.value, hardwareStage: 'cs', softwareStage: 'compute' });
    for (const [text, address] of this.functions) builder.label({ address, text });
    const problems = placeExpectations(builder, parsed, buffers.value, input.resolveFile, 0);
    return problems.length > 0 ? fail(problems) : ok({ builder, diagnostics: this.notes });
  }

  private waveSize(): Result<WaveSize> {
    const { target, wave } = this.parsed.spec;
    if (target === 'gfx700') {
      return wave === 32 ? fail([this.problem(['wave'], 'wave: gfx700 has waves of 64 only')]) : ok(64);
    }
    return ok(this.orAssume(wave, 64, 'wave') as WaveSize);
  }

  private placeCode(): Result<GuestAddress> {
    const { builder, input, parsed } = this;
    const main = this.place(input.code, parsed.spec.address, ['address'], 256);
    if (!main.ok) return main;
    for (const [name, { file, address }] of Object.entries(parsed.spec.functions ?? {})) {
      const path = ['functions', name];
      const bytes = input.resolveFile?.(file);
      if (!bytes) return fail([this.problem(path, 'functions: files cannot be used here')]);
      if (!bytes.ok) return bytes;
      const placed = this.place(bytes.value, address, path, 4);
      if (!placed.ok) return placed;
      this.functions.set(name, placed.value);
    }
    builder.label({ address: main.value, text: 'main' });
    return main;
  }

  private place(
    code: Uint8Array,
    wanted: number | string | undefined,
    path: readonly string[],
    alignment: number,
  ): Result<GuestAddress> {
    if (code.length === 0 || code.length % 4 !== 0) {
      return fail([diagnostic('CAP104', 'badInput', `${code.length} bytes of code: dwords are needed`)]);
    }
    let address: GuestAddress;
    if (wanted === undefined) address = this.builder.allocate(PLACE.code as GuestAddress, code.length, READ | EXECUTE);
    else {
      const free = freeAddress(this.builder, wanted, code.length);
      if (!free.ok) return fail([this.problem(path, `code ${free.error}`)]);
      if (parseU64(wanted) % BigInt(alignment) !== 0n) {
        return fail([this.problem(path, `code address is not a multiple of ${alignment}`)]);
      }
      address = free.value;
      this.builder.map(address, code.length, READ | EXECUTE);
    }
    this.builder.write(address, code);
    return ok(address);
  }

  private placeScratch(waveSize: WaveSize): Result<ScratchArea | undefined> {
    const { spec } = this.parsed;
    const used = spec.userData?.some((entry) => 'scratch' in entry) ?? false;
    if (spec.scratchBytesPerLane === undefined && !used) return ok(undefined);
    const perLane = this.orAssume(spec.scratchBytesPerLane, 4096, 'scratchBytesPerLane');
    const waves = waveCount(this.size, spec.threads, waveSize);
    const area = allocateScratch(this.builder, spec.target, waveSize, waves, perLane);
    return area.ok ? area : fail([this.problem(['scratchBytesPerLane'], area.error, 'CAP108')]);
  }

  private userData(
    waveSize: WaveSize,
    buffers: ReadonlyMap<string, PlacedBuffer>,
    scratch: ScratchArea | undefined,
  ): Result<number[]> {
    const words: number[] = [];
    const problems: Diagnostic[] = [];
    (this.parsed.spec.userData ?? []).forEach((entry, index) => {
      const value = this.userWords(entry, waveSize, buffers, scratch);
      if (value.ok) words.push(...value.value);
      else problems.push(this.problem(['userData', index], `userData: ${value.error}`));
    });
    if (words.length > MAX_USER_SGPRS) {
      problems.push(this.problem(['userData'], `userData: ${words.length} dwords, at most ${MAX_USER_SGPRS}`));
    }
    return problems.length > 0 ? fail(problems) : ok(words.map((word) => word >>> 0));
  }

  private userWords(
    entry: UserDataSpec,
    waveSize: WaveSize,
    buffers: ReadonlyMap<string, PlacedBuffer>,
    scratch: ScratchArea | undefined,
  ): Result<readonly number[], string> {
    const { target } = this.parsed.spec;
    const pointer = (address: GuestAddress) => ok([addressLow32(address), addressHigh32(address)]);
    if ('u32' in entry) return ok([entry.u32]);
    if ('i32' in entry) return ok([entry.i32]);
    if ('f32' in entry) return ok([...new Uint32Array(Float32Array.of(entry.f32).buffer)]);
    if ('words' in entry) return ok(entry.words);
    if ('u64' in entry) {
      const value = parseU64(entry.u64);
      return value < 1n << 64n ? ok([Number(value & 0xffffffffn), Number(value >> 32n)]) : fail('is above 2^64');
    }
    if ('address' in entry) {
      const buffer = buffers.get(entry.address);
      return buffer
        ? pointer((buffer.address + (entry.offset ?? 0)) as GuestAddress)
        : fail(`no buffer "${entry.address}"`);
    }
    if ('descriptor' in entry) {
      const buffer = buffers.get(entry.descriptor);
      if (!buffer) return fail(`no buffer "${entry.descriptor}"`);
      return ok(bufferDescriptor(target, buffer.address, buffer.sizeBytes, entry.stride ?? 0));
    }
    if ('function' in entry) {
      const address = this.functions.get(entry.function);
      return address === undefined ? fail(`no function "${entry.function}"`) : pointer(address);
    }
    if (entry.scratch === 'descriptor') return ok(scratchDescriptor(target, waveSize, scratch!.address));
    return pointer(scratch!.address);
  }

  /** Registers are granted in full: allocation does not change results. */
  private rsrc1(waveSize: WaveSize): number {
    const { target, float } = this.parsed.spec;
    const mode = this.orAssume(float?.mode, DEFAULT_FLOAT_MODE, 'float.mode');
    const clamp = this.orAssume(float?.dx10Clamp, true, 'float.dx10Clamp');
    const ieee = this.orAssume(float?.ieee, false, 'float.ieee');
    const overflow = float?.fp16Overflow ? 1 << 26 : 0;
    const vgprs = target === 'gfx700' || waveSize === 64 ? 63 : 31;
    // gfx10: WGP_MODE (29) and MEM_ORDERED (30). gfx7: 104 SGPRs in units of 8.
    const generation = target === 'gfx700' ? 12 << 6 : (1 << 29) | (1 << 30);
    return (vgprs | (mode << 12) | (clamp ? 1 << 21 : 0) | (ieee ? 1 << 23 : 0) | overflow | generation) >>> 0;
  }

  private rsrc2(userSgprs: number, scratch: boolean): number {
    const { spec } = this.parsed;
    const ids = this.orAssume(spec.groupIds, 'x', 'groupIds');
    const localIds = this.orAssume(spec.localIds, spec.threads[2] > 1 ? 3 : spec.threads[1] > 1 ? 2 : 1, 'localIds');
    const lds = Math.ceil(this.orAssume(spec.ldsBytes, 0, 'ldsBytes') / 512);
    let value = (scratch ? 1 : 0) | (userSgprs << 1) | ((localIds - 1) << 11) | (lds << 15);
    if (ids.includes('x')) value |= 1 << 7;
    if (ids.includes('y')) value |= 1 << 8;
    if (ids.includes('z')) value |= 1 << 9;
    if (spec.groupSizeRegister) value |= 1 << 10;
    return value >>> 0;
  }
}
