/**
 * Guest memory of few and of many regions on the device, for every subgroup size and both forms of memory access: the
 * lookup is written out up to eight turns and a loop beyond that, and both find the right region and nothing else.
 *
 * Word w of region r holds 1000 · r + w, so sums are worked out by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { lookupTurns } from '../../src/main/recompiler/spirv/region-table.ts';
import {
  CODE,
  DATA,
  deviceReady,
  type HostSubgroup,
  prepare,
  readWords,
  runOn,
  TestDevice,
  type TestProgram,
} from '../support/device.ts';

const LANES = 32;
const TABLE = 0x3_0000_0000;
/** Regions a mebibyte apart, below and above everything else by turns, so that their order is not that of the table. */
const regionAddress = (r: number): number => (r % 2 ? 0x8_0000_0000 : 0x8000_0000) + r * 0x10_0000;
/** Code, results and pointers are regions too. */
const OTHER_REGIONS = 3;
const halves = (address: number): [number, number] => [address % 2 ** 32, Math.floor(address / 2 ** 32)];

function withRegions(count: number, code: string): TestProgram {
  const addresses = Array.from({ length: count }, (_, r) => regionAddress(r));
  return {
    target: 'gfx1013',
    waveSize: LANES,
    code,
    userData: [...halves(DATA), ...halves(TABLE), count],
    data: [
      { address: DATA, sizeBytes: 4096 },
      { address: TABLE as GuestAddress, sizeBytes: 4096, words: Uint32Array.from(addresses.flatMap(halves)) },
      ...addresses.map((address, r) => ({
        address: address as GuestAddress,
        sizeBytes: 4096,
        words: Uint32Array.from({ length: LANES }, (_, w) => 1000 * r + w),
      })),
    ],
  };
}

/** Lane l adds word l of every region, through pointers that all lanes share. */
const SUM_OF_ALL = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 0
again:
  s_load_dwordx2 s[8:9], s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v1, s[8:9]
  s_waitcnt vmcnt(0)
  v_add_nc_u32_e32 v2, v2, v3
  s_add_u32 s2, s2, 8
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
  global_store_dword v1, v2, s[0:1]
  s_endpgm`;

/** Lane l reads word 0 of the region that pointer l of the table names: every lane another region. */
const ONE_EACH = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_lshlrev_b32_e32 v2, 3, v0
  global_load_dwordx2 v[4:5], v2, s[2:3]
  s_waitcnt vmcnt(0)
  global_load_dword v3, v[4:5], off
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[0:1]
  s_endpgm`;

/** As SUM_OF_ALL reads one region, 40,000 times, through a pointer of each lane's own. */
const MANY_LOOKUPS = `
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 0
  global_load_dwordx2 v[4:5], v2, s[2:3]
  s_waitcnt vmcnt(0)
  v_add_co_u32 v4, vcc_lo, v4, v1
  v_add_co_ci_u32_e32 v5, vcc_lo, 0, v5, vcc_lo
  s_mov_b32 s8, 40000
again:
  global_load_dword v3, v[4:5], off
  s_waitcnt vmcnt(0)
  v_add_nc_u32_e32 v2, v2, v3
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 again
  global_store_dword v1, v2, s[0:1]
  s_endpgm`;

it('turns of a lookup: enough for the regions, a power of two, none written out beyond eight', () => {
  expect([0, 1, 8, 9, 16, 17, 64].map((regions) => lookupTurns(regions, 8))).toEqual([1, 1, 1, 2, 2, 4, 8]);
  expect([65, 4000].map((regions) => lookupTurns(regions, 8))).toEqual([0, 0]);
});

describe.skipIf(!deviceReady).each([4, 8, 16] as const)(
  'regions looked up by subgroups of %i',
  (subgroup: HostSubgroup) => {
    let device: TestDevice;
    beforeAll(async () => {
      device = await TestDevice.open(subgroup);
    });
    afterAll(() => device?.close());

    // One turn just full, two, eight just full, a loop.
    const counts = [subgroup, subgroup + 1, 8 * subgroup, 8 * subgroup + 1].map((regions) => regions - OTHER_REGIONS);

    it.each(['direct', 'checked'] as const)(
      'the right one is found, by turns and by a loop (%s memory)',
      async (memory) => {
        const engine = device.engineWith({ memory });
        for (const count of counts) {
          const { run, memory: after } = await runOn(engine, prepare(withRegions(count, SUM_OF_ALL)));
          expect(run.status).toBe('completed');
          const ofRegions = (1000 * (count * (count - 1))) / 2;
          const expected = Array.from({ length: LANES }, (_, lane) => ofRegions + count * lane);
          expect(readWords(after, DATA, LANES)).toEqual(expected);
        }
      },
    );

    it('and by lanes that each want another', async () => {
      const count = 4 * subgroup - OTHER_REGIONS;
      const program = withRegions(count, ONE_EACH);
      // Pointers beyond the table's regions name region 0.
      const pointers = Array.from({ length: LANES }, (_, lane) => regionAddress(lane < count ? lane : 0));
      const data = program.data!.map((range) =>
        range.address === TABLE ? { ...range, words: Uint32Array.from(pointers.flatMap(halves)) } : range,
      );
      const { run, memory } = await runOn(device.engine, prepare({ ...program, data }));
      expect(run.status).toBe('completed');
      expect(readWords(memory, DATA, LANES)).toEqual(
        Array.from({ length: LANES }, (_, lane) => (lane < count ? 1000 * lane : 0)),
      );
    });

    it('another number of turns is other code, a region more within them is not', async () => {
      const engine = device.engineWith({});
      const results: (string | undefined)[] = [];
      for (const regions of [subgroup - 1, subgroup, subgroup + 1, subgroup]) {
        const { run } = await runOn(engine, prepare(withRegions(regions - OTHER_REGIONS || 1, SUM_OF_ALL)));
        results.push(run.cache?.result);
      }
      expect(results).toEqual(['miss', 'hit', 'miss', 'hit']);
    });

    it('behind the last region there is nothing, whatever invocations without an entry look at', async () => {
      const count = subgroup + 1 - OTHER_REGIONS;
      const last = Math.max(...Array.from({ length: count }, (_, r) => regionAddress(r)), TABLE);
      const program = withRegions(count, SUM_OF_ALL);
      const data = program.data!.map((range) =>
        range.address === TABLE ? { ...range, words: Uint32Array.from(halves(last + 4096)) } : range,
      );
      const { run } = await runOn(device.engine, prepare({ ...program, data }));
      expect(run.status).toBe('faulted');
      expect(run.faults[0]).toMatchObject({ reason: 'unmapped-read', instructionAddress: CODE + 20 });
    });

    it('lookups take no turns from a driver that counts them', async () => {
      const engine = device.engineWith({ memory: 'direct' });
      const { run, memory } = await runOn(engine, prepare(withRegions(1, MANY_LOOKUPS)));
      expect(run.diagnostics).toEqual([]);
      expect(run.status).toBe('completed');
      expect(readWords(memory, DATA, LANES)).toEqual(Array.from({ length: LANES }, (_, lane) => 40_000 * lane));
    });
  },
);
