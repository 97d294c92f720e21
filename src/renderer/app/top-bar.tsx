/** The bar at the top: open, step, what is selected, panels, theme. */

import { PANELS } from '../panel-registry.ts';
import { useApp } from '../stores/app.ts';
import { openPath, rowTextAt, useCapture } from '../stores/capture.ts';
import { step, stepTarget, useSelection } from '../stores/selection.ts';
import { setTheme, THEMES, type ThemeChoice, useSettings } from '../stores/settings.ts';
import { Button } from '../widgets/button.tsx';
import { Menu } from '../widgets/menu.tsx';
import type { MenuEntry } from '../widgets/menu-list.tsx';
import { showKeys } from './keys-dialog.tsx';
import { closePanel, focusPanel, resetLayout, useLayout } from './layout.ts';
import { openDialog } from './open-dialog.ts';

const THEME_NAMES: Readonly<Record<ThemeChoice, string>> = {
  system: 'As the system',
  dark: 'Dark',
  light: 'Light',
};

export function TopBar() {
  return (
    <header className="top-bar">
      <span className="top-bar__brand">
        <img src="./icon.svg" alt="" width="18" height="18" />
        Lanescope
      </span>
      <OpenMenu />
      <Stepping />
      <Current />
      <PanelsMenu />
      <ThemeMenu />
      <Button label="Keys" icon="keyboard" iconOnly shortcut="Ctrl+/" onPress={showKeys} />
    </header>
  );
}

function OpenMenu() {
  const recent = useCapture((state) => state.recent);
  const sample = useApp((state) => state.info?.samplePath);
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'Open capture…', hint: 'Ctrl+O', onPress: () => void openDialog() },
    {
      kind: 'item',
      label: 'Open the sample',
      disabledReason: sample ? undefined : 'the sample capture was not found beside the application',
      onPress: () => {
        if (sample) void openPath(sample);
      },
    },
  ];
  if (recent.length > 0) entries.push({ kind: 'line', id: 'recent' }, { kind: 'title', label: 'Opened before' });
  for (const file of recent) {
    entries.push({ kind: 'item', label: file.name, hint: file.folder, onPress: () => void openPath(file.path) });
  }
  return <Menu label="Open" icon="open" entries={entries} />;
}

function Stepping() {
  const hasCapture = useCapture((state) => state.tree !== null);
  const row = useSelection((state) => state.row);
  const reason = (direction: 1 | -1, onlyDispatches: boolean): string | undefined => {
    if (!hasCapture) return 'no capture is open';
    const what = onlyDispatches ? 'dispatch' : 'event';
    if (stepTarget(direction, onlyDispatches) >= 0) return undefined;
    return direction > 0 ? `there is no ${what} after this one` : `there is no ${what} before this one`;
  };
  return (
    <div className="top-bar__group" role="group" aria-label="Stepping" data-row={row}>
      <Button
        label="Previous dispatch"
        icon="previousDispatch"
        iconOnly
        shortcut="Ctrl+Shift+←"
        disabledReason={reason(-1, true)}
        onPress={() => step(-1, true)}
      />
      <Button
        label="Previous event"
        icon="previous"
        iconOnly
        shortcut="Ctrl+←"
        disabledReason={reason(-1, false)}
        onPress={() => step(-1)}
      />
      <Button
        label="Next event"
        icon="next"
        iconOnly
        shortcut="Ctrl+→"
        disabledReason={reason(1, false)}
        onPress={() => step(1)}
      />
      <Button
        label="Next dispatch"
        icon="nextDispatch"
        iconOnly
        shortcut="Ctrl+Shift+→"
        disabledReason={reason(1, true)}
        onPress={() => step(1, true)}
      />
    </div>
  );
}

/** The selected event in one line, said to screen readers when it changes. */
function Current() {
  const { event, row } = useSelection();
  const text = useCapture((state) => rowTextAt(state.pages, row));
  const total = useCapture((state) => state.summary?.events);
  return (
    <div className="top-bar__current" role="status" aria-label="Selected event">
      {event >= 0 && total !== undefined && (
        <>
          <span className="muted">Event</span> <span className="mono">{event}</span>
          <span className="muted"> of {total.toLocaleString('en')}</span>
          {text && (
            <>
              <strong className="clip">{text.name}</strong>
              <span className="clip muted">{text.detail}</span>
              {text.shader && <span className="clip mono top-bar__shader">{text.shader}</span>}
            </>
          )}
        </>
      )}
    </div>
  );
}

function PanelsMenu() {
  const { api, open } = useLayout();
  const hasCapture = useCapture((state) => state.summary !== null);
  const reason = api && hasCapture ? undefined : 'no capture is open';
  const entries: MenuEntry[] = [
    ...PANELS.map(
      (panel, index): MenuEntry => ({
        kind: 'item',
        label: panel.title,
        hint: `Alt+${index + 1}`,
        checked: open.has(panel.id),
        disabledReason: reason,
        onPress: () => (open.has(panel.id) ? closePanel(panel.id) : focusPanel(panel.id)),
      }),
    ),
    { kind: 'line', id: 'layout' },
    { kind: 'item', label: 'Reset layout', disabledReason: reason, onPress: resetLayout },
  ];
  return <Menu label="Panels" icon="layout" align="right" entries={entries} />;
}

function ThemeMenu() {
  const theme = useSettings((state) => state.theme);
  return (
    <Menu
      label="Theme"
      icon="theme"
      iconOnly
      align="right"
      entries={THEMES.map((choice) => ({
        kind: 'item',
        label: THEME_NAMES[choice],
        checked: choice === theme,
        onPress: () => setTheme(choice),
      }))}
    />
  );
}
