/**
 * Guest programs for tests, assembled by llvm-mc: segments of code and data at chosen guest addresses, with labels.
 *
 *   .at 0x100000000        starts a segment; what follows is llvm-mc's syntax
 *   main: s_mov_b32 s8, 3
 *   .long lo(main), hi(main)   halves of a label's guest address, in data
 *
 * The assembler is not ours, so a test that uses this does not check our encoder against our decoder.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../src/main/base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../src/main/base/guest-address.ts';
import { EXECUTE, GuestMemory, READ } from '../../src/main/base/guest-memory.ts';
import { temporaryFolder } from './tools.ts';

export interface GuestAssembly {
  readonly segments: readonly { readonly address: GuestAddress; readonly bytes: Uint8Array }[];
  readonly labels: ReadonlyMap<string, GuestAddress>;
}

export function assembleGuest(target: Target, waveSize: 32 | 64, source: string): GuestAssembly {
  const usesLabels = /\b(lo|hi)\(\w+\)/.test(source);
  const first = assembleOnce(target, waveSize, source, () => 0x12345678);
  if (!usesLabels) return first;
  return assembleOnce(target, waveSize, source, (half, label) => halfOf(first.labels, half, label));
}

/** `lo(label)`, `hi(label)` or a number. */
export function evaluateWord(labels: ReadonlyMap<string, GuestAddress>, text: string): number {
  const match = /^(lo|hi)\((\w+)\)$/.exec(text);
  return match ? halfOf(labels, match[1]!, match[2]!) : Number(text) >>> 0;
}

function halfOf(labels: ReadonlyMap<string, GuestAddress>, half: string, label: string): number {
  const address = labels.get(label);
  if (address === undefined) throw new Error(`no label ${label}`);
  return half === 'lo' ? addressLow32(address) : addressHigh32(address);
}

/** Mapped readable and executable; pages are 4 KiB, zeros where nothing was assembled. */
export function loadGuest(assembly: GuestAssembly, memory = new GuestMemory()): GuestMemory {
  for (const { address, bytes } of assembly.segments) {
    memory.map(address, Math.max(bytes.length, 1), READ | EXECUTE);
    memory.pokeBytes(address, bytes);
  }
  return memory;
}

function assembleOnce(
  target: Target,
  waveSize: 32 | 64,
  source: string,
  half: (which: string, label: string) => number,
): GuestAssembly {
  const addresses: GuestAddress[] = [];
  const lines = source.split('\n').map((line) => {
    const at = /^\s*\.at\s+(0x[0-9a-f]+)/i.exec(line);
    if (at) {
      addresses.push(Number(at[1]) as GuestAddress);
      return `.section .seg${addresses.length - 1},"ax",@progbits`;
    }
    return line.replace(/\b(lo|hi)\((\w+)\)/g, (_, which: string, label: string) => `${half(which, label)}`);
  });
  const folder = temporaryFolder();
  const input = join(folder, 'guest.s');
  const output = join(folder, 'guest.o');
  writeFileSync(input, `${lines.join('\n')}\n`);
  const wave =
    target === 'gfx700'
      ? []
      : [`--mattr=${waveSize === 32 ? '+wavefrontsize32,-wavefrontsize64' : '-wavefrontsize32,+wavefrontsize64'}`];
  execFileSync('llvm-mc-19', ['--arch=amdgcn', `--mcpu=${target}`, ...wave, '-filetype=obj', input, '-o', output], {
    stdio: 'pipe',
  });
  return readElf(readFileSync(output), addresses);
}

/** Sections named .segN and the symbols in them, from an ELF64 relocatable file. */
function readElf(file: Buffer, addresses: readonly GuestAddress[]): GuestAssembly {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const sectionTable = Number(view.getBigUint64(40, true));
  const count = view.getUint16(60, true);
  const names = view.getUint16(62, true);
  const section = (i: number) => {
    const at = sectionTable + 64 * i;
    return {
      name: view.getUint32(at, true),
      type: view.getUint32(at + 4, true),
      offset: Number(view.getBigUint64(at + 24, true)),
      size: Number(view.getBigUint64(at + 32, true)),
      link: view.getUint32(at + 40, true),
    };
  };
  const text = (table: number, offset: number): string => {
    const start = section(table).offset + offset;
    return file.toString('latin1', start, file.indexOf(0, start));
  };
  const segments: { address: GuestAddress; bytes: Uint8Array }[] = [];
  const segmentOf = new Map<number, GuestAddress>();
  const labels = new Map<string, GuestAddress>();
  for (let i = 0; i < count; i++) {
    const s = section(i);
    const match = /^\.seg(\d+)$/.exec(text(names, s.name));
    if (!match) continue;
    const address = addresses[Number(match[1])]!;
    segmentOf.set(i, address);
    segments.push({ address, bytes: new Uint8Array(file.subarray(s.offset, s.offset + s.size)) });
  }
  for (let i = 0; i < count; i++) {
    const s = section(i);
    if (s.type !== 2) continue;
    for (let at = s.offset; at < s.offset + s.size; at += 24) {
      const base = segmentOf.get(view.getUint16(at + 6, true));
      const name = text(s.link, view.getUint32(at, true));
      if (base !== undefined && name)
        labels.set(name, (base + Number(view.getBigUint64(at + 8, true))) as GuestAddress);
    }
  }
  return { segments, labels };
}
