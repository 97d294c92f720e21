/** One row of the event tree. Its text may still be on its way; the row is there at once. */
import { memo } from 'react';
import { EVENT_KIND, KIND_NAMES } from '../../selectors/event-rows.ts';
import { rowTextAt, useCapture } from '../../stores/capture.ts';
import { selectRow } from '../../stores/selection.ts';
import { Icon, type IconName } from '../../widgets/icon.tsx';

const ICONS: Readonly<Record<number, IconName>> = {
  [EVENT_KIND.submit]: 'submit',
  [EVENT_KIND.buffer]: 'buffer',
  [EVENT_KIND.group]: 'group',
  [EVENT_KIND.dispatch]: 'dispatch',
  [EVENT_KIND.draw]: 'draw',
  [EVENT_KIND.write]: 'write',
  [EVENT_KIND.copy]: 'copyMemory',
  [EVENT_KIND.sync]: 'sync',
  [EVENT_KIND.wait]: 'wait',
  [EVENT_KIND.marker]: 'marker',
  [EVENT_KIND.state]: 'state',
  [EVENT_KIND.unsupported]: 'warning',
  [EVENT_KIND.damaged]: 'error',
  [EVENT_KIND.problem]: 'warning',
};

const INDENT = 11;

export interface EventRowProps {
  readonly row: number;
  readonly top: number;
  readonly depth: number;
  readonly kind: number;
  readonly event: number;
  /** Undefined for rows without children. */
  readonly isOpen: boolean | undefined;
  readonly isSelected: boolean;
  readonly isFaint: boolean;
  readonly onToggle: (row: number) => void;
}

export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { row, top, depth, kind, event, isOpen, isSelected, isFaint, onToggle } = props;
  const text = useCapture((state) => rowTextAt(state.pages, row));
  const kindName = KIND_NAMES[kind]!;
  return (
    <div
      id={`event-row-${row}`}
      className={`event-row event-row--${kindName} ${isFaint ? 'event-row--faint' : ''}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => selectRow(row)}
      onDoubleClick={() => isOpen !== undefined && onToggle(row)}
    >
      <span className="event-row__index">{event >= 0 ? event : ''}</span>
      <span className="event-row__indent" style={{ width: depth * INDENT }} />
      {isOpen === undefined ? (
        <span className="event-row__toggle" />
      ) : (
        <span
          className="event-row__toggle"
          onClick={(click) => {
            click.stopPropagation();
            onToggle(row);
          }}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
        </span>
      )}
      <span className="event-row__icon">
        <Icon name={ICONS[kind] ?? 'state'} size={14} />
      </span>
      <span className="event-row__name clip">{text?.name ?? '…'}</span>
      {text?.problem && (
        <span className="event-row__problem" title={text.problem}>
          <Icon name="warning" size={13} />
          <span className="visually-hidden">{text.problem}</span>
        </span>
      )}
      <span className="event-row__detail clip">{text?.detail}</span>
      {text?.shader && <span className="event-row__shader clip mono">{text.shader}</span>}
      {text?.waveSize && <span className="event-row__wave">w{text.waveSize}</span>}
    </div>
  );
});
