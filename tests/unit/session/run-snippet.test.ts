/**
 * Snippets: registers that waves start with and end with, on the reference and on lavapipe with 2 to 16 lanes an
 * invocation. Expected values follow from what the instructions are documented to do and are worked out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import type { WaveSize } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import type { DispatchEngine } from '../../../src/main/driver/engine.ts';
import { ReferenceEngine } from '../../../src/main/driver/reference-engine.ts';
import { OPERAND } from '../../../src/main/isa/operands.ts';
import { SPECIAL_REGISTERS } from '../../../src/main/session/register-names.ts';
import {
  prepareSnippet,
  runSnippet,
  type SnippetRequest,
  type SnippetRun,
  snippetRegisters,
} from '../../../src/main/session/run-snippet.ts';
import { CODE, codeWords, deviceReady, readWords, TestDevice } from '../../support/device.ts';

const V = OPERAND.VGPR0;
const DATA = 0x20000 as GuestAddress;
const { exec_lo, exec_hi, vcc_lo, vcc_hi, m0, scc } = SPECIAL_REGISTERS;

function snippet(code: string, waveSize: WaveSize, more: Partial<SnippetRequest> = {}): SnippetRequest {
  return {
    words: codeWords(code, 'gfx1013', waveSize),
    target: 'gfx1013',
    waveSize,
    codeAddress: CODE,
    groups: [1, 1, 1],
    threads: [waveSize, 1, 1],
    initial: { scalars: new Map(), vgprs: new Map() },
    memory: [],
    ldsBytes: 1024,
    floatMode: 0xc0,
    limit: 10_000,
    watched: [],
    ...more,
  };
}

async function run(engine: DispatchEngine, request: SnippetRequest): Promise<SnippetRun> {
  const prepared = prepareSnippet(request);
  if (!prepared.ok) throw new Error(prepared.error.map(formatDiagnostic).join('\n'));
  return runSnippet(prepared.value, engine);
}

/** `0,1,0/1 v3`: words. */
function table({ waves }: SnippetRun): Record<string, number[]> {
  return Object.fromEntries(
    waves.flatMap(({ workgroup, wave, values }) =>
      [...values].map(([code, words]) => [`${workgroup.join()}/${wave} ${code}`, [...words]]),
    ),
  );
}

const lanes = (count: number, of: (lane: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i));

function behaviours(engine: () => DispatchEngine): void {
  it('tells every wave of every group, inactive lanes as well', async () => {
    // Two waves64 a group, of which the second has 32 threads; s0 s1 s2 are the group's id, v0 the thread's.
    const code =
      's_mul_i32 s3, s2, 100\nv_add_nc_u32_e32 v3, s3, v0\ns_mul_i32 s3, s0, 1000\nv_add_nc_u32_e32 v3, s3, v3';
    const { run: result, ...rest } = await run(
      engine(),
      snippet(code, 64, { groups: [2, 1, 2], threads: [96, 1, 1], watched: [exec_lo, exec_hi, V + 3] }),
    );
    expect(result.status).toBe('completed');
    const expected: Record<string, number[]> = {};
    for (const z of [0, 1]) {
      for (const x of [0, 1]) {
        for (const wave of [0, 1]) {
          const name = `${x},0,${z}/${wave}`;
          expected[`${name} ${exec_lo}`] = [0xffffffff];
          expected[`${name} ${exec_hi}`] = [wave === 0 ? 0xffffffff : 0];
          expected[`${name} ${V + 3}`] = lanes(64, (lane) =>
            wave * 64 + lane < 96 ? 100 * z + 1000 * x + wave * 64 + lane : 0,
          );
        }
      }
    }
    expect(table({ run: result, ...rest })).toEqual(expected);
    expect(rest.waves.map((w) => `${w.workgroup.join()} ${w.wave}`)).toEqual(
      ['0,0,0', '1,0,0', '0,0,1', '1,0,1'].flatMap((g) => [`${g} 0`, `${g} 1`]),
    );
  });

  it('sets registers: VGPRs by thread, masks by half, M0 and SCC', async () => {
    // SCC in, m0 in: s5 = s4 + 1 + SCC; v7 = v6 + m0 in the lanes of EXEC, whose high half is the launch's.
    const code = 's_addc_u32 s5, s4, 1\nv_add_nc_u32_e32 v7, m0, v6\ns_mov_b32 vcc_lo, 9';
    const initial = {
      scalars: new Map<number, number>([
        [4, 0xffffffff],
        [exec_lo, 0xf0],
        [vcc_hi, 77],
        [m0, 5],
        [scc, 1],
      ]),
      // Three values for 128 threads: modulo; v7 keeps what is given where EXEC is clear.
      vgprs: new Map([
        [6, Uint32Array.of(10, 20, 30)],
        [7, Uint32Array.of(1)],
      ]),
    };
    const watched = [5, vcc_lo, vcc_hi, m0, exec_lo, exec_hi, scc, V + 7];
    const result = await run(engine(), snippet(code, 64, { initial, threads: [128, 1, 1], watched }));
    expect(result.run.status).toBe('completed');
    const expected: Record<string, number[]> = {};
    for (const wave of [0, 1]) {
      const name = `0,0,0/${wave}`;
      // 0xffffffff + 1 + 1 = 1, carry out.
      Object.assign(expected, {
        [`${name} 5`]: [1],
        [`${name} ${vcc_lo}`]: [9],
        [`${name} ${vcc_hi}`]: [77],
        [`${name} ${m0}`]: [5],
        [`${name} ${exec_lo}`]: [0xf0],
        [`${name} ${exec_hi}`]: [0xffffffff],
        [`${name} ${scc}`]: [1],
        [`${name} ${V + 7}`]: lanes(64, (lane) =>
          (lane >= 4 && lane < 8) || lane >= 32 ? [10, 20, 30][(wave * 64 + lane) % 3]! + 5 : 1,
        ),
      });
    }
    expect(table(result)).toEqual(expected);
  });

  it('reads and writes memory', async () => {
    const code =
      's_load_dword s4, s[2:3], 0x4\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v3, 2, v0\nv_add_nc_u32_e32 v2, s4, v0\nglobal_store_dword v3, v2, s[2:3] offset:64';
    const words = new Uint32Array(64);
    words[1] = 1000;
    const result = await run(
      engine(),
      snippet(code, 32, {
        initial: {
          scalars: new Map([
            [2, DATA],
            [3, 0],
          ]),
          vgprs: new Map(),
        },
        memory: [{ address: DATA, bytes: new Uint8Array(words.buffer) }],
        watched: [4, V + 2],
      }),
    );
    expect(result.run.status).toBe('completed');
    expect(table(result)).toEqual({ '0,0,0/0 4': [1000], [`0,0,0/0 ${V + 2}`]: lanes(32, (l) => 1000 + l) });
    expect(readWords(result.memory, (DATA + 64) as GuestAddress, 32)).toEqual(lanes(32, (l) => 1000 + l));
  });

  it('tells waves that end in different places, one before a barrier of the others', async () => {
    // Wave 0 ends at once with s6 = 1; the others pass a barrier first. s5: the wave's first thread.
    const code =
      'v_readfirstlane_b32 s5, v0\ns_mov_b32 s6, 1\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 out\ns_barrier\ns_add_u32 s6, s5, s6\nout:';
    const result = await run(engine(), snippet(code, 32, { threads: [96, 1, 1], watched: [6] }));
    expect(result.run.status).toBe('completed');
    expect(table(result)).toEqual({ '0,0,0/0 6': [1], '0,0,0/1 6': [33], '0,0,0/2 6': [65] });
  });

  it('tells only waves that ended', async () => {
    // Wave 1 loops for ever.
    const code = 'v_readfirstlane_b32 s5, v0\nagain:\ns_cmp_eq_u32 s5, 32\ns_cbranch_scc1 again\ns_mov_b32 s6, 8';
    const result = await run(engine(), snippet(code, 32, { threads: [96, 1, 1], watched: [6], limit: 5000 }));
    expect(result.run.status).toBe('limit');
    expect(table(result)).toEqual({ '0,0,0/0 6': [8], '0,0,0/2 6': [8] });
  });

  it('goes on after a fault, whose load gives 0', async () => {
    const code =
      'v_mov_b32_e32 v2, 0x7000\nglobal_load_dword v3, v[1:2], off\ns_waitcnt vmcnt(0)\nv_add_nc_u32_e32 v4, 7, v3';
    const initial = { scalars: new Map([[exec_lo, 2]]), vgprs: new Map([[3, Uint32Array.of(5)]]) };
    const result = await run(engine(), snippet(code, 32, { initial, watched: [V + 4, V + 3] }));
    expect(result.run.status).toBe('faulted');
    expect(result.run.faults.map((f) => [f.lane, f.address])).toEqual([[1, 0x7000_0000_0000]]);
    expect(table(result)).toEqual({
      [`0,0,0/0 ${V + 4}`]: lanes(32, (lane) => (lane === 1 ? 7 : 0)),
      [`0,0,0/0 ${V + 3}`]: lanes(32, (lane) => (lane === 1 ? 0 : 5)),
    });
  });
}

describe('snippets on the reference', () => {
  behaviours(() => new ReferenceEngine());

  it('refuses memory over the code', () => {
    const prepared = prepareSnippet(snippet('s_nop 0', 32, { memory: [{ address: CODE, bytes: new Uint8Array(4) }] }));
    expect(prepared.ok ? [] : prepared.error.map((d) => d.code)).toEqual(['CLI010']);
  });

  it('watches for a comparison what is written, what is given, and the state of the wave', () => {
    const words = codeWords('v_add_nc_u32_e32 v1, s2, v0\ns_mov_b32 s9, 4', 'gfx1013', 32);
    const initial = { scalars: new Map([[2, 1]]), vgprs: new Map([[0, Uint32Array.of(0)]]) };
    expect(new Set(snippetRegisters(words, 'gfx1013', 32, initial))).toEqual(
      new Set([2, 9, vcc_lo, vcc_hi, m0, exec_lo, exec_hi, scc, V, V + 1]),
    );
    // M0 chooses the register: any may be written.
    const relative = codeWords('v_movreld_b32 v2, v1', 'gfx1013', 32);
    const all = new Set(snippetRegisters(relative, 'gfx1013', 32, { scalars: new Map(), vgprs: new Map() }));
    expect([all.has(V + 255), all.has(9)]).toEqual([true, false]);
  });
});

describe.skipIf(!deviceReady).each([4, 8, 16] as const)('snippets on Vulkan, subgroups of %i', (subgroup) => {
  let device: TestDevice;
  beforeAll(async () => {
    device = await TestDevice.open(subgroup);
  });
  afterAll(() => device?.close());

  behaviours(() => device.engine);
});
