/** Numbers of JavaScript (f64, f32 through Math.fround) and their bits. */
const view = new DataView(new ArrayBuffer(8));

export function bitsOfF64(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

export function f64OfBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

export function bitsOfF32(value: number): number {
  view.setFloat32(0, value);
  return view.getUint32(0);
}

export function f32OfBits(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

/** Position in the order of the format: neighbouring floats differ by 1. */
export function orderOfF64(value: number): bigint {
  const bits = bitsOfF64(value);
  const magnitude = bits & ((1n << 63n) - 1n);
  return bits >> 63n ? -magnitude : magnitude;
}
