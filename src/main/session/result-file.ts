/**
 * What a replay left in memory, dispatch by dispatch, as a file: `run --save` writes it, `run --compare FILE` reads it.
 *
 * Why: two devices, two drivers or two versions of Lanescope seldom sit in one machine. The file holds the pages that each
 * dispatch wrote, whole, so that a later run of the same capture anywhere can be compared word by word.
 * JSON, since it is small beside a capture and other programs may write it. A file for another capture is refused by its
 * hash: comparing the memory of different programs tells nothing.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { z } from 'zod';
import { diagnostic } from '../base/diagnostics.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { type GuestMemory, PAGE_SIZE } from '../base/guest-memory.ts';
import { fail, ok, type Result } from '../base/result.ts';

export const RESULT_FORMAT = 'lanescope results';
const VERSION = 1;

const PAGE = z.object({
  address: z.string().regex(/^0x[0-9a-f]{1,12}000$/),
  /** 4096 bytes, base64. */
  bytes: z.string().length(4 * Math.ceil(PAGE_SIZE / 3)),
});

const DISPATCH = z.object({
  dispatch: z.number().int().nonnegative(),
  status: z.string(),
  /** Pages that the dispatch wrote, as they were behind it. None when it did not complete. */
  pages: z.array(PAGE),
});

const FILE = z.object({
  format: z.literal(RESULT_FORMAT),
  version: z.literal(VERSION),
  /** SHA-256 of the capture file. */
  capture: z.string().regex(/^[0-9a-f]{64}$/),
  backend: z.string(),
  device: z.string(),
  dispatches: z.array(DISPATCH),
});

export type ResultFile = z.infer<typeof FILE>;
export type DispatchResult = z.infer<typeof DISPATCH>;

export async function hashOfCapture(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** The pages that a dispatch wrote; `memory` is the fork that it ran on. */
export function resultOfDispatch(dispatch: number, status: string, memory: GuestMemory | undefined): DispatchResult {
  const pages = (memory?.writtenPages() ?? []).map((page) => {
    const address = page * PAGE_SIZE;
    const bytes = memory!.peekBytes(address as GuestAddress, PAGE_SIZE)!;
    return { address: `0x${address.toString(16)}`, bytes: Buffer.from(bytes).toString('base64') };
  });
  return { dispatch, status, pages };
}

export function resultFile(content: Omit<ResultFile, 'format' | 'version'>): string {
  return `${JSON.stringify({ format: RESULT_FORMAT, version: VERSION, ...content }, null, 1)}\n`;
}

/** Reads a result file for the capture with this hash. */
export function readResultFile(path: string, captureHash: string): Result<ResultFile> {
  const bad = (message: string) => fail([diagnostic('CAP033', 'badInput', `${path}: ${message}`)]);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return bad(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`is no result file of run --save: ${(error as Error).message}`);
  }
  const version = (value as { format?: unknown; version?: unknown } | null)?.version;
  if ((value as { format?: unknown } | null)?.format !== RESULT_FORMAT) return bad('is no result file of run --save');
  if (version !== VERSION) return bad(`has version ${String(version)}; this Lanescope reads ${VERSION}`);
  const parsed = FILE.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    return bad(`${issue.path.join('.')}: ${issue.message}`);
  }
  if (parsed.data.capture !== captureHash) return bad('was saved from another capture');
  return ok(parsed.data);
}

/** Pages of a dispatch by page number. */
export function pagesOf(result: DispatchResult): ReadonlyMap<number, Uint8Array> {
  return new Map(
    result.pages.map(({ address, bytes }) => [
      Number(address) / PAGE_SIZE,
      new Uint8Array(Buffer.from(bytes, 'base64')),
    ]),
  );
}
