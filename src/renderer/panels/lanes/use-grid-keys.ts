/** The keyboard of a grid: arrow keys move the active cell, which the grid names as its active descendant. */
import { type KeyboardEvent, useState } from 'react';

export interface GridCursor {
  readonly row: number;
  readonly column: number;
}

export function useGridKeys(rows: number, columns: number, onMove: (cursor: GridCursor) => void, copy: () => string) {
  const [cursor, setCursor] = useState<GridCursor>({ row: 0, column: 0 });
  const move = (row: number, column: number): void => {
    const next = {
      row: Math.min(rows - 1, Math.max(0, row)),
      column: Math.min(columns - 1, Math.max(0, column)),
    };
    setCursor(next);
    onMove(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key === 'c' && window.getSelection()?.isCollapsed !== false) {
        void navigator.clipboard.writeText(copy());
        event.preventDefault();
      }
      return;
    }
    const { row, column } = cursor;
    if (event.key === 'ArrowDown') move(row + 1, column);
    else if (event.key === 'ArrowUp') move(row - 1, column);
    else if (event.key === 'ArrowRight') move(row, column + 1);
    else if (event.key === 'ArrowLeft') move(row, column - 1);
    else if (event.key === 'Home') move(row, 0);
    else if (event.key === 'End') move(row, columns - 1);
    else if (event.key === 'PageDown') move(row + 10, column);
    else if (event.key === 'PageUp') move(row - 10, column);
    else return;
    event.preventDefault();
  };
  return { cursor, move, onKeyDown };
}
