/** All keys of the window, in a dialog. */
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { PANELS } from '../panel-registry.ts';
import { Button } from '../widgets/button.tsx';

const KEYS: readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, does: string])[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      ['Ctrl+O', 'open a capture'],
      ['Ctrl+← Ctrl+→', 'previous, next event'],
      ['Ctrl+Shift+← Ctrl+Shift+→', 'previous, next dispatch or draw'],
      [`Alt+1 … Alt+${PANELS.length}`, PANELS.map((p) => p.title).join(', ')],
      ['F6 Shift+F6', 'next, previous group of panels'],
      ['Shift+F10', 'context menu'],
      ['Ctrl+C', 'copy what is selected'],
      ['Ctrl+/', 'this list'],
    ],
  },
  {
    title: 'Lists and grids',
    keys: [
      ['↑ ↓ Page Home End', 'move'],
      ['← →', 'close and open a row; move by a column'],
      ['Enter', 'open or close a packet'],
    ],
  },
  {
    title: 'Listings',
    keys: [
      ['↑ ↓', 'select the line; the same place is shown everywhere'],
      ['Ctrl+F', 'find'],
      ['Ctrl+G', 'go to a line'],
    ],
  },
  {
    title: 'Graph',
    keys: [
      ['↑ ↓', 'previous, next instruction'],
      ['Page up, Page down', 'previous, next block'],
      ['+ − 0', 'larger, smaller, all of it'],
      ['Enter in its search', 'next place that was found'],
    ],
  },
];

const useKeysDialog = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function showKeys(): void {
  useKeysDialog.setState({ isOpen: true });
}

function close(): void {
  useKeysDialog.setState({ isOpen: false });
}

export function KeysDialog() {
  const isOpen = useKeysDialog((state) => state.isOpen);
  return isOpen && <Shown />;
}

function Shown() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // The browser's own modal dialog keeps the focus inside, closes on Escape and gives the focus back.
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="keys"
      aria-label="Keys"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className="keys__head">
        <h2 className="grow">Keys</h2>
        <Button label="Close" icon="close" iconOnly onPress={() => dialog.current?.close()} />
      </div>
      <div className="keys__groups" tabIndex={0} role="group" aria-label="All keys">
        {KEYS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>{key}</dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}
