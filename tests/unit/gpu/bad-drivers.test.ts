/**
 * Devices are found and used although other drivers crash, hang or answer nonsense: drivers made for it
 * (tests/support/bad-driver.c) beside lavapipe.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { driverManifests } from '../../../src/main/gpu/driver-manifests.ts';
import { forkHost, type HostLauncher } from '../../../src/main/gpu/fork-host.ts';
import { HostClient } from '../../../src/main/gpu/host-client.ts';
import { Workspace } from '../../../src/main/session/app/workspace.ts';
import { cliIsBuilt, runCli, sample } from '../../support/run-cli.ts';
import { haveLavapipe, LAVAPIPE_ICD, ROOT, temporaryFolder } from '../../support/tools.ts';

const script = join(ROOT, 'out', 'engine', 'gpu-host.js');
const compiler = ['cc', 'gcc', 'clang', 'clang-19'].find((name) => spawnSync(name, ['--version']).status === 0);
if (!compiler) console.warn('skipped: no C compiler to make a bad driver with');
const ready = compiler !== undefined && haveLavapipe() && existsSync(script) && process.platform === 'linux';

/** Short for the driver that hangs; good ones must answer in the second, also on a busy machine. */
const LIMITS = { allMs: 1000, oneMs: 4000 } as const;
type Fault =
  | 'CRASH_WHEN_LOADED'
  | 'HANG_WHEN_LOADED'
  | 'CRASH_AT_INSTANCE'
  | 'FAIL_AT_DEVICES'
  | 'GARBAGE'
  | 'CRASH_WHEN_OPENED';

describe.skipIf(!ready)('drivers that misbehave', () => {
  const folder = ready ? temporaryFolder() : '';
  const opened: HostClient[] = [];
  afterAll(async () => {
    for (const client of opened) await client.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** The manifest of a driver with that fault. */
  function driver(fault: Fault): string {
    const manifest = join(folder, `${fault.toLowerCase()}.json`);
    if (existsSync(manifest)) return manifest;
    const library = join(folder, `lib${fault.toLowerCase()}.so`);
    const source = join(ROOT, 'tests', 'support', 'bad-driver.c');
    execFileSync(compiler!, ['-shared', '-fPIC', '-w', `-D${fault}`, source, '-o', library]);
    const content = { file_format_version: '1.0.0', ICD: { library_path: library, api_version: '1.3.230' } };
    writeFileSync(manifest, JSON.stringify(content));
    return manifest;
  }

  function environment(faults: readonly Fault[]): NodeJS.ProcessEnv {
    const files = [...faults.map(driver), LAVAPIPE_ICD].join(':');
    return { ...process.env, VK_DRIVER_FILES: files, VK_ICD_FILENAMES: files };
  }

  /** A client, and which drivers each of its hosts was told to load ('all': no such list). */
  function clientWith(faults: readonly Fault[], more: NodeJS.ProcessEnv = {}) {
    const launcher = forkHost(script, { ...environment(faults), ...more });
    const launched: string[] = [];
    const counting: HostLauncher = {
      ...launcher,
      launch: (drivers) => {
        launched.push(drivers ? drivers.map((file) => file.split('/').at(-1)).join() : 'all');
        return launcher.launch(drivers);
      },
    };
    const client = new HostClient(counting, faults.includes('HANG_WHEN_LOADED') ? LIMITS : undefined);
    opened.push(client);
    return { client, launched };
  }

  it('are not looked for when all is well: one process lists and opens', async () => {
    const { client, launched } = clientWith([]);
    const { devices, failed } = await client.devices();
    expect(devices).toHaveLength(1);
    expect(failed).toEqual([]);
    await client.open();
    expect(launched).toEqual(['all']);
  });

  it.each([
    ['CRASH_WHEN_LOADED', /ended the process when loaded \(signal SIGSEGV/],
    ['CRASH_AT_INSTANCE', /ended the process when loaded \(signal SIGSEGV/],
    ['HANG_WHEN_LOADED', /did not answer for 4 s when loaded/],
  ] as const)('%s: the others are listed, it is named, and runs go on without it', async (fault, reason) => {
    const { client, launched } = clientWith([fault]);
    const { devices, failed } = await client.devices();
    expect(devices.map((d) => [d.index, d.name.split(' ')[0]])).toEqual([[0, 'llvmpipe']]);
    expect(failed).toEqual([{ manifest: driver(fault), reason: expect.stringMatching(reason) }]);
    const device = await client.open();
    expect(device.profile.device).toMatchObject({ index: 0, name: expect.stringContaining('llvmpipe') });
    expect(device.profile.arithmetic.f32AddExact).toBe(true);
    // Remembered: no driver is tried again.
    expect(await client.devices()).toEqual({ devices, failed });
    const lavapipe = LAVAPIPE_ICD.split('/').at(-1)!;
    expect(launched.sort()).toEqual(['all', `${fault.toLowerCase()}.json`, lavapipe, lavapipe].sort());
  });

  it('two bad ones are both named, and a device can be asked for by its number', async () => {
    const { client } = clientWith(['CRASH_WHEN_LOADED', 'CRASH_AT_INSTANCE']);
    const device = await client.open(0);
    expect(device.profile.device.name).toContain('llvmpipe');
    const { failed } = await client.devices();
    expect(failed.map((d) => d.manifest)).toEqual([driver('CRASH_WHEN_LOADED'), driver('CRASH_AT_INSTANCE')]);
  });

  it('a driver that fails to tell its devices does not hide the others', async () => {
    const { client } = clientWith(['FAIL_AT_DEVICES']);
    const { devices, failed } = await client.devices();
    expect(devices.map((d) => d.name.split(' ')[0])).toEqual(['llvmpipe']);
    expect(failed).toEqual([
      { manifest: driver('FAIL_AT_DEVICES'), reason: expect.stringContaining('VK_ERROR_INITIALIZATION_FAILED') },
    ]);
    await client.open();
  });

  it('a device of nonsense is listed as unusable, in printable characters', async () => {
    const { client } = clientWith(['GARBAGE']);
    const { devices } = await client.devices();
    expect(devices).toHaveLength(2);
    const nonsense = devices.find((d) => !d.name.includes('llvmpipe'))!;
    expect(nonsense.unusable).toMatch(/not Vulkan 1.2/);
    expect(nonsense.name).not.toMatch(/\p{Cc}/u);
    expect((await client.open()).profile.device.name).toContain('llvmpipe');
  });

  it('a device that kills the process when it is opened is passed over, and says so afterwards', async () => {
    const { client } = clientWith(['CRASH_WHEN_OPENED']);
    // Loaders put the discrete device first.
    expect((await client.devices()).devices.map((d) => d.unusable)).toEqual([undefined, undefined]);
    expect((await client.open()).profile.device.name).toContain('llvmpipe');
    const { devices } = await client.devices();
    expect(devices[0]).toMatchObject({
      name: 'Promising GPU',
      unusable: expect.stringMatching(/cannot be opened.*SIGSEGV/),
    });
    await expect(client.open('Promising')).rejects.toMatchObject({ code: 'GPU001' });
  });

  it('alone: no device, and the reason', async () => {
    const manifest = driver('CRASH_WHEN_LOADED');
    const client = new HostClient(
      forkHost(script, { ...process.env, VK_DRIVER_FILES: manifest, VK_ICD_FILENAMES: manifest }),
    );
    opened.push(client);
    await expect(client.open()).rejects.toMatchObject({
      code: 'GPU001',
      message: expect.stringMatching(/crash_when_loaded\.json \(ended the process when loaded \(signal SIGSEGV/),
    });
  });

  it('alone: the window tells no device, and the reason', async () => {
    const manifest = driver('CRASH_WHEN_LOADED');
    vi.stubEnv('VK_DRIVER_FILES', manifest);
    vi.stubEnv('VK_ICD_FILENAMES', manifest);
    const workspace = new Workspace({ onEngineEnded: () => {} });
    try {
      const { devices, vulkan } = await workspace.call('devices.list', {});
      expect(devices).toEqual([]);
      expect(vulkan).toEqual({ usable: false, reason: expect.stringMatching(/crash_when_loaded\.json .*SIGSEGV/) });
    } finally {
      vi.unstubAllEnvs();
      await workspace.close();
    }
  });

  it('can be switched off, so that they cost nothing', async () => {
    const { client, launched } = clientWith(['HANG_WHEN_LOADED'], { LANESCOPE_DISABLED_DRIVERS: 'hang_when' });
    const { devices, failed } = await client.devices();
    expect(devices.map((d) => d.name.split(' ')[0])).toEqual(['llvmpipe']);
    expect(failed).toEqual([
      { manifest: driver('HANG_WHEN_LOADED'), reason: 'disabled by LANESCOPE_DISABLED_DRIVERS' },
    ]);
    expect(launched).toEqual(['all']);
  });

  it.skipIf(!cliIsBuilt)('`devices` lists the others and names the bad one; a run goes on without it', () => {
    const env = environment(['CRASH_AT_INSTANCE']);
    const listed = runCli(['devices', '--json'], { env });
    expect(listed.code).toBe(0);
    const { vulkan, failed } = JSON.parse(listed.stdout) as {
      vulkan: { name: string }[];
      failed: { manifest: string }[];
    };
    expect(vulkan.map((d) => d.name.split(' ')[0])).toEqual(['llvmpipe']);
    expect(failed.map((d) => d.manifest)).toEqual([driver('CRASH_AT_INSTANCE')]);
    const shown = runCli(['devices'], { env });
    expect(shown.stdout).toContain('llvmpipe');
    expect(shown.stderr).toMatch(/crash_at_instance\.json.*signal SIGSEGV/);
    const run = runCli(['run', sample('call-program.lscap'), '--event', '3', '--backend', 'vulkan', '--json'], { env });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'completed', verdict: { kind: 'equal' } });
  });
});

describe('manifests that the loader finds', () => {
  let folder = '';
  beforeAll(() => {
    folder = temporaryFolder();
    for (const place of ['config', 'data', 'listed']) {
      mkdirSync(join(folder, place, 'vulkan', 'icd.d'), { recursive: true });
      writeFileSync(join(folder, place, 'vulkan', 'icd.d', `${place}.json`), '{}');
      writeFileSync(join(folder, place, 'vulkan', 'icd.d', 'README'), '');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const names = (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') =>
    driverManifests(environment, platform)?.map((file) => file.slice(folder.length + 1));
  const at = (place: string): string => join(folder, place);

  it('are those of the search folders in their order, when none are named', () => {
    const found = names({ XDG_CONFIG_HOME: at('config'), XDG_DATA_HOME: at('data'), XDG_DATA_DIRS: at('config') })!;
    expect(found.filter((file) => /^(config|data)\//.test(file))).toEqual([
      'config/vulkan/icd.d/config.json',
      'data/vulkan/icd.d/data.json',
    ]);
  });

  it('are the named files, or those of named folders; the newer variable wins', () => {
    const listed = join(at('listed'), 'vulkan', 'icd.d');
    const old = join(at('data'), 'vulkan', 'icd.d', 'data.json');
    expect(names({ VK_ICD_FILENAMES: `${old}:/nowhere/at/all.json` })).toEqual(['data/vulkan/icd.d/data.json']);
    expect(names({ VK_DRIVER_FILES: listed, VK_ICD_FILENAMES: old })).toEqual(['listed/vulkan/icd.d/listed.json']);
  });

  it('are not known on Windows, where the registry names them', () => {
    expect(names({}, 'win32')).toBeUndefined();
  });
});
