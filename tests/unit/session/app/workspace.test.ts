/**
 * The engine behind a window: results of every dispatch of the sample, cancelling, and a worker that ends. The worker is
 * the built one in out/engine.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineCancelled } from '../../../../src/main/session/app/engine-worker.ts';
import { RecentFileList } from '../../../../src/main/session/app/recent-files.ts';
import { VERSION } from '../../../../src/main/session/app/version.ts';
import { Workspace } from '../../../../src/main/session/app/workspace.ts';
import type { EventTree, Progress } from '../../../../src/preload/contract/index.ts';
import { largeCapture } from '../../../e2e/support/large-capture.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SAMPLE = join(ROOT, 'resources', 'samples', 'call-program.lscap');
const UNMAPPED = join(ROOT, 'resources', 'samples', 'call-unmapped.lscap');
const DISPATCH = 3;

const open: Workspace[] = [];
const ended: string[] = [];

async function opened(path: string): Promise<Workspace> {
  const workspace = new Workspace({ onEngineEnded: (reason) => ended.push(reason) });
  open.push(workspace);
  const outcome = await workspace.open(path);
  expect(outcome.ok).toBe(true);
  return workspace;
}

afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.close();
  ended.length = 0;
});

function dispatches(tree: EventTree): number[] {
  return [...tree.kind.keys()].filter((row) => tree.kind[row] === DISPATCH).map((row) => tree.event[row]!);
}

/** Ends the worker under the workspace, as a crash would. */
async function crash(workspace: Workspace): Promise<void> {
  const { engine } = workspace as unknown as { engine: { worker: { terminate(): Promise<number> } } };
  await engine.worker.terminate();
}

describe.skipIf(!existsSync(SAMPLE))('a workspace with the sample', () => {
  it('runs every dispatch with the results that are expected', async () => {
    const workspace = await opened(SAMPLE);
    const events = dispatches(await workspace.call('events.tree', {}));
    expect(events.length).toBe(workspace.current!.dispatches);
    // Backwards, so that memory before each is made anew from the start.
    for (const event of [...events].reverse()) {
      const run = await workspace.call('run.dispatch', { event, backend: 'reference' });
      expect(run?.verdict, `event ${event}`).toBe('equal');
    }
  });

  it('gives every lane its value and every word its thread', async () => {
    const workspace = await opened(SAMPLE);
    const [first] = dispatches(await workspace.call('events.tree', {}));
    const page = await workspace.call('run.output', {
      event: first!,
      backend: 'reference',
      output: 0,
      from: 0,
      count: 100,
    });
    expect([...page.after]).toEqual(new Array(64).fill(207));
    expect([...page.before]).toEqual(new Array(64).fill(0));
    expect([...page.thread]).toEqual(Array.from({ length: 64 }, (_, i) => i));
    expect([...page.check]).toEqual(new Array(64).fill(1));
    const wave = await workspace.call('run.wave', { event: first!, backend: 'reference', wave: 0 });
    const v1 = wave!.vectors.indexOf('v1') * 64;
    expect([...wave!.values.subarray(v1, v1 + 64)]).toEqual(new Array(64).fill(207));
    // The loop counter at its end.
    expect(wave!.scalars.find((s) => s.name === 's8')?.value).toBe(0);
  });

  it('tells final registers of a run on the device', async ({ skip }) => {
    const workspace = await opened(SAMPLE);
    if (!(await workspace.call('devices.list', {})).vulkan.usable) skip('no Vulkan device here');
    const [first] = dispatches(await workspace.call('events.tree', {}));
    const run = await workspace.call('run.dispatch', { event: first!, backend: 'vulkan' });
    expect(run).toMatchObject({ status: 'completed', verdict: 'equal', waves: { total: 1, count: 1 } });
    const wave = await workspace.call('run.wave', { event: first!, backend: 'vulkan', wave: 0 });
    expect(wave).toMatchObject({
      workgroup: [0, 0, 0],
      wave: 0,
      waveSize: 64,
      execLow: 0xffffffff,
      execHigh: 0xffffffff,
    });
    const v1 = wave!.vectors.indexOf('v1') * 64;
    expect([...wave!.values.subarray(v1, v1 + 64)]).toEqual(new Array(64).fill(207));
    expect(wave!.scalars.find((s) => s.name === 's8')?.value).toBe(0);
    expect(await workspace.call('run.wave', { event: first!, backend: 'vulkan', wave: 1 })).toBeNull();
    // The run itself was made without them: the second time it is the same prepared shader.
    const again = await workspace.call('run.dispatch', { event: first!, backend: 'vulkan' });
    expect(again?.cache).toBe(run?.cache);
  });

  it('maps SPIR-V to the guest code and says where there is none', async () => {
    const workspace = await opened(SAMPLE);
    const [first] = dispatches(await workspace.call('events.tree', {}));
    const spirv = await workspace.call('shader.spirv', { event: first! });
    if (spirv.kind !== 'ready') throw new Error(spirv.reason);
    expect(spirv.lines.length).toBe(spirv.address.length);
    // v_add_nc_u32 v1, 5, v1 at the first callee's address is an addition.
    const lines = spirv.lines.filter((_, i) => spirv.address[i] === 0x2_0000_0000);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes('OpIAdd'))).toBe(true);
    expect(spirv.address[0]).toBe(-1);
  });

  it('relinks when a callee is another', async () => {
    const workspace = await opened(SAMPLE);
    const events = dispatches(await workspace.call('events.tree', {}));
    const keys = await Promise.all(
      events.slice(0, 3).map(async (event) => (await workspace.call('shader.program', { event })).program!.key),
    );
    expect(new Set(keys).size).toBe(3);
    const [first] = events;
    const program = (await workspace.call('shader.program', { event: first! })).program!;
    expect(program.contexts.map((c) => c.region?.origin)).toEqual([undefined, 'user data s[0:1]', 'user data s[2:3]']);
  });

  it('opens the capture again after its worker ended, under the same number', async () => {
    const workspace = await opened(SAMPLE);
    const before = workspace.current!;
    await crash(workspace);
    expect(ended).toHaveLength(1);
    const tree = await workspace.call('events.tree', {});
    expect(tree.captureId).toBe(before.id);
    expect(dispatches(tree)).toHaveLength(before.dispatches);
  });

  it('keeps what is open when another file cannot be opened', async () => {
    const workspace = await opened(SAMPLE);
    const outcome = await workspace.open(join(ROOT, 'package.json'));
    expect(outcome.ok).toBe(false);
    expect(workspace.current?.name).toBe('call-program.lscap');
    expect(dispatches(await workspace.call('events.tree', {}))).toHaveLength(workspace.current!.dispatches);
  });

  it('answers about events that do not exist', async () => {
    const workspace = await opened(SAMPLE);
    expect((await workspace.call('events.packets', { event: 9999, from: 0, count: 10 })).total).toBe(0);
    expect((await workspace.call('shader.program', { event: 9999 })).program).toBeUndefined();
    expect(await workspace.call('run.dispatch', { event: 9999, backend: 'reference' })).toBeNull();
    expect(await workspace.call('events.text', { from: 99999, count: 10 })).toEqual([]);
  });
});

describe.skipIf(!existsSync(UNMAPPED))('a refused shader', () => {
  it('is shown as far as it can be, with its message at its address', async () => {
    const workspace = await opened(UNMAPPED);
    const [first] = dispatches(await workspace.call('events.tree', {}));
    const { program, diagnostics } = await workspace.call('shader.program', { event: first! });
    expect(program!.complete).toBe(false);
    expect(program!.listing.text.join('\n')).toContain('buffer_store_dword');
    const refusal = diagnostics.find((d) => d.message.includes('is not readable'))!;
    expect(refusal.code).toMatch(/^CALL\d{3}$/);
    const line = program!.listing.address.indexOf(refusal.address!);
    expect(program!.listing.text[line]).toMatch(/^s_swappc_b64/);
    const run = await workspace.call('run.dispatch', { event: first!, backend: 'reference' });
    expect(run).toMatchObject({ status: 'refused', verdict: 'refused' });
    const spirv = await workspace.call('shader.spirv', { event: first! });
    expect(spirv.kind).toBe('unavailable');
    expect(spirv.diagnostics.map((d) => d.code)).toContain(refusal.code);
  });
});

describe('a capture of many events', () => {
  it('is listed, cancelled in the middle of a run, and goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanescope-workspace-'));
    const path = join(folder, 'many.lscap');
    writeFileSync(path, largeCapture(5000));
    try {
      const workspace = await opened(path);
      const tree = await workspace.call('events.tree', {});
      // 500 groups of one marker and eight events, and the submit.
      expect(tree.kind.length).toBe(1 + 500 * 9);
      expect(workspace.current).toMatchObject({ events: 5000, dispatches: 500 * 6 });
      const events = dispatches(tree);
      const abort = new AbortController();
      const seen: Progress[] = [];
      const run = workspace.call(
        'run.dispatch',
        { event: events.at(-1)!, backend: 'reference' },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            seen.push(progress);
            abort.abort();
          },
        },
      );
      await expect(run).rejects.toThrow(EngineCancelled);
      expect(seen.length).toBeGreaterThan(0);
      const next = await workspace.call('run.dispatch', { event: events[3]!, backend: 'reference' });
      expect(next?.status).toBe('completed');
      expect(ended).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('devices', () => {
  it('are none where there is no driver, with the reason', async () => {
    const before = process.env.VK_ICD_FILENAMES;
    process.env.VK_ICD_FILENAMES = '/no/such/driver.json';
    const workspace = new Workspace({ onEngineEnded: () => {} });
    open.push(workspace);
    try {
      const view = await workspace.call('devices.list', {});
      expect(view.devices).toEqual([]);
      expect(view.vulkan.usable).toBe(false);
      expect(view.vulkan.reason).not.toBe('');
    } finally {
      if (before === undefined) delete process.env.VK_ICD_FILENAMES;
      else process.env.VK_ICD_FILENAMES = before;
    }
  });
});

describe('the process with the window', () => {
  it('does not wait while a capture is opened and run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanescope-idle-'));
    const path = join(folder, 'many.lscap');
    writeFileSync(path, largeCapture(20_000));
    try {
      const workspace = new Workspace({ onEngineEnded: () => {} });
      open.push(workspace);
      // The worker's start is not what is measured.
      await workspace.call('devices.list', {});
      const before = performance.eventLoopUtilization();
      await workspace.open(path);
      const tree = await workspace.call('events.tree', {});
      await workspace.call('run.dispatch', { event: dispatches(tree)[2000]!, backend: 'reference' });
      const { utilization, active } = performance.eventLoopUtilization(before);
      expect(active).toBeGreaterThan(0);
      expect(utilization).toBeLessThan(0.3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the list of recent files', () => {
  it('has the last one first, each once, and survives a damaged file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanescope-recent-'));
    const file = join(folder, 'settings', 'recent.json');
    try {
      const list = new RecentFileList(file);
      expect(await list.list()).toEqual([]);
      await list.add('/a/one.lscap');
      await list.add('/a/two.lscap');
      await list.add('/a/one.lscap');
      expect((await list.list()).map((f) => f.path)).toEqual(['/a/one.lscap', '/a/two.lscap']);
      expect(await new RecentFileList(file).list()).toHaveLength(2);
      for (let i = 0; i < 30; i++) await list.add(`/b/${i}.lscap`);
      expect(await list.list()).toHaveLength(12);
      writeFileSync(file, '{"not": "a list"');
      expect(await new RecentFileList(file).list()).toEqual([]);
      await list.add('/c.lscap');
      expect((await list.list()).map((f) => f.name)).toEqual(['c.lscap']);
      // A folder that cannot be made costs the list, nothing else.
      await new RecentFileList(join(file, 'below', 'a-file.json')).add('/d.lscap');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('the version is that of the package', () => {
  expect(VERSION).toBe((JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version);
});
