/**
 * How fast decode, print and assemble are, beside llvm-mc on the same instructions in the same run.
 *
 *   npx tsx tools/isa/bench.ts [instructions, 1000000 unless told] [target] [files of machine code…]
 *
 * Twice: on the code of shaders (the files, or RADV's in the reference data; real code repeats itself, and the lister
 * makes use of it) and on samples of every row and form, each about twenty times in a million: the hardest mix.
 *
 * Whole process against whole process: ours is bundled, started by node, reads the words from a file and writes the
 * listing to a file; llvm-mc reads the same words as hexadecimal text and writes to a file. Both listings must be equal.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { assemble } from '../../src/main/isa/assemble/index.ts';
import { decodeInstruction, Instruction, isGfx7 } from '../../src/main/isa/index.ts';
import { assembleEach, llvmMcPath } from './llvm-mc.ts';
import { samples } from './samples.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
/** Strides through the samples, so that neighbours are of different families. */
const STRIDE = 7919;
const ASSEMBLED = 200_000;
const REFERENCE = join(HERE, '../../../shared/data/radv');

interface Timed {
  readonly seconds: number;
  readonly output: string;
}

function timed(command: string, args: readonly string[], input: string, output: string): Timed {
  const from = openSync(input, 'r');
  const to = openSync(output, 'w');
  const started = process.hrtime.bigint();
  const child = spawnSync(command, args, { stdio: [from, to, 'ignore'] });
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  closeSync(from);
  closeSync(to);
  if (child.status !== 0) throw new Error(`${command} ended with ${child.status ?? child.signal}`);
  return { seconds, output };
}

function best(runs: readonly Timed[]): Timed {
  return runs.reduce((a, b) => (a.seconds <= b.seconds ? a : b));
}

/** The instructions of machine code files, in order; illegal words are left out. */
function fileInstructions(target: Target, files: readonly string[]): Uint32Array[] {
  const inst = new Instruction();
  return files.flatMap((path) => {
    const bytes = readFileSync(path);
    const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
    const found: Uint32Array[] = [];
    for (let index = 0; index < words.length; ) {
      const size = decodeInstruction(target, words, index, inst);
      if (size > 0) found.push(words.slice(index, index + size));
      index += Math.max(size, 1);
    }
    return found;
  });
}

/** Samples of every row and form that both sides read alike, neighbours of different families. */
function sampleInstructions(target: Target): Uint32Array[] {
  const inst = new Instruction();
  const list = samples(target).filter(({ words, encoding }) => {
    if (decodeInstruction(target, words, 0, inst) !== words.length) return false;
    const isDpp = encoding === 'dpp16' || encoding === 'dpp8';
    return !(isDpp && inst.format === 'VOPC');
  });
  return list.map((_, i) => list[(i * STRIDE) % list.length]!.words);
}

function instructionStream(instructions: readonly Uint32Array[], count: number): Uint32Array {
  const chosen = Array.from({ length: count }, (_, i) => instructions[i % instructions.length]!);
  const stream = new Uint32Array(chosen.reduce((total, words) => total + words.length, 0));
  let at = 0;
  for (const words of chosen) {
    stream.set(words, at);
    at += words.length;
  }
  return stream;
}

function hexText(stream: Uint32Array): string {
  const bytes = new Uint8Array(stream.buffer);
  const digits = Array.from({ length: 256 }, (_, byte) => `0x${byte.toString(16).padStart(2, '0')}`);
  const lines: string[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    lines.push(`${digits[bytes[i]!]} ${digits[bytes[i + 1]!]} ${digits[bytes[i + 2]!]} ${digits[bytes[i + 3]!]}`);
  }
  return `${lines.join('\n')}\n`;
}

function normalised(listing: string): string {
  return listing.replace(/^\t\.text\n/, '');
}

function report(name: string, count: number, ours: number, theirs: number): void {
  const rate = (seconds: number) => `${Math.round(count / seconds / 1000)}k/s`;
  console.log(
    `${name}: ours ${ours.toFixed(2)} s (${rate(ours)}), llvm-mc ${theirs.toFixed(2)} s (${rate(theirs)}): ` +
      `${(theirs / ours).toFixed(1)} times as fast`,
  );
}

/** RADV's shaders in the reference data beside the repository, for gfx1013's sisters. */
function referenceFiles(): string[] {
  if (!existsSync(REFERENCE)) return [];
  return readdirSync(REFERENCE)
    .filter((variant) => variant.startsWith('navi1'))
    .flatMap((variant) => readdirSync(join(REFERENCE, variant)).map((name) => join(REFERENCE, variant, name)))
    .filter((path) => /\/\w+\.bin$/.test(path));
}

interface Workplace {
  readonly target: Target;
  readonly llvmMc: string;
  readonly file: (name: string) => string;
  readonly mode: readonly string[];
}

function benchDisassembly(place: Workplace, count: number): string {
  const { target, llvmMc, file, mode } = place;
  const ours: Timed[] = [];
  const theirs: Timed[] = [];
  // Turn about, so that other load on the machine hits both.
  for (let round = 0; round < 3; round++) {
    ours.push(timed(process.execPath, [file('bench-disassemble.cjs'), target], file('words.bin'), file('ours.s')));
    theirs.push(timed(llvmMc, [...mode, '--disassemble'], file('words.txt'), file('theirs.s')));
  }
  const listing = normalised(readFileSync(file('theirs.s'), 'latin1'));
  if (listing !== readFileSync(file('ours.s'), 'latin1')) throw new Error('the listings differ');
  report(`  decode and print ${count}`, count, best(ours).seconds, best(theirs).seconds);
  return listing;
}

/** Does our assembler take the line? (One call a line: errors of one statement do not hide the next.) */
function assembles(line: string, target: Target): boolean {
  return assemble(line, { target, waveSize: 32 }).ok;
}

/** The first lines of the listing that both take back. */
function benchAssembly(place: Workplace, listing: string): void {
  const { target, llvmMc, file, mode } = place;
  const lines = listing.split('\n', ASSEMBLED);
  const distinct = [...new Set(lines)];
  const words = assembleEach(target, distinct);
  const accepted = new Set(
    distinct.filter((line, i) => line !== '' && words[i] !== undefined && assembles(line, target)),
  );
  const kept = lines.filter((line) => accepted.has(line));
  writeFileSync(file('part.s'), `${kept.join('\n')}\n`);
  const ours: Timed[] = [];
  const theirs: Timed[] = [];
  for (let round = 0; round < 3; round++) {
    ours.push(timed(process.execPath, [file('bench-assemble.cjs'), target], file('part.s'), file('ours.bin')));
    theirs.push(timed(llvmMc, [...mode, '--filetype=obj', '-o', file('theirs.o')], file('part.s'), file('log')));
  }
  report(`  assemble ${kept.length}`, kept.length, best(ours).seconds, best(theirs).seconds);
}

function bench(place: Workplace, name: string, instructions: readonly Uint32Array[], count: number): void {
  const { target, file } = place;
  console.log(`${target}, ${name}: ${instructions.length} instructions, repeated to ${count}`);
  const stream = instructionStream(instructions, count);
  writeFileSync(file('words.bin'), new Uint8Array(stream.buffer));
  writeFileSync(file('words.txt'), hexText(stream));
  const listing = benchDisassembly(place, count);
  benchAssembly(place, listing);
  const measured = execFileSync(process.execPath, [file('bench-disassemble.cjs'), target, file('words.bin')]);
  process.stdout.write(`  ${measured}`);
}

function main(): void {
  const count = Number(process.argv[2] ?? 1_000_000);
  const target = (process.argv[3] ?? 'gfx1013') as Target;
  const given = process.argv.slice(4);
  const llvmMc = llvmMcPath();
  if (!TARGETS.includes(target) || isGfx7(target)) throw new Error('targets are gfx1013 and gfx1030');
  if (llvmMc === undefined) throw new Error('llvm-mc-19 is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'lanescope-bench-'));
  const file = (name: string) => join(folder, name);
  const mode = ['--arch=amdgcn', `--mcpu=${target}`, '--mattr=+wavefrontsize32'];
  try {
    buildSync({
      entryPoints: [join(HERE, 'bench-disassemble.ts'), join(HERE, 'bench-assemble.ts')],
      outdir: folder,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minify: true,
      logLevel: 'error',
    });
    const place = { target, llvmMc, file, mode };
    const files = given.length ? given : referenceFiles();
    if (files.length) bench(place, 'code of shaders', fileInstructions(target, files), count);
    bench(place, 'samples of every form', sampleInstructions(target), count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
