/**
 * What a device run does when something goes wrong: the GPU host killed in the middle, an endless loop, wild accesses.
 *
 * Every program first stores where it may, so that "memory is as before" says something: what a failed run wrote on the
 * device must not arrive. Addresses of the code follow from the encodings (dwords before the instruction, ISA manual).
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importRaw } from '../../src/main/capture/importers/import-raw.ts';
import {
  CODE,
  codeWords,
  DATA,
  deviceReady,
  prepare,
  readWords,
  runOn,
  TestDevice,
  type TestProgram,
} from '../support/device.ts';
import { cliIsBuilt } from '../support/run-cli.ts';
import { LAVAPIPE_ICD, ROOT, temporaryFolder } from '../support/tools.ts';

const SHAPE = { target: 'gfx1013', waveSize: 32 } as const;
const UNMAPPED = 0x7_0000_0000;
const high = (address: number): number => Math.floor(address / 2 ** 32);

/** Lane l stores l + 1 at DATA + 4 · l: one dword of v_lshlrev, v_add (32-bit encodings), two dwords of the store. */
const STORE_IDS = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_nc_u32_e32 v2, 1, v0
  global_store_dword v1, v2, s[0:1]
`;
const STORE_IDS_BYTES = 16;
const IDS = Array.from({ length: 32 }, (_, i) => i + 1);

const base = { ...SHAPE, userData: [DATA % 2 ** 32, high(DATA)], data: [{ address: DATA, sizeBytes: 4096 }] };
const fine: TestProgram = { ...base, code: `${STORE_IDS}\n s_endpgm` };
/** A branch to itself, behind a store. */
const endless: TestProgram = { ...base, code: `${STORE_IDS}\nforever: s_nop 0\n s_branch forever\n s_endpgm` };

/** Fields of Linux's /proc/PID/stat behind the name: state, parent, …; empty when the process is gone. */
function statOf(pid: number | string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Process id of the GPU host that a process started; undefined while there is none. */
function gpuHostOf(parent: number): number | undefined {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === parent);
  const host = children.find((name) => readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('gpu-host.js'));
  return host === undefined ? undefined : Number(host);
}

async function until<T>(ask: () => T | undefined): Promise<T> {
  for (let i = 0; i < 1200; i++) {
    const answer = ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nothing for a minute');
}

/** Kills a host that has computed for two seconds more: by then it is in the endless dispatch, however slow the machine. */
async function killInDispatch(host: number): Promise<void> {
  // utime + stime, in hundredths of a second.
  const spent = (): number => Number(statOf(host)[11]) + Number(statOf(host)[12]);
  const before = spent();
  await until(() => (spent() > before + 200 ? true : undefined));
  process.kill(host, 'SIGKILL');
}

describe.skipIf(!deviceReady)('runs that fail on the device', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(8);
  });
  afterAll(() => device?.close());

  async function expectFine(): Promise<void> {
    const { run, memory } = await runOn(device.engine, prepare(fine));
    expect(run.status).toBe('completed');
    expect(readWords(memory, DATA, 32)).toEqual(IDS);
  }

  it('the host killed during a run: a device error for that run, and the next one works', async () => {
    await expectFine();
    const prepared = prepare({ ...endless, groups: [10_000, 1, 1] });
    const doomed = runOn(device.engine, prepared, 0xffff_ffff);
    await killInDispatch(device.client.hostPid!);
    const { run, memory } = await doomed;
    expect(run.status).toBe('device');
    expect(run.diagnostics.map((d) => d.code)).toEqual(['GPU002']);
    expect(readWords(memory, DATA, 32)).toEqual(new Array(32).fill(0));
    await expectFine();
  });

  it('an endless loop ends by the limit, at its address', async () => {
    const { run, memory } = await runOn(device.engine, prepare(endless), 1000);
    expect(run.status).toBe('limit');
    expect(run.faults.map((f) => f.reason)).toEqual(['trip-limit']);
    // s_nop and s_branch are the loop; either is its address.
    const at = run.faults[0]!.instructionAddress - CODE;
    expect([STORE_IDS_BYTES, STORE_IDS_BYTES + 4]).toContain(at);
    expect(readWords(memory, DATA, 32)).toEqual(new Array(32).fill(0));
    await expectFine();
  });

  it('a limit above the loop’s turns does not end it', async () => {
    const turns = `${STORE_IDS} s_movk_i32 s8, 500\nagain: s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 again\n s_endpgm`;
    const counted = prepare({ ...base, code: turns });
    expect((await runOn(device.engine, counted, 600)).run.status).toBe('completed');
    expect((await runOn(device.engine, counted, 400)).run.status).toBe('limit');
  });

  it.each(['direct', 'checked'] as const)(
    'loads whose results nobody reads fault where the reference does (%s memory)',
    async (memory) => {
      const code = `${STORE_IDS}
      s_mov_b32 s4, s0
      s_mov_b32 s5, s2
      s_load_dword s6, s[4:5], 0x8
      s_mov_b32 s6, 1
      v_mov_b32_e32 v4, s0
      v_mov_b32_e32 v5, s2
      global_load_dword v6, v[4:5], off offset:16
      v_mov_b32_e32 v6, 1
      s_endpgm`;
      const program = { ...base, code, userData: [...base.userData, high(UNMAPPED)] };
      const outcome = await runOn(device.engineWith({ memory }), prepare(program));
      expect(outcome.run.status).toBe('faulted');
      // Two moves (one dword each) before the scalar load; it, a move and two more before the vector load.
      const scalar = CODE + STORE_IDS_BYTES + 2 * 4;
      const vector = scalar + 8 + 3 * 4;
      // A device keeps the address of one lane of each invocation; 0 stands for the others.
      const withAddress = outcome.run.faults.filter((f) => f.address !== undefined);
      const places = new Set(withAddress.map((f) => `${f.reason} ${f.address} ${f.instructionAddress}`));
      expect(places).toEqual(
        new Set([`unmapped-read ${UNMAPPED + 8} ${scalar}`, `unmapped-read ${UNMAPPED + 16} ${vector}`]),
      );
    },
  );

  it.each(['direct', 'checked'] as const)(
    'a wild store is a fault with address and lane (%s memory)',
    async (memory) => {
      // Lane 5 alone gets the unmapped address.
      const code = `${STORE_IDS}
      v_mov_b32_e32 v4, s0
      v_mov_b32_e32 v5, s1
      v_add_nc_u32_e32 v4, v4, v1
      v_mov_b32_e32 v6, s2
      v_cmp_eq_u32_e32 vcc_lo, 5, v0
      v_cndmask_b32_e32 v5, v5, v6, vcc_lo
      global_store_dword v[4:5], v2, off
      s_endpgm`;
      const program = { ...base, code, userData: [...base.userData, high(UNMAPPED)] };
      const engine = device.engineWith({ memory });
      const outcome = await runOn(engine, prepare(program));
      expect(outcome.run.status).toBe('faulted');
      expect(outcome.run.faultCount).toBe(1);
      expect(outcome.run.faults[0]).toMatchObject({
        reason: 'unmapped-write',
        lane: 5,
        wave: 0,
        workgroup: [0, 0, 0],
        address: UNMAPPED + 4 * 5,
        instructionAddress: CODE + STORE_IDS_BYTES + 6 * 4,
      });
      expect(readWords(outcome.memory, DATA, 32)).toEqual(new Array(32).fill(0));
      await expectFine();
    },
  );

  it('more groups than would ever end are refused before the device is asked', async () => {
    // lavapipe's limit is 65,535 in each direction, and 4096 parts of that size are run at most.
    const { run } = await runOn(device.engine, prepare({ ...fine, groups: [65_535, 65_535, 4097] }));
    expect(run.status).toBe('unsupported');
    expect(run.diagnostics.map((d) => d.code)).toEqual(['GPU009']);
    const parts = await runOn(device.engine, prepare({ ...fine, groups: [65_535 * 4096 + 1, 1, 1] }));
    expect(parts.run.diagnostics.map((d) => d.code)).toEqual(['GPU009']);
    await expectFine();
  });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

describe.skipIf(!deviceReady || !cliIsBuilt)('the command line when a device run fails', () => {
  const folder = temporaryFolder();
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A capture file of one dispatch whose program stores lane ids, then does `tail`. */
  function captureOf(name: string, tail: string, groups: number): string {
    const words = codeWords(`${STORE_IDS}\n${tail}`, SHAPE.target, SHAPE.waveSize);
    const spec = {
      target: SHAPE.target,
      wave: SHAPE.waveSize,
      threads: [32, 1, 1],
      groups: [groups, 1, 1],
      address: CODE,
      buffers: { out: { size: 128, address: DATA } },
      userData: [{ address: 'out' }],
      expected: [{ buffer: 'out', holds: { words: IDS }, source: 'by hand' }],
    };
    const imported = importRaw({ code: new Uint8Array(words.buffer), spec: JSON.stringify(spec) });
    if (!imported.ok) throw new Error(JSON.stringify(imported.error));
    const file = join(folder, `${name}.lscap`);
    writeFileSync(file, imported.value.builder.build());
    return file;
  }

  function start(args: readonly string[]): { readonly pid: number; readonly ended: Promise<Ended> } {
    const child = spawn(join(ROOT, 'bin', 'lanescope'), args, {
      cwd: tmpdir(),
      env: { ...process.env, VK_ICD_FILENAMES: LAVAPIPE_ICD },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout })));
    return { pid: child.pid!, ended };
  }

  const run = (file: string, ...more: string[]) => start(['run', file, '--backend', 'vulkan', '--json', ...more]);

  it('exit 5 when the host is killed, and the next run works', async () => {
    const file = captureOf('endless', 'forever: s_branch forever\n s_endpgm', 10_000);
    const { pid, ended } = run(file, '--limit', '4294967295');
    await killInDispatch(await until(() => gpuHostOf(pid)));
    const { code, stdout } = await ended;
    expect(code).toBe(5);
    const [shape] = JSON.parse(stdout) as { status: string; diagnostics: { code: string }[] }[];
    expect(shape!.status).toBe('device');
    expect(shape!.diagnostics.map((d) => d.code)).toContain('GPU002');
    const next = await run(captureOf('fine', 's_endpgm', 1)).ended;
    expect(next.code).toBe(0);
  });

  it('an endless loop is exit 1 with its address', async () => {
    const { code, stdout } = await run(captureOf('loop', 'forever: s_branch forever\n s_endpgm', 1), '--limit', '1000')
      .ended;
    expect(code).toBe(1);
    const [shape] = JSON.parse(stdout) as {
      status: string;
      faults: { reason: string; instruction: string }[];
    }[];
    expect(shape!.status).toBe('limit');
    expect(shape!.faults).toMatchObject([
      { reason: 'trip-limit', instruction: `0x${(CODE + STORE_IDS_BYTES).toString(16)}` },
    ]);
  });
});
