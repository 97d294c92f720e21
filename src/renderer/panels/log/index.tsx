/** Log: what happened, newest last, to be copied as text. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { LogEntry } from '../../../preload/contract/index.ts';
import { counted } from '../../selectors/number-format.ts';
import { copyText } from '../../stores/clipboard.ts';
import { useLog } from '../../stores/log.ts';
import { Button } from '../../widgets/button.tsx';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { copyEntry } from '../../widgets/copy-entry.ts';
import { Icon } from '../../widgets/icon.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import './log.css';

const ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;

function timeOf({ time }: LogEntry): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function lineOf(entry: LogEntry): string {
  return `${timeOf(entry)} ${entry.level} ${entry.source}: ${entry.text}`;
}

function LogPanel() {
  const entries = useLog((state) => state.entries);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 10,
  });
  useEffect(() => {
    if (entries.length > 0) virtual.scrollToIndex(entries.length - 1, { align: 'end' });
  }, [entries.length, virtual]);
  const all = (): string => entries.map(lineOf).join('\n');
  const onContextMenu = (event: MouseEvent): void => {
    const row = contextElement(event, '.log-row');
    const entry = row ? entries[Number(row.dataset.index)] : undefined;
    showContextMenu(event, 'Log', [
      ...(entry ? [copyEntry('Copy the entry', () => lineOf(entry))] : []),
      copyEntry('Copy all', all),
    ]);
  };
  return (
    <Panel
      label="Log"
      isFixed
      bar={
        <>
          <span className="grow muted">{counted(entries.length, 'entry', 'entries')}</span>
          <Button
            label="Copy all"
            icon="copy"
            disabledReason={entries.length === 0 ? 'there is nothing to copy' : undefined}
            onPress={() => void copyText(all())}
          />
        </>
      }
    >
      <div
        ref={scroller}
        className="log"
        role="log"
        aria-label="Log entries"
        tabIndex={0}
        onContextMenu={onContextMenu}
      >
        {entries.length === 0 && <Empty>Nothing was logged yet.</Empty>}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const entry = entries[item.index]!;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={`log-row log-row--${entry.level}`}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span className="mono muted">{timeOf(entry)}</span>
                <Icon name={ICONS[entry.level]} size={14} />
                <span className="log-row__source">{entry.source}</span>
                <span className="log-row__text">{entry.text}</span>
              </div>
            );
          })}
        </div>
      </div>
    </Panel>
  );
}

export const LOG_PANEL: PanelDefinition = { id: 'log', title: 'Log', Component: LogPanel };
