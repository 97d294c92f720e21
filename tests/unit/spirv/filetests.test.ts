/** Filetests of kind `spirv`: tests/filetests/spirv/*.gcn, for each subgroup size that a file names. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSpirv, readSpirvFile } from '../../support/spirv-filetest.ts';
import { haveTool, ROOT } from '../../support/tools.ts';

const FOLDER = join(ROOT, 'tests/filetests/spirv');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.gcn'));

it('has files', () => {
  expect(files.length).toBeGreaterThanOrEqual(5);
});

describe.skipIf(!haveTool('spirv-val'))('filetests/spirv', () => {
  it.each(files)('%s', (name) => {
    const file = readSpirvFile(join(FOLDER, name));
    expect(file.checks.length).toBeGreaterThan(0);
    for (const subgroup of file.subgroups) expect(checkSpirv(file, subgroup), `subgroup ${subgroup}`).toEqual([]);
  });
});
