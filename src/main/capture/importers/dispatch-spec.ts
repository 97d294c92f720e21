/**
 * The JSON description of a dispatch: schema, and checks with line and column.
 *
 * Shared by the importers: buffers, sizes and expectations look the same in all of them. Documented for users in
 * docs/importing.md; keep both together.
 */
import { z } from 'zod';
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Vec3 } from '../../base/dispatch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { EXCEPTION_TYPES, EXPECTATION_BACKENDS } from '../format/model.ts';
import { type JsonDocument, type JsonPath, parseJson } from './json-places.ts';
import type { DispatchSize } from './pm4-builder.ts';

const U32 = z.int().min(0).max(0xffffffff);
const I32 = z.int().min(-0x80000000).max(0x7fffffff);
/** A dword, signed or unsigned. */
const WORD = z.int().min(-0x80000000).max(0xffffffff);
/** JSON numbers are exact up to 2^53; beyond, text. */
const U64 = z.union([z.int().min(0), z.string().regex(/^(0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$/)], {
  error: 'expected a number, or text like "0x1234" for what is above 2^53',
});
const SIZE = z.int().min(1).max(0xffffffff);
const HEX_BYTES = z.string().regex(/^([0-9a-fA-F]{2}\s*)*$/, 'expected pairs of hexadecimal digits');

const INIT = z.union(
  [
    z.literal('zero'),
    z.strictObject({ file: z.string() }),
    z.strictObject({ words: z.array(WORD) }),
    z.strictObject({ floats: z.array(z.number()) }),
    z.strictObject({ doubles: z.array(z.number()) }),
    z.strictObject({ bytes: HEX_BYTES }),
    z.strictObject({ fill: WORD }),
  ],
  { error: 'expected "zero", or one of {"file"}, {"words"}, {"floats"}, {"doubles"}, {"bytes"}, {"fill"}' },
);
export type DataSpec = z.infer<typeof INIT>;

const BUFFER = z.strictObject({
  size: SIZE.optional(),
  init: INIT.optional(),
  address: U64.optional(),
  access: z.enum(['read', 'read-write']).optional(),
});
export type BufferSpec = z.infer<typeof BUFFER>;

const ARGUMENT = z.union(
  [
    z.strictObject({ buffer: z.string(), offset: U32.optional() }),
    z.strictObject({ u32: U32 }),
    z.strictObject({ i32: I32 }),
    z.strictObject({ f32: z.number() }),
    z.strictObject({ u64: U64 }),
    z.strictObject({ f64: z.number() }),
    z.strictObject({ bytes: HEX_BYTES }),
    z.strictObject({ lds: z.int().min(0).max(65536) }),
  ],
  { error: 'expected one of {"buffer"}, {"u32"}, {"i32"}, {"f32"}, {"u64"}, {"f64"}, {"bytes"}, {"lds"}' },
);
export type ArgumentSpec = z.infer<typeof ARGUMENT>;

const EXCEPTION = z.strictObject({
  firstWord: U32,
  words: U32,
  type: z.enum(EXCEPTION_TYPES),
  bound: z.union([z.int().min(0).max(0xfffffffe), z.literal('any')], { error: 'expected ULPs or "any"' }),
  reason: z.string(),
});

const EXPECTED = z.union(
  [
    z.strictObject({
      buffer: z.string(),
      offset: U32.optional(),
      holds: INIT,
      size: SIZE.optional(),
      source: z.string(),
      exceptions: z.array(EXCEPTION).optional(),
    }),
    z.strictObject({ refused: z.string(), backend: z.enum(EXPECTATION_BACKENDS).optional(), reason: z.string() }),
  ],
  { error: 'expected {"buffer", "holds", "source"} or {"refused", "reason"}' },
);
export type ExpectedSpec = z.infer<typeof EXPECTED>;

const COUNT3 = z.tuple([U32.min(1), U32.min(1), U32.min(1)]);
const THREADS3 = z.tuple([z.int().min(1).max(1024), z.int().min(1).max(1024), z.int().min(1).max(1024)]);
const NAME = z.string().min(1).max(200);

/** Keys that every description has. */
const COMMON = {
  title: z.string().max(1000).optional(),
  groups: COUNT3.optional(),
  grid: COUNT3.optional(),
  threads: THREADS3,
  buffers: z.record(NAME, BUFFER).optional(),
  expected: z.array(EXPECTED).optional(),
  scratchBytesPerLane: z.int().min(4).max(65536).optional(),
};

export const CODE_OBJECT_SPEC = z.strictObject({
  ...COMMON,
  kernel: NAME,
  arguments: z.array(ARGUMENT).optional(),
  symbols: z
    .array(z.strictObject({ buffer: z.string(), offset: U32.optional(), functionAddresses: z.array(z.string()) }))
    .optional(),
});
export type CodeObjectSpec = z.infer<typeof CODE_OBJECT_SPEC>;

const USER_DATA = z.union(
  [
    z.strictObject({ u32: U32 }),
    z.strictObject({ i32: I32 }),
    z.strictObject({ f32: z.number() }),
    z.strictObject({ u64: U64 }),
    z.strictObject({ words: z.array(WORD).max(16) }),
    z.strictObject({ address: z.string(), offset: U32.optional() }),
    z.strictObject({ descriptor: z.string(), stride: z.int().min(0).max(0x3fff).optional() }),
    z.strictObject({ function: z.string() }),
    z.strictObject({ scratch: z.enum(['descriptor', 'address']) }),
  ],
  {
    error:
      'expected one of {"u32"}, {"i32"}, {"f32"}, {"u64"}, {"words"}, {"address"}, {"descriptor"}, {"function"}, {"scratch"}',
  },
);
export type UserDataSpec = z.infer<typeof USER_DATA>;

export const RAW_SPEC = z.strictObject({
  ...COMMON,
  target: z.enum(['gfx700', 'gfx1013', 'gfx1030']),
  wave: z.union([z.literal(32), z.literal(64)], { error: 'expected 32 or 64' }).optional(),
  address: U64.optional(),
  functions: z.record(NAME, z.strictObject({ file: z.string(), address: U64.optional() })).optional(),
  userData: z.array(USER_DATA).optional(),
  groupIds: z.enum(['', 'x', 'y', 'z', 'xy', 'xz', 'yz', 'xyz']).optional(),
  groupSizeRegister: z.boolean().optional(),
  localIds: z.int().min(1).max(3).optional(),
  ldsBytes: z.int().min(0).max(65536).optional(),
  float: z
    .strictObject({
      mode: z.int().min(0).max(255).optional(),
      dx10Clamp: z.boolean().optional(),
      ieee: z.boolean().optional(),
      fp16Overflow: z.boolean().optional(),
    })
    .optional(),
  rsrc1: U32.optional(),
  rsrc2: U32.optional(),
  rsrc3: U32.optional(),
});
export type RawSpec = z.infer<typeof RAW_SPEC>;

/** A description whose shape is right, and how to name a place in it. */
export interface ParsedSpec<T> {
  readonly spec: T;
  readonly document: JsonDocument;
}

export function parseSpec<T>(schema: z.ZodType<T>, text: string, file?: string): Result<ParsedSpec<T>> {
  const document = parseJson(text, file);
  if (!document.ok) return document;
  const checked = schema.safeParse(document.value.value);
  if (checked.success) return ok({ spec: checked.data, document: document.value });
  return fail(
    checked.error.issues.map((issue) => {
      const path = issue.path.filter((step) => typeof step !== 'symbol');
      const name = path.length > 0 ? `${path.join('.')}: ` : '';
      return specProblem(document.value, path, `${name}${issue.message}`);
    }),
  );
}

export function specProblem(document: JsonDocument, path: JsonPath, message: string, code = 'CAP102'): Diagnostic {
  return diagnostic(code, 'badInput', message, document.placeOf(path));
}

export function parseU64(value: number | string): bigint {
  return BigInt(value);
}

/** `groups` or `grid` (work-items), and threads per group within what the hardware runs. */
export function dispatchSizeOf(
  parsed: ParsedSpec<{ groups?: Vec3 | undefined; grid?: Vec3 | undefined; threads: Vec3 }>,
): Result<DispatchSize> {
  const { spec, document } = parsed;
  const [x, y, z] = spec.threads;
  if (x * y * z > 1024) {
    return fail([specProblem(document, ['threads'], `threads: ${x * y * z} threads in a group, at most 1024`)]);
  }
  if ((spec.groups === undefined) === (spec.grid === undefined)) {
    return fail([specProblem(document, [], 'exactly one of "groups" and "grid" (in work-items) is needed')]);
  }
  if (spec.groups) return ok({ kind: 'groups', groups: spec.groups });
  const grid = spec.grid!;
  if (grid.some((count, axis) => count % spec.threads[axis]! !== 0)) return ok({ kind: 'workItems', workItems: grid });
  return ok({ kind: 'groups', groups: [grid[0] / x, grid[1] / y, grid[2] / z] });
}
