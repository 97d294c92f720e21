/**
 * The reference interpreter as an engine. It needs no device and ignores the linked program but for refusals: it
 * fetches instructions from memory itself, so that it cannot share a mistake of linking.
 */
import { atAddress, diagnostic } from '../base/diagnostics.ts';
import { OPERAND } from '../isa/operands.ts';
import { type ReferenceOptions, runDispatch } from '../reference/index.ts';
import type { Wave } from '../reference/wave.ts';
import type { DispatchEngine, EngineRequest, EngineRun, InitialRegisters, WaveRegisters } from './engine.ts';
import { refusals } from './link-dispatch.ts';

export const DEFAULT_INSTRUCTION_LIMIT = 400_000_000;

export class ReferenceEngine implements DispatchEngine {
  readonly backend = 'reference' as const;

  async run(request: EngineRequest): Promise<EngineRun> {
    const refused = refusals(request.program);
    if (refused.length > 0) {
      return { backend: 'reference', status: 'refused', diagnostics: refused, faults: [], faultCount: 0, waves: 0 };
    }
    const limit = request.limit ?? DEFAULT_INSTRUCTION_LIMIT;
    const started = performance.now();
    const result = runDispatch(request.dispatch, request.memory, {
      instructionLimit: limit,
      stopOnFault: request.stopOnFault ?? true,
      ...registerHooks(request),
    });
    const diagnostics = [...result.diagnostics];
    for (const fault of result.faults.slice(0, 8)) {
      const place = fault.lane < 0 ? `wave ${fault.wave}` : `lane ${fault.lane} of wave ${fault.wave}`;
      const access = fault.address || fault.sizeBytes ? ` (guest address 0x${fault.address.toString(16)})` : '';
      const text = `${fault.reason}${access}, ${place}, group ${fault.workgroup.join(',')}${fault.detail ? `: ${fault.detail}` : ''}`;
      diagnostics.push(diagnostic('REF010', 'fault', text, atAddress(fault.instructionAddress)));
    }
    return {
      backend: 'reference',
      status: result.status === 'running' ? 'limit' : result.status,
      diagnostics,
      faults: result.faults,
      faultCount: result.faultCount,
      waves: result.wavesExecuted,
      watchedWaves: request.watch ? result.wavesExecuted : 0,
      instructions: result.instructionsExecuted,
      times: { run: performance.now() - started },
    };
  }

  async close(): Promise<void> {}
}

/** Sets the registers that a request gives, and tells those that it watches. */
export function registerHooks({ initial, watch }: EngineRequest): Pick<ReferenceOptions, 'onWaveStart' | 'onWaveEnd'> {
  return {
    ...(initial ? { onWaveStart: (wave) => setRegisters(wave, initial) } : {}),
    ...(watch ? { onWaveEnd: (wave) => watch.onWaveEnd(registersOf(wave, watch.registers)) } : {}),
  };
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
