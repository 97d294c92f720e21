/** Makes engines by name. One place, so that every verb and the window offer the same. */
import type { BackendName, DispatchEngine } from '../driver/engine.ts';
import { GpuEngine } from '../driver/gpu-engine.ts';
import { ReferenceEngine } from '../driver/reference-engine.ts';
import { createHostClient } from './devices.ts';

export interface EngineOptions {
  /** Vulkan device by index or part of its name. */
  readonly device?: number | string;
}

export interface NamedEngine {
  readonly engine: DispatchEngine;
  /** For people: the device and its driver. */
  readonly device: string;
}

/** Throws GpuError when no device can be opened. */
export async function createEngine(backend: BackendName, options: EngineOptions = {}): Promise<DispatchEngine> {
  return (await openEngine(backend, options)).engine;
}

/** The same, with the name of what was opened. */
export async function openEngine(backend: BackendName, options: EngineOptions = {}): Promise<NamedEngine> {
  switch (backend) {
    case 'reference':
      return { engine: new ReferenceEngine(), device: 'reference interpreter' };
    case 'vulkan': {
      const client = createHostClient();
      try {
        const device = await client.open(options.device);
        const { name, driver } = device.profile.device;
        return { engine: new GpuEngine(device), device: `${name}, ${driver}` };
      } catch (error) {
        // Its process would keep ours alive.
        await client.close();
        throw error;
      }
    }
  }
}
