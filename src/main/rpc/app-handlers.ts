/** Handlers of the group `app`: information, files to open, uploads, log. */
import { VERSION } from '../session/app/version.ts';
import type { Handlers } from './handlers.ts';

type AppCall = Extract<keyof Handlers, `app.${string}`>;

export const APP_HANDLERS: Pick<Handlers, AppCall> = {
  'app.info': (_args, { host }) => ({
    version: VERSION,
    host: host.kind,
    platform: process.platform,
    fileDialog: host.chooseFile !== undefined,
    samplePath: host.samplePath,
    startPath: host.startPath,
  }),
  'app.chooseFile': async (_args, { host }) => ({ path: (await host.chooseFile?.()) ?? null }),
  'app.recentFiles': (_args, { recent }) => recent.list(),
  'app.forgetRecentFile': async ({ path }, { recent }) => {
    await recent.forget(path);
    return recent.list();
  },
  'app.log': (_args, { log }) => log.entries,
  'app.beginUpload': async ({ name, sizeBytes }, { uploads }) => ({ id: await uploads.begin(name, sizeBytes) }),
  'app.uploadChunk': async ({ id, bytes }, { uploads }) => ({ received: await uploads.write(id, bytes) }),
  'app.finishUpload': async ({ id }, { uploads }) => ({ path: await uploads.finish(id) }),
};
