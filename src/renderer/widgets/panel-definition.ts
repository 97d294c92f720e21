/** What a panel is: a folder that exports one of these, and a line in panel-registry.ts. Panels never import panels. */
import type { FunctionComponent } from 'react';

export interface PanelDefinition {
  /** Stable: layouts are saved with it. */
  readonly id: string;
  readonly title: string;
  readonly Component: FunctionComponent;
}
