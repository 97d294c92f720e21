/** Keys that work from anywhere in the window, whatever has the focus. The menus show the same. */
import { step } from '../stores/selection.ts';
import { showKeys } from './keys-dialog.tsx';
import { cycleFocus, focusPanel, panelAt } from './layout.ts';
import { openDialog } from './open-dialog.ts';

function onKeyDown(event: KeyboardEvent): void {
  // A dialog has the keys to itself.
  if (document.querySelector('dialog[open]')) return;
  const { key } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && !event.altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    step(key === 'ArrowRight' ? 1 : -1, event.shiftKey);
  } else if (isControl && !event.altKey && !event.shiftKey && key.toLowerCase() === 'o') void openDialog();
  else if (event.altKey && !isControl && /^[1-9]$/.test(key)) {
    const panel = panelAt(Number(key) - 1);
    if (!panel) return;
    focusPanel(panel.id);
  } else if (key === 'F6' && !isControl && !event.altKey) cycleFocus(event.shiftKey ? -1 : 1);
  else if (isControl && !event.altKey && (key === '/' || key === '?')) showKeys();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns what removes them again. */
export function installShortcuts(): () => void {
  // Before the editor and the panels see the key.
  window.addEventListener('keydown', onKeyDown, true);
  return () => window.removeEventListener('keydown', onKeyDown, true);
}
