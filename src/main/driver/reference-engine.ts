/**
 * The reference interpreter as an engine. It needs no device and ignores the linked program but for refusals: it
 * fetches instructions from memory itself, so that it cannot share a mistake of linking.
 */
import { atAddress, diagnostic } from '../base/diagnostics.ts';
import { OPERAND } from '../isa/operands.ts';
import { runDispatch } from '../reference/index.ts';
import type { Wave } from '../reference/wave.ts';
import type { DispatchEngine, EngineRequest, EngineRun, WaveRegisters } from './engine.ts';
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
    const { onWaveEnd } = request;
    const started = performance.now();
    const result = runDispatch(request.dispatch, request.memory, {
      instructionLimit: limit,
      stopOnFault: true,
      ...(onWaveEnd ? { onWaveEnd: (wave: Wave) => onWaveEnd(registersOf(wave)) } : {}),
    });
    const diagnostics = [...result.diagnostics];
    for (const fault of result.faults.slice(0, 8)) {
      const place = fault.lane < 0 ? `wave ${fault.wave}` : `lane ${fault.lane} of wave ${fault.wave}`;
      const access = fault.address ? ` (guest address 0x${fault.address.toString(16)})` : '';
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
      instructions: result.instructionsExecuted,
      times: { run: performance.now() - started },
    };
  }

  async close(): Promise<void> {}
}

export function registersOf(wave: Wave): WaveRegisters {
  return {
    workgroup: wave.groupId,
    wave: wave.index,
    waveSize: wave.waveSize,
    sgprs: wave.sgprs.slice(),
    vgprs: wave.vgprs.slice(),
    execLow: wave.execLow,
    execHigh: wave.execHigh,
    scc: wave.scc,
    m0: wave.sgprs[OPERAND.M0]!,
  };
}
