/** The device list, and the GPU host that this process shares. */
import type { GpuDeviceInfo } from '../gpu/gpu-backend.ts';
import { forkHost, HostClient } from '../gpu/host-client.ts';
import { engineFile } from './engine-files.ts';

export function createHostClient(): HostClient {
  // Inside Electron the executable is Electron's own; this makes it run the script as Node does.
  const environment = process.versions.electron ? { ...process.env, ELECTRON_RUN_AS_NODE: '1' } : process.env;
  return new HostClient(forkHost(engineFile('gpu-host.js'), environment));
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
