/**
 * Loops near and past what llvmpipe can do: after 65,535 turns in all it ends every loop by itself and goes on behind it.
 * Expected sums are worked out by hand: n turns that add 3.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODE, compare, DATA, deviceReady, prepare, runOn, TestDevice } from '../support/device.ts';

/** Nested: `outer` turns around a loop of `inner` turns; the lane id is added so that lanes differ. */
const program = (outer: number, inner: number) => ({
  target: 'gfx1013' as const,
  waveSize: 32 as const,
  code: `
  s_mov_b32 s6, ${outer}
  v_mov_b32_e32 v1, v0
outer:
  s_mov_b32 s5, ${inner}
again:
  v_add_nc_u32_e32 v1, 3, v1
  s_sub_u32 s5, s5, 1
  s_cmp_lg_u32 s5, 0
  s_cbranch_scc1 again
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 outer
  v_lshlrev_b32_e32 v2, 2, v0
  global_store_dword v2, v1, s[2:3]
  s_endpgm
`,
  userData: [0, 0, DATA % 2 ** 32, Math.floor(DATA / 2 ** 32)],
  data: [{ address: DATA, sizeBytes: 4096 }],
});

describe.skipIf(!deviceReady)('long loops on the device', () => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(16);
  });
  afterAll(() => device.close());

  it('turn as often as the program says', async () => {
    const result = await compare(device.engine, program(5, 10_000));
    expect(result.differences).toEqual([]);
    const words = new Uint32Array(result.device.memory.readBytes(DATA, 128)!.slice().buffer);
    expect([...words]).toEqual(Array.from({ length: 32 }, (_, lane) => lane + 3 * 5 * 10_000));
  });

  it('are never cut short in silence: past what the driver can do, the run is a limit with its address', async () => {
    const prepared = prepare(program(1, 200_000));
    const { run, memory } = await runOn(device.engine, prepared);
    expect(run.status).toBe('limit');
    // The inner loop starts at the third instruction behind two of four bytes and one of eight.
    expect(run.faults[0]).toMatchObject({ reason: 'trip-limit', instructionAddress: CODE + 16 });
    expect(run.diagnostics.map((d) => d.code)).toContain('GPU012');
    expect(memory.writtenPages()).toEqual([]);
  });
});
