/**
 * What `cfg` prints: JSON with stable keys, and a graph that Graphviz reads, with call regions as nested clusters.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../../src/main/base/guest-memory.ts';
import { programToDot } from '../../../src/main/program/export/program-dot.ts';
import { programToJson } from '../../../src/main/program/export/program-json.ts';
import { linkProgram } from '../../../src/main/program/link-program.ts';
import { haveTool } from '../../support/tools.ts';

function nested() {
  const memory = new GuestMemory();
  const place = (address: number, words: readonly number[]): void => {
    memory.map(address as GuestAddress, 4 * words.length, READ | EXECUTE);
    memory.pokeBytes(address as GuestAddress, new Uint8Array(Uint32Array.from(words).buffer));
  };
  place(0x100000000, [0xbe9e2100, 0xbe9e2100, 0xbf810000]); // s_swappc_b64 s[30:31], s[0:1], twice; s_endpgm
  place(0x200000000, [0xbe9c2102, 0xbe80201e]); // s_swappc_b64 s[28:29], s[2:3]; s_setpc_b64 s[30:31]
  place(0x300000000, [0xbe80201c]); // s_setpc_b64 s[28:29]
  return linkProgram({
    target: 'gfx1013',
    waveSize: 64,
    entry: 0x100000000 as GuestAddress,
    memory,
    name: 'a "quoted" name',
    userSgprs: Uint32Array.from([0, 2, 0, 3, 0, 9]),
  });
}

const print = (): string => 'text "with" \\ marks';

describe('JSON', () => {
  it('names segments, blocks, calls and regions', () => {
    const json = programToJson(nested(), print);
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json).toMatchObject({
      name: 'a "quoted" name',
      target: 'gfx1013',
      waveSize: 64,
      entry: '0x100000000',
      complete: true,
      recursive: false,
      segments: [
        { address: '0x100000000', sizeBytes: 12, origin: 'entry' },
        { address: '0x200000000', sizeBytes: 8, origin: 'callee' },
        { address: '0x300000000', sizeBytes: 4, origin: 'callee' },
      ],
      diagnostics: [],
      readWords: [],
    });
    expect(json.calls).toMatchObject([
      {
        address: '0x100000000',
        kind: 'userData',
        linkPair: 's[30:31]',
        targetPair: 's[0:1]',
        returnAddress: '0x100000004',
      },
      { address: '0x100000004', targets: [{ address: '0x200000000', evidence: { kind: 'userData', pair: 's[0:1]' } }] },
      { address: '0x200000000', linkPair: 's[28:29]', targets: [{ address: '0x300000000' }] },
    ]);
    expect(json.regions).toMatchObject([
      { entryAddress: '0x200000000', callPath: ['0x100000000'], parent: null },
      { entryAddress: '0x300000000', callPath: ['0x100000000', '0x200000000'], parent: 0 },
      { entryAddress: '0x200000000', callPath: ['0x100000004'], parent: null },
      { entryAddress: '0x300000000', callPath: ['0x100000004', '0x200000000'], parent: 2 },
    ]);
  });
});

describe('DOT', () => {
  it('draws each region as a cluster, nested as calls are', () => {
    const dot = programToDot(nested(), print);
    const depthOf = (cluster: number): number => {
      const before = dot.slice(0, dot.indexOf(`subgraph cluster_${cluster} {`));
      return before.split('{').length - before.split('}').length;
    };
    expect([0, 1, 2, 3].map(depthOf)).toEqual([1, 2, 1, 2]);
    expect(dot.match(/label="call"/g)).toHaveLength(4);
    expect(dot.match(/label="return"/g)).toHaveLength(4);
    // Three blocks of the program, two of each of the two activations of the callee, one of each inner one.
    expect(dot.match(/^\s*b\d+ \[/gm)).toHaveLength(3 + 2 * 2 + 2);
  });

  it('draws shared bodies once when copies would be too many', () => {
    const dot = programToDot(nested(), print, { maxDrawnBlocks: 1 });
    expect(dot.match(/^\s*b\d+ \[/gm)).toHaveLength(3 + 2 + 1);
  });

  it.skipIf(!haveTool('dot'))('is read by Graphviz', () => {
    const svg = execFileSync('dot', ['-Tsvg'], { input: programToDot(nested(), print) }).toString();
    expect(svg).toContain('</svg>');
  });
});
