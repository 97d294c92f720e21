/**
 * The device of a session: its host process, its profile and the engine on it. Opened when first asked for; what went
 * wrong is a sentence, never an exception, and the next request tries again with a fresh host.
 */

import { codegenProfile, GpuEngine } from '../../driver/gpu-engine.ts';
import type { GpuDevice, GpuDeviceInfo } from '../../gpu/gpu-backend.ts';
import type { HostClient } from '../../gpu/host-client.ts';
import type { CompileOptions } from '../../recompiler/compile-program.ts';
import { createHostClient } from '../devices.ts';

export type CodegenProfile = CompileOptions['profile'];

/** What SPIR-V is shown for while no device is open: a GPU with 32 wide subgroups and everything that is common. */
export const GENERIC_PROFILE: CodegenProfile = {
  subgroupSize: 32,
  float16: true,
  float64: true,
  int64: true,
  storage8: true,
  storage16: true,
  bufferAtomics64: true,
  maxSharedBytes: 32768,
  maxWorkgroupInvocations: 1024,
  subgroupUniformControlFlow: true,
  loopTurnLimit: 0,
};

export class GpuAccess {
  private readonly client: HostClient = createHostClient();
  private device: GpuDevice | undefined;
  private gpuEngine: GpuEngine | undefined;
  private opening: Promise<void> | undefined;
  problem: string | undefined;

  get hostPid(): number | undefined {
    return this.client.hostPid;
  }

  get name(): string | undefined {
    return this.device?.profile.device.name;
  }

  get profile(): CodegenProfile | undefined {
    return this.device && codegenProfile(this.device.profile);
  }

  get engine(): GpuEngine | undefined {
    return this.gpuEngine;
  }

  /** Never throws: where nothing can be listed, for want of a loader, it is undefined and `problem` says why. */
  async devices(): Promise<readonly GpuDeviceInfo[] | undefined> {
    try {
      return (await this.client.devices()).devices;
    } catch (error) {
      this.problem = messageOf(error);
      return undefined;
    }
  }

  /** The engine on the first usable device, or undefined with `problem` set. */
  async open(): Promise<GpuEngine | undefined> {
    if (this.gpuEngine) return this.gpuEngine;
    this.opening ??= this.openDevice().finally(() => {
      this.opening = undefined;
    });
    await this.opening;
    return this.gpuEngine;
  }

  private async openDevice(): Promise<void> {
    try {
      this.device = await this.client.open();
      this.gpuEngine = new GpuEngine(this.device, { deterministic: true });
      this.problem = undefined;
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
