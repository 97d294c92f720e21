/**
 * Reciprocals, roots, exponentials, logarithms, sine and cosine.
 *
 * In deterministic mode each is one documented algorithm (docs/float-arithmetic.md#approximate-instructions), which the
 * reference uses too; otherwise the device's own. f32 forms flush denormals whatever MODE says; f16 and f64 follow MODE.
 * f16 forms go through f32: every f16 is an exact f32, and rounding twice is harmless here.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ValueId } from '../ir/types.ts';
import { type Entry, type Lower, type Lowering, unsupported } from './lowering.ts';
import { sourceF16, sourceF64, sourceRawF32, writeF16, writeF32, writeF64 } from './vector-operands.ts';

type Root = 'frcp' | 'frsq' | 'fsqrt';
type Transcendental = 'fexp2' | 'flog2' | 'fsin' | 'fcos';

function flushF32(l: Lowering, value: ValueId): ValueId {
  return l.b.emit1('fflush.f32', value);
}

const rootF32 =
  (op: Root): Lower =>
  (l) =>
    writeF32(l, flushF32(l, l.b.emit1(`${op}.f32`, flushF32(l, sourceRawF32(l, 0)))));

const rootF64 =
  (op: Root): Lower =>
  (l) =>
    writeF64(l, l.b.emit1(`${op}.f64`, sourceF64(l, 0)));

const transcendental =
  (op: Transcendental): Lower =>
  (l) =>
    writeF32(l, l.b.emit1(`${op}.f32`, sourceRawF32(l, 0)));

const viaF32 =
  (op: Root | Transcendental): Lower =>
  (l) => {
    const wide = l.b.emit1('cvt.f32.f16', sourceF16(l, 0));
    writeF16(l, l.b.emit1('cvt.f16.f32', l.b.emit1(`${op}.f32`, wide)));
  };

const legacy = unsupported('this gfx7 form is not compiled yet');

export const VALU_APPROXIMATE = {
  v_rcp_f32: rootF32('frcp'),
  v_rcp_iflag_f32: rootF32('frcp'),
  v_rsq_f32: rootF32('frsq'),
  v_sqrt_f32: rootF32('fsqrt'),
  v_rcp_f64: rootF64('frcp'),
  v_rsq_f64: rootF64('frsq'),
  v_sqrt_f64: rootF64('fsqrt'),
  v_rcp_f16: viaF32('frcp'),
  v_rsq_f16: viaF32('frsq'),
  v_sqrt_f16: viaF32('fsqrt'),
  v_exp_f32: transcendental('fexp2'),
  v_log_f32: transcendental('flog2'),
  v_sin_f32: transcendental('fsin'),
  v_cos_f32: transcendental('fcos'),
  v_exp_f16: viaF32('fexp2'),
  v_log_f16: viaF32('flog2'),
  v_sin_f16: viaF32('fsin'),
  v_cos_f16: viaF32('fcos'),
  v_log_clamp_f32: legacy,
  v_rcp_clamp_f32: legacy,
  v_rcp_legacy_f32: legacy,
  v_rsq_clamp_f32: legacy,
  v_rsq_legacy_f32: legacy,
  v_log_legacy_f32: legacy,
  v_exp_legacy_f32: legacy,
  v_rcp_clamp_f64: legacy,
  v_rsq_clamp_f64: legacy,
} satisfies Partial<Record<Mnemonic, Entry>>;
