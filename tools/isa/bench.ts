/**
 * How fast decode, print and assemble are, beside llvm-mc on the same instructions in the same run.
 *
 *   npx tsx tools/isa/bench.ts [instructions, 1000000 unless told] [target] [files of machine code…]
 *
 * Three streams: code of shaders (the files, or RADV's in the reference data: real code repeats itself, and the lister
 * makes use of it), samples of every row and form, each about twenty times in a million, and the same forms with operands
 * that never repeat: the hardest mix.
 *
 * Whole process against whole process: ours is bundled, started by node, reads the words from a file and writes the
 * listing to a file; llvm-mc reads the same words as hexadecimal text and writes to a file. Both listings must be equal.
 * The processes take turns, so that other load on the machine hits both; a figure is the median of the pairs, with the
 * smallest and the largest. Start-up is measured alike, on empty input.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { assemble } from '../../src/main/isa/assemble/index.ts';
import { isGfx7 } from '../../src/main/isa/index.ts';
import {
  distinctInstructions,
  fileInstructions,
  instructionStream,
  referenceFiles,
  sampleInstructions,
} from './bench-streams.ts';
import { assembleEach, llvmMcPath } from './llvm-mc.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ASSEMBLED = 200_000;
const PAIRS = 7;

/** One process: what it is, its input and where its output goes. */
interface Job {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly output: string;
}

function secondsOf(job: Job): number {
  const from = openSync(job.input, 'r');
  const to = openSync(job.output, 'w');
  const started = process.hrtime.bigint();
  const child = spawnSync(job.command, job.args, { stdio: [from, to, 'ignore'] });
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  closeSync(from);
  closeSync(to);
  if (child.status !== 0) throw new Error(`${job.command} ended with ${child.status ?? child.signal}`);
  return seconds;
}

interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, least: sorted[0]!, most: sorted.at(-1)! };
}

function range({ median, least, most }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

interface Compared {
  readonly ours: Spread;
  readonly theirs: Spread;
  /** Theirs by ours, pair by pair. */
  readonly ratio: Spread;
}

function inTurns(ours: Job, theirs: Job): Compared {
  const pairs = Array.from({ length: PAIRS }, () => ({ ours: secondsOf(ours), theirs: secondsOf(theirs) }));
  return {
    ours: spread(pairs.map((pair) => pair.ours)),
    theirs: spread(pairs.map((pair) => pair.theirs)),
    ratio: spread(pairs.map((pair) => pair.theirs / pair.ours)),
  };
}

function report(what: string, count: number, whole: Compared, start: Compared): void {
  const rate = ({ median }: Spread) => `${Math.round(count / median / 1000)}k/s`;
  const running = (side: 'ours' | 'theirs') => whole[side].median - start[side].median;
  console.log(
    `  ${what} ${count}: ${range(whole.ratio, 1)} times as fast as llvm-mc\n` +
      `    whole process, seconds: ours ${range(whole.ours, 2)}, llvm-mc ${range(whole.theirs, 2)}; ` +
      `${rate(whole.ours)} and ${rate(whole.theirs)}\n` +
      `    start-up: ours ${start.ours.median.toFixed(2)}, llvm-mc ${start.theirs.median.toFixed(2)}; ` +
      `without it ${(running('theirs') / running('ours')).toFixed(1)} times as fast`,
  );
}

/** The words as llvm-mc reads them. */
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

interface Workplace {
  readonly target: Target;
  readonly llvmMc: string;
  readonly file: (name: string) => string;
  readonly mode: readonly string[];
}

function benchDisassembly(place: Workplace, count: number): string {
  const { target, llvmMc, file, mode } = place;
  const ours = (input: string): Job => ({
    command: process.execPath,
    args: [file('bench-disassemble.cjs'), target],
    input: file(input),
    output: file('ours.s'),
  });
  const theirs = (input: string): Job => ({
    command: llvmMc,
    args: [...mode, '--disassemble'],
    input: file(input),
    output: file('theirs.s'),
  });
  const start = inTurns(ours('empty'), theirs('empty'));
  const whole = inTurns(ours('words.bin'), theirs('words.txt'));
  const listing = normalised(readFileSync(file('theirs.s'), 'latin1'));
  if (listing !== readFileSync(file('ours.s'), 'latin1')) throw new Error('the listings differ');
  report('decode and print', count, whole, start);
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
  const ours = (input: string): Job => ({
    command: process.execPath,
    args: [file('bench-assemble.cjs'), target],
    input: file(input),
    output: file('ours.bin'),
  });
  const theirs = (input: string): Job => ({
    command: llvmMc,
    args: [...mode, '--filetype=obj', '-o', file('theirs.o')],
    input: file(input),
    output: file('log'),
  });
  const start = inTurns(ours('empty'), theirs('empty'));
  report('assemble', kept.length, inTurns(ours('part.s'), theirs('part.s')), start);
}

function bench(place: Workplace, name: string, instructions: readonly Uint32Array[], count: number): void {
  const { target, file } = place;
  const different = new Set(instructions.map((words) => words.join())).size;
  console.log(`${target}, ${name}: ${count} instructions, ${Math.min(different, count)} different`);
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
    writeFileSync(file('empty'), '');
    const place = { target, llvmMc, file, mode };
    const files = given.length ? given : referenceFiles();
    console.log(`median of ${PAIRS} pairs in turn (least to most)`);
    if (files.length) bench(place, 'code of shaders', fileInstructions(target, files), count);
    bench(place, 'samples of every form', sampleInstructions(target), count);
    bench(place, 'every form, operands that never repeat', distinctInstructions(target, count), count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
