/** A button that opens a menu. Arrow keys move, Escape closes and gives the focus back. */
import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { type MenuEntry, MenuList } from './menu-list.tsx';

export interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly iconOnly?: boolean;
  readonly align?: 'left' | 'right';
  readonly entries: readonly MenuEntry[];
}

export function Menu({ label, icon, iconOnly, align = 'left', entries }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  return (
    <div className="menu-anchor" ref={anchor}>
      <Button
        ref={button}
        label={label}
        icon={icon}
        {...(iconOnly ? { iconOnly } : {})}
        hasPopup="menu"
        isExpanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      />
      {isOpen && (
        <MenuList
          className={`menu--${align}`}
          label={label}
          entries={entries}
          list={list}
          inside={anchor}
          onClose={(giveBack) => {
            setOpen(false);
            if (giveBack) button.current?.focus();
          }}
        />
      )}
    </div>
  );
}
