/** The panels, docked. */
import { DockviewReact, type DockviewReadyEvent, type DockviewTheme } from 'dockview-react';
import type { FunctionComponent } from 'react';
import { PANELS } from '../panel-registry.ts';
import { useTheme } from '../stores/settings.ts';
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

export function Dock() {
  const colorScheme = useTheme();
  return (
    <DockviewReact
      components={COMPONENTS}
      theme={{ ...THEME, colorScheme }}
      onReady={({ api }: DockviewReadyEvent) => startLayout(api)}
    />
  );
}
