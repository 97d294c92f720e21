/**
 * Runners of tests/filetests/ir and tests/filetests/passes.
 *
 * ir/*.ir        a function in the IR's text. Either the file is what the printer makes of it, or lines
 *                `; error: text` name what the verifier (or the parser) must say, in order.
 * passes/P/*.ir  a function, `---`, the function after pass P; lines that start with `;` before the first block say what
 *                the file shows. `; after: simplify, dead-code` runs further passes behind P to keep the result small.
 *                `; known: user 1 2, words 0x2000: 3 4` is what the host knows of the dispatch.
 *
 * Expectations are written or checked by hand against the pass's header; UPDATE=1 rewrites them, never in CI.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { IrFunction } from '../../src/main/recompiler/ir/function.ts';
import { parseFunction } from '../../src/main/recompiler/ir/parse.ts';
import { printFunction } from '../../src/main/recompiler/ir/print.ts';
import { verifyFunction } from '../../src/main/recompiler/ir/verify.ts';
import type { PassOptions } from '../../src/main/recompiler/passes/pass.ts';
import { PIPELINE } from '../../src/main/recompiler/pipeline.ts';

const UPDATE = process.env.UPDATE === '1' && process.env.CI === undefined;

export interface FileResult {
  readonly actual: string;
  readonly expected: string;
  /** Messages of the verifier after the pass; must be empty. */
  readonly errors: readonly string[];
}

/** Leading comment lines and the rest. */
function splitHead(text: string): { head: string; body: string } {
  const match = /^(?:;[^\n]*\n)*/.exec(text)!;
  return { head: match[0], body: text.slice(match[0].length) };
}

function parse(text: string): { fn?: IrFunction; messages: string[] } {
  const parsed = parseFunction(text);
  if (parsed.ok) return { fn: parsed.value, messages: [] };
  return { messages: parsed.error.map((d) => d.message) };
}

export function runIrFile(path: string): FileResult {
  const file = readFileSync(path, 'utf8');
  const { head, body } = splitHead(file);
  const errors = [...head.matchAll(/^; error: (.*)$/gm)].map((m) => m[1]!);
  const { fn, messages } = parse(body);
  const found = fn ? verifyFunction(fn) : messages;
  if (errors.length > 0) {
    // Each message must contain its text; further messages are welcome.
    const matched = errors.filter((text) => found.some((message) => message.includes(text)));
    return { actual: matched.join('\n'), expected: errors.join('\n'), errors: found.length ? [] : ['no error at all'] };
  }
  const actual = fn ? printFunction(fn) : messages.join('\n');
  if (UPDATE && actual !== body) writeFileSync(path, head + actual);
  return { actual, expected: UPDATE ? actual : body, errors: found };
}

function knownWords(head: string): Pick<PassOptions, 'known'> {
  const match = /^; known: user ([^,]*), words (\w+): (.*)$/m.exec(head);
  if (!match) return {};
  const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);
  const base = Number(match[2]);
  const words = numbers(match[3]!);
  return {
    known: { userData: Uint32Array.from(numbers(match[1]!)), loadWord: (address) => words[(address - base) / 4] },
  };
}

export function runPassFile(path: string, pass: string): FileResult {
  const file = readFileSync(path, 'utf8');
  const [before, expected] = file.split(/^---\n/m) as [string, string | undefined];
  const { head, body } = splitHead(before);
  const { fn, messages } = parse(body);
  if (!fn) throw new Error(`${path}: ${messages.join('\n')}`);
  const invalid = verifyFunction(fn);
  if (invalid.length > 0) throw new Error(`${path}: the input is invalid: ${invalid.join('\n')}`);
  const after = /^; after: (.*)$/m.exec(head)?.[1]?.split(/\s*,\s*/) ?? [];
  for (const name of [pass, ...after]) {
    const step = PIPELINE.find((s) => s.name === name);
    if (!step) throw new Error(`${path}: no pass ${name}`);
    step.pass(fn, { deterministic: !/^; not deterministic$/m.test(head), ...knownWords(head) });
  }
  const actual = printFunction(fn);
  if (UPDATE && actual !== expected) writeFileSync(path, `${before}---\n${actual}`);
  return { actual, expected: UPDATE ? actual : (expected ?? ''), errors: verifyFunction(fn) };
}
