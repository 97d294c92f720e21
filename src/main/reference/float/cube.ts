/**
 * The cube-map instructions: face, coordinates on the face and major axis of a direction (x, y, z).
 *
 * The major axis is the largest magnitude, z before y before x where equal. Faces: +x 0, −x 1, +y 2, −y 3, +z 4, −z 5.
 * Source: RDNA ISA manuals, "V_CUBEID_F32" to "V_CUBEMA_F32".
 *
 *   face   sc    tc        face   sc    tc        face   sc    tc
 *    +x    −z    −y         +y     x     z         +z     x    −y
 *    −x     z    −y         −y     x    −z         −z    −x    −y
 */
import { flushF32, mulF32 } from './arithmetic-f32.ts';
import type { FloatControl } from './float-control.ts';
import { F32, U32 } from './scratch.ts';

const X = 0;
const Y = 1;
const Z = 2;

/** Loads the operands into F32[0…2] and says which axis is the largest. */
function majorAxis(x: number, y: number, z: number, control: FloatControl): number {
  U32[0] = control.flushIn ? flushF32(x) : x;
  U32[1] = control.flushIn ? flushF32(y) : y;
  U32[2] = control.flushIn ? flushF32(z) : z;
  const ax = Math.abs(F32[0]!);
  const ay = Math.abs(F32[1]!);
  const az = Math.abs(F32[2]!);
  if (az >= ax && az >= ay) return Z;
  return ay >= ax ? Y : X;
}

function signed(bits: number, negate: boolean, control: FloatControl): number {
  const value = (negate ? bits ^ 0x80000000 : bits) >>> 0;
  return control.flushIn || control.flushOut ? flushF32(value) : value;
}

const FACES = Uint32Array.from([0x00000000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000]);

export function cubeFace(x: number, y: number, z: number, control: FloatControl): number {
  const axis = majorAxis(x, y, z, control);
  return FACES[2 * axis + (F32[axis]! < 0 ? 1 : 0)]!;
}

export function cubeS(x: number, y: number, z: number, control: FloatControl): number {
  const axis = majorAxis(x, y, z, control);
  const negative = F32[axis]! < 0;
  if (axis === X) return signed(z, !negative, control);
  return signed(x, axis === Z && negative, control);
}

export function cubeT(x: number, y: number, z: number, control: FloatControl): number {
  const axis = majorAxis(x, y, z, control);
  if (axis !== Y) return signed(y, true, control);
  return signed(z, F32[Y]! < 0, control);
}

/** Twice the major component. */
export function cubeMajor(x: number, y: number, z: number, control: FloatControl): number {
  const axis = majorAxis(x, y, z, control);
  return mulF32(axis === X ? x : axis === Y ? y : z, 0x40000000, control);
}
