/**
 * Device buffers with device addresses, pooled by size, and their way in and out.
 *
 * Host-visible memory is used directly on CPU and integrated devices; discrete devices get device-local buffers and a
 * host-visible staging buffer beside each. Copies go through memcpy: views of mapped memory abort under Electron.
 */

import { clearAtAddress, copyFromAddress, copyToAddress, handleOf, type VulkanLibrary } from './library.ts';
import { VK } from './vulkan.gen.ts';

export interface Allocation {
  readonly buffer: bigint;
  readonly memory: bigint;
  /** Host address, 0 when not mapped. */
  readonly mapped: bigint;
  readonly deviceAddress: bigint;
  readonly sizeBytes: number;
}

export interface DeviceBuffer {
  readonly main: Allocation;
  /** Present when `main` is not mapped. */
  readonly staging?: Allocation;
}

const USAGE =
  VK.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
  VK.VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
  VK.VK_BUFFER_USAGE_TRANSFER_DST_BIT |
  VK.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
const HOST = VK.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

export class BufferPool {
  private readonly vk: VulkanLibrary;
  private readonly memoryFlags: readonly number[];
  private readonly discrete: boolean;
  private readonly free = new Map<string, DeviceBuffer[]>();

  constructor(vk: VulkanLibrary, physical: bigint, discrete: boolean) {
    this.vk = vk;
    this.discrete = discrete;
    const pointer = vk.arena.make('VkPhysicalDeviceMemoryProperties');
    vk.function('vkGetPhysicalDeviceMemoryProperties')(physical, pointer);
    const properties = vk.arena.read('VkPhysicalDeviceMemoryProperties', pointer);
    this.memoryFlags = properties.memoryTypes
      .slice(0, properties.memoryTypeCount)
      .map((t: { propertyFlags: number }) => t.propertyFlags);
  }

  private memoryType(allowed: number, wanted: readonly number[]): number {
    for (const flags of wanted) {
      const index = this.memoryFlags.findIndex((have, i) => (allowed >>> i) & 1 && (have & flags) === flags);
      if (index >= 0) return index;
    }
    throw new Error('no memory type of the device fits a storage buffer');
  }

  private allocate(sizeBytes: number, wanted: readonly number[], mapped: boolean): Allocation {
    const { vk } = this;
    const { arena, device } = vk;
    const mark = arena.mark();
    const buffer = vk.create(
      'vkCreateBuffer',
      device,
      arena.make('VkBufferCreateInfo', { size: sizeBytes, usage: USAGE }),
      null,
    );
    const pointer = arena.make('VkMemoryRequirements');
    vk.function('vkGetBufferMemoryRequirements')(device, buffer, pointer);
    const requirements = arena.read('VkMemoryRequirements', pointer);
    const flags = arena.make('VkMemoryAllocateFlagsInfo', { flags: VK.VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT });
    let memory: bigint;
    try {
      memory = vk.create(
        'vkAllocateMemory',
        device,
        arena.make('VkMemoryAllocateInfo', {
          pNext: flags,
          allocationSize: requirements.size,
          memoryTypeIndex: this.memoryType(requirements.memoryTypeBits, wanted),
        }),
        null,
      );
    } catch (error) {
      vk.function('vkDestroyBuffer')(device, buffer, null);
      throw error;
    }
    vk.call('vkBindBufferMemory', device, buffer, memory, 0n);
    let address = 0n;
    if (mapped) {
      const out = arena.allocate(8);
      vk.call('vkMapMemory', device, memory, 0n, 0xffffffffffffffffn, 0, out);
      address = arena.readU64(out);
    }
    const deviceAddress = handleOf(
      vk.function('vkGetBufferDeviceAddress')(device, arena.make('VkBufferDeviceAddressInfo', { buffer })) as
        | number
        | bigint,
    );
    arena.reset(mark);
    return { buffer, memory, mapped: address, deviceAddress, sizeBytes };
  }

  /** At least `sizeBytes`; contents are undefined until `clear` or an upload. */
  take(sizeBytes: number): DeviceBuffer {
    const size = Math.max(2 ** Math.ceil(Math.log2(Math.max(sizeBytes, 256))), 256);
    const pooled = this.free.get(`${size}`)?.pop();
    if (pooled) return pooled;
    if (!this.discrete)
      return { main: this.allocate(size, [HOST | VK.VK_MEMORY_PROPERTY_HOST_CACHED_BIT, HOST], true) };
    return {
      main: this.allocate(size, [VK.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT], false),
      staging: this.allocate(size, [HOST | VK.VK_MEMORY_PROPERTY_HOST_CACHED_BIT, HOST], true),
    };
  }

  give(buffer: DeviceBuffer): void {
    const key = `${buffer.main.sizeBytes}`;
    const list = this.free.get(key);
    // Large buffers are not kept: a pool must not hold a gigabyte between runs.
    if (buffer.main.sizeBytes > 64 << 20) this.destroy(buffer);
    else if (list) list.push(buffer);
    else this.free.set(key, [buffer]);
  }

  private destroy(buffer: DeviceBuffer): void {
    for (const part of buffer.staging ? [buffer.main, buffer.staging] : [buffer.main]) {
      this.vk.function('vkDestroyBuffer')(this.vk.device, part.buffer, null);
      this.vk.function('vkFreeMemory')(this.vk.device, part.memory, null);
    }
  }

  close(): void {
    for (const list of this.free.values()) for (const buffer of list) this.destroy(buffer);
    this.free.clear();
  }
}

const hostSide = (buffer: DeviceBuffer): bigint => (buffer.staging ?? buffer.main).mapped;

export function clearBuffer(buffer: DeviceBuffer, sizeBytes: number): void {
  clearAtAddress(hostSide(buffer), sizeBytes);
}

export function writeBuffer(buffer: DeviceBuffer, offset: number, bytes: Uint8Array): void {
  copyToAddress(hostSide(buffer) + BigInt(offset), bytes);
}

export function readBuffer(buffer: DeviceBuffer, offset: number, sizeBytes: number): Uint8Array {
  return copyFromAddress(hostSide(buffer) + BigInt(offset), sizeBytes);
}
