/**
 * What Vulkan says about devices: the list with the reason why one cannot be used, and the profile of an open one.
 */
import type { GpuDeviceInfo, GpuProfile } from '../gpu-backend.ts';
import type { StructValue } from './arena.ts';
import type { VulkanLibrary } from './library.ts';

const KINDS: readonly GpuDeviceInfo['kind'][] = ['other', 'integrated', 'discrete', 'virtual', 'cpu'];
const SUBGROUP_OPERATIONS = [
  'basic',
  'vote',
  'arithmetic',
  'ballot',
  'shuffle',
  'shuffleRelative',
  'clustered',
  'quad',
] as const;

function versionText(version: number): string {
  return `${version >>> 22}.${(version >>> 12) & 0x3ff}.${version & 0xfff}`;
}

/** Names come from the driver and go to a terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '').trim();
}

function describe(vk: VulkanLibrary, physical: bigint, index: number): GpuDeviceInfo {
  const values = vk.properties(physical, ['VkPhysicalDeviceVulkan12Properties']);
  const base = values.VkPhysicalDeviceProperties2.properties;
  const driver = values.VkPhysicalDeviceVulkan12Properties;
  const version = base.apiVersion as number;
  const info: GpuDeviceInfo = {
    index,
    name: printable(base.deviceName),
    driver: printable(`${driver.driverName} ${driver.driverInfo}`),
    apiVersion: versionText(version),
    kind: KINDS[base.deviceType] ?? 'other',
  };
  if (version >>> 22 !== 1 || ((version >>> 12) & 0x3ff) < 2)
    return { ...info, unusable: 'is not Vulkan 1.2 or newer' };
  if (/null/i.test(info.driver) || /\(NULL\)|null device/i.test(info.name))
    return { ...info, unusable: 'compiles but cannot execute' };
  const { values: features } = vk.features(physical, ['VkPhysicalDeviceVulkan12Features']);
  if (!features.VkPhysicalDeviceVulkan12Features.bufferDeviceAddress)
    return { ...info, unusable: 'has no buffer device addresses' };
  return info;
}

export function listDevices(vk: VulkanLibrary): GpuDeviceInfo[] {
  const mark = vk.arena.mark();
  const devices = vk.physicalDevices().map((physical, index) => describe(vk, physical, index));
  vk.arena.reset(mark);
  return devices;
}

const UNMEASURED: GpuProfile['arithmetic'] = {
  fma32Fused: false,
  fma64Fused: false,
  f32DenormalsKept: false,
  f64DenormalsKept: false,
  f16DenormalsKept: false,
  f32AddExact: false,
  f32MulExact: false,
  f32DivExact: false,
  f32SqrtExact: false,
  f16Exact: false,
  f64Exact: false,
  minMaxNumber: false,
};

/** Arithmetic is measured later. */
export function profileOf(
  device: GpuDeviceInfo,
  properties: Record<string, StructValue>,
  features: Record<string, StructValue>,
  timestampBits: number,
): GpuProfile {
  const limits = properties.VkPhysicalDeviceProperties2.properties.limits;
  const p11 = properties.VkPhysicalDeviceVulkan11Properties;
  const p13 = properties.VkPhysicalDeviceVulkan13Properties;
  const f10 = features.VkPhysicalDeviceFeatures2.features;
  const f11 = features.VkPhysicalDeviceVulkan11Features;
  const f12 = features.VkPhysicalDeviceVulkan12Features;
  const f13 = features.VkPhysicalDeviceVulkan13Features;
  const uniform = features.VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR;
  const sizeControl = Boolean(f13?.subgroupSizeControl);
  return {
    device,
    subgroupSize: p11.subgroupSize,
    minSubgroupSize: sizeControl ? p13.minSubgroupSize : p11.subgroupSize,
    maxSubgroupSize: sizeControl ? p13.maxSubgroupSize : p11.subgroupSize,
    fullSubgroups: Boolean(f13?.computeFullSubgroups),
    subgroupOperations: SUBGROUP_OPERATIONS.filter((_, bit) => (p11.subgroupSupportedOperations >>> bit) & 1),
    subgroupUniformControlFlow: Boolean(uniform?.shaderSubgroupUniformControlFlow),
    maximalReconvergence: false,
    int8: Boolean(f12.shaderInt8),
    int16: Boolean(f10.shaderInt16),
    int64: Boolean(f10.shaderInt64),
    float16: Boolean(f12.shaderFloat16),
    float64: Boolean(f10.shaderFloat64),
    storage8: Boolean(f12.storageBuffer8BitAccess),
    storage16: Boolean(f11.storageBuffer16BitAccess),
    bufferAtomics64: Boolean(f12.shaderBufferInt64Atomics),
    sharedAtomics64: Boolean(f12.shaderSharedInt64Atomics),
    bufferDeviceAddress: Boolean(f12.bufferDeviceAddress),
    vulkanMemoryModel: Boolean(f12.vulkanMemoryModel),
    maxWorkgroupInvocations: limits.maxComputeWorkGroupInvocations,
    maxSharedBytes: limits.maxComputeSharedMemorySize,
    maxPushConstantBytes: limits.maxPushConstantsSize,
    maxWorkgroupCount: limits.maxComputeWorkGroupCount,
    timestampPeriodNs: timestampBits > 0 ? limits.timestampPeriod : 0,
    arithmetic: UNMEASURED,
  };
}
