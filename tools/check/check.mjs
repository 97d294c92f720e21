/**
 * `npm run check`: types, lint, import rules, generated files and, without `--static`, the tests.
 */
import { join } from 'node:path';
import { ensureModules, ROOT, run } from '../setup/prepare.mjs';

ensureModules();
const node = process.execPath;
const bin = (...parts) => join(ROOT, 'node_modules', ...parts);
const steps = [
  ['types', node, [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', '.']],
  ['lint', node, [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']],
  ['import rules', node, [join(ROOT, 'tools', 'check', 'imports.mjs')]],
  ['generated files', node, [join(ROOT, 'tools', 'check', 'generated.mjs')]],
];
if (!process.argv.includes('--static')) steps.push(['tests', node, [join(ROOT, 'tools', 'setup', 'test.mjs')]]);

const failed = [];
for (const [name, command, args] of steps) {
  const started = Date.now();
  const status = run(command, args);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exit(1);
}
