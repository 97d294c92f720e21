/**
 * Runner of tests/filetests/spirv/*.gcn: machine code in, checks on the SPIR-V that it becomes, then spirv-val.
 *
 *   target gfx1013 64
 *   subgroups 4 8 16 32 64       host subgroup sizes; each is compiled and checked
 *   memory direct                or checked; default direct
 *   user 0 2 0x10000 …           user data from s0 on
 *   given s4 scc v0              registers that the launcher sets
 *   taps v1 s4 scc               registers whose final values are stored
 *   ---
 *   instructions; `.at 0x200000000` starts code at another address
 *   ---
 *   CHECK: text                  lines in this order
 *   CHECK-NOT: text              no line
 *   CHECK-COUNT n: text          n lines; `n` may be `lanes` (per invocation), `lanes+n` or `a:b` (at least, at most)
 *
 * Checks see the function `main`, with types by name, constants as `#value` (unsigned) and other ids as `%`:
 * `% = OpIAdd u32 % #5`. `module ` before the text looks at all lines instead. Expectations are written by hand; nothing
 * rewrites them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDiagnostic } from '../../src/main/base/diagnostics.ts';
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { OPERAND } from '../../src/main/isa/operands.ts';
import { compileProgram } from '../../src/main/recompiler/index.ts';
import { disassembleSpirv } from '../../src/main/recompiler/spirv/disassemble.ts';
import { assumedProfile } from '../../src/main/session/recompile-dispatch.ts';
import { SPECIAL_REGISTERS } from '../../src/main/session/register-names.ts';
import { prepare, type TestProgram } from './device.ts';
import { parseValues } from './lane-values.ts';
import { temporaryFolder } from './tools.ts';

interface Check {
  readonly kind: 'CHECK' | 'CHECK-NOT' | 'CHECK-COUNT';
  readonly count: string;
  readonly text: string;
}

export interface SpirvFile {
  readonly program: TestProgram;
  readonly subgroups: readonly number[];
  readonly memory: 'direct' | 'checked';
  /** Operand codes. */
  readonly given: readonly number[];
  readonly taps: readonly number[];
  readonly checks: readonly Check[];
}

export function readSpirvFile(path: string): SpirvFile {
  const parts = readFileSync(path, 'utf8').split(/^---\n/m);
  if (parts.length !== 3) throw new Error(`${path}: 3 parts, not ${parts.length}`);
  const [head, code, after] = parts as [string, string, string];
  const value = (name: string): string | undefined => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1];
  const [target, waveSize] = value('target')!.split(' ');
  const [main, ...others] = code.split(/^\.at /m) as [string, ...string[]];
  const checks = after
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith(';'))
    .map((line): Check => {
      const match = /^(CHECK|CHECK-NOT|CHECK-COUNT)(?: (\S+))?: (.*)$/.exec(line);
      if (!match) throw new Error(`${path}: '${line}' is no check`);
      return { kind: match[1] as Check['kind'], count: match[2] ?? '', text: match[3]!.trim() };
    });
  return {
    program: {
      target: target as Target,
      waveSize: Number(waveSize) as WaveSize,
      code: main,
      callees: others.map((text) => {
        const end = text.indexOf('\n');
        return { address: Number(text.slice(0, end)) as GuestAddress, code: text.slice(end) };
      }),
      userData: parseValues(value('user') ?? ''),
      ldsBytes: Number(value('lds') ?? 0),
    },
    subgroups: value('subgroups')!.split(' ').map(Number),
    memory: value('memory') === 'checked' ? 'checked' : 'direct',
    given: registers(value('given')),
    taps: registers(value('taps')),
    checks,
  };
}

const SPECIAL: Readonly<Record<string, number>> = SPECIAL_REGISTERS;

function registers(list: string | undefined): number[] {
  return (list ?? '')
    .split(' ')
    .filter(Boolean)
    .map((name) => SPECIAL[name] ?? Number(name.slice(1)) + (name.startsWith('v') ? OPERAND.VGPR0 : 0));
}

/** Names instead of ids for types and constants, `%` for the rest. */
function readable(lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const line of lines) {
    const made = /^(%\d+) = Op(\w+) (.*)$/.exec(line);
    if (!made) {
      const bool = /^(%\d+) = OpType(Bool|Void)$/.exec(line);
      if (bool) names.set(bool[1]!, bool[2]!.toLowerCase());
      continue;
    }
    const [, id, op, rest] = made as unknown as [string, string, string, string];
    const words = rest.split(' ');
    if (op === 'TypeInt') names.set(id, `u${words[0]}`);
    else if (op === 'TypeFloat') names.set(id, `f${words[0]}`);
    else if (op === 'Constant') names.set(id, `#${words[1]}`);
    else if (op === 'ConstantTrue' || op === 'ConstantFalse') names.set(id, op === 'ConstantTrue' ? '#true' : '#false');
  }
  return lines.map((line) => line.replace(/%\d+/g, (id) => names.get(id) ?? '%'));
}

function linesOfMain(lines: readonly string[], raw: readonly string[]): string[] {
  const entry = raw.map((line) => /^OpEntryPoint GLCompute (%\d+) /.exec(line)?.[1]).find((id) => id !== undefined);
  const start = raw.findIndex((line) => line.startsWith(`${entry} = OpFunction `));
  const end = raw.indexOf('OpFunctionEnd', start);
  return lines.slice(start, end + 1);
}

/** What is wrong, in words; empty when all checks hold and spirv-val accepts. */
export function checkSpirv(file: SpirvFile, subgroup: number): string[] {
  const { dispatch, program } = prepare(file.program);
  const { module, diagnostics } = compileProgram(program, dispatch, {
    profile: assumedProfile(subgroup),
    deterministic: true,
    tripLimit: true,
    memory: file.memory,
    verify: true,
    given: {
      scalars: new Set(file.given.filter((code) => code < OPERAND.VGPR0)),
      vgprs: new Set(file.given.filter((code) => code >= OPERAND.VGPR0).map((code) => code - OPERAND.VGPR0)),
    },
    ...(file.taps.length > 0 ? { taps: file.taps } : {}),
  });
  if (!module) return diagnostics.map(formatDiagnostic);
  const raw = disassembleSpirv(module.words);
  const all = readable(raw);
  const main = linesOfMain(all, raw);
  const wrong: string[] = [];
  let from = 0;
  for (const { kind, count, text } of file.checks) {
    const inModule = text.startsWith('module ');
    const lines = inModule ? all : main;
    const wanted = inModule ? text.slice('module '.length) : text;
    // `#5` is not the start of `#52`.
    const pattern = new RegExp(`${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`);
    const found = lines.flatMap((line, i) => (pattern.test(line) ? [i] : []));
    if (kind === 'CHECK-NOT') {
      if (found.length > 0) wrong.push(`CHECK-NOT: ${text}: ${found.length} lines, first: ${lines[found[0]!]}`);
    } else if (kind === 'CHECK-COUNT') {
      const more = /^lanes(?:\+(\d+))?$/.exec(count);
      const [least, most] = (more ? `${module.lanesPerInvocation + Number(more[1] ?? 0)}` : count).split(':');
      const fits = found.length >= Number(least) && found.length <= Number(most ?? least);
      if (!fits) wrong.push(`CHECK-COUNT ${count}: ${text}: ${found.length} lines`);
    } else {
      const next = found.find((i) => i >= from);
      if (next === undefined) wrong.push(`CHECK: ${text}: not found after line ${from}`);
      else from = next + 1;
    }
  }
  return [...wrong, ...validate(module.words)];
}

function validate(words: Uint32Array): string[] {
  const folder = temporaryFolder();
  const path = join(folder, 'module.spv');
  writeFileSync(path, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  try {
    execFileSync('spirv-val', ['--target-env', 'vulkan1.2', path], { stdio: 'pipe' });
    return [];
  } catch (error) {
    return [`spirv-val: ${(error as { stderr?: Buffer }).stderr?.toString() ?? error}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
