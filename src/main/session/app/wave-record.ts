/**
 * Final registers of the waves of a run, kept small: only registers that the program can have written or was given.
 */
import type { WaveView } from '../../../preload/contract/run.ts';
import type { ComputeDispatch } from '../../base/dispatch.ts';
import type { WaveRegisters } from '../../driver/engine.ts';
import type { Program } from '../../program/program.ts';
import { registersWritten } from '../registers-written.ts';

/** Waves beyond this are counted only. */
export const MAX_KEPT_WAVES = 4096;

const VCC_LO = 106;
const M0 = 124;
const SCC = 253;
const LAST_SGPR = 105;

export class WaveRecord {
  private readonly scalars: readonly number[];
  private readonly vectors: readonly number[];
  private readonly kept: WaveView[] = [];
  total = 0;

  constructor(program: Program, dispatch: ComputeDispatch) {
    const vectors = new Set<number>(Array.from({ length: dispatch.localIdCount }, (_, i) => i));
    const scalars = new Set<number>(dispatch.userSgprs.keys());
    for (const segment of program.segments) {
      const written = registersWritten(segment.words, program.target, program.waveSize);
      for (const v of written.vgprs) vectors.add(v);
      for (const s of written.scalars) scalars.add(s);
    }
    const ascending = (a: number, b: number): number => a - b;
    this.vectors = [...vectors].filter((v) => v < 256).sort(ascending);
    this.scalars = [...scalars].filter((s) => s <= VCC_LO + 1 || s === M0 || s === SCC).sort(ascending);
  }

  add(wave: WaveRegisters): void {
    this.total++;
    if (this.kept.length >= MAX_KEPT_WAVES) return;
    const { waveSize } = wave;
    const values = new Uint32Array(this.vectors.length * waveSize);
    this.vectors.forEach((register, row) => {
      values.set(wave.vgprs.subarray(register * waveSize, (register + 1) * waveSize), row * waveSize);
    });
    const [x, y, z] = wave.workgroup;
    this.kept.push({
      workgroup: [x, y, z],
      wave: wave.wave,
      waveSize,
      execLow: wave.execLow,
      execHigh: wave.execHigh,
      scalars: this.scalars.map((code) => ({ name: scalarName(code), value: scalarValue(wave, code) })),
      vectors: this.vectors.map((register) => `v${register}`),
      values,
    });
  }

  /** In order of group, then wave. */
  finish(): readonly WaveView[] {
    return this.kept.sort(
      (a, b) =>
        a.workgroup[2] - b.workgroup[2] ||
        a.workgroup[1] - b.workgroup[1] ||
        a.workgroup[0] - b.workgroup[0] ||
        a.wave - b.wave,
    );
  }
}

function scalarName(code: number): string {
  if (code <= LAST_SGPR) return `s${code}`;
  if (code === VCC_LO) return 'vcc_lo';
  if (code === VCC_LO + 1) return 'vcc_hi';
  return code === M0 ? 'm0' : 'scc';
}

function scalarValue(wave: WaveRegisters, code: number): number {
  if (code === SCC) return wave.scc;
  return code === M0 ? wave.m0 : wave.sgprs[code]!;
}
