/** Events: the tree of submits, indirect buffers, markers and events, of which only what is in sight is drawn. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../connection/client.ts';
import { ancestorsOf, indexOfRow, rowsWithAncestors, visibleRows } from '../../selectors/event-rows.ts';
import { needRows, rowTextAt, useCapture } from '../../stores/capture.ts';
import { copyText, isCopyKey } from '../../stores/clipboard.ts';
import { logFailure } from '../../stores/log.ts';
import { selectRow, useSelection } from '../../stores/selection.ts';
import { Button } from '../../widgets/button.tsx';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import { eventLine, eventMenu } from './event-menu.ts';
import { EventRow } from './event-row.tsx';
import './events.css';

const ROW_HEIGHT = 24;
const NO_ROWS = new Uint32Array(0);

/** Rows that contain the words, or undefined while nothing is searched. */
function useFound(words: string): Uint32Array | undefined {
  const captureId = useCapture((state) => state.summary?.id);
  const [found, setFound] = useState<{ readonly key: string; readonly rows: Uint32Array }>();
  const key = `${captureId} ${words}`;
  useEffect(() => {
    if (words === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call('events.find', { words }, { signal: abort.signal })
        .then((rows) => setFound({ key, rows }))
        .catch((error) => {
          if (!abort.signal.aborted) logFailure('events', error);
        });
    }, 120);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [words, key]);
  return words === '' ? undefined : found?.key === key ? found.rows : undefined;
}

function EventsPanel() {
  const tree = useCapture((state) => state.tree);
  const summary = useCapture((state) => state.summary);
  const selectedRow = useSelection((state) => state.row);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState('');
  const words = useDeferredValue(text.trim());
  const found = useFound(words);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller);

  const rows = useMemo(() => {
    if (!tree) return NO_ROWS;
    return found ? rowsWithAncestors(tree, found) : visibleRows(tree, closed);
  }, [tree, closed, found]);
  const foundSet = useMemo(() => (found ? new Set(found) : undefined), [found]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another capture starts with everything open
  useEffect(() => {
    setClosed(new Set());
    setText('');
  }, [summary?.id]);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    for (let i = first; i <= last; i += 32) needRows(rows[i]!, rows[Math.min(i + 31, last)]!);
  }, [first, last, rows]);

  const selectedIndex = selectedRow < 0 ? -1 : indexOfRow(rows, selectedRow);
  const isExact = selectedIndex >= 0 && rows[selectedIndex] === selectedRow;

  // Selected from elsewhere: open what hides it, then bring it into sight.
  useEffect(() => {
    if (!tree || selectedRow < 0 || found) return;
    const hiding = ancestorsOf(tree, selectedRow).filter((row) => closed.has(row));
    if (hiding.length > 0) setClosed(new Set([...closed].filter((row) => !hiding.includes(row))));
  }, [tree, selectedRow, found, closed]);
  useEffect(() => {
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtual]);

  if (!tree || !summary) {
    return (
      <Panel label="Events">
        <Empty>
          <p>No capture is open.</p>
        </Empty>
      </Panel>
    );
  }

  const toggle = (row: number): void => {
    const next = new Set(closed);
    if (!next.delete(row)) next.add(row);
    setClosed(next);
  };
  const hasChildren = (row: number): boolean => tree.end[row]! > row + 1;
  const move = (index: number): void => {
    if (rows.length > 0) selectRow(rows[Math.min(rows.length - 1, Math.max(0, index))]!);
  };
  const closeAll = (): void =>
    setClosed(new Set(Array.from(tree.kind.keys()).filter((row) => tree.depth[row]! > 0 && hasChildren(row))));
  const openAll = (): void => setClosed(new Set());
  const onContextMenu = (event: MouseEvent): void => {
    const element = contextElement(event, '.event-row');
    const row = element ? Number(element.id.slice('event-row-'.length)) : -1;
    const rowText = rowTextAt(useCapture.getState().pages, row);
    if (!rowText) return;
    selectRow(row);
    const entries = eventMenu({
      event: tree.event[row]!,
      text: rowText,
      isOpen: hasChildren(row) && !found ? !closed.has(row) : undefined,
      onToggle: () => toggle(row),
      onFilter: setText,
      onCloseAll: closeAll,
      onOpenAll: openAll,
    });
    showContextMenu(event, 'Event', entries, element);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isCopyKey(event)) {
      const rowText = rowTextAt(useCapture.getState().pages, selectedRow);
      if (rowText) void copyText(eventLine(tree.event[selectedRow]!, rowText));
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const row = isExact ? selectedRow : -1;
    switch (event.key) {
      case 'ArrowDown':
        move(selectedIndex + 1);
        break;
      case 'ArrowUp':
        move(selectedIndex - 1);
        break;
      case 'PageDown':
        move(selectedIndex + page);
        break;
      case 'PageUp':
        move(selectedIndex - page);
        break;
      case 'Home':
        move(0);
        break;
      case 'End':
        move(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row >= 0 && closed.has(row)) toggle(row);
        else if (row >= 0 && hasChildren(row)) move(selectedIndex + 1);
        break;
      case 'ArrowLeft':
        if (row >= 0 && hasChildren(row) && !closed.has(row) && !found) toggle(row);
        else if (row >= 0) {
          const parent = ancestorsOf(tree, row).at(-1);
          if (parent !== undefined) selectRow(parent);
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <Panel
      label="Events"
      isFixed
      bar={
        <>
          <div className="search grow">
            <Icon name="search" size={14} />
            <input
              className="field"
              type="search"
              placeholder="Filter events"
              aria-label="Filter events: rows that contain every word"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          {found && <span className="muted">{found.length.toLocaleString('en')}</span>}
          <Button label="Collapse all" icon="collapse" iconOnly onPress={closeAll} />
          <Button label="Expand all" icon="expand" iconOnly onPress={openAll} />
        </>
      }
    >
      <div
        ref={scroller}
        className="events"
        role="tree"
        aria-label="Events"
        aria-activedescendant={isExact ? `event-row-${selectedRow}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div role="none" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows[item.index]!;
            return (
              <EventRow
                key={row}
                row={row}
                top={item.start}
                depth={tree.depth[row]!}
                kind={tree.kind[row]!}
                event={tree.event[row]!}
                isOpen={hasChildren(row) ? !closed.has(row) || found !== undefined : undefined}
                isSelected={row === selectedRow}
                isFaint={foundSet !== undefined && !foundSet.has(row)}
                onToggle={toggle}
              />
            );
          })}
        </div>
        {rows.length === 0 && <Empty>{words ? 'No event contains these words.' : 'The capture has no events.'}</Empty>}
      </div>
    </Panel>
  );
}

export const EVENTS_PANEL: PanelDefinition = { id: 'events', title: 'Events', Component: EventsPanel };
