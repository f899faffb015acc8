import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Puts the page where it was when one comes back to it, by any way the browser has (back, reload,
 * from another document), and a new page at its top. The browser's own restoration runs before the
 * grid has its height.
 */
export function useScrollMemory(): void {
  const { key, pathname, search, hash } = useLocation();
  const isFirst = useRef(true);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    // The first entry of every document has the same key, so its address belongs to the name.
    const slot = `scroll:${key}:${pathname}${search}`;
    const kept = isFirst.current && !isReturn() ? null : read(slot);
    if (kept !== null) scrollTo(kept);
    else if (!isFirst.current && hash === '') scrollTo(0);
    isFirst.current = false;

    const save = () => write(slot, window.scrollY);
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
  // The grid measures its rows after its first drawing and may only then be tall enough.
  requestAnimationFrame(() => {
    if (y > 0 && Math.abs(window.scrollY - y) > 1) window.scrollTo(0, y);
  });
}

function read(slot: string): number | null {
  try {
    const kept = sessionStorage.getItem(slot);
    return kept === null ? null : Number(kept);
  } catch {
    return null; // storage is blocked: start at the top
  }
}

function write(slot: string, y: number): void {
  try {
    sessionStorage.setItem(slot, String(Math.round(y)));
  } catch {
    // Blocked or full: the page then opens at its top.
  }
}
