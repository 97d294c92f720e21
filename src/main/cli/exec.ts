/** `lanescope exec FILE.s|.bin`: run a snippet with given registers and memory; every lane's final registers. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { WaveRegisters } from '../driver/engine.ts';
import { assemble } from '../isa/assemble/index.ts';
import { registersWritten } from '../session/registers-written.ts';
import { runSnippet, type SnippetMemory } from '../session/run-snippet.ts';
import { collect, parseAddress, parseNumber, parseTarget, parseVec3, parseWave } from './arguments.ts';
import { readSource } from './asm.ts';
import { readFileOrFail } from './open.ts';
import { CommandError, diagnosticShape, EXIT, exitCodeOf, failWith, printJson, printLines, warn } from './output.ts';

interface ExecOptions {
  json?: boolean;
  target: string;
  wave: string;
  groups: string;
  threads?: string;
  sgpr: string[];
  vgpr: string[];
  memory: string[];
  dump?: string;
  lds: string;
  floatMode: string;
  limit: string;
  backend: string;
}

const CODE = 0x1_0000_0000 as GuestAddress;
const SPECIAL: Readonly<Record<string, number>> = {
  vcc: 106,
  vcc_lo: 106,
  vcc_hi: 107,
  m0: 124,
  exec: 126,
  exec_lo: 126,
  exec_hi: 127,
};

export function registerExec(program: Command): void {
  program
    .command('exec')
    .description('run a snippet and print the final registers of every lane')
    .argument('<file>', 'text (.s, - for standard input) or raw dwords (.bin)')
    .option('--target <gfx>', 'gfx1013, gfx1030 or gfx700', 'gfx1013')
    .option('--wave <size>', '32 or 64', '32')
    .option('--groups <x,y,z>', 'number of groups', '1')
    .option('--threads <x,y,z>', 'threads per group (default: one wave)')
    .option(
      '--sgpr <sN=value>',
      'initial scalar register; repeatable, also s[4:5]=64-bit value, m0, vcc, exec',
      collect,
      [],
    )
    .option('--vgpr <vN=value>', 'initial vector register: lane, a number, or @file of dwords; repeatable', collect, [])
    .option('--memory <address=content>', 'map memory: @file, zero:BYTES or words:A,B,…; repeatable', collect, [])
    .option('--dump <list>', 'v0-v3,s0,exec,vcc,scc,m0,mem:ADDRESS+LENGTH (default: registers that the code writes)')
    .option('--lds <bytes>', 'LDS of a group', '65536')
    .option('--float-mode <value>', 'MODE bits 7:0', '0xc0')
    .option('--limit <n>', 'instructions before the run is ended', '100000000')
    .addOption(new Option('--backend <name>', 'who runs it').choices(['reference']).default('reference'))
    .action((file: string, options: ExecOptions) => {
      let target = parseTarget(options.target);
      let waveSize = parseWave(options.wave);
      if (target === 'gfx700') waveSize = 64;
      let words: Uint32Array;
      if (file.endsWith('.bin')) {
        const { bytes } = readFileOrFail(file);
        if (bytes.length % 4 !== 0)
          throw new CommandError(EXIT.badInput, `raw code must be whole dwords; the file has ${bytes.length} bytes`);
        words = new Uint32Array(bytes.slice().buffer);
      } else {
        const result = assemble(readSource(file), { target, waveSize, address: CODE, file });
        if (!result.ok) failWith(result.diagnostics.filter((d) => d.kind !== 'warning'));
        warn(result.diagnostics);
        ({ words, target, waveSize } = result);
      }
      const dump = options.dump === undefined ? defaultDump(words, target, waveSize) : parseDump(options.dump);
      const result = runSnippet({
        words,
        target,
        waveSize,
        codeAddress: CODE,
        groups: parseVec3(options.groups, '--groups'),
        threads: options.threads === undefined ? [waveSize, 1, 1] : parseVec3(options.threads, '--threads'),
        sgprs: parseSgprs(options.sgpr),
        vgprs: parseVgprs(options.vgpr),
        memory: options.memory.map(parseMemory),
        ldsBytes: parseNumber(options.lds, '--lds'),
        floatMode: parseNumber(options.floatMode, '--float-mode'),
        limit: parseNumber(options.limit, '--limit'),
      });
      if (result.status === 'refused') failWith(result.diagnostics);
      const memory = dump.memory.map(({ address, length }) => {
        const bytes = result.memory.peekBytes(address, length);
        if (!bytes)
          throw new CommandError(
            EXIT.badInput,
            `--dump: ${formatAddress(address)} + ${length} is not mapped throughout`,
          );
        return {
          address: formatAddress(address),
          words: [...new Uint32Array(bytes.slice(0, length & ~3).buffer)].map(hex),
        };
      });
      const waves = result.waves.map((wave) => waveShape(wave, dump));
      const faults = result.faults.map((f) => ({
        reason: f.reason,
        instruction: formatAddress(f.instructionAddress),
        lane: f.lane,
        workgroup: f.workgroup,
        wave: f.wave,
        address: `0x${f.address.toString(16)}`,
      }));
      process.exitCode = result.status === 'completed' ? EXIT.fine : exitCodeOf(result.diagnostics) || EXIT.failed;
      if (options.json) {
        return printJson({
          status: result.status,
          target,
          waveSize,
          instructions: result.instructions,
          waves,
          memory,
          faults,
          diagnostics: result.diagnostics.map(diagnosticShape),
        });
      }
      warn(result.diagnostics);
      for (const f of faults)
        process.stderr.write(`${f.reason} at ${f.instruction}, lane ${f.lane}, guest address ${f.address}\n`);
      return printLines([
        `${result.status} after ${result.instructions} instructions`,
        ...waves.flatMap(waveLines),
        ...memory.flatMap((m) => [`mem ${m.address}: ${m.words.join(' ')}`]),
      ]);
    });
}

const hex = (value: number): string => `0x${(value >>> 0).toString(16).padStart(8, '0')}`;

function numberOf(text: string, what: string): bigint {
  const clean = text.replaceAll('_', '');
  if (/^-?\d+\.\d*(e[+-]?\d+)?$/i.test(clean))
    return BigInt(new Uint32Array(new Float32Array([Number(clean)]).buffer)[0]!);
  if (!/^(-?\d+|0x[0-9a-f]+)$/i.test(clean)) throw new CommandError(EXIT.usage, `${what}: '${text}' is not a number`);
  return BigInt(clean);
}

function split(text: string, option: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new CommandError(EXIT.usage, `${option}: '${text}' is not NAME=VALUE`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function parseSgprs(list: readonly string[]): Map<number, number> {
  const registers = new Map<number, number>();
  for (const item of list) {
    const [name, text] = split(item, '--sgpr');
    const value = numberOf(text, '--sgpr');
    const range = /^s\[(\d+):(\d+)\]$/.exec(name);
    const single = /^s(\d+)$/.exec(name);
    const first = range ? Number(range[1]) : single ? Number(single[1]) : SPECIAL[name];
    const last = range ? Number(range[2]) : name === 'vcc' || name === 'exec' ? first! + 1 : first;
    if (first === undefined || last === undefined || last < first || ((range || single) && last > 105)) {
      throw new CommandError(EXIT.usage, `--sgpr: '${name}' is no scalar register`);
    }
    for (let register = first; register <= last; register++)
      registers.set(register, Number(BigInt.asUintN(32, value >> BigInt(32 * (register - first)))));
  }
  return registers;
}

function parseVgprs(list: readonly string[]): Map<number, Uint32Array> {
  const registers = new Map<number, Uint32Array>();
  for (const item of list) {
    const [name, text] = split(item, '--vgpr');
    const match = /^v(\d+)$/.exec(name);
    if (!match || Number(match[1]) > 255) throw new CommandError(EXIT.usage, `--vgpr: '${name}' is no vector register`);
    registers.set(Number(match[1]), laneValues(text));
  }
  return registers;
}

function laneValues(text: string): Uint32Array {
  if (text === 'lane') return Uint32Array.from({ length: 1024 }, (_, i) => i);
  if (!text.startsWith('@')) return Uint32Array.of(Number(BigInt.asUintN(32, numberOf(text, '--vgpr'))));
  const bytes = fileBytes(text.slice(1), '--vgpr');
  if (bytes.length < 4) throw new CommandError(EXIT.badInput, `--vgpr: ${text.slice(1)} holds no dword`);
  return new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer);
}

function fileBytes(file: string, option: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    throw new CommandError(EXIT.badInput, `${option}: cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function parseMemory(item: string): SnippetMemory {
  const [place, content] = split(item, '--memory');
  const address = parseAddress(place, '--memory');
  if (content.startsWith('@')) return { address, bytes: fileBytes(content.slice(1), '--memory') };
  if (content.startsWith('zero:')) {
    const size = parseNumber(content.slice(5), '--memory');
    if (size < 1 || size > 1 << 30) throw new CommandError(EXIT.usage, '--memory: zero:BYTES takes 1 to 2^30 bytes');
    return { address, bytes: new Uint8Array(size) };
  }
  if (content.startsWith('words:')) {
    const words = content
      .slice(6)
      .split(',')
      .map((w) => Number(BigInt.asUintN(32, numberOf(w, '--memory'))));
    return { address, bytes: new Uint8Array(Uint32Array.from(words).buffer) };
  }
  throw new CommandError(EXIT.usage, `--memory: '${content}' is none of @file, zero:BYTES, words:A,B,…`);
}

interface Dump {
  readonly vgprs: readonly number[];
  /** Name and operand code. */
  readonly scalars: readonly (readonly [string, number])[];
  readonly memory: readonly { readonly address: GuestAddress; readonly length: number }[];
}

const SCC = 253;

function defaultDump(
  words: Uint32Array,
  target: ReturnType<typeof parseTarget>,
  waveSize: ReturnType<typeof parseWave>,
): Dump {
  const { vgprs, scalars } = registersWritten(words, target, waveSize);
  return { vgprs, scalars: scalars.map((code) => [scalarName(code), code] as const), memory: [] };
}

function scalarName(code: number): string {
  if (code === SCC) return 'scc';
  return (
    Object.entries(SPECIAL).find(([name, c]) => c === code && name.length > 4)?.[0] ??
    (code === 124 ? 'm0' : `s${code}`)
  );
}

function parseDump(text: string): Dump {
  const vgprs: number[] = [];
  const scalars: [string, number][] = [];
  const memory: { address: GuestAddress; length: number }[] = [];
  for (const item of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const range = /^([vs])(\d+)(?:-[vs]?(\d+))?$/.exec(item);
    const place = /^mem:([^+]+)\+(.+)$/.exec(item);
    if (place) memory.push({ address: parseAddress(place[1]!, '--dump'), length: parseNumber(place[2]!, '--dump') });
    else if (range) {
      const last = Number(range[3] ?? range[2]);
      if (last > (range[1] === 'v' ? 255 : 105))
        throw new CommandError(EXIT.usage, `--dump: '${item}' is past the last register`);
      for (let r = Number(range[2]); r <= last; r++) {
        if (range[1] === 'v') vgprs.push(r);
        else scalars.push([`s${r}`, r]);
      }
    } else if (item === 'scc') scalars.push(['scc', SCC]);
    else if (item === 'vcc' || item === 'exec')
      scalars.push([`${item}_lo`, SPECIAL[item]!], [`${item}_hi`, SPECIAL[item]! + 1]);
    else if (SPECIAL[item] !== undefined) scalars.push([item, SPECIAL[item]]);
    else
      throw new CommandError(
        EXIT.usage,
        `--dump: '${item}' is not v0-v3, s0, exec, vcc, scc, m0 or mem:ADDRESS+LENGTH`,
      );
  }
  return { vgprs, scalars, memory };
}

function waveShape(wave: WaveRegisters, dump: Dump) {
  const lanes = (r: number): string[] => [...wave.vgprs.subarray(r * wave.waveSize, (r + 1) * wave.waveSize)].map(hex);
  return {
    workgroup: wave.workgroup,
    wave: wave.wave,
    exec: `0x${((BigInt(wave.execHigh) << 32n) | BigInt(wave.execLow)).toString(16)}`,
    scalars: Object.fromEntries(
      dump.scalars.map(([name, code]) => [name, code === SCC ? wave.scc : hex(wave.sgprs[code]!)]),
    ),
    vgprs: Object.fromEntries(dump.vgprs.map((r) => [`v${r}`, lanes(r)])),
  };
}

function waveLines(wave: ReturnType<typeof waveShape>): string[] {
  const lines = [`group ${wave.workgroup.join(',')} wave ${wave.wave}  exec ${wave.exec}`];
  const scalars = Object.entries(wave.scalars);
  if (scalars.length > 0) lines.push(`  ${scalars.map(([name, value]) => `${name}=${value}`).join(' ')}`);
  for (const [name, values] of Object.entries(wave.vgprs)) {
    for (let i = 0; i < values.length; i += 8)
      lines.push(
        `  ${i === 0 ? name.padEnd(5) : '     '}${String(i).padStart(2)}: ${values.slice(i, i + 8).join(' ')}`,
      );
  }
  return lines;
}
