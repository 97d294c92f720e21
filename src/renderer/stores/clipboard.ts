/** Copies text, and says in the status bar what was copied. */
import { counted } from '../selectors/number-format.ts';
import { logFailure } from './log.ts';
import { tell } from './notice.ts';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    const lines = text.split('\n').length;
    tell(
      lines > 1 ? `${counted(lines, 'line')} copied` : `copied: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`,
    );
  } catch (error) {
    logFailure('copy', error);
    tell('copying failed; the log says why');
  }
}

/** Ctrl+C where no text is marked: then a panel copies what is selected in it. */
export function isCopyKey(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}): boolean {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  return isCommand && event.key.toLowerCase() === 'c' && window.getSelection()?.isCollapsed !== false;
}
