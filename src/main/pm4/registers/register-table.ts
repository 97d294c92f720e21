/**
 * Registers by address and by name: the generated rows (*.gen.ts), parsed once per target on first use.
 *
 * An address may carry several names (an alias for another purpose). The name that gfx7 already has is the one shown,
 * else the first of the header; lookup by name finds all. Values are decoded by bit-fields; a field that has an
 * enumeration also gives the name of its value.
 */
import type { Target } from '../../base/dispatch.ts';
import { generationOf } from '../generation.ts';
import { CONFIG_ROWS } from './config.gen.ts';
import { CONTEXT_ROWS } from './context.gen.ts';
import { FIELD_VALUES } from './field-values.gen.ts';
import { SH_ROWS } from './sh.gen.ts';
import { REGISTER_SPACES, type RegisterSpace, spaceOf } from './spaces.ts';
import { UCONFIG_ROWS } from './uconfig.gen.ts';

export interface RegisterField {
  readonly name: string;
  readonly shift: number;
  readonly width: number;
  /** Names of values, where the field has an enumeration. */
  readonly values?: Readonly<Record<number, string>>;
}

export interface Register {
  readonly name: string;
  readonly space: RegisterSpace;
  /** Absolute dword address. */
  readonly index: number;
  readonly fields: readonly RegisterField[];
}

export interface DecodedField {
  readonly name: string;
  readonly value: number;
  /** Lowest bit and number of bits. */
  readonly shift: number;
  readonly width: number;
  /** Name of the value, where the field has an enumeration. */
  readonly text?: string;
}

const TARGET_MARKS: Readonly<Record<Target, string>> = { gfx700: '7', gfx1013: '1', gfx1030: '3' };

interface Table {
  readonly byIndex: ReadonlyMap<number, Register>;
  readonly byName: ReadonlyMap<string, Register>;
}

const tables = new Map<Target, Table>();

function tableOf(target: Target): Table {
  const known = tables.get(target);
  if (known) return known;
  const byIndex = new Map<number, Register>();
  const byName = new Map<string, Register>();
  const namesOnGfx7 = new Set<string>();
  const values = FIELD_VALUES[generationOf(target)];
  for (const line of `${CONFIG_ROWS}${SH_ROWS}${CONTEXT_ROWS}${UCONFIG_ROWS}`.split('\n')) {
    if (line === '') continue;
    const [address, marks, name, ...fields] = line.split(' ');
    if (marks!.includes(TARGET_MARKS.gfx700)) namesOnGfx7.add(name!);
    if (!marks!.includes(TARGET_MARKS[target])) continue;
    const index = Number.parseInt(address!, 16);
    const register = { name: name!, space: spaceOf(index)!, index, fields: fields.map((f) => parseField(f, values)) };
    byName.set(register.name, register);
    const shown = byIndex.get(index);
    if (!shown || (!namesOnGfx7.has(shown.name) && namesOnGfx7.has(register.name))) byIndex.set(index, register);
  }
  const table = { byIndex, byName };
  tables.set(target, table);
  return table;
}

/** `NAME:shift[+width][=enum]` */
function parseField(text: string, values: Readonly<Record<string, Readonly<Record<number, string>>>>): RegisterField {
  const [, name, shift, width, enumeration] = /^(\w+):(\d+)(?:\+(\d+))?(?:=(\w+))?$/.exec(text)!;
  const field = { name: name!, shift: Number(shift), width: Number(width ?? 1) };
  return enumeration === undefined ? field : { ...field, values: values[enumeration]! };
}

/** The register at an absolute dword address, or undefined where the target has none that is known. */
export function registerAt(target: Target, index: number): Register | undefined {
  return tableOf(target).byIndex.get(index);
}

export function registerInSpace(target: Target, space: RegisterSpace, offset: number): Register | undefined {
  return registerAt(target, REGISTER_SPACES[space].first + offset);
}

export function registerByName(target: Target, name: string): Register | undefined {
  return tableOf(target).byName.get(name);
}

/** Every register that is shown for the target, by ascending address. */
export function allRegisters(target: Target): readonly Register[] {
  return [...tableOf(target).byIndex.values()];
}

/** The name, or for an unnamed address its space and number, such as `sh[0x3f]`. */
export function registerName(target: Target, index: number): string {
  const known = registerAt(target, index);
  if (known) return known.name;
  const space = spaceOf(index);
  const offset = space ? index - REGISTER_SPACES[space].first : index;
  return `${space ?? 'register'}[0x${offset.toString(16)}]`;
}

export function decodeFields(register: Register, value: number): DecodedField[] {
  return register.fields.map((f) => decodeField(f, value));
}

export function decodeField(field: RegisterField, word: number): DecodedField {
  const value = bitsOf(word, field.shift, field.width);
  const text = field.values?.[value];
  const { name, shift, width } = field;
  return text === undefined ? { name, value, shift, width } : { name, value, shift, width, text };
}

/** Bits [shift, shift+width) of a u32. */
export function bitsOf(word: number, shift: number, width: number): number {
  return width >= 32 ? word >>> 0 : (word >>> shift) & (2 ** width - 1);
}
