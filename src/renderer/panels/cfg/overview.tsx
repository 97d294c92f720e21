/** What of the graph is in sight: where a large one starts, and a small map of the whole. */
import { MiniMap, useStore } from 'reactflow';
import type { CfgLayout } from './layout.ts';

/** A graph that fits only below the first is shown from its entry at the second. */
const LEAST_ZOOM = 0.42;
const START_ZOOM = 0.7;

/** Where a graph that would be too small to read starts: at its entry. Undefined when all of it can be shown. */
export function readableView({ graph, places }: CfgLayout, width: number, height: number) {
  let right = 0;
  let bottom = 0;
  for (const place of places.values()) {
    right = Math.max(right, place.absoluteX + place.width);
    bottom = Math.max(bottom, place.absoluteY + place.height);
  }
  const entry = graph.blocks.find((b) => b.isEntry);
  const place = entry && places.get(entry.id);
  if (!place || Math.min(width / right, height / bottom) >= LEAST_ZOOM) return undefined;
  const x = width / 2 - (place.absoluteX + place.width / 2) * START_ZOOM;
  return { x, y: 16 - place.absoluteY * START_ZOOM, zoom: START_ZOOM };
}

/** While there is more than what is in sight. */
export function Overview({ layout }: { readonly layout: CfgLayout | undefined }) {
  const isPartly = useStore(({ transform: [x, y, zoom], width, height }) => {
    for (const { absoluteX, absoluteY, width: w, height: h } of layout?.places.values() ?? []) {
      const left = absoluteX * zoom + x;
      const top = absoluteY * zoom + y;
      if (left < 0 || top < 0 || left + w * zoom > width || top + h * zoom > height) return true;
    }
    return false;
  });
  if (!isPartly) return null;
  return (
    <MiniMap
      className="cfg-map"
      ariaLabel="Overview of the graph"
      pannable
      zoomable
      nodeColor="var(--line-strong)"
      nodeBorderRadius={2}
      maskColor="color-mix(in srgb, var(--bg-app) 70%, transparent)"
      bgColor="var(--bg-raised)"
    />
  );
}
