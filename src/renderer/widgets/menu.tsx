/** A button that opens a menu. Arrow keys move, Escape closes and gives the focus back. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

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

export interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly iconOnly?: boolean;
  readonly align?: 'left' | 'right';
  readonly entries: readonly MenuEntry[];
  readonly onOpen?: () => void;
}

export function Menu({ label, icon, iconOnly, align = 'left', entries, onOpen }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent): void => {
      if (!anchor.current?.contains(event.target as Node)) setOpen(false);
    };
    window.addEventListener('pointerdown', onPointer, true);
    items(anchor.current)[0]?.focus();
    return () => window.removeEventListener('pointerdown', onPointer, true);
  }, [isOpen]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const list = items(anchor.current);
    const at = list.indexOf(document.activeElement as HTMLElement);
    const focus = (index: number): void => {
      event.preventDefault();
      list[(index + list.length) % list.length]?.focus();
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
        focus(list.length - 1);
        break;
      case 'Escape':
        event.stopPropagation();
        close();
        break;
      case 'Tab':
        setOpen(false);
        break;
    }
  };

  const toggle = (): void => {
    if (!isOpen) onOpen?.();
    setOpen(!isOpen);
  };

  return (
    <div className="menu-anchor" ref={anchor}>
      <Button
        ref={button}
        label={label}
        icon={icon}
        {...(iconOnly ? { iconOnly } : {})}
        hasPopup="menu"
        isExpanded={isOpen}
        onPress={toggle}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen) {
            event.preventDefault();
            toggle();
          }
        }}
      />
      {isOpen && (
        <div
          id={id}
          className={`menu menu--${align}`}
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          tabIndex={-1}
        >
          {entries.map((entry) => {
            if (entry.kind === 'line') return <div key={entry.id} className="menu__line" role="presentation" />;
            if (entry.kind === 'title')
              return (
                <div key={`title-${entry.label}`} className="menu__title" role="presentation">
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
                  close();
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
      )}
    </div>
  );
}

function items(anchor: HTMLElement | null): HTMLElement[] {
  return [...(anchor?.querySelectorAll<HTMLElement>('.menu__item') ?? [])];
}
