/**
 * What `exec` is given, as text: registers, memory, and what to show.
 */
import { readFileSync } from 'node:fs';
import type { GuestAddress } from '../base/guest-address.ts';
import { OPERAND } from '../isa/operands.ts';
import { SPECIAL_REGISTERS } from '../session/register-names.ts';
import type { SnippetMemory } from '../session/run-snippet.ts';
import { parseAddress, parseNumber } from './arguments.ts';
import { CommandError, EXIT } from './output.ts';

const LAST_SGPR = 105;
/** Registers of two halves, and names of one. */
const SPECIAL: Readonly<Record<string, number>> = {
  ...SPECIAL_REGISTERS,
  vcc: OPERAND.VCC_LO,
  exec: OPERAND.EXEC_LO,
};

/** What is shown of a run. */
export interface Dump {
  readonly vgprs: readonly number[];
  /** By operand code. */
  readonly scalars: readonly number[];
  readonly memory: readonly { readonly address: GuestAddress; readonly length: number }[];
}

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

/** By operand code. */
export function parseScalars(list: readonly string[]): Map<number, number> {
  const registers = new Map<number, number>();
  for (const item of list) {
    const [name, text] = split(item, '--sgpr');
    const value = numberOf(text, '--sgpr');
    const range = /^s\[(\d+):(\d+)\]$/.exec(name);
    const single = /^s(\d+)$/.exec(name);
    const first = range ? Number(range[1]) : single ? Number(single[1]) : SPECIAL[name];
    const last = range ? Number(range[2]) : name === 'vcc' || name === 'exec' ? first! + 1 : first;
    if (first === undefined || last === undefined || last < first || ((range || single) && last > LAST_SGPR)) {
      throw new CommandError(EXIT.usage, `--sgpr: '${name}' is no scalar register`);
    }
    if (first === OPERAND.SCC && value !== 0n && value !== 1n)
      throw new CommandError(EXIT.usage, `--sgpr: scc is 0 or 1, not '${text}'`);
    for (let register = first; register <= last; register++)
      registers.set(register, Number(BigInt.asUintN(32, value >> BigInt(32 * (register - first)))));
  }
  return registers;
}

/** By VGPR number. */
export function parseVgprs(list: readonly string[]): Map<number, Uint32Array> {
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

export function parseMemory(item: string): SnippetMemory {
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

export function parseDump(text: string): Dump {
  const vgprs: number[] = [];
  const scalars: number[] = [];
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
      if (last > (range[1] === 'v' ? 255 : LAST_SGPR))
        throw new CommandError(EXIT.usage, `--dump: '${item}' is past the last register`);
      for (let r = Number(range[2]); r <= last; r++) (range[1] === 'v' ? vgprs : scalars).push(r);
    } else if (item === 'vcc' || item === 'exec') scalars.push(SPECIAL[item]!, SPECIAL[item]! + 1);
    else if (SPECIAL[item] !== undefined) scalars.push(SPECIAL[item]);
    else
      throw new CommandError(
        EXIT.usage,
        `--dump: '${item}' is not v0-v3, s0, exec, vcc, scc, m0 or mem:ADDRESS+LENGTH`,
      );
  }
  return { vgprs, scalars, memory };
}
