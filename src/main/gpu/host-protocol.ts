/**
 * Messages between the engine and the GPU host process. Plain data; one request in flight per host.
 */
import type { GpuBatch, GpuBatchResult, GpuDeviceInfo, GpuProfile } from './gpu-backend.ts';

export type HostRequest =
  | { readonly id: number; readonly kind: 'devices' }
  | { readonly id: number; readonly kind: 'open'; readonly device: number }
  | { readonly id: number; readonly kind: 'run'; readonly batch: GpuBatch };

export type HostReply =
  | { readonly id: number; readonly kind: 'devices'; readonly devices: readonly GpuDeviceInfo[] }
  | { readonly id: number; readonly kind: 'opened'; readonly profile: GpuProfile }
  | { readonly id: number; readonly kind: 'result'; readonly result: GpuBatchResult }
  | { readonly id: number; readonly kind: 'error'; readonly code: string; readonly message: string };
