/**
 * The smallest panel: copy this folder, name it, add a line to ../../panel-registry.ts and a test in tests/unit/renderer.
 *
 * Data of the selected event comes from stores/inspect.ts; what is worked out from it is a pure function in selectors/.
 */
import { useInspect } from '../../stores/inspect.ts';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';

function SkeletonPanel() {
  const { value, isLoading } = useInspect((state) => state.state);
  return (
    <Panel label="Skeleton" isBusy={isLoading}>
      {value ? <p>{value.summary}</p> : <Empty>Select an event.</Empty>}
    </Panel>
  );
}

export const SKELETON_PANEL: PanelDefinition = { id: 'skeleton', title: 'Skeleton', Component: SkeletonPanel };
