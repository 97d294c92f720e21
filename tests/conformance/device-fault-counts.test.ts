/**
 * Faults of memory accesses on the device: how many, of which kind, of which lanes, at which addresses. One for every lane
 * and dword that fails, as in the reference, which ends at the first instruction with faults and must agree in that one;
 * the numbers are worked out from the programs. What a load gives is stored: loads that nobody needs are removed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { READ, WRITE } from '../../src/main/base/guest-memory.ts';
import type { EngineRun } from '../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../src/main/driver/reference-engine.ts';
import { CODE, DATA, deviceReady, prepare, readWords, runOn, TestDevice, type TestProgram } from '../support/device.ts';

const UNMAPPED = 0x7_0000_0000;
const READ_ONLY = 0x3_0000_0000;
const WRITE_ONLY = 0x4_0000_0000;
const halves = (address: number): [number, number] => [address % 2 ** 32, Math.floor(address / 2 ** 32)];

/** s[0:1] data, s[2:3] unmapped, s[4:5] read-only, s[6:7] write-only; v1 = 4 · lane, v[2:3] = lane + 1 and 0. */
const PROLOGUE = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_nc_u32_e32 v2, 1, v0
  v_mov_b32_e32 v3, 0
  global_store_dword v1, v2, s[0:1]
`;
const PROLOGUE_BYTES = 4 + 4 + 4 + 8;

interface Expected {
  readonly reason: string;
  readonly lanes: readonly number[];
  readonly addresses: (lane: number) => readonly number[];
  /** Behind the prologue. */
  readonly at: number;
}

interface Case {
  readonly name: string;
  readonly code: string;
  readonly expected: readonly Expected[];
  readonly groups?: number;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const ALL = range(0, 32);
const dwordOf =
  (base: number, more = 0) =>
  (lane: number): number[] => [base + more + 4 * lane];

const CASES: readonly Case[] = [
  {
    name: 'a store to read-only memory in three groups',
    code: 'global_store_dword v1, v2, s[4:5] offset:8',
    expected: [{ reason: 'forbidden-write', lanes: ALL, addresses: dwordOf(READ_ONLY, 8), at: 0 }],
    groups: 3,
  },
  {
    name: 'a load of unmapped memory in eight lanes',
    code: 's_mov_b32 exec_lo, 0x0f00f000\n global_load_dword v4, v1, s[2:3]\n global_store_dword v1, v4, s[0:1]',
    expected: [
      { reason: 'unmapped-read', lanes: [...range(12, 16), ...range(24, 28)], addresses: dwordOf(UNMAPPED), at: 8 },
    ],
  },
  {
    name: 'two dwords to read-only memory in five lanes',
    code: 's_movk_i32 s8, 31\n s_mov_b32 exec_lo, s8\n global_store_dwordx2 v1, v[2:3], s[4:5]',
    expected: [
      {
        reason: 'forbidden-write',
        lanes: range(0, 5),
        addresses: (lane) => [READ_ONLY + 4 * lane, READ_ONLY + 4 * lane + 4],
        at: 8,
      },
    ],
  },
  {
    name: 'a load of write-only memory',
    code: 'global_load_ushort v4, v1, s[6:7] offset:2\n global_store_dword v1, v4, s[0:1]',
    expected: [{ reason: 'forbidden-read', lanes: ALL, addresses: dwordOf(WRITE_ONLY, 2), at: 0 }],
  },
  {
    name: 'atomics where only one of reading and writing is allowed',
    code: 'global_atomic_add v1, v2, s[4:5]\n global_atomic_add v4, v1, v2, s[6:7] glc',
    expected: [
      { reason: 'forbidden-write', lanes: ALL, addresses: dwordOf(READ_ONLY), at: 0 },
      { reason: 'forbidden-write', lanes: ALL, addresses: dwordOf(WRITE_ONLY), at: 8 },
    ],
  },
  {
    name: 'scalar loads, once for each dword of the wave',
    code: `
      s_load_dwordx2 s[8:9], s[6:7], 0x10
      s_load_dword s10, s[2:3], 0x4
      s_add_u32 s8, s8, s9
      s_add_u32 s8, s8, s10
      v_mov_b32_e32 v4, s8
      global_store_dword v1, v4, s[0:1]`,
    expected: [
      { reason: 'forbidden-read', lanes: [-1], addresses: () => [WRITE_ONLY + 16, WRITE_ONLY + 20], at: 0 },
      { reason: 'unmapped-read', lanes: [-1], addresses: () => [UNMAPPED + 4], at: 8 },
    ],
  },
  {
    name: 'one store of which even lanes go nowhere and odd lanes to read-only memory',
    code: `
      v_mov_b32_e32 v4, s3
      v_mov_b32_e32 v5, s5
      s_mov_b32 vcc_lo, 0xaaaaaaaa
      v_cndmask_b32_e32 v5, v4, v5, vcc_lo
      v_mov_b32_e32 v4, v1
      global_store_dword v[4:5], v2, off`,
    expected: [
      { reason: 'unmapped-write', lanes: ALL.filter((l) => l % 2 === 0), addresses: dwordOf(UNMAPPED), at: 24 },
      { reason: 'forbidden-write', lanes: ALL.filter((l) => l % 2 === 1), addresses: dwordOf(READ_ONLY), at: 24 },
    ],
  },
];

function programOf({ code, groups = 1 }: Case): TestProgram {
  return {
    target: 'gfx1013',
    waveSize: 32,
    code: `${PROLOGUE}${code}\n s_endpgm`,
    groups: [groups, 1, 1],
    userData: [DATA, UNMAPPED, READ_ONLY, WRITE_ONLY].flatMap(halves),
    data: [
      { address: DATA, sizeBytes: 4096 },
      { address: READ_ONLY as GuestAddress, sizeBytes: 4096, permissions: READ },
      { address: WRITE_ONLY as GuestAddress, sizeBytes: 4096, permissions: WRITE },
    ],
    dispatch: { tgidEnable: [false, false, false] },
  };
}

/** Every fault as text, sorted. */
function expectedFaults({ expected, groups = 1 }: Case): string[] {
  return range(0, groups)
    .flatMap((group) =>
      expected.flatMap(({ reason, lanes, addresses, at }) =>
        lanes.flatMap((lane) => addresses(lane).map((address) => `${group} ${at} ${reason} ${lane} ${address}`)),
      ),
    )
    .sort();
}

const REASONS: Readonly<Record<string, string>> = {
  'read of unmapped memory': 'unmapped-read',
  'read of memory without read permission': 'forbidden-read',
  'write to unmapped memory': 'unmapped-write',
  'write to memory without write permission': 'forbidden-write',
};

function faultsOf(run: EngineRun): string[] {
  return run.faults.map((f) => {
    const at = f.instructionAddress - CODE - PROLOGUE_BYTES;
    return `${f.workgroup[0]} ${at} ${REASONS[f.reason] ?? f.reason} ${f.lane} ${f.address ?? 'unknown'}`;
  });
}

/** A fault without its address. */
const lanePart = (fault: string): string => fault.slice(0, fault.lastIndexOf(' '));

/** Places for records that the device has. */
const CAPACITY = 64;

describe.skipIf(!deviceReady).each([
  [4, 'checked'],
  [8, 'checked'],
  [16, 'checked'],
  [8, 'direct'],
] as const)('faults on subgroups of %i, %s memory', (subgroup, memory) => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(subgroup);
  });
  afterAll(() => device?.close());

  it.each(CASES.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const expected = expectedFaults(one);
    const prepared = prepare(programOf(one));
    const { run, memory: after } = await runOn(device.engineWith({ memory }), prepared);
    expect(run.status).toBe('faulted');
    expect(run.faultCount).toBe(expected.length);
    const recorded = faultsOf(run);
    expect(recorded.length).toBeGreaterThanOrEqual(Math.min(expected.length, CAPACITY));
    if (recorded.length === expected.length)
      expect(recorded.map(lanePart).sort()).toEqual(expected.map(lanePart).sort());
    // The address of one lane of each invocation is kept; it is that lane's.
    const known = recorded.filter((fault) => !fault.endsWith(' unknown'));
    expect(known.filter((fault) => !expected.includes(fault))).toEqual([]);
    expect(known.length).toBeGreaterThanOrEqual(recorded.length / (32 / subgroup));
    expect(readWords(after, DATA, 32)).toEqual(new Array(32).fill(0));
    const reference = await runOn(new ReferenceEngine(), prepared);
    const ofFirst = expected.filter((fault) => fault.startsWith(`0 ${one.expected[0]!.at} `));
    expect(faultsOf(reference.run).sort()).toEqual(ofFirst);
  });

  it('the first faults are told in words, with lane and address', async () => {
    const { run } = await runOn(device.engineWith({ memory }), prepare(programOf(CASES[0]!)));
    expect(run.diagnostics.every((d) => d.code === 'GPU010')).toBe(true);
    expect(run.diagnostics[0]!.message).toMatch(/^forbidden-write \(guest address 0x30000/);
  });
});
