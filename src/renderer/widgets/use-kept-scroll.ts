/**
 * Keeps where a list was scrolled to while its panel is behind another one. The docking library takes a hidden panel out
 * of the page, and the browser then forgets the position without saying so, which would leave a virtual list blank.
 *
 * Bound once per element, not once per drawing: drawing happens while a scroll is told, and would miss it.
 */
import { type RefObject, useEffect, useRef } from 'react';

function keepScroll(element: HTMLElement): () => void {
  let top = element.scrollTop;
  let left = element.scrollLeft;
  let isHidden = false;
  const onScroll = (): void => {
    if (isHidden || element.clientHeight === 0) return;
    top = element.scrollTop;
    left = element.scrollLeft;
  };
  const observer = new ResizeObserver(() => {
    const wasHidden = isHidden;
    isHidden = element.clientHeight === 0;
    if (!wasHidden || isHidden) return;
    element.scrollTop = top;
    element.scrollLeft = left;
  });
  element.addEventListener('scroll', onScroll, { passive: true });
  observer.observe(element);
  return () => {
    element.removeEventListener('scroll', onScroll);
    observer.disconnect();
  };
}

export function useKeptScroll(scroller: RefObject<HTMLElement | null>): void {
  const bound = useRef<{ readonly element: HTMLElement; readonly release: () => void } | null>(null);
  useEffect(() => {
    const element = scroller.current;
    if (bound.current?.element === element) return;
    bound.current?.release();
    bound.current = element && { element, release: keepScroll(element) };
  });
  useEffect(() => () => bound.current?.release(), []);
}
