/**
 * The reference interpreter as an engine. It needs no device and ignores the linked program but for refusals: it
 * fetches instructions from memory itself, so that it cannot share a mistake of linking.
 */
import type { GuestAddress } from '../base/guest-address.ts';
import { OPERAND } from '../isa/operands.ts';
import { type Fault, type ReferenceOptions, type ReferenceResult, runDispatch } from '../reference/index.ts';
import type { Wave } from '../reference/wave.ts';
import type {
  DispatchEngine,
  EngineFault,
  EngineRequest,
  EngineRun,
  InitialRegisters,
  WaveRegisters,
} from './engine.ts';
import { faultDiagnostics } from './fault-diagnostic.ts';
import { refusals } from './link-dispatch.ts';

export const DEFAULT_INSTRUCTION_LIMIT = 400_000_000;

export class ReferenceEngine implements DispatchEngine {
  readonly backend = 'reference' as const;

  async run(request: EngineRequest): Promise<EngineRun> {
    const refused = refusedRun(request);
    if (refused) return refused;
    const started = performance.now();
    const result = runDispatch(request.dispatch, request.memory, referenceOptions(request));
    return engineRun(request, result, performance.now() - started);
  }

  async close(): Promise<void> {}
}

/** The answer to a request whose program was refused; undefined when it can run. */
export function refusedRun({ program }: EngineRequest): EngineRun | undefined {
  const diagnostics = refusals(program);
  if (diagnostics.length === 0) return undefined;
  return { backend: 'reference', status: 'refused', diagnostics, faults: [], faultCount: 0, waves: 0 };
}

/** Sets the registers that a request gives, and tells those that it watches. */
export function referenceOptions({ limit, stopOnFault, initial, watch }: EngineRequest): ReferenceOptions {
  return {
    instructionLimit: limit ?? DEFAULT_INSTRUCTION_LIMIT,
    stopOnFault: stopOnFault ?? true,
    ...(initial ? { onWaveStart: (wave) => setRegisters(wave, initial) } : {}),
    ...(watch ? { onWaveEnd: (wave) => watch.onWaveEnd(registersOf(wave, watch.registers)) } : {}),
  };
}

export function engineRun(request: EngineRequest, result: ReferenceResult, milliseconds: number): EngineRun {
  const faults = result.faults.map(engineFault);
  return {
    backend: 'reference',
    status: result.status === 'running' ? 'limit' : result.status,
    diagnostics: [...result.diagnostics, ...faultDiagnostics('REF010', faults)],
    faults,
    faultCount: result.faultCount,
    waves: result.wavesExecuted,
    watchedWaves: request.watch ? result.wavesExecuted : 0,
    instructions: result.instructionsExecuted,
    times: { run: milliseconds },
  };
}

/** An access has a size, or an address that is not 0: a trap has neither. */
function engineFault({ address, sizeBytes, ...fault }: Fault): EngineFault {
  return address === 0 && sizeBytes === 0 ? fault : { ...fault, address: address as GuestAddress };
}

function setRegisters(wave: Wave, { scalars, vgprs }: InitialRegisters): void {
  for (const [register, value] of scalars) {
    if (register === OPERAND.SCC) wave.scc = value === 0 ? 0 : 1;
    else wave.setScalar(register, value);
  }
  for (const [register, values] of vgprs) {
    const lanes = wave.vgpr(register);
    for (let lane = 0; lane < lanes.length; lane++)
      lanes[lane] = values[(wave.index * lanes.length + lane) % values.length]!;
  }
}

function registersOf(wave: Wave, registers: readonly number[]): WaveRegisters {
  const values = new Map<number, Uint32Array>();
  for (const code of registers) {
    if (code >= OPERAND.VGPR0) values.set(code, wave.vgpr(code - OPERAND.VGPR0).slice());
    else values.set(code, Uint32Array.of(code === OPERAND.SCC ? wave.scc : wave.sgprs[code]!));
  }
  return { workgroup: wave.groupId, wave: wave.index, waveSize: wave.waveSize, values };
}
