/**
 * The verbs as a user runs them: output, JSON, exit codes. Expected values follow from the sample's sources
 * (resources/samples/sources/call-program) by hand.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, sample } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/tools.ts';

const CALL_PROGRAM = sample('call-program.lscap');
const json = (args: string[], input?: string) => {
  const result = runCli([...args, '--json'], input === undefined ? {} : { input });
  return { code: result.code, value: JSON.parse(result.stdout), stderr: result.stderr };
};

describe('options that cannot be followed are usage errors', () => {
  const folder = temporaryFolder();
  const raw = join(folder, 'odd.bin');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  it.each([
    [['recompile', CALL_PROGRAM, '--emit', 'map', '-o', raw], /--emit spirv/],
    [['memory', CALL_PROGRAM, '0x100000000', '6'], /no multiple of 4/],
    [['memory', CALL_PROGRAM, '0x100000000', '12', '--format', 'u64'], /no multiple of 8/],
    [['verify', CALL_PROGRAM, '--jobs', '0'], /--jobs/],
    [['verify', CALL_PROGRAM, '--device', '0'], /--backend/],
    [['run', CALL_PROGRAM, '--device', '0'], /--backend/],
    [['exec', raw, '--device', '0'], /--backend/],
    [['events', CALL_PROGRAM, '--nonsense'], /unknown option '--nonsense'/],
  ])('%j', (args, message) => {
    writeFileSync(raw, new Uint8Array(4));
    const { code, value } = json(args);
    expect(code).toBe(2);
    expect(value.error.message).toMatch(message);
  });

  it('a graph of a code object, or of half a dword, is refused with a hint', () => {
    writeFileSync(raw, Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(57)]));
    expect(runCli(['cfg', raw])).toMatchObject({ code: 3, stderr: expect.stringContaining('lanescope import') });
    writeFileSync(raw, new Uint8Array(6));
    expect(runCli(['cfg', raw])).toMatchObject({ code: 3, stderr: expect.stringContaining('6 bytes') });
  });

  it('a fault at address 0 names it', () => {
    const store = 'v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nglobal_store_dword v[2:3], v0, off\n';
    const { code, stderr } = runCli(['exec', '-'], { input: store });
    expect(code).toBe(1);
    expect(stderr).toContain('write to unmapped memory (guest address 0x0), lane 0');
  });
});

describe('info, events, pm4, state, memory', () => {
  it('tells what a capture is', () => {
    const { code, value } = json(['info', CALL_PROGRAM]);
    expect(code).toBe(0);
    expect(value).toMatchObject({ kind: 'capture', target: 'gfx1013', title: 'Calls through user data', damage: [] });
    expect(value.events).toMatchObject({ dispatch: 14, write: 4 });
  });

  it('lists events with markers and nesting', () => {
    const { value } = json(['events', CALL_PROGRAM]);
    const dispatches = value.filter((e: { kind: string }) => e.kind === 'dispatch');
    expect(dispatches.map((e: { dispatch: { waveSize: number } }) => e.dispatch.waveSize)).toEqual([
      ...new Array(7).fill(64),
      ...new Array(7).fill(32),
    ]);
    // The second half lies in an indirect buffer.
    expect(dispatches.map((e: { path: unknown[] }) => e.path.length)).toEqual([
      ...new Array(7).fill(1),
      ...new Array(7).fill(2),
    ]);
    expect(dispatches[1].markers).toEqual(['wave64', 'first callee replaced by add 1']);
  });

  it('shows the packets of an event', () => {
    const { value } = json(['pm4', CALL_PROGRAM, '--event', '3']);
    const registers = value.packets.flatMap((p: { registers: { name: string; value: string }[] }) => p.registers);
    expect(registers).toContainEqual(expect.objectContaining({ name: 'COMPUTE_USER_DATA_1', value: '0x00000002' }));
    expect(value.packets.at(-1).name).toBe('DISPATCH_DIRECT');
  });

  it('shows what changed since the previous dispatch', () => {
    const { value } = json(['state', CALL_PROGRAM, '--event', '11', '--diff']);
    const second = value.find((c: { name: string }) => c.name === 'COMPUTE_USER_DATA_2');
    expect(second).toMatchObject({ before: '0x00010000', after: '0x00000000', kind: 'changed' });
  });

  it('reads memory after an event: 207 in 64 lanes', () => {
    const { value } = json(['memory', CALL_PROGRAM, '0x300000000', '256', '--event', '3', '--format', 'i32']);
    expect(value.values).toEqual(new Array(64).fill(207));
    const before = json(['memory', CALL_PROGRAM, '0x300000000', '256', '--format', 'i32']);
    expect(before.value.values).toEqual(new Array(64).fill(0));
  });
});

describe('code', () => {
  it('assembles and disassembles', () => {
    const asm = json(['asm', '-', '--wave', '64'], 'v_add_nc_u32_e32 v1, 64, v1\ns_setpc_b64 s[14:15]\n');
    // As llvm-mc encodes them.
    expect(asm.value.words).toEqual(['4a0202c0', 'be80200e']);
    const file = join(temporaryFolder(), 'code.bin');
    expect(runCli(['asm', '-', '-o', file], { input: 's_endpgm\n' }).code).toBe(0);
    expect([...readFileSync(file)]).toEqual([0x00, 0x00, 0x81, 0xbf]);
    expect(json(['disasm', file]).value.sections[0].lines).toEqual([
      { address: '0x0', words: ['bf810000'], text: 's_endpgm' },
    ]);
  });

  it('reports assembler errors with line and column', () => {
    const result = runCli(['asm', '-'], { input: 's_endpgm\nv_add_nc_u32_e32 v1, 64\n' });
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/-:2:\d+: ASM\d+/);
  });

  it('shows call regions', () => {
    const { code, value } = json(['cfg', CALL_PROGRAM, '--event', '3']);
    expect(code).toBe(0);
    expect(value.regions.map((r: { entryAddress?: string; origin: string }) => r.origin)).toEqual([
      'userData',
      'userData',
    ]);
    expect(
      runCli(['cfg', CALL_PROGRAM, '--event', '3', '--format', 'dot']).stdout.match(/subgraph cluster_/g),
    ).toHaveLength(2);
  });

  it('recompiles: the two additions of the loop are one value a wave each', () => {
    const { stdout } = runCli(['recompile', CALL_PROGRAM, '--event', '3', '--emit', 'ir']);
    expect(stdout.match(/: s32 = iadd\.u32 %\d+, (5|64) /g)).toHaveLength(2);
  });
});

describe('exec', () => {
  it('prints every lane', () => {
    const { code, value } = json(
      ['exec', '-', '--vgpr', 'v0=lane', '--sgpr', 's2=0x10', '--dump', 'v1,s2,scc'],
      'v_add_nc_u32_e32 v1, s2, v0\n',
    );
    expect(code).toBe(0);
    expect(value.waves).toHaveLength(1);
    expect(value.waves[0].vgprs.v1).toEqual(
      Array.from({ length: 32 }, (_, i) => `0x${(16 + i).toString(16).padStart(8, '0')}`),
    );
    expect(value.waves[0].scalars).toEqual({ s2: '0x00000010', scc: 0 });
  });

  it('reads and writes memory', () => {
    const text =
      's_load_dword s4, s[2:3], 0x4\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, s4\nv_lshlrev_b32_e32 v3, 2, v0\nglobal_store_dword v3, v2, s[2:3] offset:64\n';
    const { value } = json(
      [
        'exec',
        '-',
        '--vgpr',
        'v0=lane',
        '--sgpr',
        's[2:3]=0x20000',
        '--memory',
        '0x20000=words:5,77',
        '--dump',
        'mem:0x20040+128',
      ],
      text,
    );
    expect(value.status).toBe('completed');
    expect(value.memory[0].words).toEqual(new Array(32).fill('0x0000004d'));
  });

  it('reports a page fault with its lane, and exits 1', () => {
    const { code, value } = json(
      ['exec', '-', '--vgpr', 'v0=lane'],
      'v_lshlrev_b32_e32 v3, 20, v0\nv_mov_b32_e32 v4, 0x7000\nglobal_store_dword v[3:4], v0, off\n',
    );
    expect(code).toBe(1);
    expect(value.faults[0]).toMatchObject({ lane: 0, address: '0x700000000000' });
  });

  it('ends an endless loop by the limit', () => {
    const { code, value } = json(['exec', '-', '--limit', '1000'], 'again:\ns_branch again\n');
    expect(code).toBe(1);
    expect(value.status).toBe('limit');
  });
});

describe('run and verify', () => {
  it('verifies the sample on the reference', () => {
    const { code, value } = json(['verify', CALL_PROGRAM]);
    expect(code).toBe(0);
    expect(
      value.captures[0].dispatches.map((d: { verdicts: { kind: string; words: number }[] }) => d.verdicts[0]),
    ).toEqual(new Array(14).fill(expect.objectContaining({ kind: 'equal', words: 64, exact: 64 })));
  });

  it('fails when a word of the capture differs from what is expected', () => {
    const bytes = readFileSync(CALL_PROGRAM);
    // v_add_nc_u32 v1, 64, v1 → v_add_nc_u32 v1, 63, v1: the expectations no longer hold.
    const at = bytes.indexOf(Buffer.from([0xc0, 0x02, 0x02, 0x4a]));
    bytes[at] = 0xbf;
    const file = join(temporaryFolder(), 'changed.lscap');
    writeFileSync(file, bytes);
    const { code, value } = json(['verify', file]);
    expect(code).toBe(1);
    // 3 · (5 + 63) = 204
    expect(value.captures[0].dispatches[0].verdicts[0]).toMatchObject({ kind: 'differs', differing: 64 });
    expect(value.captures[0].dispatches[0].verdicts[0].differences[0]).toMatchObject({ expected: 207, actual: 204 });
  });

  it('refuses an unmapped callee: shader, call, reason, exit 3', () => {
    const result = runCli(['run', sample('call-unmapped.lscap'), '--event', '0']);
    expect(result.code).toBe(3);
    expect(result.stdout).toMatch(/shader main: call at 0x100000014 .* is not readable/);
    expect(runCli(['verify', sample('call-unmapped.lscap')]).code).toBe(0);
  });

  it('writes a JUnit report and takes shards', () => {
    const file = join(temporaryFolder(), 'report.xml');
    const { code, value } = json(['verify', sample(''), '--shard', '1/40', '--junit', file]);
    expect(code).toBe(0);
    expect(value.captures).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toMatch(/<testsuite name="call-program.lscap" tests="14" failures="0">/);
  });
});

describe('bad input', () => {
  it.each([
    ['no such file', ['info', '/nonexistent.lscap'], 3, /no such file/],
    ['an unknown verb', ['frobnicate'], 2, /unknown command/],
    ['an unknown option', ['info', CALL_PROGRAM, '--frob'], 2, /unknown option/],
    ['an event past the end', ['pm4', CALL_PROGRAM, '--event', '999'], 3, /no event 999; it has 0 to 50/],
    ['waves of 32 on gfx700', ['exec', '-', '--target', 'gfx700', '--wave', '32'], 2, /waves of 64 only/],
    ['an empty file', ['disasm', '/dev/null'], 3, /is empty/],
    ['an event that is no dispatch', ['disasm', CALL_PROGRAM, '--event', '0'], 3, /is no dispatch/],
    ['a bad number', ['memory', CALL_PROGRAM, '0x300000000', 'ten'], 2, /not a number/],
    ['unmapped memory', ['memory', CALL_PROGRAM, '0x1', '4'], 3, /not mapped/],
    ['a target that does not exist', ['asm', '-', '--target', 'gfx9999'], 2, /gfx1013/],
    ['a register that does not exist', ['exec', '-', '--sgpr', 's200=1'], 2, /no scalar register/],
    ['a folder without captures', ['verify', join(sample(''), 'sources')], 3, /holds no capture/],
  ])('%s', (_name, args, code, message) => {
    const result = runCli(args, { input: 's_endpgm\n' });
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
  });
});
