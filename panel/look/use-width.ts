import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';

/** Pixels of an element's inside; undefined before it is laid out. */
export function useWidth(of: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

const narrow = matchMedia('(max-width: 45rem)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether rows are cards and the navigation is a bar below: at most 720 px, as in the style sheets. */
export const useIsNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches);
