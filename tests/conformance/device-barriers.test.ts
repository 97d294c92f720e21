/**
 * Barriers on the device: direct where every wave reaches them in the same place, in phase form elsewhere.
 * Expected words by hand: four waves write their LDS word, meet, and read what another wave wrote.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, DATA, deviceReady, differingWords, prepare, runOn, TestDevice } from '../support/device.ts';

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

/** The first two waves meet at a barrier that the others, which have ended, never reach; threads 0…63 swap in pairs of waves. */
const EARLY_END = `
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_cbranch_vccz done
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x80, v1
  v_add_nc_u32_e32 v3, 1, v0
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[2:3]
done:
  s_endpgm
`;

/** Waves 0 and 1 wait at one barrier, waves 2 and 3 at another: they meet each other. Then all read across. */
const TWO_PLACES = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_add_nc_u32_e32 v3, 1, v0
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_cbranch_vccz other
  s_barrier
  ds_read_b32 v3, v2
  s_branch join
other:
  s_barrier
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  v_add_nc_u32_e32 v3, 0x1000, v3
join:
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[2:3]
  s_endpgm
`;

/**
 * Wave w turns w + 1 times, each turn with a barrier, and adds the turns of the first thread of the group, who counts
 * them in LDS before the barrier: wave w sees the counter go 1, 2 … while wave 0 still turns (once), so 1 each time.
 */
const DIFFERENT_TURNS = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v7, 0
  v_readfirstlane_b32 s6, v0
  s_lshr_b32 s6, s6, 5
  s_add_u32 s6, s6, 1
turn:
  v_add_nc_u32_e32 v7, 1, v7
  v_cmp_eq_u32_e32 vcc_lo, 0, v0
  s_and_saveexec_b32 s7, vcc_lo
  ds_write_b32 v5, v7
  s_mov_b32 exec_lo, s7
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v6, v5
  s_waitcnt lgkmcnt(0)
  v_add_nc_u32_e32 v4, v4, v6
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 turn
  global_store_dword v1, v4, s[2:3]
  s_endpgm
`;

/** Wave 3 turns for ever without a barrier while the others wait. */
const ENDLESS = `
  v_cmp_gt_u32_e32 vcc_lo, 96, v0
  s_cbranch_vccz forever
  s_barrier
  s_endpgm
forever:
  s_nop 0
  s_branch forever
`;

/** Threads 0…63 meet once before they write, the others once more behind: the first barrier of one half is the other's last. */
const SHIFTED = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_mov_b32_e32 v3, v0
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_cbranch_vccz write
  s_barrier
  v_add_nc_u32_e32 v3, 0x100, v3
write:
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_cbranch_vccnz read
  s_barrier
read:
  ds_read_b32 v4, v2
  s_waitcnt lgkmcnt(0)
  v_add_nc_u32_e32 v4, v4, v3
  global_store_dword v1, v4, s[2:3]
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

  it('are reached by some waves while others have ended', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: EARLY_END });
    expect(result.differences).toEqual([]);
    expect(words(result.device.memory)).toEqual(Array.from({ length: 128 }, (_, t) => (t < 64 ? (t ^ 32) + 1 : 0)));
  });

  it('in two places let waves meet each other', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: TWO_PLACES });
    expect(result.differences).toEqual([]);
    expect(words(result.device.memory)).toEqual(
      Array.from({ length: 128 }, (_, t) => (t ^ 64) + 1 + (t < 64 ? 0 : 0x1000)),
    );
  });

  it('in loops that waves leave after different numbers of turns', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: DIFFERENT_TURNS });
    expect(result.differences).toEqual([]);
    expect(words(result.device.memory)).toEqual(Array.from({ length: 128 }, (_, t) => Math.floor(t / 32) + 1));
  });

  it('that one half reaches once more before writing and the other once more behind', async () => {
    const result = await compare(device.engine, { ...LAUNCH, code: SHIFTED });
    expect(result.differences).toEqual([]);
    // Own word and the other half's: t + (t ^ 64) + 0x100.
    expect(words(result.device.memory)).toEqual(Array.from({ length: 128 }, (_, t) => t + (t ^ 64) + 0x100));
  });

  it('do not hide an endless loop: it ends by the limit, and the memory is as before', async () => {
    const prepared = prepare({ ...LAUNCH, code: ENDLESS });
    const { run, memory } = await runOn(device.engine, prepared, 1000);
    expect(run.status).toBe('limit');
    expect(run.faults[0]).toMatchObject({ reason: 'trip-limit', wave: 3 });
    expect(differingWords(prepared.memory, memory)).toEqual([]);
  });

  it('give the same at every lane count', async () => {
    for (const subgroup of [4, 16] as const) {
      const other = await TestDevice.open(subgroup);
      for (const code of [EARLY_END, TWO_PLACES, DIFFERENT_TURNS, SHIFTED])
        expect((await compare(other.engine, { ...LAUNCH, code })).differences).toEqual([]);
      await other.close();
    }
  });
});
