/**
 * What `.ci/run` does: set-up, static checks, tests. The tests' closing line comes last.
 */
import { join } from 'node:path';
import { ensureModules, ROOT, requireNode, run } from './prepare.mjs';

requireNode();
ensureModules();
const check = run(process.execPath, [join(ROOT, 'tools', 'check', 'check.mjs'), '--static']);
const test = run(process.execPath, [join(ROOT, 'tools', 'setup', 'test.mjs')]);
process.exit(check === 0 ? test : check);
