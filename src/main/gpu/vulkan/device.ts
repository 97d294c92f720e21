/**
 * One opened Vulkan device inside the host process: what it can do (profile), and batches run on it.
 *
 * One batch at a time. A batch allocates its buffers, uploads, patches device addresses, records all dispatches with
 * full barriers between them into one command buffer, waits on a koffi thread, downloads, and frees its buffers.
 */
import type { GpuBatch, GpuBatchResult, GpuBufferSpec, GpuDeviceInfo, GpuProfile } from '../gpu-backend.ts';
import type { StructName, StructValue } from './arena.ts';
import { measureArithmetic } from './arithmetic-probe.ts';
import { BufferPool, clearBuffer, type DeviceBuffer, readBuffer, writeBuffer } from './buffers.ts';
import type { VulkanLibrary } from './library.ts';
import { PipelineCache } from './pipelines.ts';
import { profileOf } from './profile.ts';
import { VK } from './vulkan.gen.ts';

/** Layers asked for by LANESCOPE_VULKAN_LAYERS (comma separated), e.g. the validation layer in tests. */
export function requestedLayers(): string[] {
  return (process.env.LANESCOPE_VULKAN_LAYERS ?? '').split(',').filter((name) => name.length > 0);
}

export class VulkanDevice {
  readonly profile: GpuProfile;
  private readonly vk: VulkanLibrary;
  private readonly buffers: BufferPool;
  private readonly pipelines: PipelineCache;
  private readonly queue: bigint;
  private readonly commandPool: bigint;
  private readonly commandBuffer: bigint;
  private readonly fence: bigint;
  private readonly timestamps: boolean;
  private queryPool = 0n;
  private queryCount = 0;

  private constructor(vk: VulkanLibrary, physical: bigint, family: number, profile: GpuProfile) {
    this.vk = vk;
    this.profile = profile;
    const { arena } = vk;
    this.buffers = new BufferPool(vk, physical, profile.device.kind === 'discrete');
    this.pipelines = new PipelineCache(vk);
    const out = arena.allocate(8);
    vk.function('vkGetDeviceQueue')(vk.device, family, 0, out);
    this.queue = arena.readU64(out);
    this.commandPool = vk.create(
      'vkCreateCommandPool',
      vk.device,
      arena.make('VkCommandPoolCreateInfo', { queueFamilyIndex: family }),
      null,
    );
    this.commandBuffer = vk.create(
      'vkAllocateCommandBuffers',
      vk.device,
      arena.make('VkCommandBufferAllocateInfo', { commandPool: this.commandPool, level: 0, commandBufferCount: 1 }),
    );
    this.fence = vk.create('vkCreateFence', vk.device, arena.make('VkFenceCreateInfo'), null);
    this.timestamps = profile.timestampPeriodNs > 0;
  }

  static async open(vk: VulkanLibrary, info: GpuDeviceInfo): Promise<VulkanDevice> {
    const physical = vk.physicalDevices()[info.index]!;
    const { arena } = vk;
    const extensions = new Set(
      vk
        .enumerate('vkEnumerateDeviceExtensionProperties', 'VkExtensionProperties', physical, null)
        .map((e) => e.extensionName as string),
    );
    const has13 = Number(info.apiVersion.split('.')[1]) >= 3;
    const chain: StructName[] = ['VkPhysicalDeviceVulkan11Features', 'VkPhysicalDeviceVulkan12Features'];
    if (has13) chain.push('VkPhysicalDeviceVulkan13Features');
    const enabled: string[] = [];
    const optional = (name: string, feature: StructName): void => {
      if (!extensions.has(name)) return;
      enabled.push(name);
      chain.push(feature);
    };
    optional(
      'VK_KHR_shader_subgroup_uniform_control_flow',
      'VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR',
    );
    optional('VK_EXT_shader_atomic_float', 'VkPhysicalDeviceShaderAtomicFloatFeaturesEXT');
    optional('VK_KHR_pipeline_executable_properties', 'VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR');
    const features = vk.features(physical, chain);
    const families = queueFamilies(vk, physical);
    const family = families.findIndex((f) => f.queueFlags & VK.VK_QUEUE_COMPUTE_BIT);
    if (family < 0) throw new Error('the device has no compute queue');
    vk.createDevice(physical, family, features.head, enabled);
    const properties = vk.properties(physical, [
      'VkPhysicalDeviceVulkan11Properties',
      'VkPhysicalDeviceVulkan12Properties',
      ...(has13 ? (['VkPhysicalDeviceVulkan13Properties'] as const) : []),
    ]);
    const profile = profileOf(info, properties, features.values, families[family]!.timestampValidBits as number);
    const draft = new VulkanDevice(vk, physical, family, profile);
    const arithmetic = await measureArithmetic((spirv, input, words) => draft.probe(spirv, input, words), profile);
    arena.mark();
    return Object.assign(draft, { profile: { ...profile, arithmetic } });
  }

  private async probe(spirv: Uint32Array, input: Uint32Array, outputWords: number): Promise<Uint32Array> {
    const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    const result = await this.run({
      buffers: [
        { id: 'in', sizeBytes: bytes.length, uploads: [{ offset: 0, bytes }] },
        { id: 'out', sizeBytes: 4 * outputWords },
      ],
      dispatches: [
        { spirv, moduleKey: `probe-${spirv.length}`, entryPoint: 'main', groups: [1, 1, 1], bindings: ['in', 'out'] },
      ],
      downloads: [{ buffer: 'out', offset: 0, sizeBytes: 4 * outputWords }],
      timeoutMs: 60_000,
    });
    return new Uint32Array(result.downloads[0]!.slice().buffer);
  }

  async run(batch: GpuBatch): Promise<GpuBatchResult> {
    const mark = this.vk.arena.mark();
    const taken = new Map<string, DeviceBuffer>();
    try {
      for (const spec of batch.buffers) taken.set(spec.id, this.buffers.take(spec.sizeBytes));
      for (const spec of batch.buffers) this.fill(spec, taken);
      const pipelineMs: number[] = [];
      this.beginCommands(batch, taken);
      await this.recordDispatches(batch, taken, pipelineMs);
      this.recordDownloads(batch, taken);
      await this.submit();
      const dispatchNs = this.readTimestamps(batch.dispatches.length);
      const downloads = batch.downloads.map((d) => readBuffer(find(taken, d.buffer), d.offset, d.sizeBytes));
      return { downloads, dispatchNs, pipelineMs };
    } finally {
      for (const buffer of taken.values()) this.buffers.give(buffer);
      this.vk.arena.reset(mark);
    }
  }

  private fill(spec: GpuBufferSpec, taken: ReadonlyMap<string, DeviceBuffer>): void {
    const buffer = find(taken, spec.id);
    const whole =
      spec.uploads?.length === 1 && spec.uploads[0]!.offset === 0 && spec.uploads[0]!.bytes.length >= spec.sizeBytes;
    if (!whole) clearBuffer(buffer, spec.sizeBytes);
    for (const { offset, bytes } of spec.uploads ?? []) {
      if (offset < 0 || offset + bytes.length > spec.sizeBytes)
        throw new Error(`upload past the end of buffer ${spec.id}`);
      writeBuffer(buffer, offset, bytes);
    }
    for (const patch of spec.addressPatches ?? []) {
      if (patch.offset < 0 || patch.offset + 8 > spec.sizeBytes)
        throw new Error(`address patch past the end of buffer ${spec.id}`);
      const address = find(taken, patch.buffer).main.deviceAddress + BigInt(patch.addend);
      writeBuffer(buffer, patch.offset, new Uint8Array(new BigUint64Array([address]).buffer));
    }
  }

  private beginCommands(batch: GpuBatch, taken: ReadonlyMap<string, DeviceBuffer>): void {
    const { vk } = this;
    const { arena } = vk;
    vk.call('vkResetCommandPool', vk.device, this.commandPool, 0);
    vk.call('vkBeginCommandBuffer', this.commandBuffer, arena.make('VkCommandBufferBeginInfo', { flags: 1 }));
    const queries = 2 * batch.dispatches.length;
    if (this.timestamps && queries > 0) {
      if (queries > this.queryCount) {
        if (this.queryPool) vk.function('vkDestroyQueryPool')(vk.device, this.queryPool, null);
        this.queryPool = vk.create(
          'vkCreateQueryPool',
          vk.device,
          arena.make('VkQueryPoolCreateInfo', { queryType: 2, queryCount: queries }),
          null,
        );
        this.queryCount = queries;
      }
      vk.function('vkCmdResetQueryPool')(this.commandBuffer, this.queryPool, 0, queries);
    }
    let copies = false;
    for (const spec of batch.buffers) {
      const buffer = find(taken, spec.id);
      if (!buffer.staging) continue;
      this.copy(buffer.staging.buffer, buffer.main.buffer, 0, spec.sizeBytes);
      copies = true;
    }
    if (copies) this.barrier();
  }

  private copy(from: bigint, to: bigint, offset: number, size: number): void {
    if (size === 0) return;
    const region = this.vk.arena.make('VkBufferCopy', { srcOffset: offset, dstOffset: offset, size });
    this.vk.function('vkCmdCopyBuffer')(this.commandBuffer, from, to, 1, region);
  }

  /** Everything before is visible to everything after, host reads included. */
  private barrier(): void {
    const { arena } = this.vk;
    const access = VK.VK_ACCESS_MEMORY_READ_BIT | VK.VK_ACCESS_MEMORY_WRITE_BIT;
    const barrier = arena.make('VkMemoryBarrier', {
      srcAccessMask: VK.VK_ACCESS_MEMORY_WRITE_BIT,
      dstAccessMask: access | VK.VK_ACCESS_HOST_READ_BIT,
    });
    const stages = VK.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    this.vk.function('vkCmdPipelineBarrier')(
      this.commandBuffer,
      stages,
      stages | VK.VK_PIPELINE_STAGE_HOST_BIT,
      0,
      1,
      barrier,
      0,
      null,
      0,
      null,
    );
  }

  private async recordDispatches(
    batch: GpuBatch,
    taken: ReadonlyMap<string, DeviceBuffer>,
    pipelineMs: number[],
  ): Promise<void> {
    const { vk } = this;
    const { arena, device } = vk;
    const bindingCount = batch.dispatches.reduce((sum, d) => sum + d.bindings.length, 0);
    const pool = vk.create(
      'vkCreateDescriptorPool',
      device,
      arena.make('VkDescriptorPoolCreateInfo', {
        maxSets: Math.max(batch.dispatches.length, 1),
        poolSizeCount: 1,
        pPoolSizes: arena.make('VkDescriptorPoolSize', {
          type: VK.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          descriptorCount: Math.max(bindingCount, 1),
        }),
      }),
      null,
    );
    this.descriptorPool = pool;
    for (const [i, spec] of batch.dispatches.entries()) {
      const pipeline = await this.pipelines.get(spec);
      pipelineMs.push(pipeline.createMs);
      vk.function('vkCmdBindPipeline')(this.commandBuffer, 1, pipeline.pipeline);
      if (spec.bindings.length > 0) {
        const set = vk.create(
          'vkAllocateDescriptorSets',
          device,
          arena.make('VkDescriptorSetAllocateInfo', {
            descriptorPool: pool,
            descriptorSetCount: 1,
            pSetLayouts: arena.u64s([pipeline.setLayout]),
          }),
        );
        const writes = spec.bindings.map((id, binding) => ({
          dstSet: set,
          dstBinding: binding,
          descriptorCount: 1,
          descriptorType: VK.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          pBufferInfo: arena.make('VkDescriptorBufferInfo', {
            buffer: find(taken, id).main.buffer,
            offset: 0,
            range: 0xffffffffffffffffn,
          }),
        }));
        vk.function('vkUpdateDescriptorSets')(
          device,
          writes.length,
          arena.array('VkWriteDescriptorSet', writes),
          0,
          null,
        );
        vk.function('vkCmdBindDescriptorSets')(
          this.commandBuffer,
          1,
          pipeline.layout,
          0,
          1,
          arena.u64s([set]),
          0,
          null,
        );
      }
      if (spec.pushConstants && spec.pushConstants.length > 0) {
        vk.function('vkCmdPushConstants')(
          this.commandBuffer,
          pipeline.layout,
          VK.VK_SHADER_STAGE_COMPUTE_BIT,
          0,
          spec.pushConstants.length,
          arena.copy(spec.pushConstants),
        );
      }
      if (this.timestamps)
        vk.function('vkCmdWriteTimestamp')(
          this.commandBuffer,
          VK.VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
          this.queryPool,
          2 * i,
        );
      vk.function('vkCmdDispatch')(this.commandBuffer, ...spec.groups);
      if (this.timestamps)
        vk.function('vkCmdWriteTimestamp')(
          this.commandBuffer,
          VK.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
          this.queryPool,
          2 * i + 1,
        );
      this.barrier();
    }
  }

  private descriptorPool = 0n;

  private recordDownloads(batch: GpuBatch, taken: ReadonlyMap<string, DeviceBuffer>): void {
    let copies = false;
    for (const d of batch.downloads) {
      const buffer = find(taken, d.buffer);
      if (!buffer.staging) continue;
      this.copy(buffer.main.buffer, buffer.staging.buffer, d.offset, d.sizeBytes);
      copies = true;
    }
    if (copies) this.barrier();
    this.vk.call('vkEndCommandBuffer', this.commandBuffer);
  }

  private async submit(): Promise<void> {
    const { vk } = this;
    const { arena } = vk;
    const fences = arena.u64s([this.fence]);
    const info = arena.make('VkSubmitInfo', {
      commandBufferCount: 1,
      pCommandBuffers: arena.u64s([this.commandBuffer]),
    });
    try {
      vk.call('vkQueueSubmit', this.queue, 1, info, this.fence);
      await vk.callAsync('vkWaitForFences', vk.device, 1, fences, 1, 0xffffffffffffffffn);
      vk.call('vkResetFences', vk.device, 1, fences);
    } finally {
      vk.function('vkDestroyDescriptorPool')(vk.device, this.descriptorPool, null);
    }
  }

  private readTimestamps(dispatches: number): number[] {
    if (!this.timestamps || dispatches === 0) return new Array<number>(dispatches).fill(0);
    const { vk } = this;
    const size = 16 * dispatches;
    const out = vk.arena.allocate(size);
    // 64-bit results, wait.
    vk.call('vkGetQueryPoolResults', vk.device, this.queryPool, 0, 2 * dispatches, BigInt(size), out, 8n, 3);
    return Array.from({ length: dispatches }, (_, i) => {
      const ticks = vk.arena.readU64(out + BigInt(16 * i + 8)) - vk.arena.readU64(out + BigInt(16 * i));
      return Number(ticks) * this.profile.timestampPeriodNs;
    });
  }

  close(): void {
    const { vk } = this;
    vk.call('vkDeviceWaitIdle', vk.device);
    this.pipelines.close();
    this.buffers.close();
    if (this.queryPool) vk.function('vkDestroyQueryPool')(vk.device, this.queryPool, null);
    vk.function('vkDestroyFence')(vk.device, this.fence, null);
    vk.function('vkDestroyCommandPool')(vk.device, this.commandPool, null);
    vk.function('vkDestroyDevice')(vk.device, null);
    vk.device = 0n;
  }
}

function find(taken: ReadonlyMap<string, DeviceBuffer>, id: string): DeviceBuffer {
  const buffer = taken.get(id);
  if (!buffer) throw new Error(`the batch has no buffer ${id}`);
  return buffer;
}

function queueFamilies(vk: VulkanLibrary, physical: bigint): StructValue[] {
  return vk.enumerate('vkGetPhysicalDeviceQueueFamilyProperties', 'VkQueueFamilyProperties', physical);
}
