/**
 * Runs a piece of code with given registers and memory: what `exec` does.
 *
 * The code is placed at an address of its own, followed by s_endpgm, and dispatched like any program. Registers that
 * were asked for are set when a wave starts, over what the launch put there.
 */
import { type Diagnostic, diagnostic } from '../base/diagnostics.ts';
import type { ComputeDispatch, Target, Vec3, WaveSize } from '../base/dispatch.ts';
import { addToAddress, type GuestAddress } from '../base/guest-address.ts';
import { EXECUTE, GuestMemory, READ, WRITE } from '../base/guest-memory.ts';
import type { EngineFault, WaveRegisters } from '../driver/engine.ts';
import { refusals } from '../driver/link-dispatch.ts';
import { registersOf } from '../driver/reference-engine.ts';
import { linkProgram } from '../program/link-program.ts';
import { runDispatch } from '../reference/index.ts';

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
  readonly sgprs: ReadonlyMap<number, number>;
  /** Register → one value per thread of the group; wave w, lane l takes entry w · waveSize + l, modulo the length. */
  readonly vgprs: ReadonlyMap<number, Uint32Array>;
  readonly memory: readonly SnippetMemory[];
  readonly ldsBytes: number;
  readonly floatMode: number;
  readonly limit: number;
}

export interface SnippetResult {
  readonly status: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly faults: readonly EngineFault[];
  readonly instructions: number;
  readonly waves: readonly WaveRegisters[];
  readonly memory: GuestMemory;
}

const S_ENDPGM = 0xbf810000;

export function runSnippet(request: SnippetRequest): SnippetResult {
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
  const none = { faults: [], instructions: 0, waves: [], memory };
  if (problems.length > 0) return { status: 'refused', diagnostics: problems, ...none };
  const dispatch = snippetDispatch(request);
  const program = linkProgram({
    target: request.target,
    waveSize: request.waveSize,
    entry: request.codeAddress,
    memory,
    userSgprs: dispatch.userSgprs,
  });
  const refused = refusals(program);
  if (refused.length > 0) return { status: 'refused', diagnostics: refused, ...none };
  const waves: WaveRegisters[] = [];
  const result = runDispatch(dispatch, memory, {
    instructionLimit: request.limit,
    onWaveStart: (wave) => {
      for (const [register, value] of request.sgprs) wave.setScalar(register, value);
      for (const [register, values] of request.vgprs) {
        const lanes = wave.vgpr(register);
        for (let lane = 0; lane < lanes.length; lane++)
          lanes[lane] = values[(wave.index * lanes.length + lane) % values.length]!;
      }
    },
    onWaveEnd: (wave) => waves.push(registersOf(wave)),
  });
  return {
    status: result.status,
    diagnostics: [...program.diagnostics, ...result.diagnostics],
    faults: result.faults,
    instructions: result.instructionsExecuted,
    waves,
    memory,
  };
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
    userSgprs: userDataOf(request.sgprs),
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
function userDataOf(sgprs: ReadonlyMap<number, number>): Uint32Array {
  const given = [...sgprs.keys()].filter((register) => register < 104);
  const words = new Uint32Array(given.length === 0 ? 0 : Math.max(...given) + 1);
  for (const register of given) words[register] = sgprs.get(register)!;
  return words;
}
