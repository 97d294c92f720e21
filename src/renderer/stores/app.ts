/** About the application: where it runs, and whether the engine can be reached. */
import { create } from 'zustand';
import type { AppInfo } from '../../preload/contract/index.ts';

interface AppState {
  readonly info: AppInfo | null;
  readonly isConnected: boolean;
}

export const useApp = create<AppState>(() => ({ info: null, isConnected: true }));
