/**
 * A folder of RADV samples: `<variant>/<kernel>.bin|.elf` with `.meta.json`, `spv/<kernel>.spv`, and
 * `golden/<kernel>.json` with every buffer before and after. Read into what the importer takes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { diagnostic } from '../../base/diagnostics.ts';
import type { Vec3 } from '../../base/dispatch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { parseSpec } from '../importers/dispatch-spec.ts';
import type { RadvInput } from '../importers/import-radv.ts';

const COUNT = z.int().min(1).max(0xffffffff);
const GOLDEN = z.looseObject({ kernel: z.string(), groups: z.tuple([COUNT, COUNT, COUNT]) });

export interface RadvSampleOptions {
  /** Attach the golden buffers as expectations, with this source. Only where the AMD code computes the same formula. */
  readonly expectedSource?: string;
}

export function readRadvSample(
  folder: string,
  variant: string,
  kernel: string,
  options: RadvSampleOptions = {},
): Result<RadvInput> {
  const read = (...parts: string[]): Uint8Array | undefined => {
    const file = path.join(folder, ...parts);
    return fs.existsSync(file) ? new Uint8Array(fs.readFileSync(file)) : undefined;
  };
  const missing = (name: string) => fail([diagnostic('CAP103', 'badInput', `${path.join(folder, name)} is missing`)]);
  const codeName = read(variant, `${kernel}.bin`) ? `${kernel}.bin` : `${kernel}.elf`;
  const code = read(variant, codeName);
  const metaName = `${variant}/${kernel}.meta.json`;
  const meta = read(metaName);
  const module = read('spv', `${kernel}.spv`);
  const goldenName = `golden/${kernel}.json`;
  const goldenText = read(goldenName);
  if (!code) return missing(`${variant}/${codeName}`);
  if (!meta) return missing(metaName);
  if (!module) return missing(`spv/${kernel}.spv`);
  if (!goldenText) return missing(goldenName);
  const decoder = new TextDecoder();
  const golden = parseSpec(GOLDEN, decoder.decode(goldenText), goldenName);
  if (!golden.ok) return golden;
  const threads = localSizeOfSpirv(module);
  if (!threads) return fail([diagnostic('CAP103', 'badInput', `spv/${kernel}.spv declares no LocalSize`)]);

  const sets: { kind: 'buffer'; bytes: Uint8Array; expected?: { bytes: Uint8Array; source: string } }[][] = [];
  for (let set = 0; read('golden', `${kernel}.set${set}.b0.before.bin`); set++) {
    sets.push([]);
    for (let binding = 0; ; binding++) {
      const bytes = read('golden', `${kernel}.set${set}.b${binding}.before.bin`);
      if (!bytes) break;
      const after = read('golden', `${kernel}.set${set}.b${binding}.after.bin`);
      const source = options.expectedSource;
      sets[set]!.push({ kind: 'buffer', bytes, ...(after && source ? { expected: { bytes: after, source } } : {}) });
    }
  }
  const push = read('golden', `${kernel}.push.bin`);
  const run = { groups: golden.value.spec.groups as Vec3, threads, sets, ...(push ? { push } : {}) };
  return ok({ code, codeName, meta: decoder.decode(meta), metaName, run });
}

const SPIRV_MAGIC = 0x07230203;
const OP = { executionMode: 16, constant: 43, specConstant: 50, executionModeId: 331 };
const MODE = { localSize: 17, localSizeId: 38 };

/** Threads per group from LocalSize or LocalSizeId; undefined when the module has neither or is no SPIR-V. */
export function localSizeOfSpirv(module: Uint8Array): Vec3 | undefined {
  const view = new DataView(module.buffer, module.byteOffset, module.byteLength);
  if (module.length < 20 || view.getUint32(0, true) !== SPIRV_MAGIC) return undefined;
  const constants = new Map<number, number>();
  let ids: Vec3 | undefined;
  for (let at = 20; at + 4 <= module.length; ) {
    const head = view.getUint32(at, true);
    const opcode = head & 0xffff;
    const words = head >>> 16;
    if (words === 0 || at + words * 4 > module.length) return undefined;
    const word = (index: number) => view.getUint32(at + 4 * index, true);
    if (opcode === OP.executionMode && words === 6 && word(2) === MODE.localSize) return [word(3), word(4), word(5)];
    if (opcode === OP.executionModeId && words === 6 && word(2) === MODE.localSizeId) ids = [word(3), word(4), word(5)];
    if ((opcode === OP.constant || opcode === OP.specConstant) && words === 4) constants.set(word(2), word(3));
    at += words * 4;
  }
  const sizes = ids?.map((id) => constants.get(id));
  return sizes?.every((size) => size !== undefined) ? (sizes as unknown as Vec3) : undefined;
}
