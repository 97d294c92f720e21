/**
 * External programs that tests use as oracles, and where they are. A test whose tool is missing is skipped by name.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Reference data beside the repository; optional. */
export const SHARED = join(ROOT, '..', 'shared');
export const LAVAPIPE_ICD = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json';

/** Whether a program is there; says so on the console when it is not. */
export function haveTool(name: string): boolean {
  const there = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!there) console.warn(`skipped: ${name} is not installed`);
  return there;
}

/** Whether reference data is there; says so when it is not. */
export function haveShared(path: string): boolean {
  const there = existsSync(join(SHARED, path));
  if (!there) console.warn(`skipped: ../shared/${path} is not there`);
  return there;
}

export function haveLavapipe(): boolean {
  const there = existsSync(LAVAPIPE_ICD);
  if (!there) console.warn('skipped: no software Vulkan driver (mesa-vulkan-drivers)');
  return there;
}

/** Removed with everything else that is temporary when the test file is through (file-folder.ts). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'lanescope-test-'));
}

/** GLSL compute shader → SPIR-V words, by glslangValidator. */
export function compileGlsl(source: string): Uint32Array {
  const folder = temporaryFolder();
  const input = join(folder, 'shader.comp');
  const output = join(folder, 'shader.spv');
  writeFileSync(input, source);
  execFileSync('glslangValidator', ['-V', '--target-env', 'vulkan1.2', input, '-o', output], { stdio: 'pipe' });
  const bytes = readFileSync(output);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
