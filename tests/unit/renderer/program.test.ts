/** The guest listing and the graph of a small program with a loop, a nested call and a callee that two calls share. */
import { describe, expect, it } from 'vitest';
import type { ContextView, FlowView, ProgramView } from '../../../src/preload/contract/index.ts';
import { cfgGraph } from '../../../src/renderer/selectors/cfg-graph.ts';
import { blockText, findInstructions, selectionText } from '../../../src/renderer/selectors/cfg-text.ts';
import { gcnListing } from '../../../src/renderer/selectors/gcn-listing.ts';

const MAIN = 0x1000;
const CALLEE = 0x2000;

/**
 * b0 calls the callee (b3), b1 calls it again, b2 loops to b0 or ends. The callee's first copy calls an inner one (b4).
 */
function program(change: Partial<ProgramView> = {}): ProgramView {
  const texts = [
    's_swappc_b64 s[30:31], s[0:1]',
    's_swappc_b64 s[30:31], s[2:3]',
    's_cbranch_scc1 65533',
    's_setpc_b64 s[30:31]',
    's_setpc_b64 s[28:29]',
  ];
  const addresses = [MAIN, MAIN + 4, MAIN + 8, CALLEE, CALLEE + 0x100];
  const context = (parent: number, blocks: number[], name?: string): ContextView => ({
    parent,
    entry: blocks[0]!,
    blocks,
    callPath: [],
    recursive: false,
    ...(name ? { region: { name, origin: `user data ${name}`, call: 0, linkPair: 's[30:31]' } } : {}),
  });
  const flow = (
    fromContext: number,
    from: number,
    toContext: number,
    to: number,
    kind: FlowView['kind'],
    label?: string,
  ): FlowView => ({
    fromContext,
    from,
    toContext,
    to,
    kind,
    ...(label ? { label } : {}),
  });
  return {
    event: 0,
    name: 'main',
    target: 'gfx1013',
    waveSize: 64,
    entryAddress: MAIN,
    key: 'k',
    linkedFrom: 'packets',
    complete: true,
    recursive: false,
    segments: [
      { address: MAIN, sizeBytes: 12, origin: 'entry', name: 'main' },
      { address: CALLEE, sizeBytes: 0x104, origin: 'callee', name: 'callee' },
    ],
    listing: {
      address: Float64Array.from(addresses),
      block: Int32Array.of(0, 1, 2, 3, 4),
      wordStart: Uint32Array.of(0, 1, 2, 3, 4, 5),
      words: Uint32Array.of(0xbe9e2100, 0xbe9e2102, 0xbf85fffd, 0xbe80201e, 0xbe80201c),
      text: texts,
      help: Int32Array.of(0, 0, 0, 0, 0),
      helps: [
        {
          mnemonic: 's_setpc_b64',
          syntax: 's_setpc_b64 S0',
          summary: 'Jumps to the address in S0.',
          operands: [{ name: 'S0', text: 'SGPR: 64 bits' }],
          encoding: 'SOP1 opcode 0x20',
          size: '4 bytes',
          reads: [],
          writes: ['SCC'],
          targets: ['gfx1013'],
        },
      ],
    },
    blocks: addresses.map((address, id) => ({
      id,
      address,
      end: address + 4,
      segment: id < 3 ? 0 : 1,
      firstLine: id,
      lines: 1,
      ending: '',
    })),
    calls: [
      {
        address: MAIN,
        block: 0,
        kind: 'userData',
        linkPair: 's[30:31]',
        targetPair: 's[0:1]',
        dynamic: false,
        targets: [{ address: CALLEE, name: 'callee', evidence: 'user data s[0:1]' }],
      },
    ],
    contexts: [context(-1, [0, 1, 2]), context(0, [3], 'first'), context(0, [3], 'second'), context(1, [4], 'inner')],
    flow: [
      flow(0, 0, 1, 3, 'call'),
      flow(1, 3, 0, 1, 'return'),
      flow(1, 3, 3, 4, 'call'),
      flow(3, 4, 1, 3, 'return'),
      flow(0, 1, 2, 3, 'call'),
      flow(2, 3, 0, 2, 'return'),
      flow(0, 2, 0, 0, 'branch', 'scc1'),
    ],
    diagnostics: [],
    ...change,
  };
}

describe('the guest listing', () => {
  it('has a heading per segment and block and one line per instruction', () => {
    const listing = gcnListing(program());
    const lines = listing.text.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '; main · entry · 0x1000 · 12 bytes',
      'b0:',
      expect.stringMatching(/^ {2}s_swappc_b64 s\[30:31\], s\[0:1\]\s+; calls callee \(user data s\[0:1\]\)$/),
    ]);
    expect(lines.filter((l) => l.startsWith('; '))).toHaveLength(2);
    const line = listing.lineOfAddress.get(CALLEE)!;
    expect(lines[line]).toMatch(/^ {2}s_setpc_b64 s\[30:31\]\s+; returns to b1, b2$/);
    expect(listing.addressOfLine[line]).toBe(CALLEE);
    expect(listing.addressOfLine[0]).toBe(-1);
    expect(listing.blockOfLine[line]).toBe(3);
    const help = listing.helpOfLine(line);
    expect(help[0]).toContain('be80201e');
    expect(help.slice(1)).toEqual([
      '`s_setpc_b64 S0`',
      'Jumps to the address in S0.',
      '`S0` SGPR: 64 bits',
      'SOP1 opcode 0x20 · 4 bytes · also writes SCC · gfx1013',
    ]);
    expect(listing.helpOfLine(0)).toEqual([]);
  });

  it('begins with the entry, wherever it lies', () => {
    const listing = gcnListing(program({ entryAddress: CALLEE }));
    expect(listing.text.split('\n')[0]).toMatch(/^; callee/);
    expect(listing.lineOfAddress.get(CALLEE)!).toBeLessThan(listing.lineOfAddress.get(MAIN)!);
  });

  it('says where branches lead', () => {
    expect(gcnListing(program()).text).toMatch(/s_cbranch_scc1 65533\s+; → b0 if scc1/);
  });

  it('puts a message under the instruction at its address', () => {
    const diagnostic = {
      code: 'CALL001',
      kind: 'badInput',
      message: 'is not readable',
      text: '',
      address: MAIN + 4,
    } as const;
    const listing = gcnListing(program({ diagnostics: [diagnostic] }));
    const at = listing.lineOfAddress.get(MAIN + 4)!;
    expect(listing.text.split('\n')[at + 1]).toBe('  ; CALL001: is not readable');
    expect(listing.marks).toEqual([{ line: at, diagnostic }]);
    // Lines after it still know their addresses.
    expect(listing.addressOfLine[listing.lineOfAddress.get(CALLEE)!]).toBe(CALLEE);
  });

  it('has a line for what could not be decoded', () => {
    const end = MAIN + 12;
    const diagnostic = { code: 'CFG001', kind: 'badInput', message: 'illegal', text: '', address: end } as const;
    const blocks = program().blocks.map((b) => (b.id === 2 ? { ...b, stop: 0 } : b));
    const stopped = program({ blocks, diagnostics: [diagnostic] });
    const listing = gcnListing(stopped);
    const line = listing.lineOfAddress.get(end)!;
    expect(listing.text.split('\n')[line]).toBe('  ; CFG001: illegal');
    expect(listing.addressOfLine[line]).toBe(end);
    expect(listing.blockOfLine[line]).toBe(2);
    expect(listing.marks).toEqual([{ line, diagnostic }]);
    const graph = cfgGraph(stopped, new Set());
    expect(graph.blockOfAddress.get(end)).toBe(2);
    expect(graph.blocks.find((b) => b.block === 2)).toMatchObject({ problemAddress: end });
    expect(selectionText(stopped, graph.blockOfAddress, end)).toBe('b2 0x100c is not decoded');
  });
});

describe('the graph in words', () => {
  it('is searched by text, address and block', () => {
    expect(findInstructions(program(), 'SETPC')).toEqual([CALLEE, CALLEE + 0x100]);
    expect(findInstructions(program(), '0x1004')).toEqual([MAIN + 4]);
    expect(findInstructions(program(), 'b2')).toEqual([MAIN + 8]);
    expect(findInstructions(program(), ' ')).toEqual([]);
  });

  it('tells what is selected, and where that is elsewhere', () => {
    const { blockOfAddress } = cfgGraph(program(), new Set());
    expect(selectionText(program(), blockOfAddress, MAIN + 8)).toBe('b2 0x1008 s_cbranch_scc1 65533');
    expect(selectionText(program(), blockOfAddress, 0x9000)).toBe('0x9000 is not in this graph');
  });

  it('is copied block by block', () => {
    expect(blockText(program(), 3)).toBe('b3:\n  0x2000  s_setpc_b64 s[30:31]');
  });
});

describe('the graph', () => {
  it('draws a shared callee once per call, in nested groups', () => {
    const graph = cfgGraph(program(), new Set());
    expect(graph.blocks.map((b) => `${b.id} in ${b.group ?? 'main'}`)).toEqual([
      'c0b0 in main',
      'c0b1 in main',
      'c0b2 in main',
      'c1b3 in g1',
      'c2b3 in g2',
      'c3b4 in g3',
    ]);
    expect(graph.groups.map((g) => [g.id, g.parent, g.depth])).toEqual([
      ['g1', undefined, 0],
      ['g2', undefined, 0],
      ['g3', 'g1', 1],
    ]);
    expect(graph.cardsOfBlock.get(3)).toEqual(['c1b3', 'c2b3']);
    expect(graph.edges.find((e) => e.kind === 'branch')).toMatchObject({ from: 'c0b2', to: 'c0b0', label: 'scc1' });
    expect(graph.edges.filter((e) => e.kind === 'call')).toHaveLength(3);
    expect(graph.blockOfAddress.get(CALLEE)).toBe(3);
  });

  it('orders cards as control flows: a callee between its call and what follows', () => {
    const { order } = cfgGraph(program(), new Set());
    const ids = ['c0b0', 'c1b3', 'c0b1', 'c2b3', 'c0b2'];
    const numbers = ids.map((id) => order.get(id)!);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(order.get('g1')).toBe(order.get('c1b3'));
  });

  it('folds a group with everything in it', () => {
    const graph = cfgGraph(program(), new Set([1]));
    expect(graph.blocks.map((b) => b.id)).toEqual(['c0b0', 'c0b1', 'c0b2', 'c2b3']);
    expect(graph.groups.map((g) => [g.id, g.isCollapsed])).toEqual([
      ['g1', true],
      ['g2', false],
    ]);
    expect(graph.edges.map((e) => `${e.from}>${e.to} ${e.kind}`)).toEqual(
      expect.arrayContaining(['c0b0>g1 call', 'g1>c0b1 return']),
    );
    // Nothing is drawn inside.
    expect(graph.edges.some((e) => e.from === 'g1' && e.to === 'g1')).toBe(false);
  });

  it('draws every block once when copies would be too many', () => {
    const many: ContextView[] = [{ parent: -1, entry: 0, blocks: [0, 1, 2], callPath: [], recursive: false }];
    for (let i = 0; i < 900; i++) {
      many.push({
        parent: 0,
        entry: 3,
        blocks: [3],
        callPath: [],
        recursive: false,
        region: { name: `r${i}`, origin: 'o', call: 0, linkPair: '' },
      });
    }
    const graph = cfgGraph(
      program({ contexts: many, flow: [{ fromContext: 0, from: 0, toContext: 500, to: 3, kind: 'call' }] }),
      new Set(),
    );
    expect(graph.blocks.map((b) => b.id)).toEqual(['c0b0', 'c0b1', 'c0b2', 'c1b3']);
    expect(graph.edges.map((e) => `${e.from}>${e.to}`)).toEqual(['c0b0>c1b3']);
    expect(graph.groups).toHaveLength(1);
  });

  it('makes a card as large as its text and says what was refused', () => {
    const plain = cfgGraph(program(), new Set()).blocks[0]!;
    const blocks = program().blocks.map((b) => (b.id === 0 ? { ...b, stop: 0 } : b));
    const diagnostics = [{ code: 'CALL001', kind: 'badInput', message: 'x'.repeat(200), text: '' }] as const;
    const refused = cfgGraph(program({ blocks, diagnostics }), new Set()).blocks[0]!;
    expect(refused.problem).toContain('CALL001');
    expect(refused.height).toBeGreaterThan(plain.height);
    expect(plain.width).toBeGreaterThan('s_swappc_b64 s[30:31], s[0:1]'.length * 6);
  });
});
