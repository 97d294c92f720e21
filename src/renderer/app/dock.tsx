/** The panels, docked. */
import {
  DockviewReact,
  type DockviewReadyEvent,
  type DockviewTheme,
  type IDockviewHeaderActionsProps,
  type IDockviewPanelHeaderProps,
} from 'dockview-react';
import type { FunctionComponent } from 'react';
import { PANELS } from '../panel-registry.ts';
import { useTheme } from '../stores/settings.ts';
import { Button } from '../widgets/button.tsx';
import { startLayout } from './layout.ts';

const COMPONENTS: Record<string, FunctionComponent> = Object.fromEntries(
  PANELS.map(({ id, Component }) => [
    id,
    () => (
      <div className="dock-panel" data-panel={id}>
        <Component />
      </div>
    ),
  ]),
);

const THEME: DockviewTheme = {
  name: 'lanescope',
  className: 'dockview-theme-lanescope',
  gap: 4,
  dndTabIndicator: 'line',
};

/** Its title alone: a tab is one control and holds no other. */
function Tab({ api }: IDockviewPanelHeaderProps) {
  return <span className="dock-tab">{api.title}</span>;
}

/** At the end of a row of tabs: what can be done with the panel in front. */
function TabActions({ activePanel }: IDockviewHeaderActionsProps) {
  if (!activePanel) return null;
  return (
    <div className="dock-actions">
      <Button label={`Close ${activePanel.title}`} icon="close" iconOnly onPress={() => activePanel.api.close()} />
    </div>
  );
}

export function Dock() {
  const colorScheme = useTheme();
  return (
    <DockviewReact
      components={COMPONENTS}
      defaultTabComponent={Tab}
      rightHeaderActionsComponent={TabActions}
      theme={{ ...THEME, colorScheme }}
      onReady={({ api }: DockviewReadyEvent) => startLayout(api)}
    />
  );
}
