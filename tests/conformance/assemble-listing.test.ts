/**
 * Whole listings: what clang -S writes, assembled by us at the linked address, equals the .text that clang and lld make.
 * Covers labels, branches, calls through @rel32 symbols, alignment, directives and sections of real compilers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GuestAddress } from '../../src/main/base/guest-address.ts';
import { assemble } from '../../src/main/isa/index.ts';
import { haveTool, temporaryFolder } from '../support/tools.ts';

const SOURCE = `
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) float scale(float x, int k) { return x * (float)k + 0.5f; }
kernel void loop(global float *out, global const float *in, int n) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  float sum = 0;
  for (int j = 0; j < n; j++) {
    if (in[j] > 2.5f) sum += in[(i + j) & 63] * 0.15915494f;
    else sum -= (float)(j << 3) / 7.0f;
  }
  out[i] = scale(sum, i) + (float)fib(i & 7);
}
kernel void local_sum(global uint *out, local uint *tmp) {
  uint i = __builtin_amdgcn_workitem_id_x();
  tmp[i] = i * 2654435761u;
  __builtin_amdgcn_s_barrier();
  for (uint s = 32; s; s >>= 1) {
    if (i < s) tmp[i] += tmp[i + s];
    __builtin_amdgcn_s_barrier();
  }
  if (i == 0) out[0] = tmp[0];
}
kernel void wide(global double *d, global ulong *u, global half *h) {
  int i = __builtin_amdgcn_workitem_id_x();
  d[i] = d[i] * 3.5 + 1.0 / d[i + 1];
  u[i] = (u[i] >> 7) * 0x123456789abcdefUL;
  h[i] = h[i] + (half)1.5f;
}
kernel void table(global int *o, int which) {
  switch (which) {
    case 0: o[0] = 11; break;
    case 1: o[1] = 1234567; break;
    case 2: o[2] = o[0] * 3; break;
    case 3: o[3] = -1; break;
    case 4: o[4] = o[1] ^ 0x55555555; break;
    default: o[5] = which;
  }
}
`;

/** Address and bytes of .text in an ELF64 file. */
function textSection(file: Buffer): { address: number; bytes: Buffer } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const table = Number(view.getBigUint64(40, true));
  const field = (index: number, at: number): number => Number(view.getBigUint64(table + 64 * index + at, true));
  const names = field(view.getUint16(62, true), 24);
  for (let i = 0; i < view.getUint16(60, true); i++) {
    const name = names + view.getUint32(table + 64 * i, true);
    if (file.toString('latin1', name, file.indexOf(0, name)) !== '.text') continue;
    const offset = field(i, 24);
    return { address: field(i, 16), bytes: file.subarray(offset, offset + field(i, 32)) };
  }
  throw new Error('no .text');
}

describe.skipIf(!haveTool('clang-19'))("assembling a compiler's listing", () => {
  it.each([
    ['gfx1013', 32],
    ['gfx1013', 64],
    ['gfx1030', 32],
    ['gfx700', 64],
  ] as const)('%s wave%i', (target, waveSize) => {
    const folder = temporaryFolder();
    const source = join(folder, 'k.cl');
    writeFileSync(source, `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n${SOURCE}`);
    const wave = waveSize === 64 && target !== 'gfx700' ? ['-mwavefrontsize64'] : [];
    const common = [
      '-x',
      'cl',
      '-cl-std=CL2.0',
      '-target',
      'amdgcn-amd-amdhsa',
      `-mcpu=${target}`,
      '-nogpulib',
      '-O2',
      ...wave,
    ];
    execFileSync('clang-19', [...common, '-S', source, '-o', join(folder, 'k.s')], { stdio: 'pipe' });
    execFileSync('clang-19', [...common, source, '-o', join(folder, 'k.co')], { stdio: 'pipe' });
    const linked = textSection(readFileSync(join(folder, 'k.co')));
    const listing = readFileSync(join(folder, 'k.s'), 'utf8');
    const result = assemble(listing, { target, waveSize, address: linked.address as GuestAddress });
    expect(result.diagnostics.filter((d) => d.kind !== 'note')).toEqual([]);
    console.log(`${target} wave${waveSize}: ${result.lines.length} lines, ${linked.bytes.length} bytes`);
    const text = listing.split('\n');
    const odd = result.lines.filter((line) => {
      const at = line.address - linked.address;
      const size = line.sizeDwords * 4;
      return !Buffer.from(result.bytes.subarray(at, at + size)).equals(linked.bytes.subarray(at, at + size));
    });
    expect(odd.map((line) => text[line.line - 1]).slice(0, 10)).toEqual([]);
    expect(result.bytes.length).toBe(linked.bytes.length);
  });
});
