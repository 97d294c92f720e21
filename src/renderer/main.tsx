/** Starts the window: stores first, then the picture, then whatever was asked to be open. */
import { createRoot } from 'react-dom/client';
import 'dockview-react/dist/styles/dockview.css';
import './app/styles/tokens.css';
import './app/styles/base.css';
import './app/styles/dock.css';
import './widgets/controls.css';
import './widgets/code-view.css';
import './app/app.css';
import { App } from './app/app.tsx';
import { start } from './app/start.ts';
import { effectiveTheme, useSettings } from './stores/settings.ts';

function applyTheme(): void {
  document.documentElement.dataset.theme = effectiveTheme(useSettings.getState());
}

applyTheme();
useSettings.subscribe(applyTheme);
createRoot(document.getElementById('root')!).render(<App />);
void start();
