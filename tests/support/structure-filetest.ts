/**
 * Runner of tests/filetests/structure/*.cfg: a function in, its structured form out.
 *
 * Two parts separated by `---`. In: lines that start with `;` say what the file shows, then a function in the IR's text;
 * a line `assemble gfx1013 64` instead of a function takes machine code, lowered and through all passes. Out, in any
 * combination:
 *
 *   count OP n        how many values of an operation there are; * in OP stands for any text
 *   dispatchers n     loops with several entries that got a dispatcher
 *   selections n · loops n      merges of either kind
 *   use OP i = text   operand i of the only value of OP, printed
 *   function …        the whole result, printed; `; merge bN` and `; continue bN` follow branches and headers
 *
 * Expectations are worked out by hand for the properties. UPDATE=1 rewrites printed functions only, never in CI.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import { APERTURES, lowerProgram } from '../../src/main/recompiler/index.ts';
import type { IrFunction } from '../../src/main/recompiler/ir/function.ts';
import { OP, OP_NAMES } from '../../src/main/recompiler/ir/ops.ts';
import { parseFunction } from '../../src/main/recompiler/ir/parse.ts';
import { printConstant, printFunction } from '../../src/main/recompiler/ir/print.ts';
import type { BlockId, ValueId } from '../../src/main/recompiler/ir/types.ts';
import { verifyFunction } from '../../src/main/recompiler/ir/verify.ts';
import { runPipeline } from '../../src/main/recompiler/pipeline.ts';
import { type StructuredFunction, structureFunction } from '../../src/main/recompiler/structure/index.ts';
import { prepare } from './device.ts';

const UPDATE = process.env.UPDATE === '1' && process.env.CI === undefined;

export interface StructureResult {
  readonly actual: string;
  readonly expected: string;
  /** Broken invariants: of the IR, and of the structured form. */
  readonly errors: readonly string[];
}

function readInput(path: string, text: string): IrFunction {
  const machine = /^assemble (gfx\d+) (32|64)\n/m.exec(text);
  if (machine) {
    const { dispatch, program } = prepare({
      target: machine[1] as Target,
      waveSize: Number(machine[2]) as WaveSize,
      code: text.slice(machine.index + machine[0].length),
      userData: new Array<number>(16).fill(0),
    });
    const lowered = lowerProgram(program, dispatch, {
      apertures: APERTURES,
      zeroRegisters: true,
      scratchBytesPerWave: 0,
    });
    runPipeline(lowered.fn, { deterministic: true, verify: true });
    return lowered.fn;
  }
  const parsed = parseFunction(text);
  if (!parsed.ok) throw new Error(`${path}: ${parsed.error.map((d) => d.message).join('\n')}`);
  const invalid = verifyFunction(parsed.value);
  if (invalid.length > 0) throw new Error(`${path}: the input is invalid: ${invalid.join('\n')}`);
  return parsed.value;
}

function valuesOf(fn: IrFunction, pattern: string): ValueId[] {
  const name = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const placed = new Set<number>();
  for (let b = 0 as BlockId; b < fn.blockCount; b++)
    for (let v = fn.firstValue[b]!; v >= 0; v = fn.next[v] as ValueId) placed.add(v);
  return [...placed].filter((v) => name.test(OP_NAMES[fn.op[v]!]!)) as ValueId[];
}

/** Merges and continue targets behind the lines that open constructs. */
function printStructured({ fn, merge, continueTarget }: StructuredFunction): string {
  let block = -1 as BlockId;
  const lines = printFunction(fn, { locations: false })
    .split('\n')
    .map((line) => {
      const head = /^b(\d+):/.exec(line);
      if (head) block = Number(head[1]) as BlockId;
      const opens = merge.get(block);
      if (head && continueTarget.has(block)) return `${line} ; continue b${continueTarget.get(block)}`;
      if (/^ {2}(branch|jump) /.test(line) && opens !== undefined) return `${line} ; merge b${opens}`;
      return line;
    });
  return lines.join('\n');
}

function property(structured: StructuredFunction, line: string): string {
  const { fn, merge, continueTarget, dispatchers } = structured;
  const [what, first, second] = line.split(/\s+/);
  const headers = [...merge.keys()];
  switch (what) {
    case 'count':
      return `count ${first} ${valuesOf(fn, first!).length}`;
    case 'dispatchers':
      return `dispatchers ${dispatchers}`;
    case 'loops':
      return `loops ${headers.filter((b) => continueTarget.has(b)).length}`;
    case 'selections':
      return `selections ${headers.filter((b) => !continueTarget.has(b)).length}`;
    case 'use': {
      const found = valuesOf(fn, first!);
      if (found.length !== 1) return `use ${first}: ${found.length} values`;
      const operand = fn.operand(found[0]!, Number(second));
      const constant = fn.op[operand] === OP.const || fn.op[operand] === OP.undef;
      return `use ${first} ${second} = ${constant ? printConstant(fn, operand) : OP_NAMES[fn.op[operand]!]}`;
    }
  }
  return `no such property: ${line}`;
}

/** What every structured function must be, whatever the file asks. */
function brokenRules({ fn, order, merge, continueTarget }: StructuredFunction): string[] {
  const errors = [...verifyFunction(fn)];
  const place = new Map(order.map((b, i) => [b, i]));
  for (const b of order) {
    if (fn.op[fn.terminator(b)] === OP.branch && !merge.has(b)) errors.push(`b${b} branches without a merge`);
    for (const s of fn.successors(b))
      if (place.get(s)! <= place.get(b)! && continueTarget.get(s) !== b)
        errors.push(`b${b} → b${s} goes back, and b${b} is not its continue block`);
  }
  return errors;
}

export function runStructureFile(path: string): StructureResult {
  const file = readFileSync(path, 'utf8');
  const [input, output] = file.split(/^---\n/m) as [string, string | undefined];
  if (output === undefined) throw new Error(`${path}: no line ---`);
  const structured = structureFunction(readInput(path, input.replace(/^;.*\n/gm, '')));
  const start = output.search(/^function /m);
  const asked = (start < 0 ? output : output.slice(0, start)).split('\n').filter((line) => line !== '');
  const properties = asked.map((line) => property(structured, line));
  const printed = start < 0 ? '' : printStructured(structured);
  const lines = (list: readonly string[]): string => list.map((line) => `${line}\n`).join('');
  let expected = output;
  if (UPDATE && start >= 0) {
    expected = output.slice(0, start) + printed;
    if (expected !== output) writeFileSync(path, `${input}---\n${expected}`);
  }
  return { actual: lines(properties) + printed, expected, errors: brokenRules(structured) };
}
