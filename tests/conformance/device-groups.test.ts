/**
 * Dispatches of more groups than the device takes at once run in parts, and the program sees nothing of it: group ids, the
 * smaller last group, faults and registers of waves are as the reference and the arithmetic of the program say.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import type { WaveRegisters } from '../../src/main/driver/engine.ts';
import { GpuEngine } from '../../src/main/driver/gpu-engine.ts';
import {
  compare,
  DATA,
  deviceReady,
  prepare,
  readWords,
  runOn,
  TestDevice,
  type TestProgram,
} from '../support/device.ts';

const START: Vec3 = [2, 1, 4];
const GROUPS: Vec3 = [7, 5, 3];
const UNMAPPED_HIGH = 7;

/**
 * s[4:6] are group ids. Each thread adds 1 to word (x − 2) + 7 (y − 1) + 35 (z − 4) of the counts and stores
 * x + 256 y + 65536 z behind them: 105 groups, so at byte 4 · 105.
 */
const COUNT_AND_NAME = `
  s_sub_u32 s7, s4, 2
  s_sub_u32 s8, s5, 1
  s_mul_i32 s8, s8, 7
  s_add_u32 s7, s7, s8
  s_sub_u32 s8, s6, 4
  s_mul_i32 s8, s8, 35
  s_add_u32 s7, s7, s8
  s_lshl_b32 s7, s7, 2
  s_lshl_b32 s5, s5, 8
  s_lshl_b32 s6, s6, 16
  s_or_b32 s8, s4, s5
  s_or_b32 s8, s8, s6
  v_mov_b32_e32 v1, s7
  v_mov_b32_e32 v2, 1
  v_mov_b32_e32 v3, s8
  global_atomic_add v1, v2, s[0:1]
  global_store_dword v1, v3, s[0:1] offset:420`;

const program = (more = ''): TestProgram => ({
  target: 'gfx1013',
  waveSize: 32,
  code: `${COUNT_AND_NAME}\n${more}\n s_endpgm`,
  threads: [16, 2, 1],
  groups: GROUPS,
  userData: [DATA % 2 ** 32, Math.floor(DATA / 2 ** 32), 0, UNMAPPED_HIGH],
  data: [{ address: DATA, sizeBytes: 4096 }],
  dispatch: { tgidEnable: [true, true, true], groupStart: START, partialThreads: [5, 1, 1] },
});

const groupIds = (): Vec3[] => {
  const ids: Vec3[] = [];
  for (let z = 0; z < GROUPS[2]; z++)
    for (let y = 0; y < GROUPS[1]; y++)
      for (let x = 0; x < GROUPS[0]; x++) ids.push([START[0] + x, START[1] + y, START[2] + z]);
  return ids;
};
/** The last group along x has 5 of 16 threads, along y 1 of 2. */
const threadsOf = ([x, y]: Vec3): number => (x === 8 ? 5 : 16) * (y === 5 ? 1 : 2);

describe.skipIf(!deviceReady)('a dispatch in parts', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(8);
  });
  afterAll(() => device?.close());

  /** An engine on the same device that says it takes fewer groups. */
  const limited = (maxWorkgroupCount: Vec3): GpuEngine =>
    new GpuEngine({ ...device.device, profile: { ...device.device.profile, maxWorkgroupCount } });

  it.each([[[3, 2, 2]], [[7, 5, 1]], [[1, 1, 1]]] as [Vec3][])(
    'of at most %j groups is the same dispatch',
    async (most) => {
      const { differences, device: outcome } = await compare(limited(most), program());
      expect(differences).toEqual([]);
      const ids = groupIds();
      expect(readWords(outcome.memory, DATA, 105)).toEqual(ids.map(threadsOf));
      const names = ids.map(([x, y, z]) => x + 256 * y + 65_536 * z);
      expect(readWords(outcome.memory, (DATA + 420) as GuestAddress, 105)).toEqual(names);
    },
  );

  it('tells the group of a fault', async () => {
    // Group (7, 4, 6) alone, the second to last along x and y, stores to s3 · 2^32.
    const stray = `
      s_cmp_lg_u32 s8, ${7 + 256 * 4 + 65_536 * 6}
      s_cbranch_scc1 end
      v_mov_b32_e32 v4, 64
      v_mov_b32_e32 v5, s3
      s_mov_b32 exec_lo, 1
      global_store_dword v[4:5], v3, off
    end:`;
    const { run } = await runOn(limited([3, 2, 2]), prepare(program(stray)));
    expect(run.status).toBe('faulted');
    expect(run.faults.map((f) => f.workgroup)).toEqual([[7, 4, 6]]);
  });

  it('gives the registers of every wave', async () => {
    const waves: WaveRegisters[] = [];
    const prepared = prepare(program());
    await limited([3, 2, 2]).run({
      dispatch: prepared.dispatch,
      program: prepared.program,
      memory: prepared.memory.fork(),
      watch: { registers: [8], onWaveEnd: (wave) => waves.push(wave) },
    });
    expect(waves.map((w) => w.workgroup)).toEqual(groupIds());
    expect(waves.map((w) => w.values.get(8)![0])).toEqual(groupIds().map(([x, y, z]) => x + 256 * y + 65_536 * z));
  });

  it('is what 70,000 groups are here, where 65,535 are taken at once', async () => {
    const count = 70_000;
    expect(device.device.profile.maxWorkgroupCount[0]).toBeLessThan(count);
    // Thread 0 of group g stores 3 g + 1 at word g.
    const code = `
      s_mov_b32 exec_lo, 1
      s_lshl_b32 s5, s4, 2
      s_mul_i32 s6, s4, 3
      s_add_u32 s6, s6, 1
      v_mov_b32_e32 v1, s5
      v_mov_b32_e32 v2, s6
      global_store_dword v1, v2, s[0:1]
      s_endpgm`;
    const { differences, device: outcome } = await compare(device.engine, {
      target: 'gfx1013',
      waveSize: 32,
      code,
      groups: [count, 1, 1],
      userData: [DATA % 2 ** 32, Math.floor(DATA / 2 ** 32), 0, 0],
      data: [{ address: DATA, sizeBytes: 0x50000 }],
    });
    expect(differences).toEqual([]);
    expect(outcome.run.waves).toBe(count);
    expect(readWords(outcome.memory, DATA, count)).toEqual(Array.from({ length: count }, (_, g) => 3 * g + 1));
  });
});
