/**
 * Writes tests/conformance/decode-corpus/<target>.tsv.gz: words and llvm-mc's text for a few samples of every row and
 * form, so that decode and print are tested where llvm-mc is not installed. gfx700's lines are those that llvm-mc
 * assembles to exactly these words.
 *
 *   npx tsx tools/isa/make-decode-corpus.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { isGfx7 } from '../../src/main/isa/index.ts';
import { ourText, wordsText } from './judge.ts';
import { assembleEach, disassembleEach } from './llvm-mc.ts';
import { type Sample, samples } from './samples.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../tests/conformance/decode-corpus');
const PER_FORM = 4;

/** A few samples per row and encoding, spread over its varieties. */
function thinned(list: readonly Sample[]): Sample[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of list) {
    const key = `${sample.op} ${sample.encoding}`;
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  return [...groups.values()].flatMap((group) => {
    if (group.length <= PER_FORM) return group;
    return Array.from({ length: PER_FORM }, (_, i) => group[Math.floor((i * group.length) / PER_FORM)]!);
  });
}

function corpusLines(target: Target): string[] {
  const list = thinned(samples(target));
  if (!isGfx7(target)) {
    const texts = disassembleEach(
      target,
      list.map((sample) => sample.words),
    );
    return list
      .map((sample, i) => `${wordsText(sample.words)}\t${texts[i]}`)
      .filter((line) => !/\t(illegal|crash)$|Invalid/.test(line));
  }
  const texts = list.map((sample) => ourText(target, sample.words, 64).text);
  const assembled = assembleEach(target, texts);
  return list.flatMap((sample, i) => {
    const words = assembled[i];
    return words && wordsText(words) === wordsText(sample.words) ? [`${wordsText(words)}\t${texts[i]}`] : [];
  });
}

mkdirSync(FOLDER, { recursive: true });
for (const target of TARGETS) {
  const lines = corpusLines(target);
  const packed = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
  writeFileSync(join(FOLDER, `${target}.tsv.gz`), packed);
  console.log(`${target}: ${lines.length} lines, ${packed.length} bytes`);
}
