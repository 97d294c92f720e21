/**
 * lavapipe for tests: one GPU host per test file, at a chosen vector width (subgroups of 4, 8 or 16), and programs run
 * on the reference and on the device with everything they wrote compared.
 *
 * A missing device never passes: `deviceReady` is false, says why on the console, and files use
 * `describe.skipIf(!deviceReady)`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatDiagnostic } from '../../src/main/base/diagnostics.ts';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../../src/main/base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, PAGE_SIZE, READ, WRITE } from '../../src/main/base/guest-memory.ts';
import type { DispatchEngine, EngineRun } from '../../src/main/driver/engine.ts';
import { GpuEngine, type GpuEngineOptions } from '../../src/main/driver/gpu-engine.ts';
import { linkDispatch } from '../../src/main/driver/link-dispatch.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { forkHost } from '../../src/main/gpu/fork-host.ts';
import type { GpuDevice } from '../../src/main/gpu/gpu-backend.ts';
import { HostClient } from '../../src/main/gpu/host-client.ts';
import { assemble } from '../../src/main/isa/assemble/index.ts';
import type { Program } from '../../src/main/program/program.ts';
import { haveLavapipe, LAVAPIPE_ICD, ROOT } from './tools.ts';

export const GPU_HOST = join(ROOT, 'out', 'engine', 'gpu-host.js');

function haveGpuHost(): boolean {
  const there = existsSync(GPU_HOST);
  if (!there) console.warn('skipped: out/engine/gpu-host.js is not built (node tools/setup/build-engine.mjs)');
  return there;
}

export const deviceReady: boolean = haveLavapipe() && haveGpuHost();

/** Bits of a vector register that llvmpipe is told to use, by the subgroup size that it gives. */
const VECTOR_WIDTH = { 4: 128, 8: 256, 16: 512 } as const;
export type HostSubgroup = keyof typeof VECTOR_WIDTH;

export class TestDevice {
  readonly client: HostClient;
  readonly device: GpuDevice;
  /** Deterministic; one for the file, so that its cache is shared. */
  readonly engine: GpuEngine;

  private constructor(client: HostClient, device: GpuDevice) {
    this.client = client;
    this.device = device;
    this.engine = new GpuEngine(device);
  }

  /** `environment` adds to the host's: layers, cache switches. */
  static async open(subgroup: HostSubgroup, environment: NodeJS.ProcessEnv = {}): Promise<TestDevice> {
    const client = new HostClient(
      forkHost(GPU_HOST, {
        ...process.env,
        VK_ICD_FILENAMES: LAVAPIPE_ICD,
        LP_NATIVE_VECTOR_WIDTH: String(VECTOR_WIDTH[subgroup]),
        ...environment,
      }),
    );
    const device = await client.open('llvmpipe');
    if (device.profile.subgroupSize !== subgroup) {
      await client.close();
      throw new Error(`asked for subgroups of ${subgroup}, got ${device.profile.subgroupSize}`);
    }
    return new TestDevice(client, device);
  }

  engineWith(options: GpuEngineOptions): GpuEngine {
    return new GpuEngine(this.device, options);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

export const CODE = 0x1_0000_0000 as GuestAddress;
export const DATA = 0x2_0000_0000 as GuestAddress;

/** Memory beside the code: zeros, then `words` from its start. */
export interface DataRange {
  readonly address: GuestAddress;
  readonly sizeBytes: number;
  readonly words?: Uint32Array;
  /** Default: READ | WRITE. */
  readonly permissions?: number;
}

export interface TestProgram {
  readonly target: Target;
  readonly waveSize: WaveSize;
  /** Text of the assembler, or machine words. s_endpgm is the program's own business. */
  readonly code: string | Uint32Array;
  /** More code at other addresses. */
  readonly callees?: readonly { readonly address: GuestAddress; readonly code: string | Uint32Array }[];
  /** Default: one wave. */
  readonly threads?: Vec3;
  readonly groups?: Vec3;
  readonly userData?: readonly number[];
  readonly data?: readonly DataRange[];
  readonly ldsBytes?: number;
  readonly limit?: number;
  /** Any field of the dispatch. */
  readonly dispatch?: Partial<ComputeDispatch>;
}

export interface PreparedProgram {
  readonly dispatch: ComputeDispatch;
  readonly memory: GuestMemory;
  readonly program: Program;
}

export function codeWords(code: string | Uint32Array, target: Target, waveSize: WaveSize, address = CODE): Uint32Array {
  if (typeof code !== 'string') return code;
  const result = assemble(code, { target, waveSize, address });
  if (!result.ok) throw new Error(result.diagnostics.map(formatDiagnostic).join('\n'));
  return result.words;
}

export function prepare(test: TestProgram): PreparedProgram {
  const { target, waveSize } = test;
  const memory = new GuestMemory();
  const place = (address: GuestAddress, code: string | Uint32Array): void => {
    const words = codeWords(code, target, waveSize, address);
    memory.map(address, Math.ceil((words.byteLength + 64) / PAGE_SIZE) * PAGE_SIZE, READ | EXECUTE);
    memory.pokeBytes(address, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  };
  place(CODE, test.code);
  for (const { address, code } of test.callees ?? []) place(address, code);
  for (const range of test.data ?? []) {
    memory.map(range.address, range.sizeBytes, range.permissions ?? READ | WRITE);
    if (range.words) memory.pokeBytes(range.address, new Uint8Array(range.words.slice().buffer));
  }
  const threads = test.threads ?? [waveSize, 1, 1];
  const dispatch: ComputeDispatch = {
    target,
    waveSize,
    programAddress: CODE,
    threads,
    groupStart: [0, 0, 0],
    groups: test.groups ?? [1, 1, 1],
    partialThreads: threads,
    userSgprs: Uint32Array.from(test.userData ?? []),
    tgidEnable: [true, false, false],
    tgSizeEnable: false,
    localIdCount: 1,
    ldsBytes: test.ldsBytes ?? 0,
    scratchEnable: false,
    scratchBytesPerWave: 0,
    float: { floatMode: 0xc0, dx10Clamp: true, ieee: false, fp16Overflow: false },
    rsrc1: 0,
    rsrc2: 0,
    rsrc3: 0,
    ...test.dispatch,
  };
  return { dispatch, memory, program: linkDispatch(dispatch, memory) };
}

export interface Outcome {
  readonly run: EngineRun;
  /** As the run left it. */
  readonly memory: GuestMemory;
}

export async function runOn(engine: DispatchEngine, prepared: PreparedProgram, limit?: number): Promise<Outcome> {
  const memory = prepared.memory.fork();
  const { dispatch, program } = prepared;
  const run = await engine.run({ dispatch, program, memory, ...(limit === undefined ? {} : { limit }) });
  return { run, memory };
}

export interface Comparison {
  readonly reference: Outcome;
  readonly device: Outcome;
  /** In words: first what did not run, then differing words. Empty when both agree in everything written. */
  readonly differences: readonly string[];
}

/** Runs a program that both engines should complete, and compares every byte that either wrote. */
export async function compare(device: GpuEngine, test: TestProgram | PreparedProgram): Promise<Comparison> {
  const prepared = 'program' in test ? test : prepare(test);
  const limit = 'limit' in test ? test.limit : undefined;
  const reference = await runOn(new ReferenceEngine(), prepared, limit);
  const onDevice = await runOn(device, prepared, limit);
  const differences = [...complaints(reference), ...complaints(onDevice)];
  if (differences.length === 0) differences.push(...differingWords(reference.memory, onDevice.memory));
  return { reference, device: onDevice, differences };
}

function complaints({ run }: Outcome): string[] {
  if (run.status === 'completed') return [];
  return [`${run.backend}: ${run.status}`, ...run.diagnostics.slice(0, 4).map((d) => `  ${formatDiagnostic(d)}`)];
}

export function differingWords(reference: GuestMemory, device: GuestMemory, most = 8): string[] {
  const out: string[] = [];
  let count = 0;
  const pages = new Set([...reference.writtenPages(), ...device.writtenPages()]);
  for (const page of [...pages].sort((a, b) => a - b)) {
    const address = (page * PAGE_SIZE) as GuestAddress;
    const a = wordsOf(reference, address);
    const b = wordsOf(device, address);
    for (let i = 0; i < a.length; i++) {
      if (a[i] === b[i]) continue;
      if (count++ < most) {
        const at = formatAddress((address + 4 * i) as GuestAddress);
        out.push(`${at}: reference 0x${a[i]!.toString(16)}, device 0x${b[i]!.toString(16)}`);
      }
    }
  }
  if (count > most) out.push(`… ${count} words differ`);
  return out;
}

function wordsOf(memory: GuestMemory, address: GuestAddress): Uint32Array {
  const bytes = memory.peekBytes(address, PAGE_SIZE);
  return bytes ? new Uint32Array(bytes.slice().buffer) : new Uint32Array(PAGE_SIZE / 4);
}

/** `count` words at an address, as the run left them. */
export function readWords(memory: GuestMemory, address: GuestAddress, count: number): number[] {
  return [...new Uint32Array(memory.peekBytes(address, 4 * count)!.slice().buffer)];
}
