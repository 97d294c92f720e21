/** The devices of this machine, and whether dispatches can run on one. */
import { create } from 'zustand';
import type { DevicesView } from '../../preload/contract/index.ts';
import { callAsJob } from './jobs.ts';
import { logFailure } from './log.ts';

interface DevicesState {
  readonly view: DevicesView | null;
  readonly isLoading: boolean;
}

export const useDevices = create<DevicesState>(() => ({ view: null, isLoading: false }));

export async function refreshDevices(): Promise<DevicesView | null> {
  useDevices.setState({ isLoading: true });
  try {
    const view = await callAsJob('Looking for devices', 'devices.list', {});
    useDevices.setState({ view, isLoading: false });
    return view;
  } catch (error) {
    logFailure('devices', error);
    useDevices.setState({ isLoading: false });
    return null;
  }
}

/** Why dispatches cannot run on a device; undefined when they can. */
export function useWhyNoDevice(): string | undefined {
  const view = useDevices((state) => state.view);
  if (!view) return 'devices are still being looked for';
  return view.vulkan.usable ? undefined : `not available: ${view.vulkan.reason}`;
}
