/**
 * Code objects for importer tests, assembled and linked by LLVM: one kernel that asks for every user SGPR, a function,
 * and a table in data that the loader must relocate.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../../src/main/base/dispatch.ts';
import { temporaryFolder } from '../../support/tools.ts';

export interface KernelOptions {
  readonly target: string;
  readonly wave: 32 | 64;
  readonly version: 4 | 5;
  readonly scratch?: boolean;
  readonly arguments?: string;
  readonly kernargBytes?: number;
  readonly metadata?: string;
}

export function assembleObject(source: string, triple: string, processor: string, attributes: string): Uint8Array {
  const folder = temporaryFolder();
  const [text, object] = [join(folder, 'k.s'), join(folder, 'k.o')];
  writeFileSync(text, source);
  const flags = [
    `-triple=${triple}`,
    `-mcpu=${processor}`,
    '-filetype=obj',
    ...(attributes ? [`-mattr=${attributes}`] : []),
  ];
  execFileSync('llvm-mc-19', [...flags, text, '-o', object], { stdio: 'pipe' });
  return new Uint8Array(readFileSync(object));
}

export function buildKernel(options: KernelOptions): Uint8Array {
  const { target, wave, version, scratch = true } = options;
  const gfx10 = target.startsWith('gfx10');
  const source = `
.amdgcn_target "amdgcn-amd-amdhsa--${target}"
.amdhsa_code_object_version ${version}
.text
.globl k
.p2align 8
.type k,@function
k:
  s_endpgm
.Lk: .size k, .Lk-k
.type f,@function
f:
  s_setpc_b64 s[30:31]
.Lf: .size f, .Lf-f
.data
.globl table
.p2align 3
table:
  .quad 0x1122334455667788
  .quad .Ltarget
.Ltarget:
  .quad 0
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 1000
  .amdhsa_private_segment_fixed_size 20
  .amdhsa_kernarg_size ${options.kernargBytes ?? 64}
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_dispatch_id 1
  .amdhsa_user_sgpr_flat_scratch_init 1
  .amdhsa_user_sgpr_private_segment_size 1
  .amdhsa_system_sgpr_private_segment_wavefront_offset ${scratch ? 1 : 0}
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
  ${gfx10 ? `.amdhsa_wavefront_size32 ${wave === 32 ? 1 : 0}` : ''}
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, ${version - 3}]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: ${options.kernargBytes ?? 64}
    .group_segment_fixed_size: 1000
    .private_segment_fixed_size: 20
    .kernarg_segment_align: 8
    .wavefront_size: ${wave}
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    ${options.metadata ?? ''}
    .args:
${(options.arguments ?? '{.size: 8, .offset: 0, .value_kind: global_buffer}')
  .split('\n')
  .map((a) => `      - ${a}`)
  .join('\n')}
...
.end_amdgpu_metadata
`;
  const attributes = gfx10
    ? wave === 32
      ? '+wavefrontsize32,-wavefrontsize64'
      : '+wavefrontsize64,-wavefrontsize32'
    : '';
  const object = assembleObject(source, 'amdgcn-amd-amdhsa', target, attributes);
  const folder = temporaryFolder();
  const [input, output] = [join(folder, 'k.o'), join(folder, 'k.co')];
  writeFileSync(input, object);
  execFileSync('ld.lld-19', ['-shared', input, '-o', output], { stdio: 'pipe' });
  return new Uint8Array(readFileSync(output));
}

export const TARGET_WAVES: readonly (readonly [Target, 32 | 64])[] = [
  ['gfx700', 64],
  ['gfx1013', 32],
  ['gfx1013', 64],
  ['gfx1030', 32],
];
