/** What happens when the window starts, and what it listens to for as long as it lives. */
import { call, onConnection, onNotice } from '../connection/client.ts';
import { useApp } from '../stores/app.ts';
import { adopt, openPath, refreshRecent, useCapture } from '../stores/capture.ts';
import { refreshDevices } from '../stores/devices.ts';
import { inspectAgain, recompileAgain, startInspecting } from '../stores/inspect.ts';
import { runSelected, startLanes } from '../stores/lanes.ts';
import { logFailure, startLog } from '../stores/log.ts';
import { clearSelection, step, stepTarget } from '../stores/selection.ts';

export async function start(): Promise<void> {
  startInspecting();
  startLanes();
  // A capture that was opened shows its first dispatch, or what else it has.
  useCapture.subscribe(({ tree }, before) => {
    if (tree === before.tree) return;
    clearSelection();
    if (stepTarget(1, true) >= 0) step(1, true);
    else if (stepTarget(1) >= 0) step(1);
  });
  onConnection((isConnected) => {
    const wasConnected = useApp.getState().isConnected;
    useApp.setState({ isConnected });
    if (isConnected && !wasConnected) void resume();
  });
  onNotice('openFile', ({ path }) => void openPath(path));
  onNotice('engineRestarted', () => {
    inspectAgain();
    void runSelected();
    void refreshDevices();
  });
  try {
    await startLog();
    const info = await call('app.info', {});
    useApp.setState({ info });
    void refreshRecent();
    void refreshDevices().then(recompileAgain);
    const current = await call('capture.current', {});
    if (current) await adopt(current);
    else if (info.startPath) await openPath(info.startPath);
  } catch (error) {
    logFailure('start', error);
  }
}

/** After a broken connection: shows again what the engine has open. */
async function resume(): Promise<void> {
  try {
    const current = await call('capture.current', {});
    if (current?.id === useCapture.getState().summary?.id) inspectAgain();
    else if (current) await adopt(current);
  } catch (error) {
    logFailure('connection', error);
  }
}
