/**
 * Final registers of two runs of the same code, register by register and lane by lane. Lanes that EXEC leaves out count
 * as well: what they hold is as much defined as the rest.
 */
import type { Vec3 } from '../base/dispatch.ts';
import type { WaveRegisters } from '../driver/engine.ts';
import { isVgpr } from '../isa/operands.ts';

export interface RegisterDifference {
  readonly workgroup: Vec3;
  readonly wave: number;
  /** Operand code. */
  readonly register: number;
  /** −1 for scalars. */
  readonly lane: number;
  readonly left: number;
  readonly right: number;
}

export interface RegisterComparison {
  /** Waves that are on both sides, and the values compared in them. */
  readonly waves: number;
  readonly values: number;
  readonly differing: number;
  /** The first of them, in order of waves, registers and lanes. */
  readonly differences: readonly RegisterDifference[];
  /** Waves that ended on one side only. */
  readonly missing: readonly { readonly workgroup: Vec3; readonly wave: number; readonly from: 'left' | 'right' }[];
}

const MOST_DIFFERENCES = 256;

/** Registers that only one side has are not compared. */
export function compareRegisters(left: readonly WaveRegisters[], right: readonly WaveRegisters[]): RegisterComparison {
  const others = new Map(right.map((wave) => [nameOf(wave), wave]));
  const missing: RegisterComparison['missing'][number][] = [];
  const differences: RegisterDifference[] = [];
  let waves = 0;
  let values = 0;
  let differing = 0;
  for (const one of inOrder(left)) {
    const { workgroup, wave } = one;
    const other = others.get(nameOf(one));
    if (!other) {
      missing.push({ workgroup, wave, from: 'right' });
      continue;
    }
    others.delete(nameOf(one));
    waves++;
    for (const [register, words] of one.values) {
      const otherWords = other.values.get(register);
      if (!otherWords) continue;
      values += words.length;
      words.forEach((word, lane) => {
        if (word === otherWords[lane]) return;
        if (differing++ >= MOST_DIFFERENCES) return;
        const place = { workgroup, wave, register, lane: isVgpr(register) ? lane : -1 };
        differences.push({ ...place, left: word, right: otherWords[lane]! });
      });
    }
  }
  for (const { workgroup, wave } of others.values()) missing.push({ workgroup, wave, from: 'left' });
  return { waves, values, differing, differences, missing };
}

const nameOf = ({ workgroup, wave }: WaveRegisters): string => `${workgroup.join()} ${wave}`;

/** By group (x fastest), then wave. */
export function inOrder<Wave extends Pick<WaveRegisters, 'workgroup' | 'wave'>>(waves: readonly Wave[]): Wave[] {
  return [...waves].sort(
    (a, b) =>
      a.workgroup[2] - b.workgroup[2] ||
      a.workgroup[1] - b.workgroup[1] ||
      a.workgroup[0] - b.workgroup[0] ||
      a.wave - b.wave,
  );
}
