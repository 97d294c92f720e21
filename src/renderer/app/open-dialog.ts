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

/** Kept: nothing else holds it while the browser's dialog is open. */
let chooser: HTMLInputElement | undefined;

function chooseInBrowser(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void openFile(file);
  });
  chooser = input;
  chooser.click();
}
