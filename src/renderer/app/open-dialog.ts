/** Lets the user choose a capture: by the system's dialog in Electron, by the browser's own elsewhere. */
import { call } from '../connection/client.ts';
import { useApp } from '../stores/app.ts';
import { openFile, openPath } from '../stores/capture.ts';
import { logFailure } from '../stores/log.ts';

export async function openDialog(): Promise<void> {
  if (!useApp.getState().info?.fileDialog) {
    chooseInBrowser();
    return;
  }
  try {
    const { path } = await call('app.chooseFile', {});
    if (path) await openPath(path);
  } catch (error) {
    logFailure('open', error);
  }
}

function chooseInBrowser(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void openFile(file);
  });
  input.click();
}
