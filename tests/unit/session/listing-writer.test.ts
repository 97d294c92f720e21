/** Listings as a stream: the same lines as `listWords`, in the form that `lanescope disasm` prints, piece by piece. */
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { listWords } from '../../../src/main/session/listing.ts';
import { ListingWriter } from '../../../src/main/session/listing-writer.ts';
import { ownCorpus } from '../../../tools/isa/corpora.ts';

const ASCII = new TextDecoder('latin1');

function write(words: Uint32Array, address: number): { text: string; pieces: number; writer: ListingWriter } {
  const pieces: string[] = [];
  const writer = new ListingWriter('gfx1013', 32, (bytes) => void pieces.push(ASCII.decode(bytes)));
  writer.words(words, address as GuestAddress);
  writer.end();
  return { text: pieces.join(''), pieces: pieces.length, writer };
}

describe('a listing as a stream', () => {
  it('is text, address and words; data where there is no instruction', () => {
    // s_mov_b32 s4, s8; v_mov_b32_e32 v3, 0x12345678; no family; s_endpgm
    const { text, writer } = write(
      Uint32Array.of(0xbe840308, 0x7e0602ff, 0x12345678, 0xfc000000, 0xbf810000),
      0x1_0000_0ff8,
    );
    expect(text.split('\n')).toEqual([
      `\t${'s_mov_b32 s4, s8'.padEnd(60)}; 000100000ff8: be840308`,
      `\t${'v_mov_b32_e32 v3, 0x12345678'.padEnd(60)}; 000100000ffc: 7e0602ff 12345678`,
      `\t${'.long 0xfc000000'.padEnd(60)}; 000100001004: fc000000  the leading bits belong to no encoding family of the target`,
      `\t${'s_endpgm'.padEnd(60)}; 000100001008: bf810000`,
      '',
    ]);
    expect([writer.decoded, writer.illegal]).toEqual([3, 1]);
  });

  it('holds what llvm-mc printed for every line of the corpus, in pieces', () => {
    const lines = ownCorpus('gfx1013').slice(0, 20_000);
    const { text, pieces, writer } = write(Uint32Array.from(lines.flatMap((line) => [...line.words])), 0);
    const printed = text.trimEnd().split('\n');
    expect(printed.map((line) => line.slice(1, line.lastIndexOf(';')).trimEnd())).toEqual(
      lines.map((line) => line.text),
    );
    expect(pieces).toBeGreaterThan(2);
    expect(writer.illegal).toBe(0);
  });

  it('has the lines of listWords, misplaced operands and cut ends included', () => {
    // v_readfirstlane of a constant, an NSA image that the end cuts
    const words = Uint32Array.of(0x7e0004ff, 0xbf810000, 0x7e000481, 0xf0800f0a, 0x00820005);
    const lines = listWords(words, 0 as GuestAddress, 'gfx1013', 32);
    const { text } = write(words, 0);
    for (const [i, line] of text.trimEnd().split('\n').entries()) {
      const { text: expected, illegal } = lines[i]!;
      expect(line.startsWith(`\t${expected}`)).toBe(true);
      expect(line.endsWith(illegal ?? '')).toBe(true);
    }
    expect(lines.some((line) => line.illegal?.includes('/*'))).toBe(true);
  });
});
