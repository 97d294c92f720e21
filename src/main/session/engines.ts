/** Makes engines by name. One place, so that every verb and the window offer the same. */
import type { BackendName, DispatchEngine } from '../driver/engine.ts';
import { ReferenceEngine } from '../driver/reference-engine.ts';

export interface EngineOptions {
  /** Vulkan device by index or part of its name. */
  readonly device?: number | string;
}

export async function createEngine(backend: BackendName, _options: EngineOptions = {}): Promise<DispatchEngine> {
  switch (backend) {
    case 'reference':
      return new ReferenceEngine();
    case 'vulkan':
      throw new Error('the Vulkan engine is not wired yet');
  }
}
