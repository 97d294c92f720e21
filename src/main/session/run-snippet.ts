/**
 * Runs a piece of code with given registers and memory on any engine: what `exec` does.
 *
 * The code is placed at an address of its own, followed by s_endpgm, and dispatched like any program. Registers that
 * were asked for are set when a wave starts, over what the launch put there. Each run has a fork of the snippet's memory.
 */
import { type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../base/guest-memory.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { BackendName, DispatchEngine, EngineRun, InitialRegisters, WaveRegisters } from '../driver/engine.ts';
import { refusals } from '../driver/link-dispatch.ts';
import { GpuError } from '../gpu/gpu-backend.ts';
import { OPERAND } from '../isa/operands.ts';
import { linkProgram } from '../program/link-program.ts';
import type { Program } from '../program/program.ts';
import { compareRegisters, inOrder, type RegisterComparison } from './compare-registers.ts';
import { createEngine, type EngineOptions } from './engines.ts';
import { registersWritten, writesByNumber } from './registers-written.ts';
import { compareMemories, type MemoryDifference } from './verdict.ts';

export interface SnippetMemory {
  readonly address: GuestAddress;
  readonly bytes: Uint8Array;
}

export interface SnippetRequest {
  readonly words: Uint32Array;
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly codeAddress: GuestAddress;
  readonly groups: Vec3;
  readonly threads: Vec3;
  readonly initial: InitialRegisters;
  readonly memory: readonly SnippetMemory[];
  readonly ldsBytes: number;
  readonly floatMode: number;
  /** Instructions on the reference, loop turns of a wave on a device. */
  readonly limit: number;
  /** Registers whose final values are wanted, by operand code. */
  readonly watched: readonly number[];
}

export interface Snippet {
  readonly request: SnippetRequest;
  readonly dispatch: ComputeDispatch;
  readonly program: Program;
  /** As it is before a run. */
  readonly memory: GuestMemory;
}

export interface SnippetRun {
  readonly run: EngineRun;
  /** Of the linked program, then of the run. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those that ended, in order of groups and waves. */
  readonly waves: readonly WaveRegisters[];
  /** After the run. What a device did in a run that it did not complete is not in it. */
  readonly memory: GuestMemory;
}

const S_ENDPGM = 0xbf810000;
const LAST_SGPR = 105;

/** Fails when memory overlaps the code, or no engine may run it. */
export function prepareSnippet(request: SnippetRequest): Result<Snippet> {
  const memory = new GuestMemory();
  const code = new Uint32Array(request.words.length + 1);
  code.set(request.words);
  code[request.words.length] = S_ENDPGM;
  memory.map(request.codeAddress, code.byteLength, READ | EXECUTE);
  memory.pokeBytes(request.codeAddress, new Uint8Array(code.buffer));
  const problems: Diagnostic[] = [];
  for (const { address, bytes } of request.memory) {
    if (memory.allows(address, 1, EXECUTE) || memory.allows(addToAddress(address, bytes.length - 1), 1, EXECUTE)) {
      problems.push(
        diagnostic(
          'CLI010',
          'badInput',
          `memory at 0x${address.toString(16)} overlaps the code at 0x${request.codeAddress.toString(16)}`,
        ),
      );
      continue;
    }
    memory.map(address, bytes.length, READ | WRITE);
    memory.pokeBytes(address, bytes);
  }
  if (problems.length > 0) return fail(problems);
  const dispatch = snippetDispatch(request);
  const program = linkProgram({
    target: request.target,
    waveSize: request.waveSize,
    entry: request.codeAddress,
    memory,
    userSgprs: dispatch.userSgprs,
  });
  const refused = refusals(program);
  return refused.length > 0 ? fail(refused) : ok({ request, dispatch, program, memory });
}

export async function runSnippet(
  { request, dispatch, program, memory: before }: Snippet,
  engine: DispatchEngine,
): Promise<SnippetRun> {
  const memory = before.fork();
  const waves: WaveRegisters[] = [];
  const run = await engine.run({
    dispatch,
    program,
    memory,
    limit: request.limit,
    initial: request.initial,
    watch: { registers: request.watched, onWaveEnd: (wave) => waves.push(wave) },
    stopOnFault: false,
  });
  const diagnostics = [...program.diagnostics, ...run.diagnostics.filter((d) => !program.diagnostics.includes(d))];
  return { run, diagnostics, waves: inOrder(waves), memory };
}

/** Runs on an engine of its own. A device that cannot be opened is a run with status `device`. */
export async function runSnippetOn(
  snippet: Snippet,
  backend: BackendName,
  options: EngineOptions = {},
): Promise<SnippetRun> {
  let engine: DispatchEngine;
  try {
    engine = await createEngine(backend, options);
  } catch (error) {
    if (!(error instanceof GpuError)) throw error;
    const diagnostics = [diagnostic(error.code, 'device', error.message)];
    const run = { backend, status: 'device', diagnostics, faults: [], faultCount: 0, waves: 0 } as const;
    return { run, diagnostics: [...snippet.program.diagnostics, ...diagnostics], waves: [], memory: snippet.memory };
  }
  try {
    return await runSnippet(snippet, engine);
  } finally {
    await engine.close();
  }
}

/** What two engines can disagree about: everything that the code writes or was given, EXEC, VCC, M0 and SCC. */
export function snippetRegisters(
  words: Uint32Array,
  target: Target,
  waveSize: WaveSize,
  { scalars, vgprs }: InitialRegisters,
): number[] {
  const written = registersWritten(words, target, waveSize);
  const byNumber = writesByNumber(words, target);
  const state = [
    OPERAND.EXEC_LO,
    OPERAND.EXEC_HI,
    OPERAND.VCC_LO,
    OPERAND.VCC_HI,
    OPERAND.M0,
    OPERAND.SCC,
    ...written.scalars,
    ...scalars.keys(),
    ...(byNumber.scalars ? Array(LAST_SGPR + 1).keys() : []),
  ];
  const numbers = [...written.vgprs, ...vgprs.keys(), ...(byNumber.vgprs ? Array(256).keys() : [])];
  const vectors = numbers.map((vgpr) => OPERAND.VGPR0 + vgpr);
  return [...new Set([...state, ...vectors])].sort((a, b) => a - b);
}

export interface SnippetComparison {
  /** Absent when there was nothing to compare. */
  readonly equal?: boolean;
  /** Why. */
  readonly notCompared?: string;
  /** Where both completed. */
  readonly registers?: RegisterComparison;
  readonly memory?: MemoryDifference;
}

/** Two runs of one snippet. Where neither completed there is nothing to compare; where one did, they differ. */
export function compareSnippetRuns(left: SnippetRun, right: SnippetRun): SnippetComparison {
  if (left.run.status !== 'completed' || right.run.status !== 'completed')
    return left.run.status === right.run.status ? { notCompared: `both were ${left.run.status}` } : { equal: false };
  const watched = (one: SnippetRun): number => one.run.watchedWaves ?? one.waves.length;
  // A device keeps the registers of the first waves only when there are very many.
  const count = Math.min(watched(left), watched(right));
  const registers = compareRegisters(left.waves.slice(0, count), right.waves.slice(0, count));
  const memory = compareMemories(left.memory, right.memory);
  const equal = registers.differing === 0 && registers.missing.length === 0 && memory.differing === 0;
  return { equal, registers, memory };
}

function snippetDispatch(request: SnippetRequest): ComputeDispatch {
  return {
    target: request.target,
    waveSize: request.waveSize,
    programAddress: request.codeAddress,
    threads: request.threads,
    groupStart: [0, 0, 0],
    groups: request.groups,
    partialThreads: request.threads,
    userSgprs: userDataOf(request.initial.scalars),
    tgidEnable: [true, true, true],
    tgSizeEnable: false,
    localIdCount: 3,
    ldsBytes: request.ldsBytes,
    scratchEnable: false,
    scratchBytesPerWave: 0,
    float: { floatMode: request.floatMode, dx10Clamp: true, ieee: false, fp16Overflow: false },
    rsrc1: 0,
    rsrc2: 0,
    rsrc3: 0,
  };
}

/** s0… up to the last one given count as user data, so that calls through them are linked. */
function userDataOf(scalars: ReadonlyMap<number, number>): Uint32Array {
  const given = [...scalars.keys()].filter((register) => register < 104);
  const words = new Uint32Array(given.length === 0 ? 0 : Math.max(...given) + 1);
  for (const register of given) words[register] = scalars.get(register)!;
  return words;
}
