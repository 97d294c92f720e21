/**
 * Runs tests/filetests/pm4/*.pm4: dwords in; packets with fields, events, memory and registers out.
 *
 * A file holds cases, each begun by `case: title`. Lines of a case:
 *   target: gfx1013                     also several, separated by spaces: the case runs on each
 *   ring: WORDS                         the submit's buffer, at 0x100000; may be repeated, then it goes on
 *   buffer 0x500000: WORDS              other memory, readable and writable; `readonly` in place of `buffer`
 *   NAME                                the next packet of the ring, in order, every one
 *     FIELD VALUE [TEXT]                one of its fields; REGISTER VALUE and REGISTER.FIELD VALUE [TEXT] for writes
 *   damaged N: REASON                   the next packet is damaged, N dwords long, and the reason contains REASON
 *   event KIND [CODE …] [: SUMMARY]     the next event, with its diagnostics; the summary contains SUMMARY
 *   after 0x500000: WORDS               memory at the end
 *   state REGISTER VALUE                a register at the end; `unset` for never written
 * WORDS are separated by blanks; each is a number, `a<<b`, or several joined by `|`, or P3(opcode,bodyDwords).
 * `;` begins a comment. Expectations are written by hand from the sources that each file names.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/main/base/dispatch.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';
import { CommandProcessor } from '../../../src/main/pm4/command-processor.ts';
import { decodePackets } from '../../../src/main/pm4/decode.ts';
import { eventSummary } from '../../../src/main/pm4/format.ts';
import type { Packet } from '../../../src/main/pm4/packet-stream.ts';
import { decodeFields, registerByName, registerName } from '../../../src/main/pm4/registers/register-table.ts';

const RING = 0x100000 as GuestAddress;
const FOLDER = join(import.meta.dirname, '../../filetests/pm4');

interface Case {
  readonly title: string;
  readonly line: number;
  targets: Target[];
  readonly ring: number[];
  readonly buffers: { address: GuestAddress; words: number[]; writable: boolean }[];
  readonly packets: { name: string; line: number; dwords?: number; reason?: string; fields: string[] }[];
  readonly events: { kind: string; codes: string[]; summary: string | undefined; line: number }[];
  readonly after: { address: GuestAddress; words: number[] }[];
  readonly state: { register: string; value: number | undefined }[];
}

function evaluate(token: string): number {
  return token.split('|').reduce((sum, part) => (sum | evaluatePart(part)) >>> 0, 0);
}

function evaluatePart(part: string): number {
  const header = /^P3\((\w+),(\d+)\)$/.exec(part);
  if (header) return ((3 << 30) | ((Number(header[2]) - 1) << 16) | (Number(header[1]) << 8)) >>> 0;
  const [value, shift] = part.split('<<');
  const number = shift === undefined ? Number(value) : Number(value) * 2 ** Number(shift);
  if (!Number.isInteger(number)) throw new Error(`not a word: ${part}`);
  return number;
}

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean).map(evaluate);

function parse(text: string): Case[] {
  const cases: Case[] = [];
  text.split('\n').forEach((raw, i) => {
    const body = raw.replace(/;.*$/, '').trimEnd();
    if (body.trim() === '') return;
    const line = i + 1;
    const title = /^case: (.*)$/.exec(body);
    if (title) {
      cases.push({
        title: title[1]!,
        line,
        targets: ['gfx1013'],
        ring: [],
        buffers: [],
        packets: [],
        events: [],
        after: [],
        state: [],
      });
      return;
    }
    const current = cases.at(-1);
    if (!current) throw new Error(`line ${line}: before the first case`);
    const last = current.packets.at(-1);
    let m: RegExpExecArray | null;
    if (/^\s/.test(body)) last!.fields.push(body.trim());
    else if ((m = /^target: (.*)$/.exec(body))) current.targets = m[1]!.split(/\s+/) as Target[];
    else if ((m = /^ring: (.*)$/.exec(body))) current.ring.push(...words(m[1]!));
    else if ((m = /^(buffer|readonly) (\w+): (.*)$/.exec(body)))
      current.buffers.push({ address: Number(m[2]) as GuestAddress, words: words(m[3]!), writable: m[1] === 'buffer' });
    else if ((m = /^damaged (\d+): (.*)$/.exec(body)))
      current.packets.push({ name: 'DAMAGED', line, dwords: Number(m[1]), reason: m[2]!, fields: [] });
    else if ((m = /^event (\w+)((?: PM4\d+)*)(?: ?: (.*))?$/.exec(body)))
      current.events.push({ kind: m[1]!, codes: m[2]!.trim().split(' ').filter(Boolean), summary: m[3], line });
    else if ((m = /^after (\w+): (.*)$/.exec(body)))
      current.after.push({ address: Number(m[1]) as GuestAddress, words: words(m[2]!) });
    else if ((m = /^state (\w+) (\w+)$/.exec(body)))
      current.state.push({ register: m[1]!, value: m[2] === 'unset' ? undefined : Number(m[2]) });
    else if (/^[A-Z][A-Z0-9_]*$/.test(body)) current.packets.push({ name: body, line, fields: [] });
    else throw new Error(`line ${line}: cannot read '${body}'`);
  });
  return cases;
}

/** All that a packet shows, as the strings of the field lines. */
function shown(packet: Packet): string[] {
  const value = (v: number) => `0x${v.toString(16)}`;
  const text = (t: string | undefined) => (t === undefined ? '' : ` ${t}`);
  const fields = packet
    .fields()
    .map((f) =>
      typeof f.value === 'number'
        ? `${f.name} ${value(f.value)}${text(f.text)}`
        : `${f.name} ${f.value.map(value).join(' ')}`,
    );
  const registers = packet.registerWrites().flatMap((w) => {
    const name = registerName(packet.stream.target, w.index);
    const parts = w.register ? decodeFields(w.register, w.value) : [];
    return [`${name} ${value(w.value)}`, ...parts.map((f) => `${name}.${f.name} ${value(f.value)}${text(f.text)}`)];
  });
  return [...fields, ...registers];
}

function memoryOf(c: Case): GuestMemory {
  const memory = new GuestMemory();
  const put = (address: GuestAddress, list: readonly number[], permissions: number) => {
    memory.map(address, 4 * Math.max(1, list.length), permissions);
    list.forEach((w, i) => {
      memory.pokeBytes((address + 4 * i) as GuestAddress, new Uint8Array(Uint32Array.of(w).buffer));
    });
  };
  put(RING, c.ring, READ | WRITE);
  for (const b of c.buffers) put(b.address, b.words, b.writable ? READ | WRITE : READ);
  return memory;
}

function runCase(c: Case, target: Target): void {
  const stream = decodePackets(Uint32Array.from(c.ring), RING, target);
  expect(
    [...stream].map((p) => p.name),
    `packets of line ${c.line}`,
  ).toEqual(c.packets.map((p) => p.name));
  c.packets.forEach((wanted, i) => {
    const packet = stream.packet(i);
    const have = shown(packet);
    for (const field of wanted.fields) expect(have, `line ${wanted.line}`).toContain(field);
    if (wanted.reason !== undefined) {
      expect(packet.reason, `line ${wanted.line}`).toContain(wanted.reason);
      expect(packet.dwordCount, `line ${wanted.line}`).toBe(wanted.dwords);
    }
  });

  const memory = memoryOf(c);
  const processor = new CommandProcessor({ target, memory });
  const events = [...processor.execute({ sequence: 0, address: RING, dwordCount: c.ring.length })];
  expect(
    events.map((e) => [e.effect.kind, ...e.diagnostics.map((d) => d.code)].join(' ')),
    `events of line ${c.line}`,
  ).toEqual(c.events.map((e) => [e.kind, ...e.codes].join(' ')));
  c.events.forEach((wanted, i) => {
    if (wanted.summary) expect(eventSummary(events[i]!), `line ${wanted.line}`).toContain(wanted.summary);
  });
  for (const a of c.after) {
    const have = a.words.map((_, i) => memory.loadU32((a.address + 4 * i) as GuestAddress));
    expect(have, `memory at 0x${a.address.toString(16)}`).toEqual(a.words);
  }
  for (const s of c.state) {
    const register = registerByName(target, s.register);
    expect(register, s.register).toBeDefined();
    expect(processor.state.get(register!.index), s.register).toBe(s.value);
  }
}

for (const file of readdirSync(FOLDER)
  .filter((f) => f.endsWith('.pm4'))
  .sort()) {
  describe(`filetests/pm4/${file}`, () => {
    for (const c of parse(readFileSync(join(FOLDER, file), 'utf8'))) {
      it.each(c.targets)(`${c.title} (%s)`, (target) => runCase(c, target));
    }
  });
}
