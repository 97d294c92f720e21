/** The frame that panels share: a bar of controls, a body, and what is shown while there is nothing to show. */
import type { ReactNode } from 'react';
import type { DiagnosticView } from '../../preload/contract/index.ts';
import { formatAddress } from '../selectors/number-format.ts';
import { Icon } from './icon.tsx';

export interface PanelProps {
  readonly label: string;
  readonly bar?: ReactNode;
  readonly wrapBar?: boolean;
  readonly isBusy?: boolean;
  /** The content scrolls by itself. */
  readonly isFixed?: boolean;
  readonly children: ReactNode;
}

export function Panel({ label, bar, wrapBar, isBusy, isFixed, children }: PanelProps) {
  return (
    <div className="panel" data-label={label} aria-busy={isBusy || undefined}>
      {bar !== undefined && <div className={`panel__bar ${wrapBar ? 'panel__bar--wrap' : ''}`}>{bar}</div>}
      <div
        className={`panel__body ${isFixed ? 'panel__body--fixed' : ''}`}
        // What scrolls is reachable by keyboard.
        {...(isFixed ? {} : { tabIndex: 0, role: 'group', 'aria-label': `${label}, content` })}
      >
        {isBusy && <div className="busy-line" />}
        {children}
      </div>
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

export interface MessagesProps {
  readonly label: string;
  readonly diagnostics: readonly DiagnosticView[];
  /** Follows a message to its place. */
  readonly onPlace?: (address: number) => void;
}

const ICONS = { error: 'error', warning: 'warning', note: 'info' } as const;

export function gravityOf(d: Pick<DiagnosticView, 'kind'>): 'error' | 'warning' | 'note' {
  return d.kind === 'warning' || d.kind === 'note' ? d.kind : 'error';
}

/** Diagnostics, the gravest first, each with a way to its address. Nothing when there are none. */
export function Messages({ label, diagnostics, onPlace }: MessagesProps) {
  if (diagnostics.length === 0) return null;
  const order = { error: 0, warning: 1, note: 2 };
  // The same said twice (by the linker and by the run) is shown once.
  const sorted = [...new Map(diagnostics.map((d) => [d.text, d])).values()].sort(
    (a, b) => order[gravityOf(a)] - order[gravityOf(b)],
  );
  return (
    <ul className="messages" aria-label={label}>
      {sorted.map((d) => {
        const gravity = gravityOf(d);
        return (
          <li key={d.text} className={`message message--${gravity}`}>
            <Icon name={ICONS[gravity]} />
            <span className="message__text">
              <strong>{d.code}</strong>{' '}
              {d.address !== undefined &&
                (onPlace ? (
                  <>
                    at{' '}
                    <button type="button" className="message__place" onClick={() => onPlace(d.address!)}>
                      {formatAddress(d.address)}
                    </button>
                  </>
                ) : (
                  `at ${formatAddress(d.address)}`
                ))}
              {d.address !== undefined ? ': ' : ''}
              {d.message}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
