/**
 * Runs a few lines of assembly on one wave (or a small dispatch) of the reference and hands back its final state.
 *
 * llvm-mc assembles, so that encodings come from an independent source. Registers are set before the first instruction
 * and read after the last; `v` values are per lane, given as an array or as a function of the lane.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import {
  type ReferenceOptions,
  type ReferenceResult,
  runDispatch,
  type Wave,
} from '../../../src/main/reference/index.ts';

export const CODE = 0x1_0000_0000 as GuestAddress;
export const DATA = 0x2_0000_0000 as GuestAddress;
export const DATA_BYTES = 0x10000;

export const haveLlvm = (() => {
  try {
    execFileSync('llvm-mc-19', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: llvm-mc-19 is not installed');
    return false;
  }
})();

const assembled = new Map<string, Uint8Array>();

/** The bytes of section .text of a 64-bit little-endian ELF file: the first section of type PROGBITS. */
function textSection(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const table = Number(view.getBigUint64(0x28, true));
  for (let i = 0; i < view.getUint16(0x3c, true); i++) {
    const header = table + 64 * i;
    if (view.getUint32(header + 4, true) !== 1) continue;
    const start = Number(view.getBigUint64(header + 24, true));
    return file.slice(start, start + Number(view.getBigUint64(header + 32, true)));
  }
  return new Uint8Array(0);
}

/** Machine code of `text`; labels work. */
export function assemble(target: Target, waveSize: WaveSize, text: string): Uint8Array {
  const key = `${target} ${waveSize}\n${text}`;
  const known = assembled.get(key);
  if (known) return known;
  const directory = mkdtempSync(join(tmpdir(), 'lanescope-'));
  try {
    const object = join(directory, 'a.o');
    writeFileSync(join(directory, 'a.s'), `${text}\n`);
    const size =
      target === 'gfx700'
        ? []
        : [`-mattr=${waveSize === 64 ? '-wavefrontsize32,+wavefrontsize64' : '+wavefrontsize32,-wavefrontsize64'}`];
    const args = ['--arch=amdgcn', `--mcpu=${target}`, ...size, '--filetype=obj', '-o', object, join(directory, 'a.s')];
    execFileSync('llvm-mc-19', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const bytes = textSection(new Uint8Array(readFileSync(object)));
    assembled.set(key, bytes);
    return bytes;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export type Lanes = readonly number[] | ((lane: number) => number);

export interface Snippet {
  readonly target?: Target;
  readonly waveSize?: WaveSize;
  readonly text: string;
  readonly s?: Readonly<Record<number, number>>;
  readonly v?: Readonly<Record<number, Lanes | number>>;
  /** Two halves. Default: all lanes. */
  readonly exec?: readonly [number, number];
  readonly vcc?: readonly [number, number];
  readonly m0?: number;
  readonly scc?: 0 | 1;
  readonly mode?: number;
  readonly ldsBytes?: number;
  readonly lds?: readonly number[];
  /** u32 words at DATA. */
  readonly data?: readonly number[];
  readonly threads?: Vec3;
  readonly groups?: Vec3;
  readonly partialThreads?: Vec3;
  readonly dispatch?: Partial<ComputeDispatch>;
  readonly options?: ReferenceOptions;
  readonly codePermissions?: number;
  /** More code at other addresses. */
  readonly code?: readonly (readonly [number, string])[];
}

export interface Outcome {
  readonly result: ReferenceResult;
  /** Waves in the order in which they ended. */
  readonly waves: readonly Wave[];
  readonly wave: Wave;
  readonly memory: GuestMemory;
  /** One scalar register by number or operand code. */
  s(code: number): number;
  v(register: number): number[];
  readonly exec: readonly [number, number];
  readonly vcc: readonly [number, number];
  data(index: number, count?: number): number[];
}

export function run(snippet: Snippet): Outcome {
  const target = snippet.target ?? 'gfx1013';
  const waveSize: WaveSize = target === 'gfx700' ? 64 : (snippet.waveSize ?? 32);
  const memory = new GuestMemory();
  memory.map(CODE, 0x4000, snippet.codePermissions ?? READ | EXECUTE);
  memory.map(DATA, DATA_BYTES, READ | WRITE);
  memory.pokeBytes(CODE, assemble(target, waveSize, `${snippet.text}\ns_endpgm`));
  for (const [address, text] of snippet.code ?? []) {
    memory.map(address as GuestAddress, 0x1000, READ | EXECUTE);
    memory.pokeBytes(address as GuestAddress, assemble(target, waveSize, text));
  }
  snippet.data?.forEach((word, i) => void memory.storeU32((DATA + 4 * i) as GuestAddress, word));
  const threads = snippet.threads ?? [waveSize, 1, 1];
  const dispatch: ComputeDispatch = {
    target,
    waveSize,
    programAddress: CODE,
    threads,
    groupStart: [0, 0, 0],
    groups: snippet.groups ?? [1, 1, 1],
    partialThreads: snippet.partialThreads ?? threads,
    userSgprs: new Uint32Array(0),
    tgidEnable: [false, false, false],
    tgSizeEnable: false,
    localIdCount: 1,
    ldsBytes: snippet.ldsBytes ?? (snippet.lds ? 4 * snippet.lds.length : 0),
    scratchEnable: false,
    scratchBytesPerWave: 0,
    float: { floatMode: 0xc0, dx10Clamp: true, ieee: false, fp16Overflow: false },
    rsrc1: 0,
    rsrc2: 0,
    rsrc3: 0,
    ...snippet.dispatch,
  };
  const waves: Wave[] = [];
  const started: Wave[] = [];
  const result = runDispatch(dispatch, memory, {
    instructionLimit: 100_000,
    ...snippet.options,
    onWaveStart: (wave) => {
      started.push(wave);
      initialise(wave, snippet);
    },
    onWaveEnd: (wave) => void waves.push(wave),
  });
  const wave = waves[0] ?? started[0]!;
  return {
    result,
    waves,
    wave,
    memory,
    s: (code) => wave.sgprs[code]!,
    v: (register) => [...wave.vgpr(register)],
    exec: [wave.sgprs[126]!, wave.sgprs[127]!],
    vcc: [wave.sgprs[106]!, wave.sgprs[107]!],
    data: (index, count = 1) =>
      Array.from({ length: count }, (_, i) => memory.loadU32((DATA + 4 * (index + i)) as GuestAddress)!),
  };
}

function initialise(wave: Wave, snippet: Snippet): void {
  for (const [code, value] of Object.entries(snippet.s ?? {})) wave.sgprs[Number(code)] = value;
  for (const [register, lanes] of Object.entries(snippet.v ?? {})) {
    const out = wave.vgpr(Number(register));
    for (let lane = 0; lane < wave.waveSize; lane++) {
      out[lane] = typeof lanes === 'number' ? lanes : typeof lanes === 'function' ? lanes(lane) : (lanes[lane] ?? 0);
    }
  }
  if (snippet.exec) [wave.sgprs[126], wave.sgprs[127]] = snippet.exec;
  if (snippet.vcc) [wave.sgprs[106], wave.sgprs[107]] = snippet.vcc;
  if (snippet.m0 !== undefined) wave.sgprs[124] = snippet.m0;
  if (snippet.scc !== undefined) wave.scc = snippet.scc;
  if (snippet.mode !== undefined) wave.mode = snippet.mode;
  snippet.lds?.forEach((word, i) => void wave.group.lds.store(4 * i, 4, word, 0xffffffff));
}

/** Raw V# words for a raw buffer at `base`. gfx10: OOB_SELECT raw; gfx7: stride 0. */
export function rawBuffer(base: number, sizeBytes: number, target: Target = 'gfx1013'): readonly number[] {
  const word3 = target === 'gfx700' ? 0x24fac : 0x31016fac;
  return [base % 2 ** 32, Math.floor(base / 2 ** 32), sizeBytes, word3];
}

/** {first: words[0], first+1: words[1] …} for `s`. */
export function scalars(first: number, words: readonly number[]): Record<number, number> {
  return Object.fromEntries(words.map((word, i) => [first + i, word]));
}

/** The same value in every lane. */
export function everyLane(waveSize: WaveSize, f: (lane: number) => number): number[] {
  return Array.from({ length: waveSize }, (_, lane) => f(lane) >>> 0);
}
