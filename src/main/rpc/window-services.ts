/** Puts together what one window's handlers share. */
import { join } from 'node:path';
import { AppLogBook } from '../session/app/app-log.ts';
import { RecentFileList } from '../session/app/recent-files.ts';
import { UploadFolder } from '../session/app/uploads.ts';
import { Workspace } from '../session/app/workspace.ts';
import type { Notify, Services, WindowHost } from './handlers.ts';

export interface WindowServices extends Services {
  close(): Promise<void>;
}

/** `folder`: where settings of the user are kept. */
export function createWindowServices(host: WindowHost, folder: string, notify: Notify): WindowServices {
  const log = new AppLogBook((entry) => notify('log', entry));
  const uploads = new UploadFolder();
  const workspace = new Workspace({
    onEngineEnded: (reason) => {
      log.add('warning', 'engine', `the engine was restarted: ${reason}`);
      notify('engineRestarted', { reason });
    },
  });
  return {
    workspace,
    host,
    recent: new RecentFileList(join(folder, 'recent-files.json')),
    uploads,
    log,
    async close() {
      await workspace.close();
      await uploads.close();
    },
  };
}
