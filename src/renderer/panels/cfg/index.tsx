/**
 * CFG: the shader as blocks and the calls between them. Regions that were entered through a call are shaded groups with
 * the way in which their address is known. Arrow keys walk the instructions; the graph follows the selection.
 */
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ReactFlow, ReactFlowProvider, useReactFlow } from 'reactflow';
import 'reactflow/dist/base.css';
import type { ProgramView } from '../../../preload/contract/index.ts';
import { cfgGraph } from '../../selectors/cfg-graph.ts';
import { findInstructions, instructionText, selectionText } from '../../selectors/cfg-text.ts';
import { messageGroups } from '../../selectors/similar-messages.ts';
import { copyText, isCopyKey } from '../../stores/clipboard.ts';
import { useInspect, useWhyNoShader } from '../../stores/inspect.ts';
import { useRunFaults } from '../../stores/lanes.ts';
import { logFailure } from '../../stores/log.ts';
import { selectAddress, useSelection } from '../../stores/selection.ts';
import { useTheme } from '../../stores/settings.ts';
import { Button } from '../../widgets/button.tsx';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { graphMenu } from './graph-menu.ts';
import { type CfgLayout, cancelLayout, layoutCfg } from './layout.ts';
import {
  ArrowHeads,
  BlockCard,
  type BlockNode,
  type GroupNode,
  Legend,
  RegionGroup,
  type RoutedEdge,
  RoutedPath,
} from './nodes.tsx';
import { Overview, readableView } from './overview.tsx';
import './cfg.css';

const NODE_TYPES = { block: BlockCard, region: RegionGroup };
const EDGE_TYPES = { routed: RoutedPath };
const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.05 };
const NONE: ReadonlySet<number> = new Set();

function CfgPanel() {
  const { value: answer, isLoading } = useInspect((state) => state.program);
  const whyNoShader = useWhyNoShader();
  const program = answer?.program;
  if (!program) {
    return (
      <Panel label="CFG" isBusy={isLoading}>
        <Empty>{whyNoShader ?? 'Select a dispatch to see its control flow.'}</Empty>
      </Panel>
    );
  }
  return (
    <ReactFlowProvider>
      <Graph program={program} isLoading={isLoading} />
    </ReactFlowProvider>
  );
}

/** Which contexts are folded; forgotten when the program is another. */
function useFolded(key: string) {
  const [state, setState] = useState<{ readonly key: string; readonly folded: ReadonlySet<number> }>({
    key,
    folded: NONE,
  });
  const folded = state.key === key ? state.folded : NONE;
  const toggle = useCallback(
    (context: number) => {
      setState((before) => {
        const next = new Set(before.key === key ? before.folded : NONE);
        if (!next.delete(context)) next.add(context);
        return { key, folded: next };
      });
    },
    [key],
  );
  const fold = useCallback((contexts: readonly number[]) => setState({ key, folded: new Set(contexts) }), [key]);
  return { folded, toggle, fold };
}

function useLayout(program: ProgramView, folded: ReadonlySet<number>) {
  // The key stands for the program: another answer about the same code keeps the graph.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const graph = useMemo(() => cfgGraph(program, folded), [program.key, folded]);
  const [layout, setLayout] = useState<CfgLayout>();
  useEffect(() => {
    let isCurrent = true;
    layoutCfg(graph).then(
      (made) => {
        if (isCurrent) setLayout(made);
      },
      (error) => {
        if (isCurrent) logFailure('graph layout', error);
      },
    );
    return () => {
      isCurrent = false;
      cancelLayout();
    };
  }, [graph]);
  return { graph, layout: layout?.graph === graph ? layout : undefined };
}

function Graph({ program, isLoading }: { readonly program: ProgramView; readonly isLoading: boolean }) {
  const { folded, toggle, fold } = useFolded(program.key);
  const { graph, layout } = useLayout(program, folded);
  const [query, setQuery] = useState('');
  const flow = useReactFlow();
  const frame = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const address = useSelection((state) => state.address);
  const source = useSelection((state) => state.source);

  const matches = useMemo(() => findInstructions(program, query), [program, query]);
  const found = useMemo(() => (matches.length > 0 ? new Set(matches) : NONE), [matches]);

  const reported = useRunFaults(program.event);
  const faults = useMemo(
    () =>
      new Map(
        messageGroups(reported).flatMap(({ first: { address, text } }) =>
          address === undefined ? [] : [[address, text]],
        ),
      ),
    [reported],
  );

  const nodes = useMemo((): (BlockNode | GroupNode)[] => {
    if (!layout) return [];
    const place = (id: string) => layout.places.get(id) ?? { x: 0, y: 0, width: 10, height: 10 };
    const shared = { draggable: false, selectable: false, connectable: false, focusable: false } as const;
    // A parent must stand before what it holds.
    const groups = [...layout.graph.groups].sort((a, b) => a.depth - b.depth);
    return [
      ...groups.map((group): GroupNode => {
        const { x, y, width, height } = place(group.id);
        const parent = group.parent === undefined ? {} : { parentId: group.parent };
        const data = { group, onToggle: toggle };
        return { ...shared, ...parent, id: group.id, type: 'region', position: { x, y }, width, height, data };
      }),
      ...layout.graph.blocks.map((block): BlockNode => {
        const { x, y, width, height } = place(block.id);
        const parent = block.group === undefined ? {} : { parentId: block.group };
        const data = { block, found, faults };
        return { ...shared, ...parent, id: block.id, type: 'block', position: { x, y }, width, height, data };
      }),
    ];
  }, [layout, found, faults, toggle]);

  const edges = useMemo((): RoutedEdge[] => {
    if (!layout) return [];
    return layout.graph.edges.flatMap((edge) => {
      const route = layout.routes.get(edge.id);
      if (!route) return [];
      const data = { edge, route };
      return [
        { id: edge.id, source: edge.from, target: edge.to, type: 'routed' as const, data, focusable: false, zIndex: 1 },
      ];
    });
  }, [layout]);

  useEffect(() => {
    if (!layout) return;
    const handle = requestAnimationFrame(() => {
      const box = frame.current?.getBoundingClientRect();
      const view = box && readableView(layout, box.width, box.height);
      void (view ? flow.setViewport(view) : flow.fitView(FIT));
    });
    return () => cancelAnimationFrame(handle);
  }, [layout, flow]);

  /** Brings a block into sight when it is not. */
  const reveal = useCallback(
    (at: number) => {
      const block = graph.blockOfAddress.get(at);
      const id = block === undefined ? undefined : graph.cardsOfBlock.get(block)?.[0];
      const place = id === undefined ? undefined : layout?.places.get(id);
      const box = frame.current?.getBoundingClientRect();
      if (!place || !box) return;
      const { x, y, zoom } = flow.getViewport();
      const left = place.absoluteX * zoom + x;
      const top = place.absoluteY * zoom + y;
      const isIn = left >= 0 && top >= 0 && left + 60 < box.width && top + 40 < box.height;
      if (!isIn) {
        void flow.setCenter(place.absoluteX + place.width / 2, place.absoluteY + place.height / 2, {
          zoom: Math.max(zoom, 0.5),
        });
      }
    },
    [graph, layout, flow],
  );
  useEffect(() => {
    if (address !== null && source !== 'cfg') reveal(address);
  }, [address, source, reveal]);

  const walk = (direction: 1 | -1): void => {
    const { listing } = program;
    const at = address === null ? -1 : listing.address.indexOf(address);
    const next = at < 0 ? 0 : Math.min(listing.address.length - 1, Math.max(0, at + direction));
    selectAddress(listing.address[next]!, 'cfg');
    reveal(listing.address[next]!);
  };
  const walkBlocks = (direction: 1 | -1): void => {
    const current = address === null ? undefined : graph.blockOfAddress.get(address);
    const next = current === undefined ? 0 : Math.min(program.blocks.length - 1, Math.max(0, current + direction));
    const first = program.listing.address[program.blocks[next]!.firstLine];
    if (first === undefined) return;
    selectAddress(first, 'cfg');
    reveal(first);
  };
  const showAll = (): void => void flow.fitView(FIT);
  const onContextMenu = (event: MouseEvent): void => {
    const line = contextElement(event, '[data-address]');
    const card = contextElement(event, '[data-block]');
    const isBeside = event.target === frame.current && address !== null;
    const at = isBeside ? address : line ? Number(line.dataset.address) : undefined;
    const block = card ? Number(card.dataset.block) : at === undefined ? undefined : graph.blockOfAddress.get(at);
    const entries = graphMenu({ program, address: at, block, folded, onFold: fold, onShowAll: showAll });
    showContextMenu(event, 'Graph', entries);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isCopyKey(event) && address !== null) {
      const text = instructionText(program, address);
      if (text !== undefined) void copyText(text);
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || (event.target as HTMLElement).tagName === 'INPUT') return;
    if (event.key === 'ArrowDown') walk(1);
    else if (event.key === 'ArrowUp') walk(-1);
    else if (event.key === 'PageDown') walkBlocks(1);
    else if (event.key === 'PageUp') walkBlocks(-1);
    else if (event.key === '+') void flow.zoomIn();
    else if (event.key === '-') void flow.zoomOut();
    else if (event.key === '0' || event.key === 'Home') showAll();
    else return;
    event.preventDefault();
  };
  const nextMatch = (): void => {
    if (matches.length === 0) return;
    const at = address === null ? -1 : matches.indexOf(address);
    const next = matches[(at + 1) % matches.length]!;
    selectAddress(next, 'cfg');
    reveal(next);
  };

  return (
    <Panel
      label="CFG"
      isFixed
      isBusy={isLoading || !layout}
      bar={
        <>
          <div className="search cfg-search">
            <Icon name="search" size={14} />
            <input
              className="field"
              type="search"
              placeholder="Find in graph"
              aria-label="Find instructions in the graph; Enter goes to the next"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') nextMatch();
              }}
            />
          </div>
          {query && <span className="muted">{matches.length === 0 ? 'not found' : `${matches.length} found`}</span>}
          <span className="grow clip muted" role="status">
            {address === null ? '' : selectionText(program, graph.blockOfAddress, address)}
          </span>
          <Button label="Show all" icon="fit" iconOnly onPress={showAll} />
        </>
      }
    >
      <div className="cfg-frame">
        <div
          ref={frame}
          className="cfg"
          role="group"
          aria-label={`Control-flow graph of ${program.name}: ${program.blocks.length} blocks, ${program.calls.length} calls. Arrow keys walk the instructions, Page keys the blocks.`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onContextMenu={onContextMenu}
        >
          <ArrowHeads />
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            colorMode={theme}
            minZoom={0.05}
            maxZoom={2}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            onlyRenderVisibleElements
            panOnScroll
            zoomOnDoubleClick={false}
            proOptions={{ hideAttribution: true }}
          >
            <Overview layout={layout} />
          </ReactFlow>
        </div>
        <Legend />
      </div>
    </Panel>
  );
}

export const CFG_PANEL: PanelDefinition = { id: 'cfg', title: 'CFG', Component: CfgPanel };
