/**
 * IR types: how wide a value is and whether it exists once per wave or once per lane.
 *
 *   s1 s32 s64   one value per wave
 *   m            one bit per lane            v32 v64   one value per lane
 *
 * A type is a small integer so that it fits a typed array: bits 1:0 width (0 none, 1, 32, 64), bit 2 per lane,
 * bits 6:3 number of components − 1. Only loads and wide atomics make tuples (`v32x4`, `s32x16`); only `extract` reads
 * them. 16-bit values live in the low half of 32-bit ones. A float is its bits: the operation says how to read them.
 *
 * **An operand of a per-lane value may be uniform** (it is the same for every lane); the other way round is an error.
 * So promoting a value from v to s never touches its users.
 */
export type ValueId = number & { readonly __brand: 'ValueId' };
export type BlockId = number & { readonly __brand: 'IrBlockId' };
export type Type = number & { readonly __brand: 'IrType' };

/** Absent operand, value or block. */
export const NO_VALUE = -1 as ValueId;
export const NO_BLOCK = -1 as BlockId;

export const WIDTH_NONE = 0;
export const WIDTH_1 = 1;
export const WIDTH_32 = 2;
export const WIDTH_64 = 3;
export type Width = typeof WIDTH_NONE | typeof WIDTH_1 | typeof WIDTH_32 | typeof WIDTH_64;

export const LANE_BIT = 4;

export const NONE = 0 as Type;
export const S1 = 1 as Type;
export const S32 = 2 as Type;
export const S64 = 3 as Type;
export const M = 5 as Type;
export const V32 = 6 as Type;
export const V64 = 7 as Type;

export function widthOf(type: Type): Width {
  return (type & 3) as Width;
}

export function isPerLane(type: Type): boolean {
  return (type & LANE_BIT) !== 0;
}

export function componentsOf(type: Type): number {
  return (type >> 3) + 1;
}

export function typeOf(width: Width, perLane: boolean, components = 1): Type {
  return (width | (perLane ? LANE_BIT : 0) | ((components - 1) << 3)) as Type;
}

/** The type of one component. */
export function elementType(type: Type): Type {
  return (type & 7) as Type;
}

/** One value per wave of the same width. */
export function uniformType(type: Type): Type {
  return (type & ~LANE_BIT) as Type;
}

export function laneType(type: Type): Type {
  return (type | LANE_BIT) as Type;
}

const ELEMENT_NAMES = ['none', 's1', 's32', 's64', '?', 'm', 'v32', 'v64'] as const;

export function printType(type: Type): string {
  const name = ELEMENT_NAMES[type & 7]!;
  const components = componentsOf(type);
  return components === 1 ? name : `${name}x${components}`;
}

export function parseType(text: string): Type | undefined {
  const match = /^(none|s1|s32|s64|m|v32|v64)(?:x(\d+))?$/.exec(text);
  if (!match) return undefined;
  const element = ELEMENT_NAMES.indexOf(match[1] as (typeof ELEMENT_NAMES)[number]);
  const components = match[2] === undefined ? 1 : Number(match[2]);
  if (components < 1 || components > 16) return undefined;
  return (element | ((components - 1) << 3)) as Type;
}
