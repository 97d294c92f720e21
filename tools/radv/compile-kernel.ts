/**
 * Compiles SPIR-V to real AMD machine code with RADV's null device (Mesa, Debian package mesa-vulkan-drivers).
 *
 * Why: guest code that nobody here wrote, made by an independent compiler. RADV with RADV_FORCE_FAMILY compiles but
 * cannot execute. The code is found in the pipeline cache's blob; user SGPR positions and RSRC words come with it.
 *
 * `compileWithRadv` runs this file as a child (the family is chosen by environment, once per process):
 *   npx tsx tools/radv/compile-kernel.ts REQUEST.json REPLY.json
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';
import { VulkanLibrary } from '../../src/main/gpu/vulkan/library.ts';
import { VK } from '../../src/main/gpu/vulkan/vulkan.gen.ts';

const RADV_ICD = '/usr/share/vulkan/icd.d/radeon_icd.x86_64.json';

export interface RadvRequest {
  readonly spirv: readonly number[];
  /** Storage buffers per descriptor set. */
  readonly sets: readonly number[];
  readonly pushBytes: number;
  readonly wave: 32 | 64;
}

export interface RadvKernel {
  readonly code: readonly number[];
  readonly wave: 32 | 64;
  readonly rsrc1: number;
  readonly rsrc2: number;
  readonly rsrc3: number;
  readonly scratchBytesPerWave: number;
  readonly inlinePushConstantMask: number;
  /** name → first SGPR and count, names as in the samples' meta files. */
  readonly userSgprs: Readonly<Record<string, { readonly sgpr: number; readonly n: number }>>;
}

/** `family` as RADV_FORCE_FAMILY knows it: navi10, navi21 … Throws with the child's words when compiling fails. */
export function compileWithRadv(family: string, request: RadvRequest): RadvKernel {
  const folder = mkdtempSync(join(tmpdir(), 'lanescope-radv-'));
  const input = join(folder, 'request.json');
  const output = join(folder, 'reply.json');
  writeFileSync(input, JSON.stringify(request));
  const tsx = fileURLToPath(import.meta.resolve('tsx/cli'));
  const result = spawnSync(process.execPath, [tsx, fileURLToPath(import.meta.url), input, output], {
    encoding: 'utf8',
    env: { ...process.env, VK_ICD_FILENAMES: RADV_ICD, VK_DRIVER_FILES: RADV_ICD, RADV_FORCE_FAMILY: family },
  });
  if (result.status !== 0) throw new Error(`RADV for ${family}: ${result.stderr || `signal ${result.signal}`}`);
  return JSON.parse(readFileSync(output, 'utf8')) as RadvKernel;
}

/** Names of RADV's user-data slots, by index; Mesa 22.3. */
const USER_DATA_NAMES: Record<number, string> = {
  0: 'SCRATCH_RING_OFFSETS',
  1: 'PUSH_CONSTANTS',
  2: 'INLINE_PUSH_CONSTANTS',
  3: 'INDIRECT_DESCRIPTOR_SETS',
  11: 'NUM_WORKGROUPS',
};
const COMPUTE_STAGE = 5;

function compile(request: RadvRequest): RadvKernel {
  const vk = new VulkanLibrary();
  const { arena } = vk;
  vk.createInstance();
  const physical = vk.physicalDevices()[0]!;
  const features = vk.features(physical, [
    'VkPhysicalDeviceVulkan11Features',
    'VkPhysicalDeviceVulkan12Features',
    'VkPhysicalDeviceVulkan13Features',
    'VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR',
  ]);
  vk.createDevice(physical, 0, features.head, ['VK_KHR_pipeline_executable_properties']);
  const { device } = vk;
  const code = new Uint8Array(Uint32Array.from(request.spirv).buffer);
  const module = vk.create(
    'vkCreateShaderModule',
    device,
    arena.make('VkShaderModuleCreateInfo', { codeSize: code.length, pCode: arena.copy(code) }),
    null,
  );
  const setLayouts = request.sets.map((count) => {
    const bindings = Array.from({ length: count }, (_, binding) => ({
      binding,
      descriptorType: VK.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      descriptorCount: 1,
      stageFlags: VK.VK_SHADER_STAGE_COMPUTE_BIT,
    }));
    const info = arena.make('VkDescriptorSetLayoutCreateInfo', {
      bindingCount: count,
      pBindings: arena.array('VkDescriptorSetLayoutBinding', bindings),
    });
    return vk.create('vkCreateDescriptorSetLayout', device, info, null);
  });
  const layout = vk.create(
    'vkCreatePipelineLayout',
    device,
    arena.make('VkPipelineLayoutCreateInfo', {
      setLayoutCount: setLayouts.length,
      pSetLayouts: arena.u64s(setLayouts),
      pushConstantRangeCount: request.pushBytes > 0 ? 1 : 0,
      pPushConstantRanges: arena.make('VkPushConstantRange', {
        stageFlags: VK.VK_SHADER_STAGE_COMPUTE_BIT,
        size: request.pushBytes,
      }),
    }),
    null,
  );
  const cache = vk.create('vkCreatePipelineCache', device, arena.make('VkPipelineCacheCreateInfo'), null);
  const pipeline = (flags: number, into: bigint): bigint =>
    vk.create(
      'vkCreateComputePipelines',
      device,
      into,
      1,
      arena.make('VkComputePipelineCreateInfo', {
        flags,
        stage: {
          pNext: arena.make('VkPipelineShaderStageRequiredSubgroupSizeCreateInfo', {
            requiredSubgroupSize: request.wave,
          }),
          stage: VK.VK_SHADER_STAGE_COMPUTE_BIT,
          module,
          pName: arena.string('main'),
        },
        layout,
      }),
      null,
    );
  // Statistics need the capture flag; the cached binary is only complete without it.
  const measured = pipeline(VK.VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, 0n);
  pipeline(0, cache);
  const info = arena.make('VkPipelineExecutableInfoKHR', { pipeline: measured, executableIndex: 0 });
  const statistics = new Map<string, number>(
    vk
      .enumerate('vkGetPipelineExecutableStatisticsKHR', 'VkPipelineExecutableStatisticKHR', device, info)
      .map((s) => [s.name, Number(s.value.u64)]),
  );
  const size = arena.allocate(8);
  vk.call('vkGetPipelineCacheData', device, cache, size, null);
  const blob = Buffer.alloc(Number(arena.readU64(size)));
  vk.call('vkGetPipelineCacheData', device, cache, size, BigInt(koffi.address(blob)));
  return { ...findConfig(blob), code: findCode(blob, statistics.get('Code size')!), wave: request.wave };
}

/**
 * The cached binary's tail is {code_size, exec_size, ir_size, disassembly_size, statistics_size}, statistics, code;
 * without capture flags the two text sizes are 0.
 */
function findCode(blob: Buffer, executableBytes: number): number[] {
  for (let at = 64; at + 20 <= blob.length; at += 4) {
    const codeBytes = blob.readUInt32LE(at);
    if (
      blob.readUInt32LE(at + 4) !== executableBytes ||
      codeBytes < executableBytes ||
      codeBytes > executableBytes + 512
    )
      continue;
    if (blob.readUInt32LE(at + 8) !== 0 || blob.readUInt32LE(at + 12) !== 0) continue;
    const start = at + 20 + blob.readUInt32LE(at + 16);
    if (start + codeBytes <= blob.length)
      return Array.from({ length: executableBytes / 4 }, (_, i) => blob.readUInt32LE(start + 4 * i));
  }
  throw new Error('the pipeline cache holds no shader code in the known form');
}

/** {stage, 0}, 13 words of configuration, then the inline push constant mask and the user-data locations. */
function findConfig(blob: Buffer): Omit<RadvKernel, 'code' | 'wave'> {
  for (let at = 64; at + 400 <= blob.length; at += 4) {
    if (blob.readUInt32LE(at) !== COMPUTE_STAGE || blob.readUInt32LE(at + 4) !== 0) continue;
    const word = (i: number): number => blob.readUInt32LE(at + 8 + 4 * i);
    // Registers: SGPRs at most 128, VGPRs 1…512.
    if (word(0) > 128 || word(1) === 0 || word(1) > 512) continue;
    const shader = at + 8 + 52;
    const locations = shader + 24;
    const userSgprs: Record<string, { sgpr: number; n: number }> = {};
    const note = (name: string, offset: number): void => {
      const sgpr = blob.readInt8(offset);
      const n = blob.readUInt8(offset + 1);
      if (n > 0 && n <= 16 && sgpr >= 0) userSgprs[name] = { sgpr, n };
    };
    for (let set = 0; set < 32; set++) note(`descriptor_set${set}_ptr32`, locations + 2 * set);
    for (let slot = 0; slot < 16; slot++) note(USER_DATA_NAMES[slot] ?? `UD_${slot}`, locations + 64 + 2 * slot);
    return {
      rsrc1: word(10),
      rsrc2: word(11),
      rsrc3: word(12),
      scratchBytesPerWave: word(9),
      inlinePushConstantMask: Number(blob.readBigUInt64LE(shader)),
      userSgprs,
    };
  }
  throw new Error('the pipeline cache holds no compute configuration in the known form');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [input, output] = process.argv.slice(2);
  writeFileSync(output!, JSON.stringify(compile(JSON.parse(readFileSync(input!, 'utf8')) as RadvRequest)));
}
