/**
 * The arrangement of the panels: the one to start with, saved and restored, and the way to a panel by its id.
 */
import type { DockviewApi } from 'dockview-react';
import { create } from 'zustand';
import { PANELS } from '../panel-registry.ts';
import type { PanelDefinition } from '../widgets/panel-definition.ts';

const KEY = 'lanescope.layout.1';

interface LayoutState {
  readonly api: DockviewApi | null;
  /** Ids of the panels that are there. */
  readonly open: ReadonlySet<string>;
}

export const useLayout = create<LayoutState>(() => ({ api: null, open: new Set() }));

export function panelAt(index: number): PanelDefinition | undefined {
  return PANELS[index];
}

function panelWith(id: string): PanelDefinition {
  const panel = PANELS.find((p) => p.id === id);
  if (!panel) throw new Error(`there is no panel ${id}`);
  return panel;
}

function between(least: number, wanted: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, wanted)));
}

/** Events over packets and state on the left, shader over lanes in the middle, the graph at full height on the right. */
function arrange(api: DockviewApi): void {
  api.clear();
  const add = (id: string, place: object): void => {
    const { title } = panelWith(id);
    api.addPanel({ id, component: id, title, ...place });
  };
  add('shader', {});
  add('lanes', { position: { referencePanel: 'shader', direction: 'below' } });
  add('log', { position: { referencePanel: 'lanes', direction: 'within' }, inactive: true });
  add('cfg', { position: { direction: 'right' } });
  add('events', { position: { direction: 'left' } });
  add('pm4', { position: { referencePanel: 'events', direction: 'below' } });
  add('state', { position: { referencePanel: 'pm4', direction: 'within' }, inactive: true });
  const { width, height } = api;
  const size = (id: string, dimensions: { width?: number; height?: number }): void => {
    api.getPanel(id)?.group.api.setSize(dimensions);
  };
  size('events', { width: between(300, width * 0.26, 560) });
  size('cfg', { width: between(300, width * 0.29, 740) });
  size('pm4', { height: Math.round(height * 0.44) });
  size('lanes', { height: between(326, height * 0.3, 380) });
  api.getPanel('events')?.api.setActive();
}

export function startLayout(api: DockviewApi): void {
  const stored = localStorage.getItem(KEY);
  try {
    if (stored) api.fromJSON(JSON.parse(stored));
  } catch {
    // A layout of another time, or damaged.
    localStorage.removeItem(KEY);
  }
  if (api.panels.length === 0) arrange(api);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = (): void => useLayout.setState({ api, open: new Set(api.panels.map((p) => p.id)) });
  api.onDidLayoutChange(() => {
    note();
    clearTimeout(timer);
    timer = setTimeout(() => localStorage.setItem(KEY, JSON.stringify(api.toJSON())), 300);
  });
  note();
}

export function resetLayout(): void {
  const { api } = useLayout.getState();
  if (api) arrange(api);
}

/** Shows a panel, opening it where it is not there, and gives it the focus. */
export function focusPanel(id: string): void {
  const { api } = useLayout.getState();
  if (!api) return;
  const panel = api.getPanel(id);
  if (panel) {
    // One that is in front stays as it is: it takes the focus, and with it its group.
    if (!panel.api.isVisible) panel.api.setActive();
  } else {
    const { title } = panelWith(id);
    api.addPanel({ id, component: id, title });
  }
  // A panel that was hidden is drawn first.
  if (!focusInside(id)) requestAnimationFrame(() => focusInside(id));
}

export function closePanel(id: string): void {
  useLayout.getState().api?.getPanel(id)?.api.close();
}

/** The next or previous group of panels gets the focus. */
export function cycleFocus(direction: 1 | -1): void {
  const { api } = useLayout.getState();
  if (!api || api.groups.length === 0) return;
  const at = api.activeGroup ? api.groups.indexOf(api.activeGroup) : -1;
  const next = api.groups[(at + direction + api.groups.length) % api.groups.length]!;
  const id = next.activePanel?.id;
  if (id !== undefined) focusPanel(id);
}

/** The first thing in the panel that takes keys for its content, else the first that takes the focus at all. */
function focusInside(id: string): boolean {
  const frame = document.querySelector(`[data-panel="${id}"]`);
  const content = frame?.querySelector<HTMLElement>(
    '[role="tree"], [role="grid"], [role="log"], .cfg, textarea, .native-edit-context',
  );
  const target = content ?? frame?.querySelector<HTMLElement>('button, input, select, [tabindex="0"]');
  target?.focus();
  return target !== undefined && target !== null && document.activeElement === target;
}
