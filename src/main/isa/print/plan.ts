/**
 * How each row is printed: the steps of its text in one encoding. A family's line below reads like the text it makes.
 */
import { KIND } from '../operand-kind.ts';
import type { Shape } from '../shape.ts';
import type { Draft } from './draft.ts';
import { MIXED, STEP } from './steps.ts';

function planSopk(d: Draft): Draft {
  switch (d.shape.row.imm) {
    case 'hwreg':
      return d.shape.mnemonic === 's_getreg_b32'
        ? d.name().dst().add(STEP.HARDWARE_REGISTER)
        : d.name().add(STEP.HARDWARE_REGISTER).dst().src0();
    case 'branch':
      return d.name().dst().add(STEP.BRANCH);
    case 'version':
      return d.name().add(STEP.VERSION);
    default:
      return d.name().dst().add(STEP.HEX);
  }
}

function planSopp(d: Draft): Draft {
  switch (d.shape.row.imm) {
    case 'none':
      return d.name();
    case 'end':
      return d.name().add(STEP.END_CODE);
    case 'branch':
      return d.name().add(STEP.BRANCH);
    case 'waitcnt':
      return d.name().add(STEP.WAIT_COUNTERS);
    case 'depctr':
      return d.name().add(STEP.DEPENDENCY_COUNTERS);
    case 'sendmsg':
      return d.name().add(STEP.MESSAGE);
    case 'hex':
      return d.name().add(STEP.HEX);
    default:
      return d.name().add(STEP.IMMEDIATE);
  }
}

/** Rows with a 32-bit encoding name the one that is meant, unless there is no other. */
function encodingSuffix({ shape, format, encoding, gfx7 }: Draft): string {
  const isShort = format === 'VOP1' || format === 'VOP2' || format === 'VOPC' || format === 'VINTRP';
  if (!isShort || shape.noE64 || (gfx7 && format === 'VINTRP')) return '';
  return encoding === 'e64' ? '_e64' : '_e32';
}

function planE32(d: Draft): Draft {
  d.name(encodingSuffix(d)).destinations().src0();
  if (d.shape.src1.kind === KIND.LITERAL) d.add(STEP.FIXED_LITERAL);
  else d.src1();
  return d.shape.src2.kind === KIND.LITERAL ? d.add(STEP.FIXED_LITERAL) : d.src2();
}

function sourceCount(shape: Shape): number {
  return shape.sourceMask & 4 ? 3 : shape.sourceMask & 2 ? 2 : 1;
}

function planE64(d: Draft): Draft {
  d.name(encodingSuffix(d)).destinations().modifiedSources();
  if (d.shape.opSelAllowed) {
    if (d.shape.row.class === 'cross-lane') d.add(STEP.LANE_OP_SEL);
    else d.add(STEP.OP_SEL, sourceCount(d.shape));
  }
  return d.add(STEP.RESULT_MODIFIERS);
}

function planInterpolation64(d: Draft): Draft {
  d.name(encodingSuffix(d)).dst();
  if (d.shape.src0.kind === KIND.IMMEDIATE) d.add(STEP.PARAMETER);
  else d.modified0();
  return d.add(STEP.ATTRIBUTE).modified2().add(STEP.HIGH_HALF).add(STEP.RESULT_MODIFIERS);
}

function planSdwa(d: Draft): Draft {
  d.name('_sdwa').destinations().modifiedSources().add(STEP.RESULT_MODIFIERS);
  if (d.format !== 'VOPC') d.add(STEP.SDWA_RESULT);
  d.add(STEP.SDWA_SRC0);
  return d.format === 'VOP1' ? d : d.add(STEP.SDWA_SRC1);
}

/** v_nop and its kin: no operands, and no suffix either. */
function planWithoutOperands(d: Draft): Draft {
  d.name();
  if (d.encoding === 'dpp16') d.add(STEP.DPP16);
  return d.encoding === 'dpp8' ? d.add(STEP.DPP8) : d;
}

function planVector(d: Draft): Draft {
  if (d.shape.dst.kind === KIND.NONE) return planWithoutOperands(d);
  switch (d.encoding) {
    case 'e64':
      return d.shape.isInterpolation ? planInterpolation64(d) : planE64(d);
    case 'sdwa':
      return planSdwa(d);
    case 'dpp16':
      return d.name('_dpp').destinations().modifiedSources().add(STEP.DPP16);
    case 'dpp8':
      return d.name('_dpp').destinations().modifiedSources().add(STEP.DPP8);
    case 'plain':
    case 'e32':
      return planE32(d);
  }
}

function planPacked(d: Draft): Draft {
  const { shape } = d;
  const count = sourceCount(shape);
  d.name().dst();
  if (!shape.isMix) return d.src0().src1().src2().add(STEP.PACKED_MODIFIERS, count);
  d.mix(0, 'src0', shape.src0).mix(1, 'src1', shape.src1).mix(2, 'src2', shape.src2);
  return d.add(STEP.PACKED_MODIFIERS, count | MIXED);
}

function planInterpolation(d: Draft): Draft {
  if (d.encoding === 'e64') return planInterpolation64(d);
  d.name(encodingSuffix(d)).dst();
  if (d.shape.src0.kind === KIND.IMMEDIATE) d.add(STEP.PARAMETER);
  else d.src0();
  return d.add(STEP.ATTRIBUTE);
}

function planSmem(d: Draft): Draft {
  const { shape } = d;
  d.name();
  if (!shape.src0Dwords) return d.dst();
  if (shape.src2.kind === KIND.NONE) d.dst();
  else if (shape.src2.kind === KIND.IMMEDIATE) d.add(STEP.PROBE);
  else d.src2();
  return d.src0().add(STEP.SCALAR_OFFSET, d.table('src1', shape.src1)).add(STEP.SCALAR_CACHE);
}

function planSmrd(d: Draft): Draft {
  d.name().dst();
  if (!d.shape.src0Dwords) return d;
  return d.src0().add(STEP.SCALAR_OFFSET_GFX7, d.table('src1', d.shape.src1));
}

function planDs(d: Draft): Draft {
  const { imm } = d.shape.row;
  const offset = imm === 'offset2' ? STEP.SHARE_OFFSETS : imm === 'swizzle' ? STEP.SHARE_SWIZZLE : STEP.SHARE_OFFSET;
  return d.name().dst().src0().src1().src2().add(offset).add(STEP.GDS);
}

function planBuffer(d: Draft): Draft {
  const { shape } = d;
  d.name();
  if (shape.row.memory === 'cache') return d;
  if (shape.src3Dwords) d.add(STEP.STORED, shape.src3Dwords);
  else d.add(STEP.LOADED, shape.dstDwords);
  d.add(STEP.BUFFER_ADDRESS).src1().src2();
  if (d.format === 'MTBUF') d.add(STEP.BUFFER_FORMAT);
  return d.add(STEP.BUFFER_MODIFIERS);
}

function planFlat(d: Draft): Draft {
  const { shape, format } = d;
  d.name().dst();
  if (shape.src0.kind === KIND.VECTOR_ADDRESS) d.add(STEP.FLAT_ADDRESS, format === 'SCRATCH' ? 1 : 2);
  d.src1();
  if (format !== 'FLAT') d.add(STEP.FLAT_BASE, d.table('src2', shape.src2));
  return d.add(STEP.FLAT_MODIFIERS);
}

/** Fills the draft. */
export function planRow(d: Draft): Draft {
  switch (d.format) {
    case 'SOP1':
    case 'SOP2':
    case 'SOPC':
      return d.name().dst().src0().src1();
    case 'SOPK':
      return planSopk(d);
    case 'SOPP':
      return planSopp(d);
    case 'SMEM':
      return planSmem(d);
    case 'SMRD':
      return planSmrd(d);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3B':
      return planVector(d);
    case 'VOP3P':
      return planPacked(d);
    case 'VINTRP':
      return planInterpolation(d);
    case 'DS':
      return planDs(d);
    case 'MUBUF':
    case 'MTBUF':
      return planBuffer(d);
    case 'MIMG':
      return d.name().add(STEP.IMAGE_REGISTERS).src1().src2().add(STEP.IMAGE_MODIFIERS);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return planFlat(d);
    case 'EXP':
      return d.add(STEP.EXPORT);
  }
}
