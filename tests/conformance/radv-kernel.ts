/**
 * Runs one of RADV's compute kernels (../shared/data/radv) on the reference: builds memory and dispatch from the
 * compiled shader's description, as the driver would, and gives the buffers after the run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../src/main/base/guest-memory.ts';
import { loadMesaObject } from '../../src/main/capture/importers/mesa-object.ts';
import { type ReferenceResult, runDispatch } from '../../src/main/reference/index.ts';

export const RADV_DATA = fileURLToPath(new URL('../../../shared/data/radv', import.meta.url));
export const haveRadv = existsSync(RADV_DATA);

export const VARIANTS = [
  'bonaire-aco-w64',
  'navi10-aco-w32',
  'navi10-aco-w64',
  'navi14-aco-w32',
  'navi14-aco-w64',
  'navi14-llvm-w64',
  'navi21-aco-w32',
  'navi21-aco-w64',
  'navi21-llvm-w64',
] as const;
export type Variant = (typeof VARIANTS)[number];

export const THREADS: Readonly<Record<string, Vec3>> = {
  abi_ids: [4, 4, 4],
  atomics: [64, 1, 1],
  divergent_loop: [64, 1, 1],
  fp16_packed: [64, 1, 1],
  fp32_math: [64, 1, 1],
  fp64: [64, 1, 1],
  int64_mul: [64, 1, 1],
  lds_reduce: [256, 1, 1],
  scratch_array: [64, 1, 1],
  subgroup_ops: [64, 1, 1],
};

export const KERNELS = Object.keys(THREADS);

interface Meta {
  readonly wave: WaveSize;
  readonly sets: readonly (readonly number[])[];
  readonly config: {
    readonly rsrc1: string;
    readonly rsrc2: string;
    readonly rsrc3: string;
    readonly scratch_bytes_per_wave: number;
  };
  readonly inline_push_constant_mask: string;
  readonly user_sgpr_map: Readonly<Record<string, { readonly sgpr: number; readonly n: number }>>;
}

const CODE = 0x1_0000_0000;
/** Upper half 0xffff8000 from gfx10 on (RADV's 32-bit address space), 0 on gfx7. */
const SETS = 0x8000_0000_1000;
const SETS_GFX7 = 0x1000;
const BUFFERS = 0x4_0000_0000;
const SCRATCH = 0x8000_8000_0000;
const GROUP_COUNTS = 0x5_0000_0000;

export interface KernelRun {
  readonly result: ReferenceResult;
  readonly groups: Vec3;
  readonly wave: WaveSize;
  /** Words of a buffer before and after, by set and binding; `golden` is what the same SPIR-V gave on lavapipe. */
  buffer(set: number, binding: number): { before: Uint32Array; after: Uint32Array; golden: Uint32Array };
  readonly push: Uint32Array;
}

function words(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
}

function read(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${RADV_DATA}/${name}`));
}

export function hasKernel(variant: Variant, kernel: string): boolean {
  return existsSync(`${RADV_DATA}/${variant}/${kernel}.meta.json`);
}

function targetOf(variant: Variant): Target {
  return variant.startsWith('bonaire') ? 'gfx700' : variant.startsWith('navi21') ? 'gfx1030' : 'gfx1013';
}

/** Memory and dispatch of a kernel before it runs, and where its buffers are. */
export interface PreparedKernel {
  readonly memory: GuestMemory;
  readonly dispatch: ComputeDispatch;
  readonly places: ReadonlyMap<string, { readonly address: GuestAddress; readonly before: Uint32Array }>;
  readonly push: Uint32Array;
}

export function prepareKernel(variant: Variant, kernel: string): PreparedKernel {
  const meta = JSON.parse(readFileSync(`${RADV_DATA}/${variant}/${kernel}.meta.json`, 'utf8')) as Meta;
  const { groups } = JSON.parse(readFileSync(`${RADV_DATA}/golden/${kernel}.json`, 'utf8')) as { groups: Vec3 };
  const target = targetOf(variant);
  const sets = target === 'gfx700' ? SETS_GFX7 : SETS;
  const memory = new GuestMemory();
  let code: Uint8Array;
  let ldsOfObject = 0;
  if (existsSync(`${RADV_DATA}/${variant}/${kernel}.bin`)) code = read(`${variant}/${kernel}.bin`);
  else {
    const loaded = loadMesaObject(read(`${variant}/${kernel}.elf`), CODE as GuestAddress);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    code = loaded.value.bytes.subarray(loaded.value.entryOffset);
    ldsOfObject = loaded.value.ldsBytes;
  }
  memory.map(CODE as GuestAddress, code.length, READ);
  memory.pokeBytes(CODE as GuestAddress, code);

  const places = new Map<string, { address: GuestAddress; before: Uint32Array }>();
  let next = BUFFERS;
  meta.sets.forEach((bindings, set) => {
    const table = (sets + 0x1000 * set) as GuestAddress;
    memory.map(table, 0x1000, READ);
    bindings.forEach((_, binding) => {
      const bytes = read(`golden/${kernel}.set${set}.b${binding}.before.bin`);
      const address = next as GuestAddress;
      next += Math.ceil(bytes.length / 0x10000) * 0x10000 + 0x10000;
      memory.map(address, bytes.length, READ | WRITE);
      memory.writeBytes(address, bytes);
      places.set(`${set}.${binding}`, { address, before: words(bytes) });
      const word3 = target === 'gfx700' ? 0x27fac : 0x31016fac;
      const descriptor = [address % 2 ** 32, Math.floor(address / 2 ** 32), bytes.length, word3];
      const raw = new Uint8Array(new Uint32Array(descriptor).buffer);
      memory.pokeBytes((table + 16 * binding) as GuestAddress, raw);
    });
  });

  const pushFile = `golden/${kernel}.push.bin`;
  const push = existsSync(`${RADV_DATA}/${pushFile}`) ? words(read(pushFile)) : new Uint32Array(0);
  const rsrc2 = Number(meta.config.rsrc2);
  const userSgprs = new Uint32Array((rsrc2 >>> 1) & 31);
  for (const [name, { sgpr, n }] of Object.entries(meta.user_sgpr_map)) {
    const set = /^descriptor_set(\d)_ptr32$/.exec(name);
    if (set) userSgprs[sgpr] = (sets + 0x1000 * Number(set[1])) % 2 ** 32;
    else if (name === 'INLINE_PUSH_CONSTANTS') {
      const mask = Number(meta.inline_push_constant_mask);
      let at = sgpr;
      for (let i = 0; i < 32; i++) if ((mask >>> i) & 1) userSgprs[at++] = push[i]!;
    } else if (name === 'NUM_WORKGROUPS' && n === 3) userSgprs.set(groups, sgpr);
    else if (name === 'NUM_WORKGROUPS') {
      memory.map(GROUP_COUNTS as GuestAddress, 16, READ);
      memory.pokeBytes(GROUP_COUNTS as GuestAddress, new Uint8Array(new Uint32Array(groups).buffer));
      userSgprs.set([GROUP_COUNTS % 2 ** 32, Math.floor(GROUP_COUNTS / 2 ** 32)], sgpr);
    } else if (name === 'SCRATCH_RING_OFFSETS') userSgprs.set([SCRATCH % 2 ** 32, 0x80008000], sgpr);
    else throw new Error(`user SGPR ${name}`);
  }
  const scratchBytes = meta.config.scratch_bytes_per_wave;
  if (scratchBytes > 0) memory.map(SCRATCH as GuestAddress, 64 * scratchBytes, READ | WRITE);
  const rsrc1 = Number(meta.config.rsrc1);
  const threads = THREADS[kernel]!;
  const dispatch: ComputeDispatch = {
    target,
    waveSize: meta.wave,
    programAddress: CODE as GuestAddress,
    threads,
    groupStart: [0, 0, 0],
    groups,
    partialThreads: threads,
    userSgprs,
    tgidEnable: [((rsrc2 >>> 7) & 1) !== 0, ((rsrc2 >>> 8) & 1) !== 0, ((rsrc2 >>> 9) & 1) !== 0],
    tgSizeEnable: ((rsrc2 >>> 10) & 1) !== 0,
    localIdCount: (((rsrc2 >>> 11) & 3) + 1) as 1 | 2 | 3,
    ldsBytes: Math.max(((rsrc2 >>> 15) & 0x1ff) * 512, Math.ceil(ldsOfObject / 512) * 512),
    scratchEnable: (rsrc2 & 1) !== 0,
    scratchBytesPerWave: Math.ceil(scratchBytes / 1024) * 1024,
    float: {
      floatMode: (rsrc1 >>> 12) & 0xff,
      dx10Clamp: ((rsrc1 >>> 21) & 1) !== 0,
      ieee: ((rsrc1 >>> 23) & 1) !== 0,
      fp16Overflow: target !== 'gfx700' && ((rsrc1 >>> 26) & 1) !== 0,
    },
    rsrc1,
    rsrc2,
    rsrc3: Number(meta.config.rsrc3),
  };
  return { memory, dispatch, places, push };
}

export function runKernel(variant: Variant, kernel: string): KernelRun {
  const { memory, dispatch, places, push } = prepareKernel(variant, kernel);
  const result = runDispatch(dispatch, memory, { instructionLimit: 20_000_000 });
  return {
    result,
    groups: dispatch.groups,
    wave: dispatch.waveSize,
    push,
    buffer: (set, binding) => {
      const { address, before } = places.get(`${set}.${binding}`)!;
      const golden = words(read(`golden/${kernel}.set${set}.b${binding}.after.bin`));
      return { before, after: words(memory.readBytes(address, 4 * before.length)!), golden };
    },
  };
}
