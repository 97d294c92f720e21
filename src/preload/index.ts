/**
 * The bridge: all that the sandboxed window gets of Electron. It forwards calls of the contract to the main process,
 * which validates every one; nothing of Electron itself is handed over.
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { Bridge, CallReply, NoticeName, Progress } from './contract/index.ts';

const listeners = new Map<number, (progress: Progress) => void>();

ipcRenderer.on('progress', (_event: IpcRendererEvent, id: number, progress: Progress) => listeners.get(id)?.(progress));

const bridge: Bridge = {
  async call(id, name, args, onProgress): Promise<CallReply> {
    listeners.set(id, onProgress);
    try {
      return (await ipcRenderer.invoke('call', id, name, args)) as CallReply;
    } catch (error) {
      return {
        ok: false,
        failure: { code: 'RPC004', message: error instanceof Error ? error.message : String(error) },
      };
    } finally {
      listeners.delete(id);
    }
  },
  cancel: (id) => ipcRenderer.send('cancel', id),
  subscribe(listener) {
    const onNotice = (_event: IpcRendererEvent, name: NoticeName, notice: unknown): void => listener(name, notice);
    ipcRenderer.on('notice', onNotice);
    return () => {
      ipcRenderer.off('notice', onNotice);
    };
  },
  pathOfFile: (file) => webUtils.getPathForFile(file),
};

contextBridge.exposeInMainWorld('lanescope', bridge);
