/**
 * Proves that every generated file (`*.gen.ts`) is what its generator makes today.
 *
 * A generator whose source is not on this machine (a registry file of a Debian package) is skipped and named.
 * To add one: an entry in generators.json. `generator` writes the file's text to the path given as its last argument;
 * a generator of several files has `check` instead: its own arguments that compare and exit 1 on a difference.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup/prepare.mjs';

/** {file, generator | check, needs: files that must exist} */
const GENERATORS = JSON.parse(readFileSync(join(ROOT, 'tools', 'check', 'generators.json'), 'utf8'));

let failed = 0;
const folder = mkdtempSync(join(tmpdir(), 'lanescope-gen-'));
for (const { file, generator, check, needs } of GENERATORS) {
  const absent = needs.filter((path) => !existsSync(path.startsWith('/') ? path : join(ROOT, path)));
  if (absent.length > 0) {
    console.log(`skipped ${file}: ${absent.join(' ')} is not on this machine`);
    continue;
  }
  if (check) {
    const [script, ...args] = check;
    const result = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, script), ...args],
      { cwd: ROOT, encoding: 'utf8' },
    );
    if (result.status !== 0) {
      console.error(`${file} differs from what ${script} makes:\n${result.stdout}${result.stderr}`);
      failed++;
    } else if (/skipped/i.test(result.stdout))
      console.log(`skipped ${file}: ${result.stdout.trim().split('\n').at(-1)}`);
    continue;
  }
  const out = join(folder, file.replaceAll('/', '_'));
  const result = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, generator), out],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (result.status !== 0) {
    console.error(`${generator} failed:\n${result.stderr}`);
    failed++;
  } else if (readFileSync(out, 'utf8') !== readFileSync(join(ROOT, file), 'utf8')) {
    console.error(`${file} differs from what ${generator} makes; run: npx tsx ${generator} ${file}`);
    failed++;
  }
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
