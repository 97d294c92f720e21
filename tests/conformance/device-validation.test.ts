/**
 * Runs under the Khronos validation layer: samples with calls, stack, LDS and barriers leave nothing in its log.
 *
 * The layer logs to a file that it creates when it is loaded, so that an empty file means "watched, nothing to say";
 * two deliberate mistakes, in a call and in a module, show that it would speak.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { GpuBatch } from '../../src/main/gpu/gpu-backend.ts';
import { deviceReady, TestDevice } from '../support/device.ts';
import { cliIsBuilt, runCli, sample } from '../support/run-cli.ts';
import { compileGlsl, haveTool, LAVAPIPE_ICD, temporaryFolder } from '../support/tools.ts';

const LAYER = '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json';
const haveLayer = existsSync(LAYER);
if (!haveLayer) console.warn('skipped: no validation layer (vulkan-validationlayers)');

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

interface Watch {
  readonly environment: NodeJS.ProcessEnv;
  /** Messages so far; undefined when the layer was not loaded. */
  log(): string | undefined;
}

function watch(name: string): Watch {
  const place = join(folder, name);
  mkdirSync(place);
  const log = join(place, 'log.txt');
  const settings = {
    debug_action: 'VK_DBG_LAYER_ACTION_LOG_MSG',
    report_flags: 'error,warn,perf',
    log_filename: log,
  };
  writeFileSync(
    join(place, 'vk_layer_settings.txt'),
    Object.entries(settings)
      .map(([key, value]) => `khronos_validation.${key} = ${value}\n`)
      .join(''),
  );
  return {
    environment: {
      VK_ICD_FILENAMES: LAVAPIPE_ICD,
      VK_INSTANCE_LAYERS: 'VK_LAYER_KHRONOS_validation',
      VK_LAYER_SETTINGS_PATH: join(place, 'vk_layer_settings.txt'),
    },
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : undefined),
  };
}

const SHADER = `#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_LocalInvocationID.x] = 1u; }`;

function batch(spirv: Uint32Array, key: string, groups: number): GpuBatch {
  return {
    buffers: [{ id: 'a', sizeBytes: 64 }],
    dispatches: [{ spirv, moduleKey: key, entryPoint: 'main', groups: [groups, 1, 1], bindings: ['a'] }],
    downloads: [{ buffer: 'a', offset: 0, sizeBytes: 32 }],
    timeoutMs: 60_000,
  };
}

describe.skipIf(!deviceReady || !cliIsBuilt || !haveLayer)('under the validation layer', () => {
  it.each([
    'call-program.lscap',
    'calls-w64/k_direct.lscap',
    'calls-w32/k_stack.lscap',
    'radv-navi10-w64/bitonic_sort.lscap',
    'radv-navi21-w32/histogram.lscap',
  ])('%s leaves an empty log', (name) => {
    const { environment, log } = watch(name.replace(/\W/g, '-'));
    const result = runCli(['verify', sample(name), '--backend', 'vulkan'], { env: environment });
    expect(result.stdout).toContain('all as expected');
    expect(result.code).toBe(0);
    expect(log()).toBe('');
  });

  it('a snippet with registers given and watched leaves an empty log', () => {
    const { environment, log } = watch('exec');
    const args = ['exec', '-', '--backend', 'all', '--vgpr', 'v5=lane', '--sgpr', 's2=7', '--threads', '96'];
    const result = runCli(args, { input: 'v_add_nc_u32_e32 v6, s2, v5\n', env: environment });
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain('are equal');
    expect(log()).toBe('');
  });

  it.each([4, 8, 16] as const)('opening a device with subgroups of %i leaves an empty log', async (subgroup) => {
    const { environment, log } = watch(`open-${subgroup}`);
    const device = await TestDevice.open(subgroup, environment);
    await device.close();
    expect(log()).toBe('');
  });

  it.skipIf(!haveTool('glslangValidator'))('mistakes do not', async () => {
    const spirv = compileGlsl(SHADER);
    const { environment, log } = watch('mistakes');
    const device = await TestDevice.open(8, environment);
    await device.device.run(batch(spirv, 'fine', 1));
    expect(log()).toBe('');
    // More groups than the device takes.
    await device.device.run(batch(spirv, 'fine', 65_536));
    expect(log()).toContain('VUID-vkCmdDispatch-groupCountX');
    // Word 3 bounds the ids. The driver may do what it likes with such a module.
    const damaged = spirv.slice();
    damaged[3] = 2;
    await device.device.run(batch(damaged, 'damaged', 1)).catch(() => undefined);
    expect(log()).toContain('SPIR-V module not valid');
    await device.close();
  });
});
