/**
 * Reads register facts from the Linux kernel's AMD headers: names, dword addresses, bit-fields, enumerations and the
 * clear-state values. Only numbers and names are taken; nothing of the C text is copied.
 *
 * Source: Debian package `linux-source-6.1` (/usr/src/linux-source-6.1.tar.xz) or an unpacked tree of it, below
 * drivers/gpu/drm/amd. gfx7 headers hold absolute dword addresses; gfx10 headers hold offsets from a segment base
 * (`_BASE_IDX`), whose values are GC_BASE in navi10_ip_offset.h: 0x1260 and 0xA000.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = 'drivers/gpu/drm/amd';
export const HEADER_FILES = {
  gfx700: {
    offsets: `${ROOT}/include/asic_reg/gca/gfx_7_2_d.h`,
    masks: `${ROOT}/include/asic_reg/gca/gfx_7_2_sh_mask.h`,
  },
  gfx1013: {
    offsets: `${ROOT}/include/asic_reg/gc/gc_10_1_0_offset.h`,
    masks: `${ROOT}/include/asic_reg/gc/gc_10_1_0_sh_mask.h`,
  },
  gfx1030: {
    offsets: `${ROOT}/include/asic_reg/gc/gc_10_3_0_offset.h`,
    masks: `${ROOT}/include/asic_reg/gc/gc_10_3_0_sh_mask.h`,
  },
} as const;
export const ENUM_FILES = {
  gfx7: `${ROOT}/include/asic_reg/gca/gfx_7_2_enum.h`,
  gfx10: `${ROOT}/include/navi10_enum.h`,
} as const;
export const CLEAR_STATE_FILES = {
  gfx7: `${ROOT}/amdgpu/clearstate_ci.h`,
  gfx10: `${ROOT}/amdgpu/clearstate_gfx10.h`,
} as const;
const BASE_FILE = `${ROOT}/include/navi10_ip_offset.h`;

export interface HeaderField {
  readonly name: string;
  readonly shift: number;
  readonly width: number;
}

export interface HeaderRegister {
  readonly name: string;
  /** Absolute dword address. */
  readonly index: number;
  readonly fields: readonly HeaderField[];
}

/** Reader of one kernel tree; `close` removes what was unpacked. */
export interface KernelTree {
  read(path: string): string;
  close(): void;
}

const ARCHIVES = ['/usr/src/linux-source-6.1.tar.xz'];

/** `source`: an unpacked tree, an archive, or undefined for the package's place. Undefined when there is none. */
export function openKernelTree(source: string | undefined): KernelTree | undefined {
  const given = source ?? ARCHIVES.find((file) => existsSync(file));
  if (given === undefined || !existsSync(given)) return undefined;
  if (!given.endsWith('.tar.xz')) {
    return { read: (path) => readFileSync(join(given, path), 'utf8'), close: () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'lanescope-headers-'));
  const wanted = [
    ...Object.values(HEADER_FILES).flatMap((f) => [f.offsets, f.masks]),
    ...Object.values(ENUM_FILES),
    ...Object.values(CLEAR_STATE_FILES),
    BASE_FILE,
  ].map((path) => `linux-source-6.1/${path}`);
  execFileSync('tar', ['-xf', given, '-C', folder, '--strip-components=1', ...wanted]);
  return {
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** All registers of one target with absolute addresses, in header order. */
export function readRegisters(tree: KernelTree, target: keyof typeof HEADER_FILES): HeaderRegister[] {
  const files = HEADER_FILES[target];
  const addresses = new Map<string, number>();
  const segments = new Map<string, number>();
  for (const [, name, isBase, value] of tree
    .read(files.offsets)
    .matchAll(/^#define\s+mm(\w+?)(_BASE_IDX)?\s+(0x[0-9a-fA-F]+|\d+)\s*$/gm)) {
    (isBase ? segments : addresses).set(name!, Number(value));
  }
  const bases = target === 'gfx700' ? undefined : readSegmentBases(tree);
  const fields = readFields(tree.read(files.masks));
  return [...addresses].map(([name, offset]) => {
    const base = bases ? bases[segments.get(name) ?? 0]! : 0;
    return { name, index: base + offset, fields: fields.get(name) ?? [] };
  });
}

function readSegmentBases(tree: KernelTree): number[] {
  return [...tree.read(BASE_FILE).matchAll(/^#define GC_BASE__INST0_SEG\d\s+(0x[0-9a-fA-F]+|\d+)/gm)].map((m) =>
    Number(m[1]),
  );
}

/** Register name → fields by ascending shift. A field needs both a mask and a shift; the mask must be contiguous. */
function readFields(text: string): Map<string, HeaderField[]> {
  const masks = new Map<string, number>();
  const shifts = new Map<string, number>();
  for (const [, key, kind, value] of text.matchAll(
    /^#define\s+(\w+__\w+?)(_MASK|__SHIFT)\s+(0x[0-9a-fA-F]+)L?\s*$/gm,
  )) {
    (kind === '_MASK' ? masks : shifts).set(key!, Number(value));
  }
  const byRegister = new Map<string, HeaderField[]>();
  for (const [key, mask] of masks) {
    const shift = shifts.get(key);
    if (shift === undefined || mask === 0) continue;
    const width = 32 - Math.clz32(mask >>> shift);
    const split = key.indexOf('__');
    const register = key.slice(0, split);
    const list = byRegister.get(register) ?? [];
    list.push({ name: key.slice(split + 2), shift, width });
    byRegister.set(register, list);
  }
  for (const list of byRegister.values()) list.sort((a, b) => a.shift - b.shift || a.width - b.width);
  return byRegister;
}

/** Enumerations by name: value → identifier. Where two identifiers share a value the first is kept. */
export function readEnums(tree: KernelTree, path: string): Map<string, Map<number, string>> {
  const enums = new Map<string, Map<number, string>>();
  for (const [, body, name] of tree.read(path).matchAll(/typedef enum \w+ \{([^}]*)\}\s*(\w+);/g)) {
    const values = new Map<number, string>();
    for (const [, identifier, value] of body!.matchAll(/^\s*(\w+)\s*=\s*(0x[0-9a-fA-F]+|\d+)/gm)) {
      if (!values.has(Number(value))) values.set(Number(value), identifier!);
    }
    enums.set(name!, values);
  }
  return enums;
}

/** The context registers that CLEAR_STATE sets, as absolute dword address → value; holes are left out. */
export function readClearState(tree: KernelTree, path: string): Map<number, number> {
  const text = tree.read(path);
  const arrays = new Map<string, { value: number; hole: boolean }[]>();
  for (const [, name, body] of text.matchAll(/static const (?:unsigned int|u32) (\w+)\[\] =\s*\{([\s\S]*?)\n\};/g)) {
    arrays.set(
      name!,
      [...body!.matchAll(/(0x[0-9a-fA-F]+|\d+),?\s*\/[/*]\s*(\w+)/g)].map((m) => ({
        value: Number(m[1]),
        hole: m[2] === 'HOLE',
      })),
    );
  }
  const out = new Map<number, number>();
  for (const [, name, start, count] of text.matchAll(/\{\s*(\w+),\s*(0x[0-9a-fA-F]+),\s*(\d+)\s*\}/g)) {
    const values = arrays.get(name!);
    if (!values || values.length !== Number(count)) throw new Error(`${path}: ${name} does not hold ${count} values`);
    values.forEach((entry, i) => {
      if (!entry.hole) out.set(Number(start) + i, entry.value);
    });
  }
  return out;
}
