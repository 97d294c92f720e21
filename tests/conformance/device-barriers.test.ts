/**
 * Barriers on the device: direct where every wave reaches them in the same place, refused by name elsewhere.
 * Expected words by hand: four waves write their LDS word, meet, and read the next wave's.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODE, compare, DATA, deviceReady, prepare, runOn, TestDevice } from '../support/device.ts';

const LAUNCH = {
  target: 'gfx1013' as const,
  waveSize: 32 as const,
  threads: [128, 1, 1] as const,
  ldsBytes: 512,
  userData: [0, 0, DATA % 2 ** 32, Math.floor(DATA / 2 ** 32)],
  data: [{ address: DATA, sizeBytes: 4096 }],
};

/** Thread t stores t + 1, meets all others, and takes what thread t ^ 64 stored; twice, in a scalar loop. */
const EXCHANGE = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_add_nc_u32_e32 v3, 1, v0
  s_mov_b32 s6, 2
again:
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 again
  v_add_nc_u32_e32 v3, v3, v3
  global_store_dword v1, v3, s[2:3]
  s_endpgm
`;

/** A branch that waves take differently, but which comes together before the barrier. */
const REJOINED = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_mov_b32_e32 v3, 7
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_and_saveexec_b32 s7, vcc_lo
  s_cbranch_execz skip
  v_mov_b32_e32 v3, 9
skip:
  s_mov_b32 exec_lo, s7
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[2:3]
  s_endpgm
`;

/** Only the first two waves meet; the others have ended. */
const DIVERGED = `
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_cbranch_vccz done
  s_barrier
done:
  s_endpgm
`;

describe.skipIf(!deviceReady)('barriers on the device', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(8);
  });
  afterAll(() => device.close());

  const words = (memory: { readBytes(address: never, size: number): Uint8Array | undefined }): number[] => [
    ...new Uint32Array(memory.readBytes(DATA as never, 512)!.slice().buffer),
  ];

  it('are direct in flow that all waves share', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: EXCHANGE });
    expect(result.differences).toEqual([]);
    // Exchanged twice: back where it came from, then doubled.
    expect(words(result.device.memory)).toEqual(Array.from({ length: 128 }, (_, t) => 2 * (t + 1)));
  });

  it('are direct where differing flow has come together again', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: REJOINED });
    expect(result.differences).toEqual([]);
    expect(words(result.device.memory)).toEqual(Array.from({ length: 128 }, (_, t) => (t < 64 ? 7 : 9)));
  });

  it('are refused by address where waves may miss them', async () => {
    const { run } = await runOn(device.engine, prepare({ ...LAUNCH, code: DIVERGED }));
    expect(run.status).toBe('unsupported');
    // v_cmp, s_cbranch: the barrier is the third dword.
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'REC063', where: { kind: 'address', address: CODE + 8 } }),
    );
  });
});
