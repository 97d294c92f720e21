/** The entries of a menu, their keys, and closing it, for menus under a button and for context menus. */
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

export type MenuEntry =
  | { readonly kind: 'line'; readonly id: string }
  | { readonly kind: 'title'; readonly label: string }
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly hint?: string;
      readonly checked?: boolean;
      readonly disabledReason?: string | undefined;
      readonly onPress: () => void;
    };

export interface MenuListProps {
  readonly label: string;
  readonly className: string;
  readonly style?: CSSProperties;
  readonly entries: readonly MenuEntry[];
  readonly list: RefObject<HTMLDivElement | null>;
  /** A pointer that is pressed outside closes the menu; left out: outside the menu itself. */
  readonly inside?: RefObject<HTMLElement | null>;
  /** `giveBack`: the focus returns to where it was. */
  readonly onClose: (giveBack: boolean) => void;
}

export function MenuList({ label, className, style, entries, list, inside = list, onClose }: MenuListProps) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    items(list.current)[0]?.focus();
    const onPointer = (event: PointerEvent): void => {
      if (!inside.current?.contains(event.target as Node)) close.current(false);
    };
    window.addEventListener('pointerdown', onPointer, true);
    return () => window.removeEventListener('pointerdown', onPointer, true);
  }, [list, inside]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items(list.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const focus = (index: number): void => {
      event.preventDefault();
      all[(index + all.length) % all.length]?.focus();
    };
    switch (event.key) {
      case 'ArrowDown':
        focus(at + 1);
        break;
      case 'ArrowUp':
        focus(at - 1);
        break;
      case 'Home':
        focus(0);
        break;
      case 'End':
        focus(all.length - 1);
        break;
      case 'Escape':
        event.stopPropagation();
        onClose(true);
        break;
      case 'Tab':
        onClose(false);
        break;
    }
  };

  return (
    <div
      ref={list}
      className={`menu ${className}`}
      role="menu"
      aria-label={label}
      style={style}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {entries.map((entry) => {
        if (entry.kind === 'line') return <div key={entry.id} className="menu__line" role="presentation" />;
        if (entry.kind === 'title')
          return (
            <div key={`title-${entry.label}`} className="menu__title clip" role="presentation">
              {entry.label}
            </div>
          );
        return (
          <button
            key={`${entry.label} ${entry.hint ?? ''}`}
            type="button"
            className="menu__item"
            {...(entry.checked === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemcheckbox', 'aria-checked': entry.checked })}
            aria-disabled={entry.disabledReason !== undefined || undefined}
            title={entry.disabledReason}
            tabIndex={-1}
            onClick={() => {
              if (entry.disabledReason !== undefined) return;
              onClose(true);
              entry.onPress();
            }}
          >
            {entry.checked !== undefined && (
              <span className="menu__check">{entry.checked && <Icon name="check" size={14} />}</span>
            )}
            <span className="clip">{entry.label}</span>
            {entry.hint && <span className="menu__hint clip">{entry.hint}</span>}
          </button>
        );
      })}
    </div>
  );
}

function items(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.menu__item') ?? [])];
}
