/** All panels, in the order of Alt+1, Alt+2 … and of the menu. */
import { CFG_PANEL } from './cfg/index.tsx';
import { EVENTS_PANEL } from './events/index.tsx';
import { LANES_PANEL } from './lanes/index.tsx';
import { LOG_PANEL } from './log/index.tsx';
import type { PanelDefinition } from './panel.ts';
import { PM4_PANEL } from './pm4/index.tsx';
import { SHADER_PANEL } from './shader/index.tsx';
import { STATE_PANEL } from './state/index.tsx';

export const PANELS: readonly PanelDefinition[] = [
  EVENTS_PANEL,
  PM4_PANEL,
  STATE_PANEL,
  SHADER_PANEL,
  CFG_PANEL,
  LANES_PANEL,
  LOG_PANEL,
];
