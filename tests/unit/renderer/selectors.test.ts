/** What panels show, worked out from views made by hand. */
import { describe, expect, it } from 'vitest';
import type {
  DiagnosticView,
  EventTree,
  OutputPage,
  PacketView,
  WaveView,
} from '../../../src/preload/contract/index.ts';
import { ancestorsOf, indexOfRow, rowsWithAncestors, visibleRows } from '../../../src/renderer/selectors/event-rows.ts';
import {
  countDifferences,
  isActive,
  outputCell,
  outputTsv,
  registersTsv,
  rowHead,
} from '../../../src/renderer/selectors/lane-grid.ts';
import { formatBytes, formatWord } from '../../../src/renderer/selectors/number-format.ts';
import {
  offsetIn,
  packetRows,
  packetRowText,
  packetSummary,
  packetText,
} from '../../../src/renderer/selectors/packet-rows.ts';
import { messageGroups } from '../../../src/renderer/selectors/similar-messages.ts';
import { linesByAddress, linkText } from '../../../src/renderer/selectors/spirv-map.ts';

/**
 * 0 submit
 *   1 group       2 dispatch   3 dispatch
 *   4 group
 *     5 group     6 dispatch
 *   7 dispatch
 */
const tree = {
  end: Uint32Array.of(8, 4, 3, 4, 7, 7, 7, 8),
  kind: new Uint8Array(8),
} as unknown as EventTree;

describe('rows of the event tree', () => {
  it('are all there when nothing is closed', () => {
    expect([...visibleRows(tree, new Set())]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('leave out what is below a closed row', () => {
    expect([...visibleRows(tree, new Set([1]))]).toEqual([0, 1, 4, 5, 6, 7]);
    expect([...visibleRows(tree, new Set([4, 5]))]).toEqual([0, 1, 2, 3, 4, 7]);
    expect([...visibleRows(tree, new Set([0]))]).toEqual([0]);
  });

  it('are found with what encloses them, each once', () => {
    expect([...rowsWithAncestors(tree, Uint32Array.of(6))]).toEqual([0, 4, 5, 6]);
    expect([...rowsWithAncestors(tree, Uint32Array.of(2, 3, 7))]).toEqual([0, 1, 2, 3, 7]);
    expect([...rowsWithAncestors(tree, Uint32Array.of(1, 3, 6))]).toEqual([0, 1, 3, 4, 5, 6]);
    expect([...rowsWithAncestors(tree, Uint32Array.of())]).toEqual([]);
  });

  it('know their ancestors', () => {
    expect(ancestorsOf(tree, 6)).toEqual([0, 4, 5]);
    expect(ancestorsOf(tree, 0)).toEqual([]);
  });

  it('are found by binary search, or the nearest before', () => {
    const rows = Uint32Array.of(0, 4, 7);
    expect(indexOfRow(rows, 4)).toBe(1);
    expect(indexOfRow(rows, 6)).toBe(1);
    expect(indexOfRow(rows, 9)).toBe(2);
    expect(indexOfRow(new Uint32Array(0), 3)).toBe(-1);
  });
});

describe('numbers', () => {
  // Bit patterns of IEEE 754 single precision.
  it.each([
    [0x3f800000, '1'],
    [0xbf800000, '-1'],
    [0x40490fdb, '3.1415927'],
    [0x80000000, '-0'],
    [0x7f800000, '+inf'],
    [0xff800000, '-inf'],
    [0x7fc00000, 'NaN 400000'],
    [0x00000001, '1.40130e-45'],
    [0x4b800000, '1.67772e+7'],
    [0x000000cf, '2.90069e-43'],
  ])('%i as float is %s', (word, text) => {
    expect(formatWord(word, 'float')).toBe(text);
  });

  it('as integers and in hexadecimal', () => {
    expect(formatWord(0xffffffff, 'dec')).toBe('4294967295');
    expect(formatWord(0xffffffff, 'int')).toBe('-1');
    expect(formatWord(207, 'hex')).toBe('000000cf');
  });

  it('of bytes in units of 1024', () => {
    expect(formatBytes(512)).toBe('512 bytes');
    expect(formatBytes(28672)).toBe('28 KiB');
    expect(formatBytes(6 * 2 ** 30)).toBe('6 GiB');
  });
});

const page: OutputPage = {
  address: 0x300000000,
  after: Uint32Array.of(207, 207, 9, 1),
  before: Uint32Array.of(0, 207, 0, 0),
  expected: Uint32Array.of(207, 208, 8, 0),
  // Word 1 differs inside its bound, word 2 beyond it, word 3 is not expected.
  check: Uint8Array.of(1, 1, 2, 0),
  thread: Int32Array.of(64, 65, 66, 67),
};

describe('lanes', () => {
  it('are marked against what is expected', () => {
    const marks = [0, 1, 2, 3].map((i) => outputCell(page, i, 'dec', { kind: 'expected' }).mark);
    expect(marks).toEqual(['same', 'same', 'differs', 'none']);
    expect(outputCell(page, 2, 'dec', { kind: 'expected' })).toMatchObject({ text: '9', other: '8', thread: 66 });
    expect(outputCell(page, 1, 'dec', { kind: 'expected' }).other).toBe('208');
    expect(countDifferences(page, { kind: 'expected' })).toEqual({ compared: 3, differing: 1 });
  });

  it('are marked against memory before and another engine', () => {
    expect(countDifferences(page, { kind: 'before' })).toEqual({ compared: 4, differing: 3 });
    expect(countDifferences(page, { kind: 'other', words: Uint32Array.of(207, 207, 9, 1) })).toEqual({
      compared: 4,
      differing: 0,
    });
    expect(countDifferences(page, { kind: 'none' })).toEqual({ compared: 0, differing: 0 });
  });

  it('are named by wave and lane where words follow threads', () => {
    expect(rowHead(page, 0, 2, 64)).toBe('lanes 0–1');
    expect(rowHead(page, 2, 2, 64)).toBe('lanes 2–3');
    expect(rowHead({ ...page, thread: Int32Array.of(62, 63, 64, 65) }, 2, 2, 64)).toBe('wave 1 lanes 0–1');
    expect(rowHead({ ...page, thread: Int32Array.of(3, 2, 1, 0) }, 2, 2, 64)).toBe('0x300000008');
    expect(rowHead({ ...page, thread: new Int32Array(4).fill(-1) }, 0, 2, 64)).toBe('0x300000000');
  });

  it('know whether they are active', () => {
    const wave = { execLow: 0x80000001, execHigh: 2 } as WaveView;
    expect([0, 1, 31, 32, 33, 63].map((lane) => isActive(wave, lane))).toEqual([true, false, true, false, true, false]);
  });

  it('are copied as tab-separated text', () => {
    expect(outputTsv(page, 'dec').split('\n')[1]).toBe('0x300000000\t64\t207');
    const wave = {
      waveSize: 2,
      vectors: ['v1'],
      values: Uint32Array.of(5, 6),
      scalars: [{ name: 's8', value: 0 }],
    } as unknown as WaveView;
    expect(registersTsv(wave, 'dec')).toBe('register\tlane 0\tlane 1\nv1\t5\t6\ns8\t0');
  });
});

const packet: PacketView = {
  address: '0x400000000',
  name: 'SET_SH_REG',
  dwords: ['0xc0027602', '0x0000020c', '0x01000000', '0x00000000', '0x00000001'],
  fields: [
    { name: 'REG_OFFSET', value: 0x20c },
    { name: 'VALUES', value: ['0x01000000', '0x00000000'] },
  ],
  registers: [
    { name: 'COMPUTE_PGM_LO', index: '0x2e0c', value: '0x01000000', fields: [{ name: 'DATA', value: 0x01000000 }] },
    {
      name: 'COMPUTE_PGM_RSRC2',
      index: '0x2e13',
      value: '0x00000010',
      fields: [
        { name: 'USER_SGPR', value: 8 },
        { name: 'MODE', value: 2, text: 'TWO' },
      ],
    },
  ],
};

describe('packets', () => {
  it('are one row when closed', () => {
    expect(packetRows([packet], new Set(), true)).toHaveLength(1);
    expect(packetSummary(packet)).toBe('COMPUTE_PGM_LO = 0x01000000, 1 more');
  });

  it('show fields, registers with their fields, and dwords when open', () => {
    const rows = packetRows([packet, packet], new Set([1]), true);
    expect(rows.map((r) => `${r.packet} ${r.kind}`)).toEqual([
      '0 packet',
      '1 packet',
      '1 field',
      '1 register',
      '1 register',
      '1 field',
      '1 field',
      '1 bytes',
      '1 bytes',
    ]);
    expect(rows[2]).toMatchObject({ name: 'REG_OFFSET', value: '0x20c (524)' });
    expect(rows[6]).toMatchObject({ name: 'MODE', value: 'TWO (2)' });
    expect(packetRows([packet], new Set([0]), false).some((r) => r.kind === 'bytes')).toBe(false);
  });

  it('say why they are damaged, open or not', () => {
    const rows = packetRows([{ ...packet, reason: 'runs off the buffer' }], new Set(), false);
    expect(rows[1]).toMatchObject({ kind: 'reason', text: 'runs off the buffer' });
  });

  it('are copied with what is inside them', () => {
    expect(packetText(packet).split('\n')).toEqual([
      '0x400000000 SET_SH_REG',
      '  REG_OFFSET\t0x20c (524)',
      '  COMPUTE_PGM_LO\t0x01000000',
      '  COMPUTE_PGM_RSRC2\t0x00000010',
      '  USER_SGPR\t8',
      '  MODE\tTWO (2)',
      '  0xc0027602 0x0000020c 0x01000000 0x00000000',
      '  0x00000001',
    ]);
    const [head] = packetRows([packet], new Set(), true);
    expect(packetRowText(head!)).toBe('0x400000000 SET_SH_REG COMPUTE_PGM_LO = 0x01000000, 1 more');
  });

  it('lie at an offset in their buffer, or at an address where that is far away or not known', () => {
    expect(offsetIn('0x400000000', '0x4000000d4')).toBe('+0d4');
    expect(offsetIn('0x400000000', '0x400000000')).toBe('+000');
    expect(offsetIn('0x400000000', '0x3fffffffc')).toBe('0x3fffffffc');
    expect(offsetIn('0x400000000', '0x500000000')).toBe('0x500000000');
    expect(offsetIn(undefined, '0x400000000')).toBe('0x400000000');
  });
});

describe('messages', () => {
  const at = (
    address: number | undefined,
    message: string,
    kind: DiagnosticView['kind'] = 'fault',
  ): DiagnosticView => ({
    code: 'REF010',
    kind,
    message,
    text: `REF010 ${address} ${message}`,
    ...(address === undefined ? {} : { address }),
  });

  it('of lanes at one instruction are one, with the others behind it', () => {
    const lanes = [0, 1, 2].map((lane) => at(0x100, `write to 0x${(lane + 1) * 16}, lane ${lane}`));
    const groups = messageGroups([...lanes, at(0x104, 'write to 0x10, lane 0')]);
    expect(groups.map((g) => [g.first.message, g.more.length])).toEqual([
      ['write to 0x16, lane 0', 2],
      ['write to 0x10, lane 0', 0],
    ]);
  });

  it('without a place are told apart by their numbers', () => {
    expect(messageGroups([at(undefined, 'segment 1 is cut'), at(undefined, 'segment 2 is cut')])).toHaveLength(2);
  });

  it('that are said twice are shown once, the gravest first', () => {
    const groups = messageGroups([at(1, 'a', 'note'), at(1, 'b', 'warning'), at(1, 'c'), at(1, 'c')]);
    expect(groups.map((g) => [g.gravity, g.first.message, g.more.length])).toEqual([
      ['error', 'c', 0],
      ['warning', 'b', 0],
      ['note', 'a', 0],
    ]);
  });
});

describe('the link to SPIR-V', () => {
  const spirv = {
    kind: 'ready',
    event: 0,
    lines: ['OpCapability Shader', '%1 = OpIAdd', '%2 = OpIAdd', 'OpReturn'],
    address: Float64Array.of(-1, 0x200000000, 0x200000000, -1),
    words: 10,
    profile: 'test',
    diagnostics: [],
  } as const;
  const lines = linesByAddress(spirv);

  it('finds all lines of an address', () => {
    expect(lines.get(0x200000000)).toEqual([1, 2]);
    expect(lines.has(-1)).toBe(false);
  });

  it('says what is linked, and where nothing is', () => {
    expect(linkText(0x200000000, null, spirv, lines)).toBe('0x200000000 ↔ 2 SPIR-V lines');
    expect(linkText(0x100000004, null, spirv, lines)).toMatch(/has no SPIR-V of its own/);
    expect(linkText(null, 0, spirv, lines)).toBe('SPIR-V line 1 comes from no guest instruction');
    expect(linkText(1, null, undefined, undefined)).toMatch(/no SPIR-V to show/);
  });
});
