/**
 * The report of `npm run test:isa`: per family and target how many rows there are, how many were exercised and how many
 * llvm-mc agrees with; then the recorded corpora, random words, round trips. Exit status 1 on any unexplained difference.
 *
 *   npx tsx tools/isa/report.ts [random words per target, 1000000 unless told] [seed]
 */
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { isGfx7 } from '../../src/main/isa/index.ts';
import { ownCorpus, sharedCorpus } from './corpora.ts';
import {
  type CorpusJudgement,
  type Difference,
  EXPLANATIONS,
  type Explanation,
  judgeCorpus,
  judgeRandom,
  judgeSamples,
  randomWords,
  roundTrip,
  tableConflicts,
  walkOpcodes,
} from './judge.ts';
import { llvmMcAvailable } from './llvm-mc.ts';
import { sweepOperands } from './operand-sweep.ts';
import { samples } from './samples.ts';

const SHOWN = 5;
const LEGALITY_LIMIT = 0.0001;

let failures = 0;

function fail(message: string): void {
  failures++;
  console.log(`FAILED ${message}`);
}

function show(differences: readonly Difference[]): void {
  const explained = new Map<Explanation, number>();
  const open = differences.filter((difference) => !difference.explanation);
  for (const { explanation } of differences) {
    if (explanation) explained.set(explanation, (explained.get(explanation) ?? 0) + 1);
  }
  for (const [explanation, count] of explained) console.log(`    ${count} explained: ${EXPLANATIONS[explanation]}`);
  for (const { words, llvm, ours } of open.slice(0, SHOWN)) {
    console.log(`    ${words}\n      llvm ${llvm}\n      ours ${ours}`);
  }
  if (open.length > SHOWN) console.log(`    … ${open.length - SHOWN} more`);
}

function reportFamilies(target: Target): void {
  const judged = judgeSamples(target);
  console.log(
    `\n${target}: rows ${isGfx7(target) ? '(llvm-mc assembles our text)' : '(llvm-mc disassembles the same words)'}`,
  );
  console.log('  family      rows exercised  agreed  samples');
  const total = { rows: 0, exercised: 0, agreed: 0, samples: 0 };
  for (const [format, count] of judged.families) {
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += count[key];
    console.log(
      `  ${format.padEnd(10)}${String(count.rows).padStart(6)}${String(count.exercised).padStart(10)}` +
        `${String(count.agreed).padStart(8)}${String(count.samples).padStart(9)}`,
    );
  }
  console.log(
    `  ${'all'.padEnd(10)}${String(total.rows).padStart(6)}${String(total.exercised).padStart(10)}` +
      `${String(total.agreed).padStart(8)}${String(total.samples).padStart(9)}`,
  );
  show(judged.differences);
  if (total.agreed !== total.rows) fail(`${target}: ${total.rows - total.agreed} rows are not proved`);
  if (judged.differences.some((difference) => !difference.explanation)) fail(`${target}: samples differ`);
}

function reportWalk(target: Target): void {
  const { walked, differences } = walkOpcodes(target);
  console.log(`${target}: ${walked} words of the opcode space, ${differences.length} differences`);
  show(differences);
  if (differences.length) fail(`${target}: the opcode space differs`);
}

function reportSweep(target: Target): void {
  const { words, differences } = sweepOperands(target, 32);
  console.log(`${target}: ${words} words of all values of operand fields, ${differences.length} differences`);
  show(differences);
  if (differences.some((difference) => !difference.explanation)) fail(`${target}: operand fields differ`);
}

function reportCorpus(name: string, judged: CorpusJudgement): void {
  console.log(`${name}: ${judged.equal} of ${judged.lines} equal`);
  show(judged.differences);
  if (judged.differences.some((difference) => !difference.explanation)) fail(name);
}

function reportRandom(target: Target, count: number, seed: number): void {
  const judged = judgeRandom(target, count, seed);
  const share = judged.legality.length / judged.items;
  console.log(
    `${target}: ${judged.words} random words (seed ${seed}): ${judged.items} items, ${judged.illegal} illegal, ` +
      `${judged.misplaced} with a note on an invalid operand, ` +
      `${judged.legality.length} differ in legality (${(share * 100).toFixed(4)} %), ${judged.text.length} in text; ` +
      `${judged.skippedWords} words skipped (llvm-mc crashed on their blocks)`,
  );
  show([...judged.legality, ...judged.text]);
  if (share >= LEGALITY_LIMIT) fail(`${target}: legality of random words`);
}

function reportRoundTrip(target: Target, count: number, seed: number): void {
  const next = randomWords(seed);
  const random = function* () {
    for (let i = 0; i < count; i++) yield Uint32Array.from({ length: 6 }, next);
  };
  const list = samples(target).map((sample) => sample.words);
  for (const [name, result] of [
    ['samples', roundTrip(target, list)],
    ['random words', roundTrip(target, random())],
  ] as const) {
    console.log(
      `${target}: decode, encode, decode of ${name}: ${result.instructions} instructions, ${result.canonical} to the same ` +
        `words, ${result.normalised} to canonical words of the same instruction, ${result.problems.length} problems`,
    );
    for (const problem of result.problems.slice(0, SHOWN)) console.log(`    ${problem}`);
    if (result.problems.length) fail(`${target}: round trip`);
  }
}

function main(): void {
  const count = Number(process.argv[2] ?? 1_000_000);
  const seed = Number(process.argv[3] ?? 1);
  for (const conflict of tableConflicts()) fail(conflict);
  if (!llvmMcAvailable()) fail('llvm-mc-19 is not installed: the live comparisons are left out');
  else {
    for (const target of TARGETS) reportFamilies(target);
    console.log('');
    for (const target of TARGETS) {
      if (isGfx7(target)) continue;
      reportWalk(target);
      reportSweep(target);
      reportRandom(target, count, seed);
    }
  }
  console.log('');
  for (const target of TARGETS) {
    reportCorpus(`${target}: own corpus`, judgeCorpus(target, ownCorpus(target), isGfx7(target) ? 64 : 32));
    reportRoundTrip(target, Math.min(count, 200_000), seed);
  }
  const reference = sharedCorpus('gfx1013');
  if (reference) reportCorpus('gfx1013: reference corpus', judgeCorpus('gfx1013', reference, 32));
  else console.log('skipped: the reference corpus is not there');
  console.log(failures ? `\n${failures} failures` : '\nall agree');
  process.exitCode = failures ? 1 : 0;
}

main();
