import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runIrFile, runPassFile } from '../../support/ir-filetest.ts';

const ROOT = fileURLToPath(new URL('../../filetests', import.meta.url));

function files(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ir'));
}

describe('filetests/ir', () => {
  for (const name of files(`${ROOT}/ir`)) {
    it(name, () => {
      const { actual, expected, errors } = runIrFile(`${ROOT}/ir/${name}`);
      expect(actual).toBe(expected);
      expect(errors).toEqual([]);
    });
  }
});

for (const pass of readdirSync(`${ROOT}/passes`)) {
  describe(`filetests/passes/${pass}`, () => {
    for (const name of files(`${ROOT}/passes/${pass}`)) {
      it(name, () => {
        const { actual, expected, errors } = runPassFile(`${ROOT}/passes/${pass}/${name}`, pass);
        expect(actual).toBe(expected);
        expect(errors).toEqual([]);
      });
    }
  });
}
