/**
 * `exec` as built, on every backend: what it prints, and how it ends. Expected registers are worked out by hand.
 *
 * How a difference is told is tested on two runs whose registers are known to differ.
 */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { comparisonShape, execLines, execShape, exitOfRuns } from '../../../src/main/cli/exec-output.ts';
import type { DispatchEngine, EngineRequest, EngineRun } from '../../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../../src/main/driver/reference-engine.ts';
import { OPERAND } from '../../../src/main/isa/operands.ts';
import { compareSnippetRuns, prepareSnippet, runSnippet } from '../../../src/main/session/run-snippet.ts';
import { CODE, codeWords, DATA, deviceReady } from '../../support/device.ts';
import { runCli } from '../../support/run-cli.ts';

const word = (value: number): string => `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
const lanes = (count: number, of: (lane: number) => number): string[] =>
  Array.from({ length: count }, (_, lane) => word(of(lane)));

function json(args: readonly string[], input: string) {
  const { code, stdout, stderr } = runCli(['exec', '-', '--json', ...args], { input });
  return { code, stderr, value: JSON.parse(stdout) };
}

// v1 = 3 v0 + s2 where v0 > 9; scc = 1.
const CODE_TEXT =
  'v_mul_u32_u24_e32 v1, 3, v0\nv_add_nc_u32_e32 v1, s2, v1\nv_cmp_lt_u32_e32 vcc, 9, v0\nv_cndmask_b32_e32 v1, 0, v1, vcc\ns_cmp_eq_u32 s2, 16';
const ARGS = ['--wave', '64', '--vgpr', 'v0=lane', '--sgpr', 's2=0x10', '--dump', 'v1,vcc,scc'];
const EXPECTED = {
  workgroup: [0, 0, 0],
  wave: 0,
  exec: '0xffffffffffffffff',
  scalars: { vcc_lo: word(0xfffffc00), vcc_hi: word(0xffffffff), scc: 1 },
  vgprs: { v1: lanes(64, (lane) => (lane > 9 ? 3 * lane + 16 : 0)) },
};

describe('exec on the reference', () => {
  it('sets SCC', () => {
    const { value } = json(['--sgpr', 'scc=1', '--sgpr', 's0=4', '--dump', 's1,scc'], 's_addc_u32 s1, s0, 5\n');
    expect(value.waves[0].scalars).toEqual({ s1: word(10), scc: 0 });
    const bad = runCli(['exec', '-', '--sgpr', 'scc=2'], { input: 's_nop 0\n' });
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('scc is 0 or 1')]);
  });

  it('counts instructions and has nothing to compare', () => {
    const { code, value } = json([...ARGS, '--compare', 'reference'], CODE_TEXT);
    expect(code).toBe(0);
    expect(value).toMatchObject({ backend: 'reference', status: 'completed', instructions: 6, waves: [EXPECTED] });
    expect(value).not.toHaveProperty('comparison');
  });
});

describe.skipIf(!deviceReady)('exec on Vulkan', () => {
  it('prints the registers of the device', () => {
    const { code, value } = json([...ARGS, '--backend', 'vulkan'], CODE_TEXT);
    expect(code).toBe(0);
    expect(value).toMatchObject({ backend: 'vulkan', status: 'completed', target: 'gfx1013', waveSize: 64 });
    expect(value.waves).toEqual([EXPECTED]);
    expect(value).not.toHaveProperty('instructions');
    expect(value).not.toHaveProperty('comparison');
  });

  it.each([
    [['--backend', 'all'], 'reference', 'vulkan'],
    [['--backend', 'vulkan', '--compare', 'reference'], 'vulkan', 'reference'],
  ])('compares: %j', (options, shown, other) => {
    const { code, value } = json([...ARGS, ...options], CODE_TEXT);
    expect(code).toBe(0);
    expect(value).toMatchObject({ backend: shown, status: 'completed', waves: [EXPECTED] });
    // v0 and v1 in 64 lanes; s2, VCC, EXEC, M0, SCC.
    expect(value.comparison).toMatchObject({
      with: other,
      status: 'completed',
      equal: true,
      waves: 1,
      values: 2 * 64 + 7,
      differing: 0,
      differences: [],
      missing: [],
    });
    const text = runCli(['exec', '-', ...ARGS, ...options], { input: CODE_TEXT });
    expect(text.stdout.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^${shown} and ${other} are equal in 135 values of 1 wave`),
    );
  });

  it('compares memory and LDS, and shows memory of the device', () => {
    const text =
      'v_lshlrev_b32_e32 v1, 2, v0\nv_xor_b32_e32 v2, 4, v1\nds_write_b32 v2, v0\ns_waitcnt lgkmcnt(0)\nds_read_b32 v3, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v3, s[2:3]\n';
    const args = ['--vgpr', 'v0=lane', '--sgpr', 's[2:3]=0x20000', '--memory', '0x20000=zero:4096'];
    const { code, value } = json(
      [...args, '--dump', 'mem:0x20000+128', '--backend', 'vulkan', '--compare', 'reference'],
      text,
    );
    expect(code).toBe(0);
    expect(value.memory[0].words).toEqual(lanes(32, (lane) => lane ^ 1));
    expect(value.comparison.equal).toBe(true);
    // Both engines wrote to the one page.
    expect(value.comparison.words).toBeGreaterThanOrEqual(1024);
  });

  it('exits 1 when the engines end differently', () => {
    // 600 turns: more than 1000 instructions, fewer than 1000 turns.
    const loop = 's_movk_i32 s4, 600\nagain:\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 again\n';
    const { code, value } = json(['--backend', 'all', '--limit', '1000'], loop);
    expect(code).toBe(1);
    expect(value).toMatchObject({ status: 'limit', comparison: { status: 'completed', equal: false } });
    const text = runCli(['exec', '-', '--backend', 'all', '--limit', '1000'], { input: loop });
    expect(text.stdout).toMatch(/vulkan: completed; reference and vulkan ended differently/);
  });

  it('has nothing to compare when neither engine completed', () => {
    const { code, value } = json(['--backend', 'all', '--limit', '1000'], 'again:\ns_branch again\n');
    expect(code).toBe(1);
    expect(value.comparison).toMatchObject({ status: 'limit', notCompared: 'both were limit', values: 0 });
    expect(value.comparison).not.toHaveProperty('equal');
  });

  it('exits 4 with the reason when the recompiler refuses the code', () => {
    const { code, value } = json(['--backend', 'vulkan'], 'exp mrt0 v0, v1, v2, v3 done vm\n');
    expect(code).toBe(4);
    expect(value).toMatchObject({ status: 'unsupported', waves: [] });
    expect(value.diagnostics[0].text).toMatch(/REC002 at 0x100000000: exp: exports belong/);
  });

  it('tells a fault with its lane, and the registers that the waves ended with', () => {
    const { code, value } = json(
      ['--backend', 'vulkan', '--vgpr', 'v0=lane', '--sgpr', 'exec=0x8', '--dump', 'v5'],
      'v_mov_b32_e32 v4, 0x7000\nglobal_load_dword v5, v[3:4], off\ns_waitcnt vmcnt(0)\nv_add_nc_u32_e32 v5, 2, v5\n',
    );
    expect(code).toBe(1);
    expect(value.faults).toMatchObject([{ lane: 3, address: '0x700000000000' }]);
    expect(value.waves[0].vgprs.v5).toEqual(lanes(32, (lane) => (lane === 3 ? 2 : 0)));
  });
});

describe('exec without a device', () => {
  const env = { VK_ICD_FILENAMES: '/nonexistent.json' };

  it('shows the reference, says what is missing, and exits 5', () => {
    const { code, stdout } = runCli(['exec', '-', '--json', ...ARGS, '--backend', 'all'], { input: CODE_TEXT, env });
    expect(code).toBe(5);
    const value = JSON.parse(stdout);
    expect(value).toMatchObject({ backend: 'reference', status: 'completed', waves: [EXPECTED] });
    expect(value.comparison).toMatchObject({ with: 'vulkan', status: 'device', equal: false, waves: 0 });
    expect(value.comparison.diagnostics[0]).toMatchObject({
      code: 'GPU001',
      message: expect.stringContaining('no Vulkan driver was found'),
    });
  });

  it('has no result on Vulkan alone', () => {
    const { code, stdout, stderr } = runCli(['exec', '-', ...ARGS, '--backend', 'vulkan'], { input: CODE_TEXT, env });
    expect([code, stdout]).toEqual([5, 'device on vulkan\n']);
    expect(stderr).toMatch(/GPU001/);
  });
});

/** The reference, but for one bit of v1 in lane 3, another value of SCC and a word of memory. */
class WrongEngine implements DispatchEngine {
  readonly backend = 'vulkan' as const;

  async run(request: EngineRequest): Promise<EngineRun> {
    const watch = request.watch!;
    const run = await new ReferenceEngine().run({
      ...request,
      watch: {
        registers: watch.registers,
        onWaveEnd: (wave) => {
          const values = new Map(wave.values);
          const v1 = values.get(OPERAND.VGPR0 + 1)!.slice();
          v1[3]! ^= 0x80;
          watch.onWaveEnd({
            ...wave,
            values: values.set(OPERAND.VGPR0 + 1, v1).set(OPERAND.SCC, Uint32Array.of(0)),
          });
        },
      },
    });
    request.memory.pokeBytes((DATA + 8) as GuestAddress, Uint8Array.of(0xee, 0, 0, 0));
    return { ...run, backend: 'vulkan' };
  }

  async close(): Promise<void> {}
}

describe('a result that differs', () => {
  it('is told by register and lane, and exits 1', async () => {
    const prepared = prepareSnippet({
      words: codeWords('v_mov_b32_e32 v1, 5\ns_cmp_eq_u32 s0, s0', 'gfx1013', 32),
      target: 'gfx1013',
      waveSize: 32,
      codeAddress: CODE,
      groups: [2, 1, 1],
      threads: [32, 1, 1],
      initial: { scalars: new Map(), vgprs: new Map() },
      memory: [{ address: DATA, bytes: new Uint8Array(4096) }],
      ldsBytes: 0,
      floatMode: 0xc0,
      limit: 100,
      watched: [OPERAND.EXEC_LO, OPERAND.EXEC_HI, OPERAND.SCC, OPERAND.VGPR0 + 1],
    });
    if (!prepared.ok) throw new Error('the snippet is fine');
    const shown = await runSnippet(prepared.value, new ReferenceEngine());
    const other = await runSnippet(prepared.value, new WrongEngine());
    const compared = compareSnippetRuns(shown, other);
    const shape = execShape(shown, { vgprs: [1], scalars: [], memory: [] });
    const comparison = comparisonShape(shown, other, compared);
    expect(exitOfRuns([shown, other], compared)).toBe(1);
    expect(comparison).toMatchObject({ equal: false, waves: 2, differing: 5 });
    expect(comparison.differences).toEqual([
      ...[0, 1].flatMap((x) => [
        { what: 'scc', workgroup: [x, 0, 0], wave: 0, reference: 1, vulkan: 0 },
        { what: 'v1', workgroup: [x, 0, 0], wave: 0, lane: 3, reference: word(5), vulkan: word(0x85) },
      ]),
      { what: 'memory', address: '0x200000008', reference: word(0), vulkan: word(0xee) },
    ]);
    expect(execLines(shape, comparison).slice(-6)).toEqual([
      'reference and vulkan differ in 5 of 70 values of 2 waves and 1024 words of memory',
      '  group 0,0,0 wave 0 scc: reference 1, vulkan 0',
      '  group 0,0,0 wave 0 v1 lane 3: reference 0x00000005, vulkan 0x00000085',
      '  group 1,0,0 wave 0 scc: reference 1, vulkan 0',
      '  group 1,0,0 wave 0 v1 lane 3: reference 0x00000005, vulkan 0x00000085',
      '  mem 0x200000008: reference 0x00000000, vulkan 0x000000ee',
    ]);
  });
});
