/** The generated struct layouts against the C compiler's own sizes and offsets. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { haveTool, ROOT, temporaryFolder } from '../support/tools.ts';

const ready = existsSync('/usr/share/vulkan/registry/vk.xml') && haveTool('clang-19');

it.skipIf(!ready)('agrees with the C compiler about every size and offset', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'check.c');
  const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  execFileSync(
    process.execPath,
    [tsx, 'tools/vulkan/generate-layouts.ts', join(folder, 'out.ts'), '--check-program', program],
    { cwd: ROOT },
  );
  execFileSync('clang-19', [program, '-o', join(folder, 'check')]);
  const output = execFileSync(join(folder, 'check')).toString();
  expect(output).toMatch(/^\d{3,} checks, 0 wrong\n$/);
});
