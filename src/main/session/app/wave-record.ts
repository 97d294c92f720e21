/**
 * Final registers of the waves of a run, kept small: only registers that the program can have written or was given.
 */
import type { WaveView } from '../../../preload/contract/run.ts';
import type { ComputeDispatch } from '../../base/dispatch.ts';
import { placeOfWave, watchedWaves } from '../../driver/device-registers.ts';
import type { RegisterWatch, WaveRegisters } from '../../driver/engine.ts';
import { OPERAND } from '../../isa/operands.ts';
import type { Program } from '../../program/program.ts';
import { inOrder } from '../compare-registers.ts';
import { registerName } from '../register-names.ts';
import { registersWritten } from '../registers-written.ts';

/** Waves beyond this are counted only. */
export const MAX_KEPT_WAVES = 4096;

export type WavePlace = Pick<WaveRegisters, 'workgroup' | 'wave'>;

const SHOWN_SCALARS: ReadonlySet<number> = new Set([OPERAND.M0, OPERAND.SCC]);

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
    this.scalars = [...scalars].filter((s) => s <= OPERAND.VCC_HI || SHOWN_SCALARS.has(s)).sort(ascending);
  }

  /** The waves that `finish` will have after a run on a device that completes. */
  placesOnDevice(dispatch: ComputeDispatch): WavePlace[] {
    const count = watchedWaves(dispatch, this.watch.registers);
    const places: WavePlace[] = [];
    for (let number = 0; number < count && places.length < MAX_KEPT_WAVES; number++) {
      const place = placeOfWave(dispatch, number);
      if (place) places.push(place);
    }
    return places;
  }

  /** What the engine is to tell. */
  get watch(): RegisterWatch {
    const vectors = this.vectors.map((register) => OPERAND.VGPR0 + register);
    return {
      registers: [OPERAND.EXEC_LO, OPERAND.EXEC_HI, ...this.scalars, ...vectors],
      onWaveEnd: (wave) => this.add(wave),
    };
  }

  private add({ workgroup: [x, y, z], wave, waveSize, values }: WaveRegisters): void {
    this.total++;
    if (this.kept.length >= MAX_KEPT_WAVES) return;
    const scalar = (code: number): number => values.get(code)![0]!;
    const lanes = new Uint32Array(this.vectors.length * waveSize);
    this.vectors.forEach((register, row) => {
      lanes.set(values.get(OPERAND.VGPR0 + register)!, row * waveSize);
    });
    this.kept.push({
      workgroup: [x, y, z],
      wave,
      waveSize,
      execLow: scalar(OPERAND.EXEC_LO),
      // In wave32 it is an ordinary register.
      execHigh: waveSize === 64 ? scalar(OPERAND.EXEC_HI) : 0,
      scalars: this.scalars.map((code) => ({ name: registerName(code), value: scalar(code) })),
      vectors: this.vectors.map((register) => `v${register}`),
      values: lanes,
    });
  }

  /** In order of group, then wave. */
  finish(): readonly WaveView[] {
    return inOrder(this.kept);
  }
}
