/** Diagnostics, the gravest first, each with a way to its address; those that are alike are unfolded on demand. */
import { useState } from 'react';
import type { DiagnosticView } from '../../preload/contract/index.ts';
import { formatAddress } from '../selectors/number-format.ts';
import { type MessageGroup, messageGroups } from '../selectors/similar-messages.ts';
import { Icon } from './icon.tsx';

export interface MessagesProps {
  readonly label: string;
  readonly diagnostics: readonly DiagnosticView[];
  /** Follows a message to its place. */
  readonly onPlace?: (address: number) => void;
}

const ICONS = { error: 'error', warning: 'warning', note: 'info' } as const;

/** Nothing when there are none. */
export function Messages({ label, diagnostics, onPlace }: MessagesProps) {
  if (diagnostics.length === 0) return null;
  return (
    <ul className="messages" aria-label={label}>
      {messageGroups(diagnostics).map((group) => (
        <Group key={group.first.text} group={group} onPlace={onPlace} />
      ))}
    </ul>
  );
}

interface GroupProps {
  readonly group: MessageGroup;
  readonly onPlace: ((address: number) => void) | undefined;
}

function Group({ group, onPlace }: GroupProps) {
  const { gravity, first, more } = group;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={`message message--${gravity}`}>
      <Icon name={ICONS[gravity]} />
      <div className="message__text">
        <Message diagnostic={first} onPlace={onPlace} />
        {isOpen && more.map((d) => <Message key={d.text} diagnostic={d} onPlace={onPlace} />)}
        {more.length > 0 && (
          <button type="button" className="message__more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'show only the first' : `and ${more.length} more like it`}
          </button>
        )}
      </div>
    </li>
  );
}

function Message({
  diagnostic: { code, address, message },
  onPlace,
}: { readonly diagnostic: DiagnosticView } & Omit<GroupProps, 'group'>) {
  return (
    <div>
      <strong>{code}</strong>{' '}
      {address !== undefined && (
        <>
          at{' '}
          {onPlace ? (
            <button type="button" className="message__place" onClick={() => onPlace(address)}>
              {formatAddress(address)}
            </button>
          ) : (
            formatAddress(address)
          )}
          :{' '}
        </>
      )}
      {message}
    </div>
  );
}
