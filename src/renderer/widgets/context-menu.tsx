/**
 * Context menus: a panel says what can be done with the thing under the pointer, or under the cursor of its keyboard
 * (Shift+F10, menu key); the window shows it. One at a time.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { type MenuEntry, MenuList } from './menu-list.tsx';

interface OpenMenu {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly x: number;
  readonly y: number;
  /** Takes the focus back. */
  readonly from: HTMLElement | null;
}

const useContextMenu = create<{ readonly menu: OpenMenu | null }>(() => ({ menu: null }));

interface ContextEvent {
  readonly clientX: number;
  readonly clientY: number;
  readonly target: EventTarget | null;
  preventDefault(): void;
  stopPropagation(): void;
}

/** The element with an id of this form that the menu is about: under the pointer, else the active one of a list. */
export function contextElement(event: ContextEvent, selector: string): HTMLElement | null {
  const target = event.target as HTMLElement;
  const under = target.closest<HTMLElement>(selector);
  if (under) return under;
  const active = target.getAttribute('aria-activedescendant');
  return active === null ? null : document.getElementById(active);
}

/** `about`: what the menu stands beside when it was asked for by key, where the event's own place says nothing. */
export function showContextMenu(
  event: ContextEvent,
  label: string,
  entries: readonly MenuEntry[],
  about?: HTMLElement | null,
): void {
  event.preventDefault();
  event.stopPropagation();
  const isByKey = about !== undefined && about !== null && !about.contains(event.target as Node);
  const box = isByKey ? about.getBoundingClientRect() : undefined;
  const from = document.activeElement;
  useContextMenu.setState({
    menu: {
      label,
      entries,
      x: box ? box.left + Math.min(40, box.width / 2) : event.clientX,
      y: box ? box.bottom : event.clientY,
      from: from instanceof HTMLElement ? from : null,
    },
  });
}

export function ContextMenuHost() {
  const menu = useContextMenu((state) => state.menu);
  // Another menu is another element: it starts anew.
  return menu && <Shown key={`${menu.label} ${menu.x} ${menu.y}`} menu={menu} />;
}

function close(): void {
  useContextMenu.setState({ menu: null });
}

function Shown({ menu }: { readonly menu: OpenMenu }) {
  const list = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: menu.x, top: menu.y });

  // Moved until all of it is in the window.
  useLayoutEffect(() => {
    const box = list.current!.getBoundingClientRect();
    setPlace({
      left: Math.max(4, Math.min(menu.x, window.innerWidth - box.width - 4)),
      top: Math.max(4, Math.min(menu.y, window.innerHeight - box.height - 4)),
    });
    window.addEventListener('wheel', close, { passive: true });
    window.addEventListener('blur', close);
    window.addEventListener('resize', close);
    return () => {
      window.removeEventListener('wheel', close);
      window.removeEventListener('blur', close);
      window.removeEventListener('resize', close);
    };
  }, [menu]);

  return (
    <MenuList
      list={list}
      className="menu--context"
      label={menu.label}
      entries={menu.entries}
      style={place}
      onClose={(giveBack) => {
        close();
        if (giveBack) menu.from?.focus();
      }}
    />
  );
}
