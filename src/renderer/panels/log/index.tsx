/** Log: what happened, newest last, to be copied as text. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { LogEntry } from '../../../preload/contract/index.ts';
import { useLog } from '../../stores/log.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import './log.css';

const ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;

function timeOf({ time }: LogEntry): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function LogPanel() {
  const entries = useLog((state) => state.entries);
  const [isCopied, setCopied] = useState(false);
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
  const copy = async (): Promise<void> => {
    const lines = entries.map((e) => `${timeOf(e)} ${e.level} ${e.source}: ${e.text}`);
    await navigator.clipboard.writeText(lines.join('\n'));
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Panel
      label="Log"
      isFixed
      bar={
        <>
          <span className="grow muted">{entries.length} entries</span>
          <Button
            label={isCopied ? 'Copied' : 'Copy all'}
            icon={isCopied ? 'check' : 'copy'}
            disabledReason={entries.length === 0 ? 'there is nothing to copy' : undefined}
            onPress={() => void copy()}
          />
        </>
      }
    >
      <div ref={scroller} className="log" role="log" aria-label="Log entries" tabIndex={0}>
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
