/**
 * Keyboard and context menu of a grid: arrow keys move the active cell, which the grid names as its active descendant.
 * Cells carry `data-cell="row column"`.
 */
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { copyText, isCopyKey } from '../../stores/clipboard.ts';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { copyEntry } from '../../widgets/copy-entry.ts';

export interface GridCursor {
  readonly row: number;
  readonly column: number;
}

export interface GridOptions {
  readonly rows: number;
  readonly columns: number;
  readonly onMove: (cursor: GridCursor) => void;
  /** All of it as tab-separated text. */
  readonly table: () => string;
  /** Undefined where the last row has no cell any more. */
  readonly cell: (cursor: GridCursor) => string | undefined;
}

const PAGE_ROWS = 10;

export function useGridKeys({ rows, columns, onMove, table, cell }: GridOptions) {
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
    const { row, column } = cursor;
    if (isCopyKey(event)) void copyText(table());
    else if (event.altKey || event.metaKey) return;
    else if (event.ctrlKey && event.key === 'Home') move(0, 0);
    else if (event.ctrlKey && event.key === 'End') move(rows - 1, columns - 1);
    else if (event.ctrlKey) return;
    else if (event.key === 'ArrowDown') move(row + 1, column);
    else if (event.key === 'ArrowUp') move(row - 1, column);
    else if (event.key === 'ArrowRight') move(row, column + 1);
    else if (event.key === 'ArrowLeft') move(row, column - 1);
    else if (event.key === 'Home') move(row, 0);
    else if (event.key === 'End') move(row, columns - 1);
    else if (event.key === 'PageDown') move(row + PAGE_ROWS, column);
    else if (event.key === 'PageUp') move(row - PAGE_ROWS, column);
    else return;
    event.preventDefault();
  };
  const onContextMenu = (event: MouseEvent): void => {
    const element = contextElement(event, '[data-cell]');
    const [row = cursor.row, column = cursor.column] = element?.dataset.cell?.split(' ').map(Number) ?? [];
    if (element) move(row, column);
    const value = cell({ row, column });
    const entries = [
      ...(value === undefined ? [] : [copyEntry('Copy the value', () => value)]),
      copyEntry('Copy all as a table', table, 'Ctrl+C'),
    ];
    showContextMenu(event, 'Values', entries, element);
  };
  return { cursor, move, onKeyDown, onContextMenu };
}
