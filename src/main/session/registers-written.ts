/** Which registers a piece of code writes: what `exec` shows by default, and what is compared. */
import type { Target, WaveSize } from '../base/dispatch.ts';
import { decodeInstruction, forEachDef, Instruction } from '../isa/index.ts';

/** VGPR numbers, and operand codes of scalars (253: SCC), ascending; EXEC is shown anyway and left out. */
export function registersWritten(
  words: Uint32Array,
  target: Target,
  waveSize: WaveSize,
): { vgprs: number[]; scalars: number[] } {
  const vgprs = new Set<number>();
  const scalars = new Set<number>();
  const instruction = new Instruction();
  for (let index = 0; index < words.length; ) {
    const size = decodeInstruction(target, words, index, instruction);
    index += Math.max(size, 1);
    if (size <= 0) continue;
    forEachDef(instruction, waveSize, target, (code, dwords) => {
      for (let i = 0; i < dwords; i++) {
        const register = code + i;
        if (register >= 256) vgprs.add(register - 256);
        else if (register !== 126 && register !== 127 && register !== 125) scalars.add(register);
      }
    });
  }
  const ascending = (a: number, b: number): number => a - b;
  return { vgprs: [...vgprs].sort(ascending), scalars: [...scalars].sort(ascending) };
}

/** Whether the code has moves whose destination M0 chooses: then it may write any VGPR, or any SGPR. */
export function writesByNumber(words: Uint32Array, target: Target): { vgprs: boolean; scalars: boolean } {
  const found = { vgprs: false, scalars: false };
  const instruction = new Instruction();
  for (let index = 0; index < words.length; ) {
    const size = decodeInstruction(target, words, index, instruction);
    index += Math.max(size, 1);
    const move = size > 0 ? /^([vs])_movrels?d/.exec(instruction.mnemonic) : null;
    if (move) found[move[1] === 'v' ? 'vgprs' : 'scalars'] = true;
  }
  return found;
}
