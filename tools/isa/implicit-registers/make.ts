/**
 * Writes tests/conformance/implicit-registers/<target>.tsv: for every mnemonic in every encoding, the registers that LLVM
 * says it reads and writes without naming them (SCC, VCC, EXEC, M0, FLAT_SCR; MODE is left out).
 *
 *   npx tsx tools/isa/implicit-registers/make.ts [--check]
 *
 * Needs LLVM 19's headers and library and clang++-19; with --check it only compares, and says so when they are missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TARGETS, type Target } from '../../../src/main/base/dispatch.ts';
import { isGfx7, MNEMONICS } from '../../../src/main/isa/index.ts';
import { ourText } from '../judge.ts';
import { samples } from '../samples.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, '../../../tests/conformance/implicit-registers');
const LLVM = '/usr/lib/llvm-19';
const COMPILER = '/usr/bin/clang++-19';
/** Texts per mnemonic and encoding that are tried until LLVM takes one. */
const TRIES = 4;

function compile(folder: string): string {
  const program = join(folder, 'dump');
  const result = spawnSync(
    COMPILER,
    [
      ...['-std=c++17', '-O1', '-fno-rtti', `-I${LLVM}/include`, join(HERE, 'dump.cpp'), '-o', program],
      ...['-D__STDC_CONSTANT_MACROS', '-D__STDC_LIMIT_MACROS', `-L${LLVM}/lib`, '-lLLVM', `-Wl,-rpath,${LLVM}/lib`],
    ],
    { encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(result.stderr);
  return program;
}

/** Where none of the samples is text that LLVM takes: literals of 16 bits, multisampled dimensions. */
const BY_HAND: readonly (readonly [key: string, text: string])[] = [
  ['v_fmamk_f16\te32', 'v_fmamk_f16 v5, v17, 0x1234, v18'],
  ['v_fmaak_f16\te32', 'v_fmaak_f16 v5, v17, v18, 0x1234'],
  ['image_msaa_load\tplain', 'image_msaa_load v0, v[0:2], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA'],
];

interface Try {
  readonly key: string;
  readonly text: string;
}

function textsOf(target: Target): Try[] {
  const counts = new Map<string, number>();
  const tries: Try[] = [];
  for (const { op, encoding, words } of samples(target)) {
    const key = `${MNEMONICS[op]}\t${encoding}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count < TRIES) tries.push({ key, text: ourText(target, words, isGfx7(target) ? 64 : 32).text });
  }
  for (const [key, text] of BY_HAND) if (counts.has(key)) tries.push({ key, text });
  return tries;
}

/** `uses VCC_LO EXEC` → `EXEC VCC`. */
function normalise(list: string): string {
  const names = list.split(' ').slice(1);
  const known = names.map((name) => name.replace(/_LO$/, '')).filter((name) => name !== 'MODE');
  return known.sort().join(' ');
}

function record(program: string, target: Target): string {
  const tries = textsOf(target);
  const features = isGfx7(target) ? '' : '+wavefrontsize32';
  const input = tries.map((entry) => `${entry.text}\n`).join('');
  const run = spawnSync(program, [target, features], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  const answers = run.stdout.trimEnd().split('\n');
  if (run.status !== 0 || answers.length !== tries.length) throw new Error(`${target}: ${run.stderr}`);
  const found = new Map<string, string>();
  tries.forEach(({ key }, i) => {
    const answer = answers[i]!;
    if (answer === 'refused' || found.has(key)) return;
    const [uses, defs] = answer.split('\t') as [string, string];
    found.set(key, `${key}\t${normalise(uses)}\t${normalise(defs)}`);
  });
  const heading = `# ${target}: mnemonic, encoding, implicit uses, implicit definitions in LLVM 19.`;
  return `${[heading, ...found.values()].join('\n')}\n`;
}

function main(): void {
  const check = process.argv.includes('--check');
  if (!existsSync(COMPILER) || !existsSync(`${LLVM}/include/llvm/MC/MCInstrInfo.h`)) {
    console.log('skipped: LLVM 19 headers or clang++-19 are not installed');
    process.exitCode = check ? 0 : 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'implicit-registers-'));
  try {
    const program = compile(folder);
    mkdirSync(FOLDER, { recursive: true });
    for (const target of TARGETS) {
      const path = join(FOLDER, `${target}.tsv`);
      const text = record(program, target);
      if (!check) writeFileSync(path, text);
      const isSame = readFileSync(path, 'utf8') === text;
      console.log(`${target}: ${text.split('\n').length - 2} forms${isSame ? '' : ', not as recorded'}`);
      if (!isSame) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
