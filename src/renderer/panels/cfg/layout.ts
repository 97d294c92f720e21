/**
 * Positions for the graph, worked out by ELK in a worker. One request at a time: a new one ends the worker of the one
 * that is still on its way, so that a large graph that nobody looks at any more costs nothing.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import { type CfgGraph, GROUP_HEADER } from '../../selectors/cfg-graph.ts';

export interface Place {
  /** Relative to the group that holds it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** From the corner of the graph. */
  readonly absoluteX: number;
  readonly absoluteY: number;
}

export interface Route {
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface CfgLayout {
  readonly graph: CfgGraph;
  readonly places: ReadonlyMap<string, Place>;
  readonly routes: ReadonlyMap<string, Route>;
}

const MANY = 400;

function rootOptions(nodes: number): Record<string, string> {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
    'elk.edgeRouting': 'ORTHOGONAL',
    'elk.json.edgeCoords': 'ROOT',
    'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
    'elk.layered.nodePlacement.strategy': nodes > MANY ? 'SIMPLE' : 'BRANDES_KOEPF',
    'elk.layered.thoroughness': nodes > MANY ? '1' : '7',
    'elk.layered.spacing.nodeNodeBetweenLayers': '28',
    'elk.layered.spacing.edgeNodeBetweenLayers': '16',
    'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
    'elk.spacing.nodeNode': '36',
    'elk.spacing.edgeNode': '18',
    'elk.spacing.edgeEdge': '12',
  };
}

let elk: InstanceType<typeof ELK> | undefined;

/** Ends the worker, and with it the layout that it may be busy with. */
export function cancelLayout(): void {
  elk?.terminateWorker();
  elk = undefined;
}

export async function layoutCfg(graph: CfgGraph): Promise<CfgLayout> {
  cancelLayout();
  elk = new ELK({ workerFactory: () => new ElkWorker() });
  const root = await elk.layout(elkGraph(graph));
  const places = new Map<string, Place>();
  const visit = (node: ElkNode, x: number, y: number): void => {
    for (const child of node.children ?? []) {
      const absoluteX = x + (child.x ?? 0);
      const absoluteY = y + (child.y ?? 0);
      const { x: left = 0, y: top = 0, width = 0, height = 0 } = child;
      places.set(child.id, { x: left, y: top, width, height, absoluteX, absoluteY });
      visit(child, absoluteX, absoluteY);
    }
  };
  visit(root, 0, 0);
  const routes = new Map<string, Route>();
  for (const edge of (root.edges ?? []) as ElkExtendedEdge[]) {
    const section = edge.sections?.[0];
    if (section) routes.set(edge.id, { points: [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] });
  }
  return { graph, places, routes };
}

function elkGraph(graph: CfgGraph): ElkNode {
  const children = new Map<string | undefined, ElkNode[]>();
  const put = (parent: string | undefined, node: ElkNode): void => {
    const list = children.get(parent);
    if (list) list.push(node);
    else children.set(parent, [node]);
  };
  const inOrder = (parent: string | undefined): ElkNode[] =>
    (children.get(parent) ?? []).sort((a, b) => (graph.order.get(a.id) ?? 0) - (graph.order.get(b.id) ?? 0));
  for (const { id, group, width, height } of graph.blocks) put(group, { id, width, height });
  // Inner groups first, so that a group finds what it holds.
  for (const group of [...graph.groups].sort((a, b) => b.depth - a.depth)) {
    if (group.isCollapsed) {
      put(group.parent, { id: group.id, width: group.width, height: group.height });
      continue;
    }
    put(group.parent, {
      id: group.id,
      children: inOrder(group.id),
      layoutOptions: { 'elk.padding': `[top=${GROUP_HEADER + 6},left=14,bottom=14,right=14]` },
    });
  }
  return {
    id: 'root',
    layoutOptions: rootOptions(graph.blocks.length),
    children: inOrder(undefined),
    edges: graph.edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  };
}

/** An orthogonal path with rounded corners. */
export function pathOf(points: Route['points'], radius = 6): string {
  const [start, ...rest] = points;
  if (!start) return '';
  let path = `M${start.x} ${start.y}`;
  for (let i = 0; i < rest.length; i++) {
    const corner = rest[i]!;
    const next = rest[i + 1];
    if (!next) {
      path += `L${corner.x} ${corner.y}`;
      break;
    }
    const before = i === 0 ? start : rest[i - 1]!;
    const towards = (from: typeof corner, to: typeof corner): { x: number; y: number } => {
      const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
      const r = Math.min(radius, length / 2);
      return { x: from.x + ((to.x - from.x) * r) / length, y: from.y + ((to.y - from.y) * r) / length };
    };
    const a = towards(corner, before);
    const b = towards(corner, next);
    path += `L${a.x} ${a.y}Q${corner.x} ${corner.y} ${b.x} ${b.y}`;
  }
  return path;
}
