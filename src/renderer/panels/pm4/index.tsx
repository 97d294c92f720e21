/** PM4: the packets that lead to the selected event, with their fields, the registers they set, and their dwords. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { counted } from '../../selectors/number-format.ts';
import { offsetIn, type PacketRow, packetRows, packetRowText, packetSummary } from '../../selectors/packet-rows.ts';
import { useWhyNothing } from '../../stores/capture.ts';
import { copyText, isCopyKey } from '../../stores/clipboard.ts';
import { useInspect } from '../../stores/inspect.ts';
import { Button } from '../../widgets/button.tsx';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import { packetMenu } from './packet-menu.ts';
import './pm4.css';

const ROW_HEIGHT = 22;

function Pm4Panel() {
  const { value: page, isLoading, error } = useInspect((state) => state.packets);
  const whyNothing = useWhyNothing('event');
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [withBytes, setWithBytes] = useState(true);
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller);
  const event = page?.event;
  const last = (page?.packets.length ?? 0) - 1;

  // The packet that is the event itself is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every event anew
  useEffect(() => {
    setOpen(new Set(last >= 0 ? [last] : []));
    setActive(0);
  }, [event, last]);

  const rows = useMemo(() => packetRows(page?.packets ?? [], open, withBytes), [page, open, withBytes]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  });

  const toggle = (packet: number): void => {
    const next = new Set(open);
    if (!next.delete(packet)) next.add(packet);
    setOpen(next);
  };
  const goTo = (index: number): void => {
    const bounded = Math.min(rows.length - 1, Math.max(0, index));
    setActive(bounded);
    virtual.scrollToIndex(bounded, { align: 'auto' });
  };
  const onContextMenu = (click: MouseEvent): void => {
    const element = contextElement(click, '.packet-row');
    const index = element ? Number(element.id.slice('packet-row-'.length)) : -1;
    const row = rows[index];
    if (!row || !page) return;
    setActive(index);
    const isOpen = open.has(row.packet);
    const entries = packetMenu({ row, packets: page.packets, isOpen, onToggle: () => toggle(row.packet) });
    showContextMenu(click, 'Packet', entries, element);
  };
  const onKeyDown = (key: KeyboardEvent): void => {
    if (isCopyKey(key)) {
      const current = rows[active];
      if (current) void copyText(packetRowText(current));
      key.preventDefault();
      return;
    }
    if (key.ctrlKey || key.altKey || key.metaKey) return;
    const row = rows[active];
    if (key.key === 'ArrowDown') goTo(active + 1);
    else if (key.key === 'ArrowUp') goTo(active - 1);
    else if (key.key === 'Home') goTo(0);
    else if (key.key === 'End') goTo(rows.length - 1);
    else if (key.key === 'PageDown') goTo(active + 15);
    else if (key.key === 'PageUp') goTo(active - 15);
    else if ((key.key === 'Enter' || key.key === ' ') && row) toggle(row.packet);
    else if (key.key === 'ArrowRight' && row?.kind === 'packet' && !row.isOpen) toggle(row.packet);
    else if (key.key === 'ArrowLeft' && row) {
      const head = rows.findIndex((r) => r.kind === 'packet' && r.packet === row.packet);
      if (open.has(row.packet)) toggle(row.packet);
      goTo(head);
    } else return;
    key.preventDefault();
  };

  if (!page) {
    const nothing = isLoading ? 'Reading packets…' : (whyNothing ?? 'Select an event to see its packets.');
    return (
      <Panel label="PM4" isBusy={isLoading}>
        <Empty>{error ?? nothing}</Empty>
      </Panel>
    );
  }
  const buffer = page.path.at(-1)?.address;
  const all = page.packets.map((_, i) => i);
  const isAllOpen = open.size === all.length;
  return (
    <Panel
      label="PM4"
      isBusy={isLoading}
      isFixed
      bar={
        <>
          <span className="clip grow" title={page.path.map((s) => `${s.address} + ${s.dwordOffset}`).join(' → ')}>
            {counted(page.total, 'packet')}
            {buffer !== undefined && (
              <>
                {' '}
                in <span className="mono">{buffer}</span>
              </>
            )}
            {page.total > page.packets.length ? `, the last ${page.packets.length} shown` : ''}
          </span>
          <Button label="Bytes" pressed={withBytes} onPress={() => setWithBytes(!withBytes)} />
          <Button
            label={isAllOpen ? 'Close all packets' : 'Open all packets'}
            icon={isAllOpen ? 'collapse' : 'expand'}
            iconOnly
            onPress={() => setOpen(new Set(isAllOpen ? [] : all))}
          />
        </>
      }
    >
      <div
        ref={scroller}
        className="packets"
        role="tree"
        aria-label="Packets of the event"
        aria-activedescendant={rows.length > 0 ? `packet-row-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div role="none" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => (
            <Row
              key={item.index}
              index={item.index}
              row={rows[item.index]!}
              buffer={buffer}
              top={item.start}
              isActive={item.index === active}
              isEvent={rows[item.index]!.packet === last}
              onPress={() => {
                setActive(item.index);
                if (rows[item.index]!.kind === 'packet') toggle(rows[item.index]!.packet);
              }}
            />
          ))}
        </div>
        {rows.length === 0 && <Empty>This event has no packet of its own.</Empty>}
      </div>
    </Panel>
  );
}

interface RowProps {
  readonly index: number;
  readonly row: PacketRow;
  /** Address of the buffer that holds the packets. */
  readonly buffer: string | undefined;
  readonly top: number;
  readonly isActive: boolean;
  /** Part of the packet that is the event. */
  readonly isEvent: boolean;
  readonly onPress: () => void;
}

function Row({ index, row, buffer, top, isActive, isEvent, onPress }: RowProps) {
  return (
    <div
      id={`packet-row-${index}`}
      className={`packet-row packet-row--${row.kind} ${isActive ? 'packet-row--active' : ''} ${isEvent ? 'packet-row--event' : ''}`}
      role="treeitem"
      aria-level={row.kind === 'packet' ? 1 : row.kind === 'field' ? row.depth + 1 : 2}
      aria-expanded={row.kind === 'packet' ? row.isOpen : undefined}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onPress}
    >
      <RowContent row={row} buffer={buffer} />
    </div>
  );
}

function RowContent({ row, buffer }: Pick<RowProps, 'row' | 'buffer'>) {
  switch (row.kind) {
    case 'packet':
      return (
        <>
          <Icon name={row.isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
          <span className="packet-row__address mono" title={row.view.address}>
            {offsetIn(buffer, row.view.address)}
          </span>
          <span className="packet-row__name">{row.view.name}</span>
          {row.view.predicated && <span className="tag tag--warn">predicated</span>}
          {!row.isOpen && <span className="packet-row__summary clip">{packetSummary(row.view)}</span>}
        </>
      );
    case 'field':
      return (
        <>
          <span className="packet-row__field clip" style={{ paddingLeft: row.depth * 14 }}>
            {row.name}
          </span>
          <span className="packet-row__value mono clip">{row.value}</span>
        </>
      );
    case 'register':
      return (
        <>
          <span className="packet-row__register clip" title={`${row.name}, register ${row.index}`}>
            {row.name}
          </span>
          <span className="packet-row__value mono clip">{row.value}</span>
        </>
      );
    case 'bytes':
      return (
        <span className="packet-row__bytes mono">
          <span className="muted">+{(4 * row.offset).toString(16).padStart(2, '0')}</span>{' '}
          {row.dwords.map((dword) => dword.slice(2)).join(' ')}
        </span>
      );
    case 'reason':
      return <span className="packet-row__reason clip">{row.text}</span>;
  }
}

export const PM4_PANEL: PanelDefinition = { id: 'pm4', title: 'PM4', Component: Pm4Panel };
