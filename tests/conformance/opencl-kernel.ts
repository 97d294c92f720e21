/**
 * Runs kernels that clang compiled (HSA code objects) on the reference: loads the image, fills the argument segment and
 * the registers as the ROCm runtime would, and gives back the buffers.
 *
 * Placement: image at 0x1_0000_0000, arguments at 0x2…, buffers from 0x4…, scratch at 0x3…. gfx7 finds the windows of
 * LDS and scratch in its queue, gfx10 in registers or hidden arguments. Stack per lane is generous: recursion is not in
 * the metadata.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../../src/main/base/guest-memory.ts';
import { type CodeObject, findKernel, readCodeObject } from '../../src/main/capture/importers/code-object.ts';
import { RELOCATION, relocated } from '../../src/main/capture/importers/elf-object.ts';
import { type ReferenceOptions, type ReferenceResult, runDispatch } from '../../src/main/reference/index.ts';

const IMAGE = 0x1_0000_0000;
const KERNARG = 0x2_0000_0000;
const PACKET = 0x2_0001_0000;
const QUEUE = 0x2_0002_0000;
const BUFFERS = 0x4_0000_0000;
const SHARED_HIGH = 0x0001_0000;
const PRIVATE_HIGH = 0x0002_0000;
/** gfx7 reaches scratch with 32-bit offsets from the private base. */
const PRIVATE_BASE = 0x3_0000_0000;
const SCRATCH_OFFSET = 0x10_0000;
const SCRATCH = PRIVATE_BASE + SCRATCH_OFFSET;
const STACK_BYTES_PER_LANE = 16384;
const RESIDENT_WAVES = 32;

export interface Build {
  readonly name: string;
  readonly target: Target;
  readonly waveSize: WaveSize;
}

export const BUILDS: readonly Build[] = [
  { name: 'gfx1013 wave32', target: 'gfx1013', waveSize: 32 },
  { name: 'gfx1013 wave64', target: 'gfx1013', waveSize: 64 },
  { name: 'gfx1030 wave32', target: 'gfx1030', waveSize: 32 },
  { name: 'gfx700', target: 'gfx700', waveSize: 64 },
];

const LIBRARY = '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode';

/** OpenCL C → code object. `library` links the device library (work-item functions, math). */
export function compileOpenCl(file: string, build: Build, library = true, more: readonly string[] = []): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'lanescope-'));
  try {
    const output = join(directory, 'k.co');
    const wave = build.target !== 'gfx700' && build.waveSize === 64 ? ['-mwavefrontsize64'] : [];
    const lib = library ? [`--rocm-device-lib-path=${LIBRARY}`] : ['-nogpulib'];
    const args = [
      '-x',
      'cl',
      '-cl-std=CL2.0',
      '-target',
      'amdgcn-amd-amdhsa',
      `-mcpu=${build.target}`,
      ...wave,
      ...lib,
      '-O2',
      ...more,
    ];
    execFileSync('clang-19', [...args, file, '-o', output], { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Uint8Array(readFileSync(output));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export type Argument =
  | { readonly buffer: ArrayBufferView }
  | { readonly u32: number }
  | { readonly f32: number }
  | { readonly u64: bigint };

export interface Launch {
  readonly threads: Vec3;
  readonly groups: Vec3;
  readonly arguments: readonly Argument[];
  readonly options?: ReferenceOptions;
}

export interface KernelOutcome {
  readonly result: ReferenceResult;
  /** Bytes of buffer argument `index` (counted among all arguments) after the run. */
  bytes(index: number): ArrayBuffer;
}

function u32s(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function halves(address: number): [number, number] {
  return [address % 2 ** 32, Math.floor(address / 2 ** 32)];
}

function loadImage(object: CodeObject, memory: GuestMemory): void {
  for (const segment of object.elf.segments) {
    const at = (IMAGE + segment.address) as GuestAddress;
    memory.map(at, segment.memSize, READ | WRITE | EXECUTE);
    memory.pokeBytes(at, segment.bytes);
  }
  for (const entry of object.elf.relocations) {
    const symbol = object.elf.symbols.get(entry.symbolTable)?.[entry.symbol];
    const base = IMAGE + (entry.type === RELOCATION.relative64 ? 0 : (symbol?.value ?? 0));
    const bytes = relocated(entry.type, base, entry.addend ?? 0, IMAGE + entry.offset);
    if (!bytes) throw new Error(`relocation type ${entry.type}`);
    memory.pokeBytes((IMAGE + entry.offset) as GuestAddress, bytes);
  }
}

export function functionAddress(object: Uint8Array, name: string): bigint {
  const read = readCodeObject(object);
  if (!read.ok) throw new Error('not a code object');
  return BigInt(IMAGE + read.value.functions.get(name)!);
}

export function runOpenCl(bytes: Uint8Array, kernelName: string, launch: Launch): KernelOutcome {
  const object = readCodeObject(bytes);
  if (!object.ok) throw new Error(object.error[0]!.message);
  const found = findKernel(object.value, kernelName);
  if (!found.ok) throw new Error(found.error[0]!.message);
  const kernel = found.value;
  const { descriptor, waveSize } = kernel;
  const { target } = object.value;
  const memory = new GuestMemory();
  loadImage(object.value, memory);

  const places: (GuestAddress | undefined)[] = [];
  let next = BUFFERS;
  const kernarg = new Uint8Array(Math.max(kernel.kernargBytes, 16));
  const view = new DataView(kernarg.buffer);
  const explicit = kernel.arguments.filter((a) => !a.kind.startsWith('hidden_'));
  if (explicit.length !== launch.arguments.length) throw new Error(`${kernelName} takes ${explicit.length} arguments`);
  explicit.forEach((argument, i) => {
    const value = launch.arguments[i]!;
    if ('buffer' in value) {
      const raw = new Uint8Array(value.buffer.buffer, value.buffer.byteOffset, value.buffer.byteLength);
      const address = next as GuestAddress;
      next += Math.ceil((raw.length + 1) / 0x10000) * 0x10000 + 0x10000;
      memory.map(address, raw.length, READ | WRITE);
      memory.writeBytes(address, raw);
      places[i] = address;
      view.setBigUint64(argument.offset, BigInt(address), true);
    } else if ('u64' in value) view.setBigUint64(argument.offset, value.u64, true);
    else if ('f32' in value) view.setFloat32(argument.offset, value.f32, true);
    else if (argument.size === 1) view.setUint8(argument.offset, value.u32);
    else if (argument.size === 2) view.setUint16(argument.offset, value.u32, true);
    else view.setUint32(argument.offset, value.u32, true);
  });
  for (const argument of kernel.arguments) {
    const axis = 'xyz'.indexOf(argument.kind.at(-1)!);
    switch (argument.kind.replace(/_[xyz]$/, '')) {
      case 'hidden_block_count':
        view.setUint32(argument.offset, launch.groups[axis]!, true);
        break;
      case 'hidden_group_size':
        view.setUint16(argument.offset, launch.threads[axis]!, true);
        break;
      case 'hidden_grid_dims':
        view.setUint16(argument.offset, 3, true);
        break;
      case 'hidden_private_base':
        view.setUint32(argument.offset, PRIVATE_HIGH, true);
        break;
      case 'hidden_shared_base':
        view.setUint32(argument.offset, SHARED_HIGH, true);
        break;
      default:
    }
  }
  const put = (address: number, content: Uint8Array): void => {
    memory.map(address as GuestAddress, Math.max(content.length, 256), READ);
    memory.pokeBytes(address as GuestAddress, content);
  };
  put(KERNARG, kernarg);
  put(PACKET, dispatchPacket(launch, KERNARG));
  const queue = new Uint8Array(256);
  queue.set(u32s(SHARED_HIGH, PRIVATE_HIGH), 0x40);
  put(QUEUE, queue);

  const scratchEnable = (descriptor.rsrc2 & 1) !== 0;
  const perWave = scratchEnable ? STACK_BYTES_PER_LANE * waveSize : 0;
  if (scratchEnable) memory.map(SCRATCH as GuestAddress, RESIDENT_WAVES * perWave, READ | WRITE);
  const word3 = target === 'gfx700' ? 0x00e8f000 : waveSize === 32 ? 0x31c16000 : 0x31e16000;
  const [scratchLow, scratchHigh] = halves(SCRATCH);
  const user: number[] = [];
  const p = descriptor.properties;
  if (p & 1) user.push(scratchLow, scratchHigh | 0x80000000, 0xffffffff, word3);
  if (p & 2) user.push(...halves(PACKET));
  if (p & 4) user.push(...halves(QUEUE));
  if (p & 8) user.push(...halves(KERNARG));
  if (p & 16) user.push(0, 0);
  if (p & 32) user.push(...(target === 'gfx700' ? [SCRATCH_OFFSET, STACK_BYTES_PER_LANE] : halves(SCRATCH)));
  if (p & 64) user.push(STACK_BYTES_PER_LANE);
  const rsrc2 = descriptor.rsrc2;
  const userSgprs = new Uint32Array((rsrc2 >>> 1) & 31);
  userSgprs.set(user.slice(0, userSgprs.length));
  const rsrc1 = descriptor.rsrc1;
  const dispatch: ComputeDispatch = {
    target,
    waveSize,
    programAddress: (IMAGE + kernel.descriptorAddress + descriptor.entryOffset) as GuestAddress,
    threads: launch.threads,
    groupStart: [0, 0, 0],
    groups: launch.groups,
    partialThreads: launch.threads,
    userSgprs,
    tgidEnable: [((rsrc2 >>> 7) & 1) !== 0, ((rsrc2 >>> 8) & 1) !== 0, ((rsrc2 >>> 9) & 1) !== 0],
    tgSizeEnable: ((rsrc2 >>> 10) & 1) !== 0,
    localIdCount: (((rsrc2 >>> 11) & 3) + 1) as 1 | 2 | 3,
    ldsBytes: Math.ceil(descriptor.ldsBytes / 512) * 512,
    scratchEnable,
    scratchBytesPerWave: perWave,
    float: {
      floatMode: (rsrc1 >>> 12) & 0xff,
      dx10Clamp: ((rsrc1 >>> 21) & 1) !== 0,
      ieee: ((rsrc1 >>> 23) & 1) !== 0,
      fp16Overflow: target !== 'gfx700' && ((rsrc1 >>> 26) & 1) !== 0,
    },
    rsrc1,
    rsrc2,
    rsrc3: descriptor.rsrc3,
  };
  const result = runDispatch(dispatch, memory, {
    instructionLimit: 50_000_000,
    residentWaves: RESIDENT_WAVES,
    privateBase: PRIVATE_BASE as GuestAddress,
    ...launch.options,
  });
  return {
    result,
    bytes: (index) => {
      const argument = launch.arguments[index]!;
      if (!('buffer' in argument)) throw new Error(`argument ${index} is no buffer`);
      return memory.readBytes(places[index]!, argument.buffer.byteLength)!.slice().buffer as ArrayBuffer;
    },
  };
}

/** hsa_kernel_dispatch_packet_t: sizes for the work-item functions. */
function dispatchPacket(launch: Launch, kernarg: number): Uint8Array {
  const packet = new Uint8Array(64);
  const view = new DataView(packet.buffer);
  view.setUint16(0, 2, true);
  view.setUint16(2, 3, true);
  launch.threads.forEach((n, i) => void view.setUint16(4 + 2 * i, n, true));
  launch.threads.forEach((n, i) => void view.setUint32(12 + 4 * i, n * launch.groups[i]!, true));
  view.setUint32(24, STACK_BYTES_PER_LANE, true);
  view.setBigUint64(40, BigInt(kernarg), true);
  return packet;
}
