/**
 * Kernels that really call: resources/samples/sources/calls.cl compiled by clang for wave32 and wave64, one capture a
 * kernel. Expected values: the same source compiled and run as C on the host (calls-original.c); the addresses that
 * k_export_addrs writes follow from the code object's symbols and the image's address.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importCodeObject } from '../../src/main/capture/importers/import-code-object.ts';

const GROUPS = 2;
const ITEMS = 64;
const COUNT = GROUPS * ITEMS;
const FUNCTIONS = ['f_add', 'f_mul', 'f_sub'];
const BITCODE = '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode';

interface KernelCase {
  readonly arguments: readonly object[];
  /** What the device backends refuse of it, and why. */
  readonly refused?: { readonly code: string; readonly reason: string };
}

const KERNELS: Readonly<Record<string, KernelCase>> = {
  k_direct: { arguments: [{ buffer: 'out' }, { i32: 5 }] },
  k_recurse: { arguments: [{ buffer: 'out' }] },
  k_mutual: { arguments: [{ buffer: 'out' }] },
  k_indirect_mem: {
    arguments: [{ buffer: 'out' }, { buffer: 'table' }, { buffer: 'select' }],
    refused: { code: 'CALL010', reason: 'divergent function pointers are not linked yet' },
  },
  k_indirect_uniform: { arguments: [{ buffer: 'out' }, { buffer: 'table' }, { i32: 1 }] },
  k_export_addrs: { arguments: [{ buffer: 'out' }] },
  k_stack: { arguments: [{ buffer: 'out' }, { i32: 24 }] },
};

function compileForGpu(source: string, waveSize: 32 | 64): Uint8Array {
  const output = join(mkdtempSync(join(tmpdir(), 'lanescope-calls-')), 'calls.co');
  const wave = waveSize === 64 ? ['-mwavefrontsize64'] : [];
  execFileSync(
    'clang-19',
    [
      '-x',
      'cl',
      '-cl-std=CL2.0',
      '-target',
      'amdgcn-amd-amdhsa',
      '-mcpu=gfx1013',
      ...wave,
      `--rocm-device-lib-path=${BITCODE}`,
      '-O2',
      source,
      '-o',
      output,
    ],
    { stdio: 'pipe' },
  );
  return new Uint8Array(readFileSync(output));
}

/** kernel → its output words on the host. */
function runOriginal(source: string): Map<string, number[]> {
  const here = dirname(fileURLToPath(import.meta.url));
  const program = join(mkdtempSync(join(tmpdir(), 'lanescope-calls-')), 'original');
  execFileSync(
    'clang-19',
    ['-O1', '-ffp-contract=off', '-w', '-I', dirname(source), join(here, 'calls-original.c'), '-o', program],
    { stdio: 'pipe' },
  );
  const lines = execFileSync(program).toString().trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [name, ...words] = line.split(' ');
      return [name!, words.map((word) => Number.parseInt(word, 16))];
    }),
  );
}

function addressWords(elf: Uint8Array): { words: number[]; base: string } {
  // llvm-nm prints values of symbols; the importer places the image at the code address.
  const file = join(mkdtempSync(join(tmpdir(), 'lanescope-nm-')), 'calls.co');
  execFileSync('sh', ['-c', `cat > '${file}'`], { input: elf });
  const symbols = new Map(
    execFileSync('llvm-nm-19', [file])
      .toString()
      .trim()
      .split('\n')
      .map((line) => {
        const [value, , name] = line.split(' ');
        return [name!, Number.parseInt(value!, 16)];
      }),
  );
  const base = 0x1_0000_0000;
  return {
    words: FUNCTIONS.flatMap((name) => [
      (base + symbols.get(name)!) % 2 ** 32,
      Math.floor((base + symbols.get(name)!) / 2 ** 32),
    ]),
    base: `0x${base.toString(16)}`,
  };
}

/** file name → capture. */
export function buildCalls(sources: string): Map<string, Uint8Array> {
  const source = join(sources, 'calls.cl');
  const original = runOriginal(source);
  const captures = new Map<string, Uint8Array>();
  for (const waveSize of [32, 64] as const) {
    const elf = compileForGpu(source, waveSize);
    for (const [kernel, { arguments: args, refused }] of Object.entries(KERNELS)) {
      const memory =
        kernel === 'k_export_addrs'
          ? { buffer: 'out', holds: { words: addressWords(elf).words }, source: 'symbols of the code object' }
          : { buffer: 'out', holds: { words: original.get(kernel)! }, source: 'C original on the host' };
      const refusal = refused ? [{ refused: refused.code, backend: 'vulkan', reason: refused.reason }] : [];
      const spec = {
        title: `${kernel}, clang, wave${waveSize}`,
        kernel,
        groups: kernel === 'k_export_addrs' ? [1, 1, 1] : [GROUPS, 1, 1],
        threads: [kernel === 'k_export_addrs' ? 1 : ITEMS, 1, 1],
        arguments: args,
        buffers: {
          out: { size: 4 * COUNT, init: { fill: 0xcdcdcdcd } },
          table: { size: 8 * FUNCTIONS.length },
          select: { init: { words: Array.from({ length: COUNT }, (_, i) => i % 3) } },
        },
        symbols: [{ buffer: 'table', functionAddresses: FUNCTIONS }],
        expected: [memory, ...refusal],
      };
      const imported = importCodeObject({ elf, spec: JSON.stringify(spec) });
      if (!imported.ok) throw new Error(`${kernel}: ${JSON.stringify(imported.error)}`);
      captures.set(`calls-w${waveSize}/${kernel}.lscap`, imported.value.builder.build());
    }
  }
  return captures;
}
