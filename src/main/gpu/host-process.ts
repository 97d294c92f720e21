/**
 * Entry point of the GPU host: owns the Vulkan device so that a crashing driver, a lost device or a hang ends this
 * process only. Runs under `child_process.fork` (Node) and `utilityProcess.fork` (Electron).
 */
import type { HostReply, HostRequest } from './host-protocol.ts';
import { requestedLayers, VulkanDevice } from './vulkan/device.ts';
import { VulkanError, VulkanLibrary } from './vulkan/library.ts';
import { listDevices } from './vulkan/profile.ts';
import { VK } from './vulkan/vulkan.gen.ts';

/** Electron's utility process has a parent port; a forked Node process has `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (message: { data: HostRequest }) => void): void;
  postMessage(message: HostReply): void;
}
const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;

let library: VulkanLibrary | undefined;
let device: VulkanDevice | undefined;

class NoLoader extends Error {
  override readonly name = 'NoLoader';
}

function loaded(): VulkanLibrary {
  if (!library) {
    let made: VulkanLibrary;
    try {
      made = new VulkanLibrary();
    } catch (error) {
      throw new NoLoader(error instanceof Error ? error.message : String(error));
    }
    made.createInstance(requestedLayers());
    library = made;
  }
  return library;
}

function errorReply(id: number, error: unknown, fallback: string): HostReply {
  const message = error instanceof Error ? error.message : String(error);
  let code = error instanceof NoLoader ? 'GPU013' : fallback;
  if (error instanceof VulkanError) {
    if (error.result === VK.VK_ERROR_DEVICE_LOST) code = 'GPU004';
    if (error.result === VK.VK_ERROR_OUT_OF_HOST_MEMORY || error.result === VK.VK_ERROR_OUT_OF_DEVICE_MEMORY)
      code = 'GPU006';
  }
  return { id, kind: 'error', code, message };
}

async function answer(request: HostRequest): Promise<HostReply> {
  switch (request.kind) {
    case 'devices':
      try {
        return { id: request.id, kind: 'devices', devices: listDevices(loaded()) };
      } catch (error) {
        return errorReply(request.id, error, 'GPU001');
      }
    case 'open':
      try {
        const info = listDevices(loaded())[request.device];
        if (!info)
          return { id: request.id, kind: 'error', code: 'GPU001', message: `there is no device ${request.device} now` };
        if (info.unusable)
          return { id: request.id, kind: 'error', code: 'GPU001', message: `${info.name} ${info.unusable}` };
        device ??= await VulkanDevice.open(loaded(), info);
        return { id: request.id, kind: 'opened', profile: device.profile };
      } catch (error) {
        return errorReply(request.id, error, 'GPU001');
      }
    case 'run':
      try {
        if (!device) return { id: request.id, kind: 'error', code: 'GPU001', message: 'no device is open' };
        return { id: request.id, kind: 'result', result: await device.run(request.batch) };
      } catch (error) {
        return errorReply(request.id, error, 'GPU005');
      }
  }
}

if (parentPort) {
  parentPort.on('message', ({ data }) => {
    void answer(data).then((reply) => parentPort.postMessage(reply));
  });
} else {
  process.on('message', (request: HostRequest) => {
    void answer(request).then((reply) => process.send?.(reply));
  });
  // The parent is gone: nothing is left to do.
  process.on('disconnect', () => process.exit(0));
}
