/**
 * Reciprocals, roots, exponentials, logarithms, sine and cosine.
 *
 * In deterministic mode each is one documented algorithm (docs/float-arithmetic.md#approximate-instructions), which the
 * reference uses too; otherwise the device's own. f32 forms flush denormals whatever MODE says; f16 and f64 follow MODE.
 * f16 forms go through f32: every f16 is an exact f32, and rounding twice is harmless here.
 */
import type { Mnemonic } from '../../isa/tables/index.ts';
import type { ValueId } from '../ir/types.ts';
import type { Entry, Lower, Lowering } from './lowering.ts';
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

/** gfx7 gives up on arguments beyond 256 turns: +0 for sin, 1 for cos. */
const turns =
  (op: 'fsin' | 'fcos'): Lower =>
  (l) => {
    const e = l.b;
    const x = sourceRawF32(l, 0);
    const result = e.emit1(`${op}.f32`, x);
    if (l.gfx10) {
      writeF32(l, result);
      return;
    }
    const isFar = e.emit2('fcmp.lt.f32', e.u32(0x43800000), e.emit1('fabs.f32', x));
    const isInfinite = e.emit2('icmp.eq.u32', e.emit1('fabs.f32', x), e.u32(0x7f800000));
    const far = e.emit2('and.1', isFar, e.emit1('not.1', isInfinite));
    writeF32(l, e.select(far, e.u32(op === 'fsin' ? 0 : 0x3f800000), result));
  };

/** gfx7 forms that never give infinity: the largest finite value of its sign, or for `legacy` a zero of its sign. */
const withoutInfinity =
  (op: Root | 'flog2', size: 'f32' | 'f64', legacy: boolean): Lower =>
  (l) => {
    const e = l.b;
    if (size === 'f64') {
      const result = e.emit1(`${op as Root}.f64`, sourceF64(l, 0));
      const high = e.emit1('hi.64', result);
      const isInfinite = e.emit2('icmp.eq.u64', e.emit1('fabs.f64', result), e.u64(0, 0x7ff00000));
      const sign = e.emit2('and.u32', high, e.u32(0x80000000));
      const largest = e.emit2('pack.64', e.u32(-1), e.emit2('or.u32', sign, e.u32(0x7fefffff)));
      writeF64(l, e.select(isInfinite, largest, result));
      return;
    }
    const x = sourceRawF32(l, 0);
    const result = op === 'flog2' ? e.emit1('flog2.f32', x) : flushF32(l, e.emit1(`${op}.f32`, flushF32(l, x)));
    const isInfinite = e.emit2('icmp.eq.u32', e.emit1('fabs.f32', result), e.u32(0x7f800000));
    const sign = e.emit2('and.u32', result, e.u32(0x80000000));
    writeF32(l, e.select(isInfinite, legacy ? sign : e.emit2('or.u32', sign, e.u32(0x7f7fffff)), result));
  };

const viaF32 =
  (op: Root | Transcendental): Lower =>
  (l) => {
    const wide = l.b.emit1('cvt.f32.f16', sourceF16(l, 0));
    writeF16(l, l.b.emit1('cvt.f16.f32', l.b.emit1(`${op}.f32`, wide)));
  };

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
  v_sin_f32: turns('fsin'),
  v_cos_f32: turns('fcos'),
  v_exp_f16: viaF32('fexp2'),
  v_log_f16: viaF32('flog2'),
  v_sin_f16: viaF32('fsin'),
  v_cos_f16: viaF32('fcos'),
  v_log_clamp_f32: withoutInfinity('flog2', 'f32', false),
  v_rcp_clamp_f32: withoutInfinity('frcp', 'f32', false),
  v_rsq_clamp_f32: withoutInfinity('frsq', 'f32', false),
  v_rcp_clamp_f64: withoutInfinity('frcp', 'f64', false),
  v_rsq_clamp_f64: withoutInfinity('frsq', 'f64', false),
  v_rcp_legacy_f32: withoutInfinity('frcp', 'f32', true),
  v_rsq_legacy_f32: withoutInfinity('frsq', 'f32', true),
  v_log_legacy_f32: transcendental('flog2'),
  v_exp_legacy_f32: transcendental('fexp2'),
} satisfies Partial<Record<Mnemonic, Entry>>;
