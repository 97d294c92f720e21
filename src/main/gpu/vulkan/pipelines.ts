/**
 * Compute pipelines by module key: shader module, descriptor set layout (n storage buffers), pipeline layout.
 * Kept in memory for the life of the device; the least recently used go beyond a bound.
 */
import type { GpuDispatchSpec } from '../gpu-backend.ts';
import type { VulkanLibrary } from './library.ts';
import { VK } from './vulkan.gen.ts';

const MAXIMUM = 2048;

export interface Pipeline {
  readonly pipeline: bigint;
  readonly layout: bigint;
  readonly setLayout: bigint;
  readonly module: bigint;
  readonly createMs: number;
}

export class PipelineCache {
  private readonly vk: VulkanLibrary;
  private readonly driverCache: bigint;
  private readonly pipelines = new Map<string, Pipeline>();

  constructor(vk: VulkanLibrary) {
    this.vk = vk;
    this.driverCache = vk.create('vkCreatePipelineCache', vk.device, vk.arena.make('VkPipelineCacheCreateInfo'), null);
  }

  /** `createMs` is 0 on a hit. Waits on a koffi thread: drivers may compile for long. */
  async get(spec: GpuDispatchSpec): Promise<Pipeline> {
    const key = `${spec.moduleKey}|${spec.entryPoint}|${spec.bindings.length}|${spec.pushConstants?.length ?? 0}|${spec.requiredSubgroupSize ?? 0}|${spec.requireFullSubgroups ? 1 : 0}`;
    const known = this.pipelines.get(key);
    if (known) {
      this.pipelines.delete(key);
      this.pipelines.set(key, known);
      return { ...known, createMs: 0 };
    }
    const { vk } = this;
    const { arena, device } = vk;
    const code = new Uint8Array(spec.spirv.buffer, spec.spirv.byteOffset, spec.spirv.byteLength);
    const mark = arena.mark();
    const module = vk.create(
      'vkCreateShaderModule',
      device,
      arena.make('VkShaderModuleCreateInfo', { codeSize: code.length, pCode: arena.copy(code) }),
      null,
    );
    const bindings = spec.bindings.map((_, binding) => ({
      binding,
      descriptorType: VK.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      descriptorCount: 1,
      stageFlags: VK.VK_SHADER_STAGE_COMPUTE_BIT,
    }));
    const setLayout = vk.create(
      'vkCreateDescriptorSetLayout',
      device,
      arena.make('VkDescriptorSetLayoutCreateInfo', {
        bindingCount: bindings.length,
        pBindings: arena.array('VkDescriptorSetLayoutBinding', bindings),
      }),
      null,
    );
    const push = spec.pushConstants?.length ?? 0;
    const layout = vk.create(
      'vkCreatePipelineLayout',
      device,
      arena.make('VkPipelineLayoutCreateInfo', {
        setLayoutCount: 1,
        pSetLayouts: arena.u64s([setLayout]),
        pushConstantRangeCount: push > 0 ? 1 : 0,
        pPushConstantRanges: arena.make('VkPushConstantRange', {
          stageFlags: VK.VK_SHADER_STAGE_COMPUTE_BIT,
          offset: 0,
          size: push,
        }),
      }),
      null,
    );
    const subgroup = spec.requiredSubgroupSize
      ? arena.make('VkPipelineShaderStageRequiredSubgroupSizeCreateInfo', {
          requiredSubgroupSize: spec.requiredSubgroupSize,
        })
      : 0n;
    const info = arena.make('VkComputePipelineCreateInfo', {
      stage: {
        pNext: subgroup,
        flags: spec.requireFullSubgroups ? VK.VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0,
        stage: VK.VK_SHADER_STAGE_COMPUTE_BIT,
        module,
        pName: arena.string(spec.entryPoint),
      },
      layout,
    });
    const out = arena.allocate(8);
    const started = performance.now();
    // The arena must not be reset while the driver reads the structs: one request is in flight per device.
    await vk.callAsync('vkCreateComputePipelines', device, this.driverCache, 1, info, null, out);
    const pipeline = { pipeline: arena.readU64(out), layout, setLayout, module, createMs: performance.now() - started };
    arena.reset(mark);
    this.pipelines.set(key, pipeline);
    if (this.pipelines.size > MAXIMUM) {
      const [oldest, value] = this.pipelines.entries().next().value!;
      this.pipelines.delete(oldest);
      this.destroy(value);
    }
    return pipeline;
  }

  private destroy(p: Pipeline): void {
    const { vk } = this;
    vk.function('vkDestroyPipeline')(vk.device, p.pipeline, null);
    vk.function('vkDestroyPipelineLayout')(vk.device, p.layout, null);
    vk.function('vkDestroyDescriptorSetLayout')(vk.device, p.setLayout, null);
    vk.function('vkDestroyShaderModule')(vk.device, p.module, null);
  }

  close(): void {
    for (const p of this.pipelines.values()) this.destroy(p);
    this.pipelines.clear();
    this.vk.function('vkDestroyPipelineCache')(this.vk.device, this.driverCache, null);
  }
}
