/** The editor's two themes. The editor wants literal colours; they are those of tokens.css. */
import type * as Monaco from 'monaco-editor/editor/editor.api';

interface Palette {
  readonly base: 'vs' | 'vs-dark';
  readonly background: string;
  readonly text: string;
  readonly faint: string;
  readonly comment: string;
  readonly mnemonic: string;
  readonly flow: string;
  readonly scalar: string;
  readonly vector: string;
  readonly number: string;
  readonly problem: string;
  readonly label: string;
  readonly selection: string;
  readonly raised: string;
  readonly line: string;
}

const DARK: Palette = {
  base: 'vs-dark',
  background: '#191c22',
  text: '#e4e7ed',
  faint: '#8f98a8',
  comment: '#8f98a8',
  mnemonic: '#7fb8f5',
  flow: '#c3a3ff',
  scalar: '#e5b567',
  vector: '#86d3a6',
  number: '#d19af0',
  problem: '#ff8a84',
  label: '#4fc4d9',
  selection: '#21405f',
  raised: '#21252d',
  line: '#3d4450',
};

const LIGHT: Palette = {
  base: 'vs',
  background: '#ffffff',
  text: '#1b1f27',
  faint: '#5c6573',
  comment: '#5c6573',
  mnemonic: '#0b5cad',
  flow: '#6b3fc0',
  scalar: '#8a5200',
  vector: '#19703f',
  number: '#7a2fb5',
  problem: '#b3261e',
  label: '#0b7285',
  selection: '#cfe3f8',
  raised: '#f2f4f7',
  line: '#b4bbc7',
};

export const THEME_NAMES = { dark: 'lanescope-dark', light: 'lanescope-light' } as const;

function themeOf(p: Palette): Monaco.editor.IStandaloneThemeData {
  const rule = (token: string, colour: string, fontStyle?: string): Monaco.editor.ITokenThemeRule => ({
    token,
    foreground: colour.slice(1),
    ...(fontStyle ? { fontStyle } : {}),
  });
  return {
    base: p.base,
    inherit: false,
    rules: [
      rule('', p.text),
      rule('comment', p.comment),
      rule('comment.problem', p.problem),
      rule('label', p.label),
      rule('directive', p.faint),
      rule('mnemonic', p.mnemonic),
      rule('mnemonic.flow', p.flow),
      rule('register.scalar', p.scalar),
      rule('register.special', p.scalar),
      rule('register.vector', p.vector),
      rule('number', p.number),
      rule('string', p.vector),
      rule('modifier', p.text),
    ],
    colors: {
      'editor.background': p.background,
      'editor.foreground': p.text,
      'editorLineNumber.foreground': p.faint,
      'editorLineNumber.activeForeground': p.text,
      'editor.selectionBackground': p.selection,
      'editorCursor.foreground': p.text,
      'editorWidget.background': p.raised,
      'editorWidget.border': p.line,
      'editorHoverWidget.background': p.raised,
      'editorHoverWidget.border': p.line,
      'input.background': p.background,
      'input.foreground': p.text,
      'input.border': p.line,
      focusBorder: p.flow,
    },
  };
}

export function defineThemes(monaco: typeof Monaco): void {
  monaco.editor.defineTheme(THEME_NAMES.dark, themeOf(DARK));
  monaco.editor.defineTheme(THEME_NAMES.light, themeOf(LIGHT));
}
