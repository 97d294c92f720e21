/**
 * Runner of tests/filetests/link/*.link: guest assembly in, calls, returns and refusals out.
 *
 *   ; what the file shows
 *   target gfx1013 64
 *   user lo(A) hi(A) 0x10          user SGPRs; `none` for a shader without dispatch
 *   fetch F 2                      registered fetch shader and its user-data pair
 *   seen c1 A B                    targets met before, by call label
 *   limit maxDepth 2
 *   ---
 *   .at 0x100000000                guest assembly (guest-assembly.ts)
 *   ---
 *   expectation: see `describeLinks`
 *
 * Expectations are written by hand from the rules; UPDATE=1 rewrites them, never in CI.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Target } from '../../src/main/base/dispatch.ts';
import { formatAddress, type GuestAddress } from '../../src/main/base/guest-address.ts';
import type { LinkLimits, LinkOptions } from '../../src/main/program/link-program.ts';
import { linkProgram } from '../../src/main/program/link-program.ts';
import type { CallSite, Program, TargetEvidence } from '../../src/main/program/program.ts';
import { registerPairName } from '../../src/main/program/register-pair-name.ts';
import { assembleGuest, evaluateWord, type GuestAssembly, loadGuest } from './guest-assembly.ts';

export interface LinkFiletest {
  readonly program: Program;
  readonly assembly: GuestAssembly;
  readonly options: LinkOptions;
  readonly actual: string;
  readonly expected: string;
}

export function runLinkFiletest(path: string, { update } = { update: true }): LinkFiletest {
  const file = readFileSync(path, 'utf8');
  const parts = file.split(/^---\n/m);
  if (parts.length !== 3) throw new Error(`${path}: three parts separated by --- expected`);
  const [head, source, expected] = parts as [string, string, string];
  const directives = head
    .split('\n')
    .map((line) => line.replace(/;.*/, '').trim().split(/\s+/))
    .filter((words) => words[0] !== '');
  const find = (name: string): string[][] =>
    directives.filter((words) => words[0] === name).map((words) => words.slice(1));
  const [target, wave] = find('target')[0] ?? ['gfx1013', '64'];
  const waveSize = wave === '32' ? 32 : 64;
  const assembly = assembleGuest(target as Target, waveSize, source);
  const address = (label: string): GuestAddress => {
    const found = assembly.labels.get(label) ?? (Number(label) as GuestAddress);
    if (Number.isNaN(found)) throw new Error(`${path}: no label ${label}`);
    return found;
  };
  const user = find('user')[0] ?? [];
  const fetch = find('fetch')[0];
  const options: LinkOptions = {
    target: target as Target,
    waveSize,
    entry: address('main'),
    memory: loadGuest(assembly),
    name: 'test',
    ...(user[0] === 'none' ? {} : { userSgprs: Uint32Array.from(user, (word) => evaluateWord(assembly.labels, word)) }),
    ...(fetch ? { fetchShader: { address: address(fetch[0]!), pair: Number(fetch[1]) } } : {}),
    seenTargets: new Map(find('seen').map(([call, ...targets]) => [address(call!), targets.map(address)])),
    limits: Object.fromEntries(find('limit').map(([name, value]) => [name, Number(value)])) as Partial<LinkLimits>,
  };
  const program = linkProgram(options);
  const actual = describeLinks(program, assembly.labels);
  if (update && process.env.UPDATE === '1' && !process.env.CI && actual !== expected) {
    writeFileSync(path, `${head}---\n${source}---\n${actual}`);
  }
  return { program, assembly, options, actual, expected };
}

/**
 * One line per fact, in order of address:
 *
 *   complete | incomplete, recursive
 *   call c1 s[14:15] <- s[10:11] userData: A (userData s[0:1])      a `?` after a target: checked at run time
 *   return A+4 s[14:15] -> c1 c2                                    `checked` behind it
 *   jump …  stop at …
 *   region A userData via c1 > c2
 *   refused CALL001 at c1: …
 *   word table+8 = 0x…
 */
export function describeLinks(program: Program, labels: ReadonlyMap<string, GuestAddress>): string {
  const name = namer(labels);
  const lines = [`${program.complete ? 'complete' : 'incomplete'}${program.recursive ? ', recursive' : ''}`];
  for (const call of program.calls) lines.push(describeCall(call, name));
  for (const block of program.blocks) {
    const last = block.instructions[block.instructions.length - 1]?.address ?? block.address;
    const { terminator } = block;
    if (terminator.kind === 'return') {
      const calls = terminator.calls.map((call) => name(program.calls[call]!.address)).join(' ');
      lines.push(
        `return ${name(last)} ${registerPairName(terminator.pair)} -> ${calls}${terminator.checked ? ' checked' : ''}`,
      );
    }
    if (terminator.kind === 'stop')
      lines.push(`stop ${name(last)} ${program.diagnostics[terminator.diagnostic]!.code}`);
  }
  for (const region of program.regions) {
    const path = region.callPath.map(name).join(' > ');
    lines.push(`region ${name(program.blocks[region.entry]!.address)} ${region.origin} via ${path}`);
  }
  for (const d of program.diagnostics) {
    const where = d.where?.kind === 'address' ? name(d.where.address) : 'nowhere';
    lines.push(`${d.kind} ${d.code} at ${where}: ${d.message}`);
  }
  for (const word of program.readWords)
    lines.push(`word ${name(word.address)} = ${formatAddress(word.value as GuestAddress)}`);
  return `${lines.join('\n')}\n`;
}

function describeCall(call: CallSite, name: (address: GuestAddress) => string): string {
  const targets = call.targets.map(
    (t) => `${name(t.address)}${t.checked ? '?' : ''} (${describeEvidence(t.evidence, name)})`,
  );
  const what = call.linkPair < 0 ? 'jump' : 'call';
  const link = call.linkPair < 0 ? '' : ` ${registerPairName(call.linkPair)}`;
  const source = call.targetPair < 0 ? '' : ` <- ${registerPairName(call.targetPair)}`;
  const more = call.dynamic ? [...targets, '...'] : targets;
  return `${what} ${name(call.address)}${link}${source} ${call.kind}: ${more.join(', ') || 'none'}`;
}

function describeEvidence(evidence: TargetEvidence, name: (address: GuestAddress) => string): string {
  switch (evidence.kind) {
    case 'getpc':
      return `getpc ${name(evidence.at)}`;
    case 'userData':
      return `userData ${registerPairName(evidence.first)}`;
    case 'loaded':
      return `loaded ${name(evidence.at)} from ${name(evidence.source)}`;
    case 'relative':
    case 'constant':
    case 'registered':
    case 'seen':
      return evidence.kind;
  }
}

/** The label at an address, or the nearest one before it within 4 KiB and the distance in bytes. */
function namer(labels: ReadonlyMap<string, GuestAddress>): (address: GuestAddress) => string {
  const sorted = [...labels].sort((a, b) => a[1] - b[1]);
  return (address) => {
    let best: [string, GuestAddress] | undefined;
    for (const entry of sorted) if (entry[1] <= address) best = entry;
    if (!best || address - best[1] >= 4096) return formatAddress(address);
    return best[1] === address ? best[0] : `${best[0]}+${address - best[1]}`;
  };
}
