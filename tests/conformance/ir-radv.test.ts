/**
 * RADV's kernels as IR: lowered, and after all passes, against the reference, every word of every buffer.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { linkProgram } from '../../src/main/program/link-program.ts';
import { lowerProgram } from '../../src/main/recompiler/lower/program.ts';
import { expandBufferAccess } from '../../src/main/recompiler/passes/expand-buffer-access.ts';
import { runPipeline } from '../../src/main/recompiler/pipeline.ts';
import { runDispatch } from '../../src/main/reference/index.ts';
import { interpretDispatch } from '../support/ir-interpreter.ts';
import { hasKernel, haveRadv, KERNELS, prepareKernel, RADV_DATA, VARIANTS } from './radv-kernel.ts';

if (!haveRadv) console.log(`skipped: ${RADV_DATA} is not there`);

describe('RADV kernels as IR', () => {
  for (const kernel of KERNELS) {
    // navi14 is navi10's code again.
    for (const variant of VARIANTS.filter((v) => !v.startsWith('navi14'))) {
      it.skipIf(!haveRadv || !hasKernel(variant, kernel))(`${kernel} ${variant}`, () => {
        const { dispatch, memory, places } = prepareKernel(variant, kernel);
        const expected = memory.fork();
        expect(runDispatch(dispatch, expected, { instructionLimit: 20_000_000 }).status).toBe('completed');
        const { target, waveSize, programAddress: entry, userSgprs, scratchBytesPerWave } = dispatch;
        const program = linkProgram({ target, waveSize, entry, memory, userSgprs });
        for (const passes of [false, true]) {
          const options = {
            apertures: { sharedHigh: 0x10000, privateHigh: 0x20000 },
            zeroRegisters: true,
            scratchBytesPerWave,
          };
          const { fn, diagnostics } = lowerProgram(program, dispatch, options);
          expect(diagnostics).toEqual([]);
          if (passes) runPipeline(fn, { deterministic: true, verify: true });
          else expandBufferAccess(fn);
          const actual = memory.fork();
          expect(interpretDispatch(fn, dispatch, actual).faults).toEqual([]);
          const wrong: string[] = [];
          for (const [name, { address, before }] of places) {
            for (let i = 0; i < before.length; i++) {
              const at = (address + 4 * i) as GuestAddress;
              if (expected.loadU32(at) !== actual.loadU32(at)) wrong.push(`${name}[${i}]`);
            }
          }
          expect(wrong.slice(0, 8)).toEqual([]);
        }
      });
    }
  }
});
