/**
 * Compute code of Mesa's RADV → capture: machine code with the driver's own description of its user SGPRs.
 *
 * ABI (measured on Mesa 22.3): s[0:1] words 0–1 of a scratch V#; then, as `user_sgpr_map` says, one 32-bit pointer per
 * descriptor set (upper half 0xffff8000, so sets lie at 0x8000_xxxxxxxx; 0 before gfx9), the inlined dwords of the push
 * constants, and the number of work-groups: three SGPRs from gfx10.3 on, before that a 64-bit pointer to three dwords.
 * System SGPRs follow as RSRC2 enables them. Descriptors: 16-byte V# of a storage buffer, 32-byte T# of a storage image,
 * 96 bytes for an image with sampler.
 */
import { z } from 'zod';
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Target, Vec3, WaveSize } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { EXECUTE, READ, WRITE } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ExpectationException } from '../format/model.ts';
import { CaptureBuilder } from './capture-builder.ts';
import { bufferDescriptor } from './descriptors.ts';
import { type ParsedSpec, parseSpec, specProblem } from './dispatch-spec.ts';
import { assumed, IMPORT_PRODUCER, type Imported, PLACE } from './imported.ts';
import { type LoadedCode, loadMesaObject } from './mesa-object.ts';
import { type ComputeState, type DispatchSize, MAX_USER_SGPRS, Pm4Stream } from './pm4-builder.ts';
import { allocateScratch, type ScratchArea, waveCount } from './scratch-area.ts';

export interface RadvInput {
  /** Machine code (`.bin`) or a relocatable object (`.elf`), recognised by content. */
  readonly code: Uint8Array;
  readonly codeName?: string;
  /** JSON text of the compiled shader's description. */
  readonly meta: string;
  readonly metaName?: string;
  readonly run: RadvRun;
}

export interface RadvRun {
  readonly title?: string;
  readonly groups: Vec3;
  readonly threads: Vec3;
  /** All push constants; those that are inlined are taken from here. */
  readonly push?: Uint8Array;
  /** By set and binding. */
  readonly sets: readonly (readonly RadvBinding[])[];
}

export type RadvBinding =
  | {
      readonly kind: 'buffer';
      readonly bytes: Uint8Array;
      /** What the buffer holds after the dispatch, when that is known. */
      readonly expected?: {
        readonly bytes: Uint8Array;
        readonly source: string;
        readonly exceptions?: readonly ExpectationException[];
      };
    }
  /** Ready descriptor words of an image: their memory is the caller's to map. */
  | { readonly kind: 'descriptor'; readonly words: readonly number[] };

export interface RadvImported extends Imported {
  /** Address of each buffer by set and binding; undefined for ready descriptors. */
  readonly buffers: readonly (readonly (GuestAddress | undefined)[])[];
}

const HEX32 = z.string().regex(/^0x[0-9a-fA-F]{1,8}$/);
const META = z.looseObject({
  kernel: z.string(),
  family: z.string(),
  wave: z.union([z.literal(32), z.literal(64)], { error: 'expected 32 or 64' }),
  sets: z.array(z.array(z.int())),
  push: z.int().min(0).max(256),
  config: z.looseObject({
    scratch_bytes_per_wave: z
      .int()
      .min(0)
      .max(2 ** 23 - 1),
    rsrc1: HEX32,
    rsrc2: HEX32,
    rsrc3: HEX32,
  }),
  inline_push_constant_mask: z.string().regex(/^0x[0-9a-fA-F]{1,16}$/),
  user_sgpr_map: z.record(z.string(), z.strictObject({ sgpr: z.int().min(0).max(15), n: z.int().min(1).max(16) })),
});
type RadvMeta = z.infer<typeof META>;

const FAMILIES: Readonly<Record<string, Target>> = {
  bonaire: 'gfx700',
  hawaii: 'gfx700',
  navi10: 'gfx1013',
  navi12: 'gfx1013',
  navi14: 'gfx1013',
  navi21: 'gfx1030',
  navi22: 'gfx1030',
  navi23: 'gfx1030',
  vangogh: 'gfx1030',
  rembrandt: 'gfx1030',
};

/** Vulkan descriptor types → bytes in a set. */
const DESCRIPTOR_BYTES: Readonly<Record<number, number>> = { 1: 96, 3: 32, 7: 16 };

/** All inside the 4 GiB whose upper address half the code takes for its 32-bit pointers. */
function placesFor(target: Target) {
  const base = target === 'gfx700' ? 0 : 0x8000_0000_0000;
  return {
    code: (base + 0x1000_0000) as GuestAddress,
    sets: (base + 0x2000_0000) as GuestAddress,
    constants: (base + 0x3000_0000) as GuestAddress,
    scratch: (base + 0x4000_0000) as GuestAddress,
    buffers: (base + 0x8000_0000) as GuestAddress,
  };
}

export function importRadv(input: RadvInput): Result<RadvImported> {
  const parsed = parseSpec<RadvMeta>(META, input.meta, input.metaName);
  if (!parsed.ok) return parsed;
  const target = FAMILIES[parsed.value.spec.family];
  if (!target) {
    const text = `family "${parsed.value.spec.family}" is none of ${Object.keys(FAMILIES).join(', ')}`;
    return fail([{ ...specProblem(parsed.value.document, ['family'], text, 'CAP106'), kind: 'unsupported' }]);
  }
  const total = input.run.threads.reduce((product, count) => product * count, 1);
  if (!(total >= 1 && total <= 1024)) {
    return fail([diagnostic('CAP108', 'badInput', `${total} threads in a group, 1 to 1024 are possible`)]);
  }
  return new RadvImport(input, parsed.value, target).run();
}

class RadvImport {
  private readonly input: RadvInput;
  private readonly parsed: ParsedSpec<RadvMeta>;
  private readonly target: Target;
  private readonly places: ReturnType<typeof placesFor>;
  private readonly builder: CaptureBuilder;
  private readonly notes: Diagnostic[] = [];
  private readonly size: DispatchSize;

  constructor(input: RadvInput, parsed: ParsedSpec<RadvMeta>, target: Target) {
    this.input = input;
    this.parsed = parsed;
    this.target = target;
    this.places = placesFor(target);
    this.size = { kind: 'groups', groups: input.run.groups };
    const title = input.run.title ?? `${parsed.spec.kernel} (${parsed.spec.family}, wave${parsed.spec.wave})`;
    this.builder = new CaptureBuilder({ target, producer: IMPORT_PRODUCER, title });
  }

  private problem(path: readonly (string | number)[], message: string, code: string): Diagnostic {
    const found = specProblem(this.parsed.document, path, message, code);
    return code === 'CAP106' ? { ...found, kind: 'unsupported' } : found;
  }

  run(): Result<RadvImported> {
    const { builder, input } = this;
    const meta = this.parsed.spec;
    const rsrc2 = Number(meta.config.rsrc2);
    const code = this.loadCode(rsrc2);
    if (!code.ok) return code;
    const buffers = this.placeBuffers();
    const sets = this.placeSets(buffers);
    if (!sets.ok) return sets;
    const scratch = this.placeScratch();
    if (!scratch.ok) return scratch;
    const userData = this.userData((rsrc2 >>> 1) & 31, sets.value, scratch.value);
    if (!userData.ok) return userData;
    if (meta.family.startsWith('navi1')) this.notes.push(assumed(`gfx1013 stands for ${meta.family}`));
    const state: ComputeState = {
      target: this.target,
      waveSize: meta.wave as WaveSize,
      programAddress: code.value,
      rsrc1: Number(meta.config.rsrc1),
      rsrc2,
      rsrc3: Number(meta.config.rsrc3),
      threads: input.run.threads,
      userData: userData.value,
      ...(scratch.value ? { scratch: scratch.value } : {}),
    };
    const stream = new Pm4Stream()
      .pushMarker(meta.kernel)
      .setComputeState(state)
      .dispatch(state, this.size)
      .popMarker();
    builder.submitStream(stream, PLACE.commands as GuestAddress);
    builder.shader({ codeAddress: code.value, hardwareStage: 'cs', softwareStage: 'compute', name: meta.kernel });
    this.describeBuffers(buffers);
    return ok({ builder, diagnostics: this.notes, buffers });
  }

  private loadCode(rsrc2: number): Result<GuestAddress> {
    const { code, codeName } = this.input;
    const base = this.places.code;
    const isElf = code.length >= 4 && code[0] === 0x7f && code[1] === 0x45 && code[2] === 0x4c && code[3] === 0x46;
    let loaded: LoadedCode = { bytes: code, entryOffset: 0, ldsBytes: 0, functions: new Map() };
    if (isElf) {
      const object = loadMesaObject(code, base, codeName);
      if (!object.ok) return object;
      loaded = object.value;
    }
    const { bytes, entryOffset } = loaded;
    if (bytes.length % 4 !== 0 || entryOffset % 256 !== 0 || entryOffset >= bytes.length) {
      return fail([diagnostic('CAP104', 'badInput', `${bytes.length} bytes of code, entry at ${entryOffset}`)]);
    }
    const ldsLimit = ((rsrc2 >>> 15) & 0x1ff) * 512;
    if (loaded.ldsBytes > ldsLimit) {
      const text = `the code uses ${loaded.ldsBytes} bytes of LDS, RSRC2 grants ${ldsLimit}`;
      return fail([this.problem(['config', 'rsrc2'], text, 'CAP107')]);
    }
    this.builder.map(base, bytes.length, READ | EXECUTE).write(base, bytes);
    return ok((base + entryOffset) as GuestAddress);
  }

  private placeBuffers(): (GuestAddress | undefined)[][] {
    return this.input.run.sets.map((bindings) =>
      bindings.map((binding) => {
        if (binding.kind === 'descriptor') return undefined;
        const address = this.builder.allocate(this.places.buffers, binding.bytes.length, READ | WRITE);
        this.builder.write(address, binding.bytes);
        return address;
      }),
    );
  }

  /** Descriptor memory of every set. */
  private placeSets(buffers: readonly (readonly (GuestAddress | undefined)[])[]): Result<readonly GuestAddress[]> {
    const { builder, input, target } = this;
    const addresses: GuestAddress[] = [];
    const problems: Diagnostic[] = [];
    this.parsed.spec.sets.forEach((types, set) => {
      const words: number[] = [];
      types.forEach((type, index) => {
        const size = DESCRIPTOR_BYTES[type];
        const binding = input.run.sets[set]?.[index];
        const path = ['sets', set, index];
        if (size === undefined) problems.push(this.problem(path, `descriptor type ${type} is not supported`, 'CAP106'));
        else if (!binding)
          problems.push(this.problem(path, `nothing is given for set ${set} binding ${index}`, 'CAP107'));
        else {
          const alignment = Math.min(size, 32) / 4;
          while (words.length % alignment !== 0) words.push(0);
          const address = buffers[set]?.[index];
          const given =
            binding.kind === 'descriptor' ? binding.words : bufferDescriptor(target, address!, binding.bytes.length);
          if (given.length * 4 !== size) {
            const text = `set ${set} binding ${index} of type ${type} takes ${size / 4} descriptor words, not ${given.length}`;
            problems.push(this.problem(path, text, 'CAP107'));
          }
          words.push(...given);
        }
      });
      const address = builder.allocate(this.places.sets, Math.max(4, words.length * 4), READ);
      builder.writeWords(address, words);
      addresses.push(address);
    });
    return problems.length > 0 ? fail(problems) : ok(addresses);
  }

  private placeScratch(): Result<ScratchArea | undefined> {
    const { config, wave } = this.parsed.spec;
    if (config.scratch_bytes_per_wave === 0) return ok(undefined);
    const waves = waveCount(this.size, this.input.run.threads, wave as WaveSize);
    const perLane = config.scratch_bytes_per_wave / wave;
    const area = allocateScratch(this.builder, this.target, wave as WaveSize, waves, perLane, this.places.scratch);
    return area.ok ? area : fail([this.problem(['config', 'scratch_bytes_per_wave'], area.error, 'CAP108')]);
  }

  private userData(count: number, sets: readonly GuestAddress[], scratch: ScratchArea | undefined): Result<number[]> {
    const meta = this.parsed.spec;
    if (count > MAX_USER_SGPRS) {
      const text = `RSRC2 announces ${count} user SGPRs, at most ${MAX_USER_SGPRS} are possible`;
      return fail([this.problem(['config', 'rsrc2'], text, 'CAP107')]);
    }
    const words: (number | undefined)[] = new Array(count).fill(undefined);
    const problems: Diagnostic[] = [];
    for (const [name, { sgpr, n }] of Object.entries(meta.user_sgpr_map)) {
      const value = this.userValue(name, n, sets, scratch);
      if (!value.ok) problems.push(this.problem(['user_sgpr_map', name], value.error, 'CAP106'));
      else if (value.value.length !== n || sgpr + n > words.length) {
        const text = `${name} has ${value.value.length} dwords for SGPRs ${sgpr} to ${sgpr + n - 1} of ${words.length}`;
        problems.push(this.problem(['user_sgpr_map', name], text, 'CAP107'));
      } else value.value.forEach((word, i) => (words[sgpr + i] = word));
    }
    if (problems.length > 0) return fail(problems);
    const unknown = words.flatMap((word, i) => (word === undefined ? [`s${i}`] : []));
    if (unknown.length > 0) this.notes.push(assumed(`user SGPRs without a description are 0: ${unknown.join(', ')}`));
    return ok(words.map((word) => word ?? 0));
  }

  private userValue(
    name: string,
    dwords: number,
    sets: readonly GuestAddress[],
    scratch: ScratchArea | undefined,
  ): Result<number[], string> {
    const set = /^descriptor_set(\d+)_ptr32$/.exec(name);
    if (set) {
      const address = sets[Number(set[1])];
      return address === undefined ? fail(`there is no set ${set[1]}`) : ok([addressLow32(address)]);
    }
    switch (name) {
      case 'SCRATCH_RING_OFFSETS':
        if (!scratch) return ok([0, 0]);
        // Word 1 of a V#: base address 47:32 and the swizzle bit.
        return ok([addressLow32(scratch.address), ((addressHigh32(scratch.address) & 0xffff) | (1 << 31)) >>> 0]);
      case 'INLINE_PUSH_CONSTANTS':
        return this.inlinePushConstants();
      case 'PUSH_CONSTANTS':
        return ok([addressLow32(this.placeConstants(this.pushBytes()))]);
      case 'NUM_WORKGROUPS': {
        const groups = this.input.run.groups;
        if (dwords === 3) return ok([...groups]);
        const address = this.placeConstants(new Uint8Array(Uint32Array.from(groups).buffer));
        return ok([addressLow32(address), addressHigh32(address)]);
      }
      default:
        return fail(`user data "${name}" is not supported`);
    }
  }

  private placeConstants(bytes: Uint8Array): GuestAddress {
    const address = this.builder.allocate(this.places.constants, bytes.length, READ);
    this.builder.write(address, bytes);
    return address;
  }

  private pushBytes(): Uint8Array {
    const bytes = new Uint8Array(Math.max(4, this.parsed.spec.push));
    const given = this.input.run.push ?? new Uint8Array(0);
    if (given.length < this.parsed.spec.push) this.notes.push(assumed('push constants that are not given are 0'));
    bytes.set(given.subarray(0, bytes.length));
    return bytes;
  }

  private inlinePushConstants(): Result<number[], string> {
    const mask = BigInt(this.parsed.spec.inline_push_constant_mask);
    const bytes = this.pushBytes();
    const words = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
    const values: number[] = [];
    for (let i = 0; i < 64; i++) {
      if (((mask >> BigInt(i)) & 1n) === 0n) continue;
      const word = words[i];
      if (word === undefined) return fail(`dword ${i} is inlined, there are ${words.length} dwords of push constants`);
      values.push(word);
    }
    return ok(values);
  }

  private describeBuffers(buffers: readonly (readonly (GuestAddress | undefined)[])[]): void {
    this.input.run.sets.forEach((bindings, set) => {
      bindings.forEach((binding, index) => {
        const address = buffers[set]![index];
        if (binding.kind !== 'buffer' || address === undefined) return;
        this.builder.label({ address, text: `set ${set} binding ${index}` });
        if (!binding.expected) return;
        const { bytes, source, exceptions = [] } = binding.expected;
        this.builder.expect({ kind: 'memory', event: 0, address, bytes, source, exceptions });
      });
    });
  }
}
