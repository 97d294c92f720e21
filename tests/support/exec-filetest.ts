/**
 * Reader of tests/filetests/exec/*.gcn: a few instructions on one full wave, registers given, registers expected.
 *
 *   target gfx1013 32, gfx1013 64      where it runs
 *   lds 256                            bytes of LDS
 *   vulkan REC002                      the recompiler refuses this with that code, and nothing else
 *   data 0x300000000: values           words of a mapped page
 *   s4: values · v1: values · exec: lo hi · vcc: lo hi · m0: n · scc: n      before the first instruction
 *   ---
 *   instructions
 *   ---
 *   v0: values · s4: values · vcc: lo hi · data 0x300000000: values      after the last
 *
 * `====` separates cases of one file; values as in lane-values.ts. Expectations are worked out by hand from the ISA
 * manual; nothing rewrites them. Each case becomes a program and a snippet. The program loads registers from memory before
 * the code and stores them after it, as any program would; s80 … s103 and v254, v255 belong to it. Of the snippet the
 * engine sets the registers and tells the final ones.
 */
import { readFileSync } from 'node:fs';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { PAGE_SIZE, READ } from '../../src/main/base/guest-memory.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import type { SnippetRequest } from '../../src/main/session/run-snippet.ts';
import { CODE, codeWords, type DataRange, type TestProgram } from './device.ts';
import { parseLanes, parseValues } from './lane-values.ts';

const INPUT = 0x5_0000_0000;
const OUTPUT = 0x6_0000_0000;

export interface ExpectedWords {
  /** `v0`, `vcc`, … */
  readonly what: string;
  readonly address: GuestAddress;
  readonly words: readonly number[];
}

export interface SnippetExpectation {
  /** By operand code: one word of a scalar, one per lane of a VGPR. */
  readonly registers: ReadonlyMap<number, readonly number[]>;
  readonly memory: readonly ExpectedWords[];
}

export interface ExecCase {
  readonly name: string;
  readonly program: TestProgram;
  readonly expected: readonly ExpectedWords[];
  readonly snippet: SnippetRequest;
  readonly expectedOfSnippet: SnippetExpectation;
  /** Code with which the recompiler refuses the program; empty when it must run. */
  readonly refusal: string;
}

interface Setting {
  readonly name: string;
  readonly text: string;
}

interface Sections {
  readonly targets: readonly (readonly [Target, WaveSize])[];
  readonly ldsBytes: number;
  readonly refusal: string;
  readonly before: readonly Setting[];
  readonly code: string;
  readonly after: readonly Setting[];
}

const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  exec: ['exec_lo', 'exec_hi'],
  vcc: ['vcc_lo', 'vcc_hi'],
  m0: ['m0'],
};
/** Where the epilogue keeps registers that storing would change. */
const SAVED: Readonly<Record<string, readonly string[]>> = {
  scc: ['s80'],
  exec: ['s81', 's82'],
  vcc: ['s83', 's84'],
  m0: ['s85'],
};

function settings(text: string): Setting[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith(';'))
    .map((line) => {
      const at = line.indexOf(':');
      if (at < 0) throw new Error(`'${line}' has no ':'`);
      return { name: line.slice(0, at).trim(), text: line.slice(at + 1) };
    });
}

function sections(text: string): Sections {
  const parts = text.split(/^---\n/m);
  if (parts.length !== 3) throw new Error(`a case has 3 parts, not ${parts.length}`);
  const [head, code, after] = parts as [string, string, string];
  const target = /^target (.*)$/m.exec(head);
  if (!target) throw new Error('no line target');
  return {
    targets: target[1]!.split(/\s*,\s*/).map((t) => {
      const [name, size] = t.split(' ');
      return [name as Target, Number(size) as WaveSize] as const;
    }),
    ldsBytes: Number(/^lds (\d+)$/m.exec(head)?.[1] ?? 0),
    refusal: /^vulkan (\w+)$/m.exec(head)?.[1] ?? '',
    before: settings(head.replace(/^(target|lds|vulkan) .*$/gm, '')),
    code,
    after: settings(after),
  };
}

/** Byte address of `data 0x…`; undefined for registers. */
function dataAddress(name: string): GuestAddress | undefined {
  const match = /^data (0x[0-9a-f]+)$/.exec(name);
  return match ? (Number(match[1]) as GuestAddress) : undefined;
}

class ExecProgram {
  private readonly target: Target;
  private readonly waveSize: WaveSize;
  private readonly parts: Sections;
  private readonly lines: string[] = [];
  private readonly input: number[] = [];
  private readonly data: DataRange[] = [];
  readonly expected: ExpectedWords[] = [];
  private stored = 0;

  constructor(target: Target, waveSize: WaveSize, parts: Sections) {
    this.target = target;
    this.waveSize = waveSize;
    this.parts = parts;
  }

  private get slotBytes(): number {
    return 4 * this.waveSize;
  }

  /** Names of SGPRs from `s4` or a special name on, one per value. */
  private scalars(name: string, count: number): readonly string[] {
    const special = SPECIAL[name];
    if (special) return special.slice(0, count);
    const first = /^s(\d+)$/.exec(name);
    if (!first) throw new Error(`'${name}' is no register`);
    return Array.from({ length: count }, (_, i) => `s${Number(first[1]) + i}`);
  }

  private prologue(): void {
    const { lines, waveSize, target } = this;
    const inputWord3 = target === 'gfx700' ? 0x24fac : 0x31016fac;
    lines.push(
      // Both descriptors from user data: address of the input in s[0:1], of the output in s[2:3].
      's_mov_b64 s[88:89], s[0:1]',
      's_mov_b32 s90, 0x10000',
      `s_mov_b32 s91, 0x${inputWord3.toString(16)}`,
      's_mov_b64 s[92:93], s[2:3]',
      's_mov_b64 s[94:95], s[90:91]',
      'v_mbcnt_lo_u32_b32 v255, -1, 0',
      ...(waveSize === 64 ? [`v_mbcnt_hi_u32_b32 v255, -1, v255`] : []),
      'v_lshlrev_b32 v255, 2, v255',
    );
    const scalars: string[] = [];
    const last: string[] = [];
    for (const { name, text } of this.parts.before) {
      const address = dataAddress(name);
      if (address !== undefined) {
        this.data.push({ address, sizeBytes: PAGE_SIZE, words: Uint32Array.from(parseValues(text)) });
      } else if (/^v\d+$/.test(name)) {
        lines.push(
          `s_movk_i32 s100, ${4 * this.input.length}`,
          `buffer_load_dword ${name}, v255, s[88:91], s100 offen`,
        );
        this.input.push(...parseLanes(text, waveSize));
      } else if (name === 'scc') {
        last.push(`s_cmp_eq_u32 s90, ${Number(text) ? 's90' : '0'}`);
      } else {
        const values = parseValues(text);
        const set = this.scalars(name, values.length).map((r, i) => `s_mov_b32 ${r}, 0x${values[i]!.toString(16)}`);
        (name === 'exec' ? last : scalars).push(...set);
      }
    }
    lines.push('s_waitcnt vmcnt(0)', ...scalars, ...last);
  }

  private store(register: string, what: string, words: readonly number[]): void {
    const offset = this.stored++ * this.slotBytes;
    this.lines.push(`s_movk_i32 s100, ${offset}`, `buffer_store_dword ${register}, v255, s[92:95], s100 offen`);
    this.expected.push({ what, address: (OUTPUT + offset) as GuestAddress, words });
  }

  private epilogue(): void {
    const { lines, waveSize } = this;
    lines.push(
      's_cselect_b32 s80, 1, 0',
      's_mov_b32 s81, exec_lo',
      's_mov_b32 s82, exec_hi',
      's_mov_b32 s83, vcc_lo',
      's_mov_b32 s84, vcc_hi',
      's_mov_b32 s85, m0',
      waveSize === 64 ? 's_mov_b64 exec, -1' : 's_mov_b32 exec_lo, -1',
    );
    for (const { name, text } of this.parts.after) {
      const address = dataAddress(name);
      if (address !== undefined) {
        this.expected.push({ what: name, address, words: parseValues(text) });
      } else if (/^v\d+$/.test(name)) {
        this.store(name, name, parseLanes(text, waveSize));
      } else {
        const values = parseValues(text);
        const from = SAVED[name]?.slice(0, values.length) ?? this.scalars(name, values.length);
        from.forEach((register, i) => {
          lines.push(`v_mov_b32 v254, ${register}`);
          const what = values.length > 1 ? `${name}[${i}]` : name;
          this.store('v254', what, new Array<number>(waveSize).fill(values[i]!));
        });
      }
    }
    lines.push('s_endpgm');
  }

  build(): TestProgram {
    this.prologue();
    this.lines.push(this.parts.code);
    this.epilogue();
    return {
      target: this.target,
      waveSize: this.waveSize,
      code: this.lines.join('\n'),
      userData: [INPUT % 2 ** 32, Math.floor(INPUT / 2 ** 32), OUTPUT % 2 ** 32, Math.floor(OUTPUT / 2 ** 32)],
      ldsBytes: this.parts.ldsBytes,
      data: [
        {
          address: INPUT as GuestAddress,
          sizeBytes: 0x10000,
          words: Uint32Array.from(this.input),
          permissions: READ,
        },
        { address: OUTPUT as GuestAddress, sizeBytes: 0x10000 },
        ...this.data,
      ],
    };
  }
}

const SPECIAL_CODES: Readonly<Record<string, number>> = {
  exec: OPERAND.EXEC_LO,
  vcc: OPERAND.VCC_LO,
  m0: OPERAND.M0,
  scc: OPERAND.SCC,
};

/** Operand code of `v3`, `s4` or a special name. */
function codeOf(name: string): number {
  const number = Number(name.slice(1));
  if (/^v\d+$/.test(name)) return OPERAND.VGPR0 + number;
  if (/^s\d+$/.test(name)) return number;
  const code = SPECIAL_CODES[name];
  if (code === undefined) throw new Error(`'${name}' is no register`);
  return code;
}

function snippetOf(target: Target, waveSize: WaveSize, parts: Sections): SnippetRequest {
  const scalars = new Map<number, number>();
  const vgprs = new Map<number, Uint32Array>();
  const memory: { address: GuestAddress; bytes: Uint8Array }[] = [];
  for (const { name, text } of parts.before) {
    const address = dataAddress(name);
    if (address !== undefined) {
      const bytes = new Uint8Array(PAGE_SIZE);
      bytes.set(new Uint8Array(Uint32Array.from(parseValues(text)).buffer));
      memory.push({ address, bytes });
    } else if (codeOf(name) >= OPERAND.VGPR0) {
      vgprs.set(codeOf(name) - OPERAND.VGPR0, Uint32Array.from(parseLanes(text, waveSize)));
    } else parseValues(text).forEach((value, i) => scalars.set(codeOf(name) + i, value));
  }
  return {
    words: codeWords(parts.code, target, waveSize),
    target,
    waveSize,
    codeAddress: CODE,
    groups: [1, 1, 1],
    threads: [waveSize, 1, 1],
    initial: { scalars, vgprs },
    memory,
    ldsBytes: parts.ldsBytes,
    floatMode: 0xc0,
    limit: 100_000,
    watched: [...expectationOf(waveSize, parts).registers.keys()],
  };
}

function expectationOf(waveSize: WaveSize, parts: Sections): SnippetExpectation {
  const registers = new Map<number, readonly number[]>();
  const memory: ExpectedWords[] = [];
  for (const { name, text } of parts.after) {
    const address = dataAddress(name);
    if (address !== undefined) memory.push({ what: name, address, words: parseValues(text) });
    else if (codeOf(name) >= OPERAND.VGPR0) registers.set(codeOf(name), parseLanes(text, waveSize));
    else parseValues(text).forEach((value, i) => registers.set(codeOf(name) + i, [value]));
  }
  return { registers, memory };
}

export function readExecFile(path: string): ExecCase[] {
  const text = readFileSync(path, 'utf8');
  return text.split(/^====.*\n/m).flatMap((part, i) => {
    const parts = sections(part);
    return parts.targets.map(([target, waveSize]) => {
      const writer = new ExecProgram(target, waveSize, parts);
      const program = writer.build();
      return {
        name: `case ${i + 1} ${target} wave${waveSize}`,
        program,
        expected: writer.expected,
        snippet: snippetOf(target, waveSize, parts),
        expectedOfSnippet: expectationOf(waveSize, parts),
        refusal: parts.refusal,
      };
    });
  });
}
