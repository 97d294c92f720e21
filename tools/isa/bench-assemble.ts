/** The process that bench.ts times for assembling: text on stdin → words on stdout. */
import { readFileSync, writeSync } from 'node:fs';
import type { Target } from '../../src/main/base/dispatch.ts';
import { assemble } from '../../src/main/isa/assemble/index.ts';
import { isGfx7 } from '../../src/main/isa/index.ts';

const [, , target] = process.argv as [string, string, Target];
const result = assemble(readFileSync(0, 'latin1'), { target, waveSize: isGfx7(target) ? 64 : 32 });
if (!result.ok) throw new Error(result.diagnostics[0]!.message);
for (let at = 0; at < result.bytes.length; ) at += writeSync(1, result.bytes, at);
