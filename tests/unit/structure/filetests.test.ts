/** Filetests of kind `structure`: tests/filetests/structure/*.cfg. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runStructureFile } from '../../support/structure-filetest.ts';
import { ROOT } from '../../support/tools.ts';

const FOLDER = join(ROOT, 'tests/filetests/structure');

describe('filetests/structure', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.cfg'));

  it.each(files)('%s', (name) => {
    const { actual, expected, errors } = runStructureFile(join(FOLDER, name));
    expect(actual).toBe(expected);
    expect(errors).toEqual([]);
  });

  it('finds its files', () => {
    expect(files.length).toBeGreaterThanOrEqual(5);
  });
});
