/** The device list, and the GPU host that this process shares. */
import type { GpuDeviceInfo } from '../gpu/gpu-backend.ts';
import { forkHost, HostClient } from '../gpu/host-client.ts';
import { engineFile } from './engine-files.ts';

export function createHostClient(): HostClient {
  return new HostClient(forkHost(engineFile('gpu-host.js')));
}

/** Never throws: without a loader or driver the list is empty and `problem` says why. */
export async function listDevices(): Promise<{
  readonly devices: readonly GpuDeviceInfo[];
  readonly problem?: string;
}> {
  const client = createHostClient();
  try {
    return { devices: await client.devices() };
  } catch (error) {
    return { devices: [], problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close();
  }
}
