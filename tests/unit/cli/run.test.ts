/**
 * `run`: engines beside each other, saved results. The sample's first dispatch stores 207 in 64 lanes, the second 195
 * (resources/samples/sources/call-program, by hand).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deviceReady } from '../../support/device.ts';
import { runCli, sample } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/tools.ts';

const CALL_PROGRAM = sample('call-program.lscap');
const json = (args: string[]) => {
  const result = runCli(['run', ...args, '--json']);
  return { code: result.code, value: JSON.parse(result.stdout) };
};

interface Saved {
  dispatches: { dispatch: number; status: string; pages: { address: string; bytes: string }[] }[];
}

/** A saved run of the sample, changed by `change`; the path of the changed file. */
function savedRun(change: (saved: Saved & Record<string, unknown>) => void): string {
  const file = join(temporaryFolder(), 'results.json');
  expect(runCli(['run', CALL_PROGRAM, '--save', file]).code).toBe(0);
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  change(saved);
  writeFileSync(file, JSON.stringify(saved));
  return file;
}

describe('run --save and --compare FILE', () => {
  it('finds the same words again', () => {
    const file = savedRun((saved) => {
      const [first, second] = saved.dispatches;
      expect(first!.pages.map((p) => p.address)).toEqual(['0x300000000']);
      // The second dispatch stores behind what the first one did.
      const words = Buffer.from(second!.pages[0]!.bytes, 'base64');
      expect([words.readUInt32LE(4 * 63), words.readUInt32LE(4 * 64)]).toEqual([207, 195]);
    });
    const { code, value } = json([CALL_PROGRAM, '--compare', file]);
    expect(code).toBe(0);
    expect(value).toHaveLength(14);
    for (const { compared } of value) expect(compared).toEqual({ words: 1024, differing: 0 });
  });

  it('names the first word that differs', () => {
    const file = savedRun((saved) => {
      const page = saved.dispatches[1]!.pages[0]!;
      const bytes = Buffer.from(page.bytes, 'base64');
      bytes.writeUInt32LE(196, 4 * 69);
      page.bytes = bytes.toString('base64');
    });
    const { code, value } = json([CALL_PROGRAM, '--compare', file]);
    expect(code).toBe(1);
    expect(value[0].compared.differing).toBe(0);
    expect(value[1].compared).toEqual({
      words: 1024,
      differing: 1,
      first: { address: '0x300000114', left: 196, right: 195 },
    });
    const text = runCli(['run', CALL_PROGRAM, '--compare', file, '--event', '7']);
    expect(text.stdout).toMatch(/1 of 1024 words differ .* 0x300000114: 0x000000c4 there, 0x000000c3 here/);
  });

  it('takes a page that the saved run did not write as unchanged by it', () => {
    const file = savedRun((saved) => {
      saved.dispatches[0]!.pages = [];
    });
    const { code, value } = json([CALL_PROGRAM, '--compare', file, '--event', '3']);
    expect(code).toBe(1);
    expect(value.compared).toMatchObject({ differing: 64, first: { address: '0x300000000', left: 0, right: 207 } });
  });

  it('says why a dispatch is not compared', () => {
    const file = savedRun((saved) => {
      saved.dispatches[1]!.status = 'faulted';
      saved.dispatches.splice(0, 1);
    });
    const { code, value } = json([CALL_PROGRAM, '--compare', file]);
    expect(code).toBe(0);
    expect(value[0].notCompared).toBe('the saved run has no such dispatch');
    expect(value[1].notCompared).toBe('the saved run was faulted');
  });

  it('refuses files that are none, or of another capture', () => {
    const compare = (file: string, capture = CALL_PROGRAM) => runCli(['run', capture, '--compare', file]);
    expect(compare(join(temporaryFolder(), 'none'))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('CAP033'),
    });
    expect(compare(CALL_PROGRAM)).toMatchObject({ code: 3, stderr: expect.stringContaining('no result file') });
    const other = savedRun(() => {});
    expect(compare(other, sample('call-unmapped.lscap')).stderr).toContain('another capture');
    const damaged = savedRun((saved) => {
      saved.dispatches[2]!.pages[0]!.bytes = 'AAAA';
    });
    expect(compare(damaged)).toMatchObject({ code: 3, stderr: expect.stringContaining('dispatches.2.pages.0.bytes') });
    const newer = savedRun((saved) => {
      saved.version = 2;
    });
    expect(compare(newer).stderr).toContain('has version 2');
  });

  it('refuses what makes no sense, and places that cannot be written', () => {
    expect(runCli(['run', CALL_PROGRAM, '--compare', 'reference']).code).toBe(2);
    expect(runCli(['run', CALL_PROGRAM, '--all', '--event', '3']).code).toBe(2);
    const unwritable = join(temporaryFolder(), 'no', 'such', 'folder');
    const result = runCli(['run', CALL_PROGRAM, '--event', '3', '--save', unwritable]);
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('cannot write') });
  });
});

describe('run of a damaged capture', () => {
  it('is no success, also when no dispatch is left', () => {
    const file = join(temporaryFolder(), 'cut.lscap');
    // The notes stay, the memory that the submit reads from is gone.
    const bytes = readFileSync(CALL_PROGRAM);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 4)));
    const { code, stderr } = runCli(['run', file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/PM4001 at 0x400000000: submit 0 .* is not readable/);
    expect(runCli(['verify', file]).code).toBe(1);
  });
});

describe.skipIf(!deviceReady)('run --backend all', () => {
  it('runs both engines and compares them', () => {
    const { code, value } = json([CALL_PROGRAM, '--backend', 'all', '--event', '3']);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      backend: 'vulkan',
      status: 'completed',
      verdict: { kind: 'equal', words: 64 },
      reference: { status: 'completed', verdict: { kind: 'equal', words: 64 } },
      compared: { words: 1024, differing: 0 },
    });
  });

  it('compares a device with a saved run of the reference', () => {
    const file = savedRun(() => {});
    const { code, value } = json([CALL_PROGRAM, '--backend', 'vulkan', '--compare', file]);
    expect(code).toBe(0);
    for (const { compared } of value) expect(compared).toEqual({ words: 1024, differing: 0 });
  });

  it('shows what only one of them can run', () => {
    const { code, value } = json([sample('calls-w64/k_indirect_mem.lscap'), '--backend', 'all']);
    expect(code).toBe(4);
    expect(value[0]).toMatchObject({
      status: 'unsupported',
      verdict: { kind: 'refused' },
      reference: { status: 'completed', verdict: { kind: 'equal' } },
      notCompared: 'this run did not complete',
    });
  });
});
