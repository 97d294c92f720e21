/** What is drawn: cards of blocks, groups of call regions, edges along the routes of the layout. */
import { memo } from 'react';
import { BaseEdge, type Edge, type EdgeProps, Handle, type Node, type NodeProps, Position, useStore } from 'reactflow';
import type { CfgBlock, CfgEdge, CfgGroup } from '../../selectors/cfg-graph.ts';
import { selectAddress, useSelection } from '../../stores/selection.ts';
import { Icon } from '../../widgets/icon.tsx';
import { pathOf, type Route } from './layout.ts';

export interface BlockData extends Record<string, unknown> {
  readonly block: CfgBlock;
  readonly found: ReadonlySet<number>;
  /** What the run reported, by address. */
  readonly faults: ReadonlyMap<number, string>;
}
export type BlockNode = Node<BlockData, 'block'>;
export type GroupNode = Node<{ readonly group: CfgGroup; readonly onToggle: (context: number) => void }, 'region'>;
export type RoutedEdge = Edge<{ readonly edge: CfgEdge; readonly route: Route }, 'routed'>;

/** Edges are drawn along their own routes; the library still wants places to attach them. */
function Ends() {
  return (
    <>
      <Handle className="cfg-end" type="target" position={Position.Top} isConnectable={false} />
      <Handle className="cfg-end" type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

/** Below this scale nobody can read instructions; a card is then its head, so that thousands can be drawn. */
const READABLE = 0.22;
const isFar = ({ transform }: { readonly transform: readonly number[] }): boolean => transform[2]! < READABLE;

export const BlockCard = memo(function BlockCard({ data }: NodeProps<BlockNode>) {
  const { block, faults } = data;
  const first = block.lines[0]?.address ?? -1;
  const isSmall = useStore(isFar);
  // Cards without the selection do not draw again.
  const address = useSelection((state) => (holds(block, state.address) ? state.address : null));
  const classes = ['cfg-card', address !== null ? 'cfg-card--selected' : '', block.problem ? 'cfg-card--problem' : ''];
  return (
    <div className={classes.filter(Boolean).join(' ')} data-block={block.block}>
      <Ends />
      <div className="cfg-card__head" onClick={() => selectAddress(first, 'cfg')}>
        <strong>{block.title}</strong>
        {block.isEntry && <span className="tag">entry</span>}
        <span className="grow" />
        <span className="cfg-card__ending">{block.ending}</span>
      </div>
      <div className="cfg-card__lines">
        {isSmall && <div className="cfg-card__far">b{block.block}</div>}
        {(isSmall ? [] : block.lines).map((line) => (
          <div
            key={line.address}
            className={lineClass(line.address, address, data)}
            title={faults.get(line.address)}
            data-address={line.address}
            onClick={() => selectAddress(line.address, 'cfg')}
          >
            <Instruction text={line.text} />
          </div>
        ))}
        {block.hidden > 0 && <div className="cfg-line muted">… {block.hidden} more instructions</div>}
        {block.problem && (
          <div
            className={`cfg-problem ${block.problemAddress !== undefined && block.problemAddress === address ? 'cfg-line--selected' : ''}`}
            onClick={() => block.problemAddress !== undefined && selectAddress(block.problemAddress, 'cfg')}
          >
            {block.problem}
          </div>
        )}
      </div>
    </div>
  );
});

function lineClass(at: number, selected: number | null, { found, faults }: BlockData): string {
  const classes = ['cfg-line'];
  if (faults.has(at)) classes.push('cfg-line--fault');
  if (found.has(at)) classes.push('cfg-line--found');
  if (at === selected) classes.push('cfg-line--selected');
  return classes.join(' ');
}

function holds({ lines, problemAddress }: CfgBlock, address: number | null): boolean {
  return address !== null && (address === problemAddress || lines.some((line) => line.address === address));
}

/** The mnemonic apart from its operands. */
function Instruction({ text }: { readonly text: string }) {
  const blank = text.indexOf(' ');
  const mnemonic = blank < 0 ? text : text.slice(0, blank);
  const isFlow = /^s_(swappc|setpc|call|getpc|cbranch|branch|endpgm)/.test(mnemonic);
  return (
    <>
      <span className={isFlow ? 'cfg-flow' : 'cfg-mnemonic'}>{mnemonic}</span>
      {blank < 0 ? '' : text.slice(blank)}
    </>
  );
}

export const RegionGroup = memo(function RegionGroup({ data }: NodeProps<GroupNode>) {
  const { group, onToggle } = data;
  return (
    <div
      className={`cfg-region cfg-region--${group.depth % 5} ${group.isCollapsed ? 'cfg-region--collapsed' : ''}`}
      data-region={group.title}
    >
      <Ends />
      <div className="cfg-region__head">
        <button
          type="button"
          className="cfg-region__toggle nodrag"
          aria-expanded={!group.isCollapsed}
          aria-label={`Call region ${group.title}, ${group.origin}`}
          onClick={() => onToggle(group.context)}
        >
          <Icon name={group.isCollapsed ? 'chevronRight' : 'chevronDown'} size={12} />
        </button>
        <strong>{group.title}</strong>
        <span className="cfg-region__origin">{group.origin}</span>
        {group.isRecursive && <span className="tag tag--warn">recursive</span>}
      </div>
      {group.isCollapsed && (
        <div className="cfg-region__folded">
          {group.blocks} {group.blocks === 1 ? 'block' : 'blocks'}
        </div>
      )}
    </div>
  );
});

export const RoutedPath = memo(function RoutedPath({ data, id }: EdgeProps<RoutedEdge>) {
  if (!data) return null;
  const { edge, route } = data;
  const place = labelPlace(route);
  return (
    <>
      <BaseEdge
        id={id}
        path={pathOf(route.points)}
        className={`cfg-edge cfg-edge--${edge.kind}`}
        markerEnd={`url(#cfg-arrow-${edge.kind})`}
      />
      {edge.label && place && (
        <text className="cfg-edge__label" x={place.x + 5} y={place.y + 3}>
          {edge.label}
        </text>
      )}
    </>
  );
});

/** The middle of the longest vertical stretch, where there is room beside the line. */
function labelPlace({ points }: Route): { readonly x: number; readonly y: number } | undefined {
  let best: { x: number; y: number } | undefined;
  let longest = -1;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1]!;
    const b = points[i]!;
    const length = Math.abs(b.y - a.y);
    if (length > longest) {
      longest = length;
      best = { x: b.x, y: (a.y + b.y) / 2 };
    }
  }
  return best;
}

const KINDS = ['fallthrough', 'branch', 'call', 'return', 'jump'] as const;

/** Arrow heads, one per kind of edge, because a marker takes no colour from its line. */
export function ArrowHeads() {
  return (
    <svg className="cfg-arrows" aria-hidden="true">
      <defs>
        {KINDS.map((kind) => (
          <marker
            key={kind}
            id={`cfg-arrow-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path className={`cfg-arrow cfg-arrow--${kind}`} d="M0 0.5 8 4 0 7.5z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

export function Legend() {
  return (
    <ul className="cfg-legend" aria-label="Kinds of edges">
      {KINDS.filter((kind) => kind !== 'jump').map((kind) => (
        <li key={kind}>
          <svg width="18" height="8" aria-hidden="true">
            <path className={`cfg-edge cfg-edge--${kind}`} d="M0 4H18" />
          </svg>
          {kind === 'fallthrough' ? 'falls through' : kind}
        </li>
      ))}
    </ul>
  );
}
