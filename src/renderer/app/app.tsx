/** The window: bar, docked panels, status; and what works everywhere: keys, dropped files. */
import { useEffect } from 'react';
import { useCapture } from '../stores/capture.ts';
import { installClippedTitles } from '../widgets/clipped-titles.ts';
import { ContextMenuHost } from '../widgets/context-menu.tsx';
import { Dock } from './dock.tsx';
import { DropZone } from './drop-zone.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { OpenProblem } from './open-problem.tsx';
import { installShortcuts } from './shortcuts.ts';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { Welcome } from './welcome.tsx';

export function App() {
  const hasCapture = useCapture((state) => state.summary !== null);
  useEffect(installShortcuts, []);
  useEffect(installClippedTitles, []);
  return (
    <div className="app">
      <div>
        <TopBar />
        {hasCapture && <OpenProblem />}
      </div>
      <main className="dock">{hasCapture ? <Dock /> : <Welcome />}</main>
      <StatusBar />
      <DropZone />
      <ContextMenuHost />
      <KeysDialog />
    </div>
  );
}
