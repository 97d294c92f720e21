/**
 * What is selected everywhere: an event, and inside its shader an instruction by its guest address. Every panel shows
 * the same selection; `source` says who set it, so that a panel does not scroll under the user's own hand.
 */
import { create } from 'zustand';
import { EVENT_KIND } from '../selectors/event-rows.ts';
import { useCapture } from './capture.ts';

export type SelectionSource = 'gcn' | 'spirv' | 'cfg' | 'list' | 'keys';

interface SelectionState {
  /** −1: none. */
  readonly event: number;
  readonly row: number;
  readonly address: number | null;
  /** The SPIR-V line that was chosen, from 0; null when the selection came from elsewhere. */
  readonly spirvLine: number | null;
  readonly source: SelectionSource;
}

export const useSelection = create<SelectionState>(() => ({
  event: -1,
  row: -1,
  address: null,
  spirvLine: null,
  source: 'list',
}));

export function selectRow(row: number): void {
  const { tree } = useCapture.getState();
  if (!tree || row < 0 || row >= tree.event.length) return;
  const event = tree.event[row]!;
  const { event: before } = useSelection.getState();
  useSelection.setState(event === before ? { row } : { row, event, address: null, spirvLine: null, source: 'list' });
}

export function clearSelection(): void {
  useSelection.setState({ event: -1, row: -1, address: null, spirvLine: null, source: 'list' });
}

export function selectAddress(address: number | null, source: SelectionSource, spirvLine: number | null = null): void {
  useSelection.setState({ address, source, spirvLine });
}

/** Whether stepping stops at a row: at events, not at groups and markers. */
function isStep(kind: number, onlyDispatches: boolean): boolean {
  if (onlyDispatches) return kind === EVENT_KIND.dispatch || kind === EVENT_KIND.draw;
  return kind >= EVENT_KIND.dispatch && kind !== EVENT_KIND.marker;
}

/** The row that a step leads to, −1 at the end. */
export function stepTarget(direction: 1 | -1, onlyDispatches = false): number {
  const { tree } = useCapture.getState();
  if (!tree) return -1;
  const { row } = useSelection.getState();
  const start = row < 0 ? (direction > 0 ? -1 : tree.kind.length) : row;
  for (let at = start + direction; at >= 0 && at < tree.kind.length; at += direction) {
    if (isStep(tree.kind[at]!, onlyDispatches)) return at;
  }
  return -1;
}

export function step(direction: 1 | -1, onlyDispatches = false): void {
  const row = stepTarget(direction, onlyDispatches);
  if (row >= 0) selectRow(row);
}
