/**
 * Operands and modifiers of a statement → the flat instruction record, one file per group of families.
 * In: what was written, already parsed. Out: true and a filled record, or false after a reported error.
 */
import { matchBuffer } from './buffer.ts';
import type { MatchContext } from './context.ts';
import { matchDataShare } from './data-share.ts';
import { matchExport } from './export.ts';
import { matchFlat } from './flat.ts';
import { matchImage } from './image.ts';
import { matchInterpolation } from './interpolation.ts';
import { matchProgramControl, matchScalarAlu, matchScalarConstant } from './scalar.ts';
import { matchScalarMemory } from './scalar-memory.ts';
import { matchVector } from './vector.ts';

export function matchInstruction(c: MatchContext): boolean {
  switch (c.plan.format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      return matchScalarAlu(c);
    case 'SOPK':
      return matchScalarConstant(c);
    case 'SOPP':
      return matchProgramControl(c);
    case 'SMEM':
    case 'SMRD':
      return matchScalarMemory(c);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3B':
    case 'VOP3P':
      return matchVector(c);
    case 'VOP3':
      return c.plan.imm === 'attr' ? matchInterpolation(c) : matchVector(c);
    case 'VINTRP':
      return matchInterpolation(c);
    case 'DS':
      return matchDataShare(c);
    case 'MUBUF':
    case 'MTBUF':
      return matchBuffer(c);
    case 'MIMG':
      return matchImage(c);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return matchFlat(c);
    case 'EXP':
      return matchExport(c);
  }
}
