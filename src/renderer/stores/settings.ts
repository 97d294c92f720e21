/** What the user chose: theme, number format. Kept in the browser's storage of this window. */
import { create } from 'zustand';

export const THEMES = ['system', 'dark', 'light'] as const;
export type ThemeChoice = (typeof THEMES)[number];
export type Theme = 'dark' | 'light';

interface SettingsState {
  readonly theme: ThemeChoice;
  /** What `system` means at the moment. */
  readonly systemTheme: Theme;
}

const KEY = 'lanescope.theme';
const media = window.matchMedia('(prefers-color-scheme: light)');

function storedTheme(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export const useSettings = create<SettingsState>(() => ({
  theme: storedTheme(),
  systemTheme: media.matches ? 'light' : 'dark',
}));

media.addEventListener('change', () => useSettings.setState({ systemTheme: media.matches ? 'light' : 'dark' }));

export function setTheme(theme: ThemeChoice): void {
  localStorage.setItem(KEY, theme);
  useSettings.setState({ theme });
}

export function effectiveTheme({ theme, systemTheme }: SettingsState): Theme {
  return theme === 'system' ? systemTheme : theme;
}

export function useTheme(): Theme {
  return useSettings(effectiveTheme);
}
