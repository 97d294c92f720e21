/** Every code that a run or its recompiling can give is listed, with its meaning, in the README of its layer. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../support/tools.ts';

/** Prefix of a code, and the folders whose READMEs list it. */
const LISTED_IN = {
  CALL: ['program'],
  CFG: ['program'],
  REC: ['recompiler'],
  REF: ['reference', 'driver'],
  GPU: ['gpu', 'driver'],
} as const;

const sources = readdirSync(join(ROOT, 'src/main'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src/main', name), 'utf8'));

it.each(Object.entries(LISTED_IN))('%s', (prefix, folders) => {
  const pattern = new RegExp(`'(${prefix}\\d{3})'`, 'g');
  const used = new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!)));
  const tables = folders.flatMap((folder) =>
    readFileSync(join(ROOT, 'src/main', folder, 'README.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|')),
  );
  const rowOf = (code: string): string => tables.find((line) => line.includes(code)) ?? '';
  expect(used.size).toBeGreaterThan(2);
  // A row has the code and a meaning.
  expect([...used].filter((code) => rowOf(code).replace(/[|`\s]/g, '').length < code.length + 10).sort()).toEqual([]);
});
