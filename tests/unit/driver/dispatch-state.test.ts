/**
 * Streams as an importer of code objects writes them (register order and values by AMD's public ABI) → ComputeDispatch.
 */
import { describe, expect, it } from 'vitest';
import type { ComputeDispatch, Target } from '../../../src/main/base/dispatch.ts';
import { dispatchFromState } from '../../../src/main/driver/dispatch-state.ts';
import { CommandProcessor } from '../../../src/main/pm4/command-processor.ts';
import { at, compute3, memoryWith, setSh } from '../pm4/command-stream.ts';

const STREAM = 0x40_0000_0000;

interface Recipe {
  readonly target?: Target;
  readonly pgm?: readonly [number, number];
  readonly rsrc1?: number;
  readonly rsrc2?: number;
  readonly tmpring?: number;
  readonly start?: readonly number[];
  readonly threads?: readonly number[];
  readonly userData?: readonly number[];
  readonly dims?: readonly number[];
  readonly initiator?: number;
}

function dispatchOf(r: Recipe) {
  const words = [
    ...setSh(0x2e0c, ...(r.pgm ?? [0x0100_0010, 0])),
    ...setSh(0x2e12, r.rsrc1 ?? 0, r.rsrc2 ?? 0),
    ...(r.target === 'gfx700' ? [] : setSh(0x2e28, 0)),
    ...setSh(0x2e18, r.tmpring ?? 0),
    ...setSh(0x2e15, 0),
    ...setSh(0x2e04, ...(r.start ?? [0, 0, 0]), ...(r.threads ?? [64, 1, 1])),
    ...(r.userData ? setSh(0x2e40, ...r.userData) : []),
    ...compute3(0x15, ...(r.dims ?? [1, 1, 1]), r.initiator ?? 5),
  ];
  const target = r.target ?? 'gfx1013';
  const processor = new CommandProcessor({ target, memory: memoryWith({ [STREAM]: words }) });
  const events = [...processor.execute({ sequence: 0, address: at(STREAM), dwordCount: words.length })];
  expect(events).toHaveLength(1);
  const event = events[0]!;
  if (event.effect.kind !== 'dispatch') throw new Error(`event is a ${event.effect.kind}`);
  return dispatchFromState(event.state, target, event.effect.dispatch, event.packet!.address);
}

function good(r: Recipe): ComputeDispatch {
  const result = dispatchOf(r);
  if (!result.ok) throw new Error(result.error.map((d) => d.message).join('; '));
  return result.value;
}

function codes(r: Recipe): string[] {
  const result = dispatchOf(r);
  return result.ok ? [] : result.error.map((d) => d.code);
}

describe('dispatchFromState', () => {
  it('reads a wave32 dispatch of a clang kernel', () => {
    // RSRC1: FLOAT_MODE 0xc0 (f32 denormals flushed, f16/f64 kept), DX10_CLAMP, IEEE, WGP_MODE, MEM_ORDERED.
    const d = good({
      pgm: [0x0100_0012, 0],
      rsrc1: 0x60ac0041,
      // SCRATCH_EN, 6 user SGPRs, TGID_X, TGID_Z, TG_SIZE, two local ids, LDS 3 × 512 bytes.
      rsrc2: 1 | (6 << 1) | (1 << 7) | (1 << 9) | (1 << 10) | (1 << 11) | (3 << 15),
      tmpring: 32 | (5 << 12),
      threads: [8, 4, 2],
      userData: [1, 2, 3, 4, 5],
      dims: [3, 2, 7],
      initiator: 0x8005,
    });
    expect(d.waveSize).toBe(32);
    expect(d.programAddress).toBe(0x1_0000_1200);
    expect(d.threads).toEqual([8, 4, 2]);
    expect(d.partialThreads).toEqual([8, 4, 2]);
    expect(d.groups).toEqual([3, 2, 7]);
    expect(d.groupStart).toEqual([0, 0, 0]);
    // The sixth was never written.
    expect([...d.userSgprs]).toEqual([1, 2, 3, 4, 5, 0]);
    expect(d.tgidEnable).toEqual([true, false, true]);
    expect(d.tgSizeEnable).toBe(true);
    expect(d.localIdCount).toBe(2);
    expect(d.ldsBytes).toBe(1536);
    expect(d.scratchEnable).toBe(true);
    expect(d.scratchBytesPerWave).toBe(5120);
    expect(d.float).toEqual({ floatMode: 0xc0, dx10Clamp: true, ieee: true, fp16Overflow: false });
  });

  it('joins PGM_LO and PGM_HI to bits 47:8, without sign extension', () => {
    expect(good({ pgm: [0x8012_3456, 0xff80] }).programAddress).toBe(0x8080_1234_5600);
    expect(good({ pgm: [0xffff_ffff, 0xff] }).programAddress).toBe(0xffff_ffff_ff00);
  });

  it('gfx7 is always wave64 and has neither RSRC3 nor FP16_OVFL', () => {
    const d = good({ target: 'gfx700', initiator: 0x8005, rsrc1: 1 << 26 });
    expect(d.waveSize).toBe(64);
    expect(d.rsrc3).toBe(0);
    expect(d.float.fp16Overflow).toBe(false);
    expect(good({ rsrc1: 1 << 26 }).float.fp16Overflow).toBe(true);
  });

  it('takes COMPUTE_START unless the initiator forces 0; the packet says where the grid ends', () => {
    const d = good({ start: [1, 2, 3], dims: [4, 4, 4], initiator: 1 });
    expect(d.groupStart).toEqual([1, 2, 3]);
    expect(d.groups).toEqual([3, 2, 1]);
    expect(good({ start: [1, 2, 3], dims: [4, 4, 4], initiator: 5 }).groupStart).toEqual([0, 0, 0]);
  });

  it('partial groups by NUM_THREAD_PARTIAL', () => {
    const d = good({ threads: [64 | (17 << 16), 1, 1], dims: [3, 1, 1], initiator: 7 });
    expect(d.threads).toEqual([64, 1, 1]);
    expect(d.partialThreads).toEqual([17, 1, 1]);
    expect(d.groups).toEqual([3, 1, 1]);
    // Without PARTIAL_TG_EN the last group is full.
    expect(good({ threads: [64 | (17 << 16), 1, 1], dims: [3, 1, 1] }).partialThreads).toEqual([64, 1, 1]);
  });

  it('counts threads with USE_THREAD_DIMENSIONS', () => {
    const partial = good({ threads: [64, 4, 1], dims: [130, 8, 1], initiator: 0x27 });
    expect(partial.groups).toEqual([3, 2, 1]);
    expect(partial.partialThreads).toEqual([2, 4, 1]);
    const full = good({ threads: [64, 4, 1], dims: [130, 8, 1], initiator: 0x25 });
    expect(full.groups).toEqual([3, 2, 1]);
    expect(full.partialThreads).toEqual([64, 4, 1]);
  });

  it('refuses inconsistent registers', () => {
    expect(codes({ initiator: 4 })).toEqual(['PM4040']);
    expect(codes({ pgm: [0, 0] })).toEqual(['PM4041']);
    expect(codes({ rsrc2: 17 << 1 })).toEqual(['PM4042']);
    expect(codes({ threads: [64, 0, 1] })).toEqual(['PM4043']);
    expect(codes({ threads: [64, 17, 1] })).toEqual(['PM4044']);
    expect(codes({ threads: [64 | (65 << 16), 1, 1] })).toEqual(['PM4045']);
  });
});

/**
 * Whole streams as a code object importer in Python makes them (its source is apart from this repository) for k_direct
 * of a kernel file compiled by clang-19; the expectations are the kernel descriptor as that importer printed it:
 * private 0 raised to 4096 bytes of stack per lane, kernarg at 0x200000000, scratch at 0x300000000.
 */
describe('streams of a code object importer', () => {
  const streams = [
    {
      target: 'gfx1013' as const,
      words: `c0027602 0000020c 01000032 00000000 c0027602 00000212 60af0100 00000090 c0017602 00000228 00000000
        c0017602 00000218 00080020 c0017602 00000215 00000000 c0067602 00000204 00000000 00000000 00000000 00000020
        00000002 00000001 c0087602 00000240 00000000 80000003 ffffffff 31c16000 00000000 00000002 00000000 00000003
        c0031502 00000004 00000002 00000001 00008005`,
      waveSize: 32,
      programAddress: 0x1_0000_3200,
      threads: [32, 2, 1],
      groups: [4, 2, 1],
      scratchBytesPerWave: 4096 * 32,
      rsrc1: 0x60af0100,
      userSgprs: [0, 0x80000003, 0xffffffff, 0x31c16000, 0, 2, 0, 3],
      floatMode: 0xf0,
    },
    {
      target: 'gfx700' as const,
      words: `c0027602 0000020c 01000031 00000000 c0027602 00000212 00ac0100 00000090 c0017602 00000228 00000000
        c0017602 00000218 00100020 c0017602 00000215 00000000 c0067602 00000204 00000000 00000000 00000000 00000040
        00000001 00000001 c0087602 00000240 00000000 80000003 ffffffff 31e16000 00000000 00000002 00000000 00000003
        c0031502 00000001 00000001 00000001 00000005`,
      waveSize: 64,
      programAddress: 0x1_0000_3100,
      threads: [64, 1, 1],
      groups: [1, 1, 1],
      scratchBytesPerWave: 4096 * 64,
      rsrc1: 0x00ac0100,
      userSgprs: [0, 0x80000003, 0xffffffff, 0x31e16000, 0, 2, 0, 3],
      floatMode: 0xc0,
    },
  ];
  it.each(streams)('$target', (s) => {
    const words = s.words
      .trim()
      .split(/\s+/)
      .map((w) => Number.parseInt(w, 16));
    const processor = new CommandProcessor({ target: s.target, memory: memoryWith({ [STREAM]: words }) });
    const [event, ...rest] = [...processor.execute({ sequence: 0, address: at(STREAM), dwordCount: words.length })];
    expect(rest).toEqual([]);
    if (event?.effect.kind !== 'dispatch') throw new Error('no dispatch');
    const result = dispatchFromState(event.state, s.target, event.effect.dispatch);
    expect(result).toEqual({
      ok: true,
      value: {
        target: s.target,
        waveSize: s.waveSize,
        programAddress: s.programAddress,
        threads: s.threads,
        groupStart: [0, 0, 0],
        groups: s.groups,
        partialThreads: s.threads,
        userSgprs: Uint32Array.from(s.userSgprs),
        // RSRC2 0x90: 8 user SGPRs, workgroup id x only.
        tgidEnable: [true, false, false],
        tgSizeEnable: false,
        localIdCount: 1,
        ldsBytes: 0,
        scratchEnable: false,
        scratchBytesPerWave: s.scratchBytesPerWave,
        float: { floatMode: s.floatMode, dx10Clamp: true, ieee: true, fp16Overflow: false },
        rsrc1: s.rsrc1,
        rsrc2: 0x90,
        rsrc3: 0,
      },
    });
  });
});
