import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { sessionKey } from '../ui/storage-key.ts';

/**
 * Restores the scroll position when the user comes back to a page (back, reload, from another document),
 * and opens a new page at its top. The browser's own restoration runs before the grid has its height. In
 * a browser without storage every page opens at its top.
 */
export function useScrollMemory(): void {
  const { key, pathname, search, hash } = useLocation();
  const isFirst = useRef(true);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    // The first entry of every document has the same key, so the name includes the address; of another
    // page than the catalogue without the search, which names the order and would outlive a logout.
    const kept = sessionKey(`scroll:${key}:${pathname}${pathname === '/' ? search : ''}`);
    const top = isFirst.current && !isReturn() ? null : kept.read();
    if (top !== null) scrollTo(Number(top));
    else if (!isFirst.current && hash === '') scrollTo(0);
    isFirst.current = false;

    const save = () => kept.write(String(Math.round(window.scrollY)));
    window.addEventListener('scrollend', save);
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('scrollend', save);
      window.removeEventListener('pagehide', save);
    };
  }, [key, pathname, search, hash]);
}

/** Whether this document was opened by going back or forward, or by a reload. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate';
}

function scrollTo(y: number): void {
  window.scrollTo(0, y);
  // The grid measures its rows after its first render, and may be tall enough only then.
  requestAnimationFrame(() => {
    if (y > 0 && Math.abs(window.scrollY - y) > 1) window.scrollTo(0, y);
  });
}
