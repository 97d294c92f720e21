/**
 * What llvm-mc cannot judge about printing: labels, the lister against plain printing, the byte buffer under it, and
 * refusals of the encoder.
 */
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import {
  branchTarget,
  decodeInstruction,
  ENCODINGS,
  encodeInstruction,
  ILLEGAL,
  Instruction,
  Lister,
  MNEMONICS,
  mnemonicNumber,
  OPERAND,
  printInstruction,
  TextBuffer,
} from '../../../src/main/isa/index.ts';
import { FIRST, putOperand, tupleTable } from '../../../src/main/isa/print/operand-text.ts';
import { notingPlansFor, plansFor } from '../../../src/main/isa/print/plan-book.ts';
import { KIND_MASK, plainTable, STEP, stepArgument } from '../../../src/main/isa/print/steps.ts';
import { piece } from '../../../src/main/isa/print/text-buffer.ts';
import { ownCorpus } from '../../../tools/isa/corpora.ts';

function decode(...words: number[]): Instruction {
  const inst = new Instruction();
  expect(decodeInstruction('gfx1013', Uint32Array.from(words), 0, inst)).toBe(words.length);
  return inst;
}

describe('branch targets', () => {
  const options = { target: 'gfx1013', waveSize: 32, address: 0x1000 as GuestAddress } as const;

  it('count from the next instruction, in dwords, signed', () => {
    expect(branchTarget(decode(0xbf820003), 0x1000 as GuestAddress)).toBe(0x1010);
    expect(branchTarget(decode(0xbf82fffe), 0x1000 as GuestAddress)).toBe(0xffc);
  });

  it('print as a label where there is one, as the distance otherwise', () => {
    const labels = new Map([[0x1010, 'loop']]);
    const labelOf = (address: GuestAddress) => labels.get(address);
    expect(printInstruction(decode(0xbf820003), { ...options, labelOf })).toBe('s_branch loop');
    expect(printInstruction(decode(0xbf820004), { ...options, labelOf })).toBe('s_branch 4');
    expect(printInstruction(decode(0xbb020003), { ...options, labelOf })).toBe('s_call_b64 s[2:3], loop');
    expect(printInstruction(decode(0xbf820003), { target: 'gfx1013', waveSize: 32 })).toBe('s_branch 3');
  });
});

describe('the lister', () => {
  /** Corpus lines in an order that repeats near and far, with a prime stride. */
  const lines = ownCorpus('gfx1013');
  const sequence = Array.from({ length: 30_000 }, (_, i) => lines[(i % 3 ? (i * 37) % 500 : i * 101) % lines.length]!);
  const words = Uint32Array.from(sequence.flatMap((line) => Array.from(line.words)));

  it('gives what llvm-mc gave, again and again', () => {
    const lister = new Lister('gfx1013', 32);
    const buffer = new TextBuffer();
    let index = 0;
    for (const line of sequence) {
      buffer.clear();
      expect(lister.append(buffer, words, index)).toBe(line.words.length);
      expect(buffer.toString()).toBe(line.text);
      index += line.words.length;
    }
  });

  it('does not take a remembered instruction for a cut one', () => {
    const lister = new Lister('gfx1013', 32);
    const buffer = new TextBuffer();
    const whole = Uint32Array.of(0x7e0602ff, 0x12345678);
    expect(lister.append(buffer, whole, 0)).toBe(2);
    expect(lister.append(buffer, whole.subarray(0, 1), 0)).toBe(ILLEGAL.CUT);
    const other = Uint32Array.of(0x7e0602ff, 0x9abcdef0);
    buffer.clear();
    expect(lister.append(buffer, other, 0)).toBe(2);
    expect(buffer.toString()).toBe('v_mov_b32_e32 v3, 0x9abcdef0');
  });
});

describe('the pool of pieces', () => {
  it('has room for every name and every operand of all targets, misplaced ones too', () => {
    const places = new Set<number>();
    for (const target of TARGETS) {
      for (const plans of [32, 64].flatMap((lanes) =>
        [plansFor, notingPlansFor].map((of) => of(target, lanes as 32 | 64)),
      )) {
        for (let op = 0; op < MNEMONICS.length; op++) {
          for (const encoding of ENCODINGS) {
            for (let at = plans.start({ op, encoding }); (plans.steps[at]! & KIND_MASK) !== STEP.END; at++) {
              const kind = plans.steps[at]! & KIND_MASK;
              if (kind > STEP.TEXT && kind < STEP.LOADED) places.add(plainTable(stepArgument(plans.steps[at]!)));
            }
          }
        }
      }
    }
    // The longest are s[…] of 16 dwords and an image's address.
    for (let dwords = 1; dwords <= 16; dwords++) places.add(tupleTable(dwords));
    const buffer = new TextBuffer();
    for (const table of places) {
      for (let place = table; place < table + 3 * FIRST; place++) {
        buffer.reserve();
        putOperand(buffer, place, 0);
      }
    }
    for (const text of ['v3', 's[4:5]', ', v[3:18]', ' ttmp7', 'flat_scratch', ', 0.15915494309189532']) {
      expect(buffer.toString()).toContain(text);
    }
  });
});

describe('the text buffer', () => {
  it('writes numbers as JavaScript does', () => {
    for (const value of [0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 4095, 4096, 65535, -1, -16, -2048]) {
      const buffer = new TextBuffer();
      buffer.decimal(value);
      expect(buffer.toString()).toBe(String(value));
    }
    for (const value of [0, 1, 15, 16, 255, 256, 0x12345678, 0xffffffff, 0x80000000]) {
      const buffer = new TextBuffer();
      buffer.hex(value);
      expect(buffer.toString()).toBe(`0x${value.toString(16)}`);
    }
  });

  it('joins pieces of any length and grows', () => {
    const parts = ['a', 'bc', 'def', 'ghij', 'klmno', 'p'.repeat(255), ''];
    const buffer = new TextBuffer(16);
    let expected = '';
    for (let round = 0; round < 50; round++) {
      for (const part of parts) {
        buffer.reserve();
        buffer.put(piece(part));
        expected += part;
      }
    }
    expect(buffer.toString()).toBe(expected);
  });
});

describe('the encoder refuses', () => {
  const out = new Uint32Array(8);

  function instruction(mnemonic: string, fields: Partial<Instruction>): Instruction {
    return Object.assign(new Instruction(), { op: mnemonicNumber(mnemonic)! }, fields);
  }

  it.each([
    [
      'an SGPR as second source of e32',
      'v_add_f32',
      { encoding: 'e32', dst: 256, src0: 257, src1: 3 },
      ILLEGAL.OPERAND,
    ],
    ['modifiers in e32', 'v_add_f32', { encoding: 'e32', dst: 256, src0: 257, src1: 258, neg: 1 }, ILLEGAL.MODIFIER],
    [
      'another mask than VCC in e32',
      'v_cndmask_b32',
      { encoding: 'e32', dst: 256, src0: 257, src1: 258, src2: 4 },
      ILLEGAL.OPERAND,
    ],
    [
      'clamp on v_and_b32',
      'v_and_b32',
      { encoding: 'e64', dst: 256, src0: 257, src1: 258, clamp: 1 },
      ILLEGAL.MODIFIER,
    ],
    ['SDWA of 64-bit instructions', 'v_cvt_f32_f64', { encoding: 'sdwa', dst: 256, src0: 257 }, ILLEGAL.FORM],
    ['a literal with DPP', 'v_mov_b32', { encoding: 'dpp16', dst: 256, src0: OPERAND.LITERAL }, ILLEGAL.OPERAND],
    ['a scalar load offset past 21 bits', 's_load_dword', { dst: 4, src0: 2, imm: 1 << 20 }, ILLEGAL.IMMEDIATE],
    [
      'a buffer offset past 12 bits',
      'buffer_load_dword',
      { dst: 256, src1: 4, src2: 128, imm: 4096 },
      ILLEGAL.IMMEDIATE,
    ],
    ['a misaligned descriptor', 'buffer_load_dword', { dst: 256, src1: 6, src2: 128 }, ILLEGAL.OPERAND],
  ] as const)('%s', (_, mnemonic, fields, reason) => {
    expect(encodeInstruction('gfx1013', instruction(mnemonic, fields), out)).toBe(reason);
  });

  it('what the target lacks', () => {
    const inst = instruction('v_mov_b32', { encoding: 'sdwa', dst: 256, src0: 257 });
    expect(encodeInstruction('gfx700', inst, out)).toBe(ILLEGAL.FORM);
    const literal = instruction('v_add_f32', { encoding: 'e64', dst: 256, src0: OPERAND.LITERAL, src1: 258 });
    expect(encodeInstruction('gfx700', literal, out)).toBe(ILLEGAL.LITERAL);
    expect(encodeInstruction('gfx1013', literal, out)).toBe(3);
    const later = instruction('v_fma_legacy_f32', { encoding: 'e64', dst: 256, src0: 257, src1: 258, src2: 259 });
    expect(encodeInstruction('gfx1013', later, out)).toBe(ILLEGAL.OPCODE);
    expect(encodeInstruction('gfx1030', later, out)).toBe(2);
  });
});
