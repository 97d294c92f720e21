/**
 * Builds every capture of resources/samples from the sources kept there.
 *
 *   npx tsx tools/samples/build.ts [calls|radv|program]
 *
 * Needs llvm-mc, clang, glslangValidator and Mesa's Vulkan drivers; out/engine must be built.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkHost } from '../../src/main/gpu/fork-host.ts';
import { HostClient } from '../../src/main/gpu/host-client.ts';
import { buildCallProgram, buildUnmappedCallee } from './call-program.ts';
import { buildCalls } from './calls.ts';
import { buildRadv } from './radv.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SAMPLES = join(ROOT, 'resources', 'samples');
const SOURCES = join(SAMPLES, 'sources');
const LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json';

function write(name: string, bytes: Uint8Array): void {
  const file = join(SAMPLES, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

const only = process.argv[2];
if (!only || only === 'program') {
  write('call-program.lscap', buildCallProgram(SOURCES));
  write('call-unmapped.lscap', buildUnmappedCallee(SOURCES, 'CALL001'));
}
if (!only || only === 'calls') for (const [name, bytes] of buildCalls(SOURCES)) write(name, bytes);
if (!only || only === 'radv') {
  const host = join(ROOT, 'out', 'engine', 'gpu-host.js');
  const client = new HostClient(
    forkHost(host, { ...process.env, VK_ICD_FILENAMES: LAVAPIPE, VK_DRIVER_FILES: LAVAPIPE }),
  );
  const device = await client.open('llvmpipe');
  for (const [name, bytes] of await buildRadv(SOURCES, device)) write(name, bytes);
  await client.close();
}
