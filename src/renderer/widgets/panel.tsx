/** The frame that panels share: a bar of controls, a body, and what is shown while there is nothing to show. */
import { type ReactNode, useRef } from 'react';
import { useKeptScroll } from './use-kept-scroll.ts';

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
  const body = useRef<HTMLDivElement>(null);
  useKeptScroll(body);
  return (
    <div className="panel" data-label={label} aria-busy={isBusy || undefined}>
      {bar !== undefined && <div className={`panel__bar ${wrapBar ? 'panel__bar--wrap' : ''}`}>{bar}</div>}
      <div
        ref={body}
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
