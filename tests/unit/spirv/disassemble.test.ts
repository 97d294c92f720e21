/** Our SPIR-V text against spirv-dis, on modules that glslangValidator made; and total on damaged words. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { disassembleSpirv } from '../../../src/main/recompiler/spirv/disassemble.ts';
import { compileGlsl, haveTool, ROOT, temporaryFolder } from '../../support/tools.ts';

const ready = haveTool('spirv-dis') && haveTool('glslangValidator');
const folders = ['resources/samples/sources/glsl', 'tools/vulkan'];
const sources = folders.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((f) => f.endsWith('.comp'))
    .map((f) => join(ROOT, folder, f)),
);

describe.skipIf(!ready)('SPIR-V disassembly', () => {
  it.each(sources)('equals spirv-dis for %s', (source) => {
    const words = compileGlsl(readFileSync(source, 'utf8'));
    const file = join(temporaryFolder(), 'module.spv');
    writeFileSync(file, new Uint8Array(words.buffer));
    const theirs = execFileSync('spirv-dis', ['--raw-id', '--no-indent', '--no-header', file])
      .toString()
      .trimEnd()
      .split('\n');
    // Half constants are hexadecimal floats there and raw bits here.
    const comparable = (line: string): string => line.replace(/ 0x[0-9a-f]+(p[+-]\d+)?$/, ' HALF');
    expect(disassembleSpirv(words).map(comparable)).toEqual(theirs.map(comparable));
  });

  it('is total on damaged words', () => {
    const words = compileGlsl(readFileSync(sources[0]!, 'utf8'));
    let state = 1;
    for (let round = 0; round < 300; round++) {
      const damaged = words.slice();
      for (let k = 0; k < 8; k++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        damaged[5 + (state % (damaged.length - 5))] = Math.imul(state, 2654435761) >>> 0;
      }
      expect(disassembleSpirv(damaged).length).toBeGreaterThan(0);
    }
  });
});
