/** All panels, in the order of Alt+1, Alt+2 … and of the menu. A panel more: its folder in panels/, a line here. */
import { CFG_PANEL } from './panels/cfg/index.tsx';
import { EVENTS_PANEL } from './panels/events/index.tsx';
import { LANES_PANEL } from './panels/lanes/index.tsx';
import { LOG_PANEL } from './panels/log/index.tsx';
import { PM4_PANEL } from './panels/pm4/index.tsx';
import { SHADER_PANEL } from './panels/shader/index.tsx';
import { STATE_PANEL } from './panels/state/index.tsx';
import type { PanelDefinition } from './widgets/panel-definition.ts';

export const PANELS: readonly PanelDefinition[] = [
  EVENTS_PANEL,
  PM4_PANEL,
  STATE_PANEL,
  SHADER_PANEL,
  CFG_PANEL,
  LANES_PANEL,
  LOG_PANEL,
];
