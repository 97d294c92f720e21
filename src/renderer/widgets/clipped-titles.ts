/**
 * Text that is cut off is told in full by a tooltip. One listener for the window: whatever has the class `clip`, no
 * tooltip of its own, and less room than it wants, gets one while the pointer is on it.
 */
const OWN = 'clippedTitle';

function onPointerOver(event: PointerEvent): void {
  const element = (event.target as HTMLElement).closest?.<HTMLElement>('.clip');
  if (!element) return;
  const isOwn = element.dataset[OWN] !== undefined;
  if (element.title !== '' && !isOwn) return;
  if (element.scrollWidth > element.clientWidth) {
    element.title = element.textContent;
    element.dataset[OWN] = '';
  } else if (isOwn) {
    element.removeAttribute('title');
    delete element.dataset[OWN];
  }
}

/** Returns what removes it again. */
export function installClippedTitles(): () => void {
  window.addEventListener('pointerover', onPointerOver, { passive: true });
  return () => window.removeEventListener('pointerover', onPointerOver);
}
