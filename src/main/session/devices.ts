/** The device list, and the GPU host that this process shares. */
import { forkHost } from '../gpu/fork-host.ts';
import type { GpuDeviceList } from '../gpu/gpu-backend.ts';
import { HostClient } from '../gpu/host-client.ts';
import { engineFile } from './engine-files.ts';

export function createHostClient(): HostClient {
  // Inside Electron the executable is Electron's own; this makes it run the script as Node does.
  const environment = process.versions.electron ? { ...process.env, ELECTRON_RUN_AS_NODE: '1' } : process.env;
  return new HostClient(forkHost(engineFile('gpu-host.js'), environment));
}

/** Never throws: without a loader or driver the list is empty and `problem` says why. */
export async function listDevices(): Promise<GpuDeviceList & { readonly problem?: string }> {
  const client = createHostClient();
  try {
    return await client.devices();
  } catch (error) {
    return { devices: [], failed: [], problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.close();
  }
}
