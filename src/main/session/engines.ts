/** Makes engines by name. One place, so that every verb and the window offer the same. */
import type { BackendName, DispatchEngine } from '../driver/engine.ts';
import { GpuEngine } from '../driver/gpu-engine.ts';
import { ReferenceEngine } from '../driver/reference-engine.ts';
import { createHostClient } from './devices.ts';

export interface EngineOptions {
  /** Vulkan device by index or part of its name. */
  readonly device?: number | string;
}

/** Throws GpuError when no device can be opened. */
export async function createEngine(backend: BackendName, options: EngineOptions = {}): Promise<DispatchEngine> {
  switch (backend) {
    case 'reference':
      return new ReferenceEngine();
    case 'vulkan':
      return new GpuEngine(await createHostClient().open(options.device));
  }
}
