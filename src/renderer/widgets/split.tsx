/** Two sides with a bar between them that is moved by pointer or arrow keys; the share is remembered under `name`. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';

export interface SplitProps {
  readonly name: string;
  readonly label: string;
  readonly left: ReactNode;
  readonly right: ReactNode;
}

const LEAST = 0.15;
const STEP = 0.03;
/** Addresses make the left side a little wider than the right one. */
const START = 0.54;

export function Split({ name, label, left, right }: SplitProps) {
  const key = `lanescope.split.${name}`;
  const [share, setShare] = useState(() => Number(localStorage.getItem(key)) || START);
  const frame = useRef<HTMLDivElement>(null);
  const move = (next: number): void => {
    const bounded = Math.min(1 - LEAST, Math.max(LEAST, next));
    setShare(bounded);
    localStorage.setItem(key, String(bounded));
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (!(event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) return;
    const box = frame.current!.getBoundingClientRect();
    move((event.clientX - box.left) / box.width);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') move(share - STEP);
    else if (event.key === 'ArrowRight') move(share + STEP);
    else return;
    event.preventDefault();
  };
  return (
    <div className="split" ref={frame}>
      <div className="split__side" style={{ width: `calc(${share * 100}% - 2px)` }}>
        {left}
      </div>
      <div
        className="split__bar"
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={Math.round(LEAST * 100)}
        aria-valuemax={Math.round((1 - LEAST) * 100)}
        tabIndex={0}
        onPointerDown={(event) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        onDoubleClick={() => move(START)}
      />
      <div className="split__side grow">{right}</div>
    </div>
  );
}
