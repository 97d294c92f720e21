/** A word about what was just done, shown in the status bar for a moment: text was copied. */
import { create } from 'zustand';

const SHOWN_MS = 2500;

interface NoticeState {
  readonly text: string | null;
}

export const useNotice = create<NoticeState>(() => ({ text: null }));

let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string): void {
  clearTimeout(timer);
  useNotice.setState({ text });
  timer = setTimeout(() => useNotice.setState({ text: null }), SHOWN_MS);
}
