/**
 * Seeded random programs: IR as lowered, and IR after all passes, against the reference, every word of memory.
 *
 * Fast because nothing is compiled for a device: lowering and passes are checked here, emission on Vulkan elsewhere.
 */
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import { lowerProgram } from '../../../src/main/recompiler/lower/program.ts';
import { expandBufferAccess } from '../../../src/main/recompiler/passes/expand-buffer-access.ts';
import { runPipeline } from '../../../src/main/recompiler/pipeline.ts';
import { runDispatch } from '../../../src/main/reference/index.ts';
import { compareMemories } from '../../../src/main/session/verdict.ts';
import { prepare } from '../../support/device.ts';
import { interpretDispatch } from '../../support/ir-interpreter.ts';
import { INSTRUCTION_CLASSES } from '../../support/random-instructions.ts';
import { describeOutput, type Pack, packProgram, randomSnippet, SHAPES } from '../../support/random-programs.ts';

const PROGRAMS = 24;
const LIMIT = 60_000_000;

function makePack(seed: number): Pack {
  const waveSize = seed % 2 ? 64 : 32;
  const target = seed % 3 ? 'gfx1013' : 'gfx1030';
  const shape = SHAPES[(seed >> 1) % SHAPES.length]!;
  const memory = seed % 5 !== 0;
  const options = {
    target,
    waveSize,
    shape,
    size: 20,
    classes: INSTRUCTION_CLASSES,
    memory,
    lds: seed % 4 === 0,
  } as const;
  const snippets = [0, 1].map((n) => randomSnippet(seed * 100 + n, options, `L${n}`));
  // Some groups have a wave with idle lanes.
  return { target, waveSize, snippets, threads: seed % 7 === 0 ? waveSize + 13 : waveSize, seed };
}

describe('random programs in IR', () => {
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    it(`seed ${seed}`, () => {
      const pack = makePack(seed);
      const { dispatch, memory, program } = prepare(packProgram(pack));
      const expected = memory.fork();
      expect(runDispatch(dispatch, expected, { instructionLimit: 3_000_000 }).status).toBe('completed');
      const options = {
        apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
        zeroRegisters: true,
        scratchBytesPerWave: 0,
      };
      for (const passes of [false, true]) {
        const { fn, diagnostics } = lowerProgram(program, dispatch, options);
        expect(diagnostics.map(formatDiagnostic)).toEqual([]);
        if (passes) runPipeline(fn, { deterministic: true, verify: true });
        else expandBufferAccess(fn);
        const actual = memory.fork();
        interpretDispatch(fn, dispatch, actual, LIMIT);
        const { differing, first } = compareMemories(expected, actual);
        const where = first ? `${describeOutput(pack, first.address)}: ${first.left} ≠ ${first.right}` : '';
        expect(`${passes ? 'passes' : 'lowered'}: ${differing} words ${where}`).toBe(
          `${passes ? 'passes' : 'lowered'}: 0 words `,
        );
      }
    });
  }
});
