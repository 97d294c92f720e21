/**
 * A read-only listing: the editor with a shared selection of lines on top. Lines count from 0 here, from 1 inside.
 *
 * The selection is set from outside and told to the outside; the cursor follows it silently, so that arrow keys go on
 * from there whichever panel the selection came from.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTheme } from '../stores/settings.ts';
import { showContextMenu } from './context-menu.tsx';
import { copyEntry } from './copy-entry.ts';
import type { MenuEntry } from './menu-list.tsx';
import { monaco } from './monaco/setup.ts';
import { THEME_NAMES } from './monaco/themes.ts';

export interface CodeMark {
  readonly line: number;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'note';
}

export interface CodeViewProps {
  readonly label: string;
  readonly language: 'gcn' | 'spirv';
  readonly text: string;
  /** What stands in the margin of a line; default: its number. */
  readonly margin?: (line: number) => string;
  readonly marginWidth: number;
  readonly selected: readonly number[];
  /** The one to scroll to; −1 leaves the position. */
  readonly primary: number;
  /** Lines in a softer tint: the block around the selection. */
  readonly around?: { readonly from: number; readonly to: number } | undefined;
  readonly marks?: readonly CodeMark[];
  /** Paragraphs of Markdown; none: no hover. */
  readonly hover?: (line: number) => readonly string[];
  readonly onLine: (line: number) => void;
}

type Editor = ReturnType<typeof monaco.editor.create>;

/** What can be done with a line: copy, find. */
function entriesFor(editor: Editor, line: number): MenuEntry[] {
  const model = editor.getModel()!;
  const selection = editor.getSelection();
  const marked = selection && !selection.isEmpty() ? model.getValueInRange(selection) : '';
  const act = (id: string): void => {
    editor.focus();
    void editor.getAction(id)?.run();
  };
  return [
    marked
      ? copyEntry('Copy', () => marked, 'Ctrl+C')
      : copyEntry('Copy the line', () => model.getLineContent(line).trim(), 'Ctrl+C'),
    copyEntry('Copy all', () => model.getValue()),
    { kind: 'line', id: 'find' },
    { kind: 'item', label: 'Find…', hint: 'Ctrl+F', onPress: () => act('actions.find') },
    { kind: 'item', label: 'Go to line…', hint: 'Ctrl+G', onPress: () => act('editor.action.gotoLine') },
  ];
}

export function CodeView(props: CodeViewProps) {
  const { label, language, text, margin, marginWidth, selected, primary, around, marks } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(null);
  const decorations = useRef<ReturnType<Editor['createDecorationsCollection']>>(null);
  /** Set while the cursor is moved from outside. */
  const isFollowing = useRef(false);
  const latest = useRef(props);
  latest.current = props;
  const theme = useTheme();

  // A layout effect, and the first: those below find the editor made.
  useLayoutEffect(() => {
    const model = monaco.editor.createModel('', language);
    const made = monaco.editor.create(host.current!, {
      model,
      readOnly: true,
      domReadOnly: true,
      ariaLabel: label,
      automaticLayout: true,
      contextmenu: false,
      // Hovers may be wider than a narrow editor.
      fixedOverflowWidgets: true,
      folding: false,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
      fontSize: 12,
      lineHeight: 18,
      glyphMargin: false,
      lineDecorationsWidth: 8,
      lineNumbersMinChars: marginWidth,
      minimap: { enabled: false },
      occurrencesHighlight: 'singleFile',
      overviewRulerBorder: false,
      overviewRulerLanes: 0,
      hideCursorInOverviewRuler: true,
      renderLineHighlight: 'none',
      renderWhitespace: 'none',
      scrollBeyondLastLine: false,
      stickyScroll: { enabled: false },
      tabFocusMode: true,
      unicodeHighlight: { ambiguousCharacters: false },
      wordWrap: 'off',
      padding: { top: 4, bottom: 4 },
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    });
    editor.current = made;
    decorations.current = made.createDecorationsCollection();
    const cursor = made.onDidChangeCursorPosition(({ position }) => {
      if (!isFollowing.current) latest.current.onLine(position.lineNumber - 1);
    });
    // A click on the line where the cursor already stands selects it too.
    const mouse = made.onMouseDown(({ target }) => {
      if (target.position) latest.current.onLine(target.position.lineNumber - 1);
    });
    const menu = made.onContextMenu(({ event, target }) => {
      const line = target.position?.lineNumber ?? made.getPosition()?.lineNumber ?? 1;
      showContextMenu(event.browserEvent, label, entriesFor(made, line));
    });
    const hover = monaco.languages.registerHoverProvider(language, {
      provideHover(hovered, position) {
        const shown = hovered === model ? (latest.current.hover?.(position.lineNumber - 1) ?? []) : [];
        return shown.length > 0 ? { contents: shown.map((value) => ({ value })) } : null;
      },
    });
    return () => {
      cursor.dispose();
      mouse.dispose();
      menu.dispose();
      hover.dispose();
      made.dispose();
      model.dispose();
      editor.current = null;
    };
  }, [label, language, marginWidth]);

  useEffect(() => {
    monaco.editor.setTheme(THEME_NAMES[theme]);
  }, [theme]);

  useLayoutEffect(() => {
    const model = editor.current?.getModel();
    if (!model || model.getValue() === text) return;
    isFollowing.current = true;
    model.setValue(text);
    editor.current?.setScrollTop(0);
    isFollowing.current = false;
  }, [text]);

  useLayoutEffect(() => {
    editor.current?.updateOptions({ lineNumbers: margin ? (number) => margin(number - 1) : 'on' });
  }, [margin]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text drops what was set on the old one
  useLayoutEffect(() => {
    const model = editor.current?.getModel();
    if (!model) return;
    const severity = {
      error: monaco.MarkerSeverity.Error,
      warning: monaco.MarkerSeverity.Warning,
      note: monaco.MarkerSeverity.Info,
    };
    monaco.editor.setModelMarkers(
      model,
      'lanescope',
      (marks ?? []).map((mark) => ({
        startLineNumber: mark.line + 1,
        endLineNumber: mark.line + 1,
        startColumn: model.getLineFirstNonWhitespaceColumn(mark.line + 1),
        endColumn: model.getLineMaxColumn(mark.line + 1),
        message: mark.message,
        severity: severity[mark.severity],
      })),
    );
  }, [marks, text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text drops what was set on the old one
  useLayoutEffect(() => {
    const whole = (from: number, to: number, className: string) => ({
      range: new monaco.Range(from + 1, 1, to + 1, 1),
      options: { isWholeLine: true, className },
    });
    const list = [
      ...(around ? [whole(around.from, around.to, 'code-line--block')] : []),
      ...(marks ?? []).filter((m) => m.severity === 'error').map((m) => whole(m.line, m.line, 'code-line--problem')),
      ...selected.map((line) => whole(line, line, line === primary ? 'code-line--primary' : 'code-line--selected')),
    ];
    decorations.current?.set(list);
  }, [selected, primary, around, marks, text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text drops what was set on the old one
  useLayoutEffect(() => {
    const made = editor.current;
    const model = made?.getModel();
    if (!made || !model || primary < 0 || primary >= model.getLineCount()) return;
    if (made.getPosition()?.lineNumber === primary + 1) {
      made.revealLineInCenterIfOutsideViewport(primary + 1, monaco.editor.ScrollType.Immediate);
      return;
    }
    isFollowing.current = true;
    made.setPosition({ lineNumber: primary + 1, column: 1 });
    made.revealLineInCenterIfOutsideViewport(primary + 1, monaco.editor.ScrollType.Immediate);
    isFollowing.current = false;
  }, [primary, text]);

  return <div className="code-view" ref={host} />;
}
