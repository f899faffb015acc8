import { useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';
import { sessionKey } from '../browser/storage-key.ts';

/** The shortest time between two saves while the user scrolls. */
const SAVE_EVERY_MS = 100;
/** Events by which a user scrolls, or does something that a scroll by script would disturb. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position when the user comes back to a page (back, reload, from another document),
 * and opens a new page at its top. The browser's own restoration runs before the grid has its height. In
 * a browser without storage every page opens at its top.
 *
 * @param location of the page on screen
 */
export function useScrollMemory({ key, pathname, search, hash }: Location): void {
  const isFirst = useRef(true);
  const lastPathname = useRef(pathname);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    // The first entry of every document has the same key, so the name includes the address. Only the catalogue's
    // query is included: another page's may name an order, and the name would outlive a logout.
    const position = sessionKey(`scroll:${key}:${pathname}${pathname === '/' ? search : ''}`);
    const save = () => position.write(String(Math.round(window.scrollY)));
    // A link to a part of the page has the key of the document's first entry, whose position is another one.
    const isNew = hash !== '' || (isFirst.current && !isReturn());
    const top = isNew ? null : position.read();
    let stopScrolling: (() => void) | undefined;
    if (top !== null) stopScrolling = restoreScroll(Number(top));
    // The user has chosen another size: the same page at the same position, under another key.
    else if (lastPathname.current === pathname && isProduct(pathname)) save();
    else if (!isFirst.current && hash === '') window.scrollTo(0, 0);
    isFirst.current = false;
    lastPathname.current = pathname;

    // Not `scrollend`: Safari has that only since 2025, and a tap may come while the page still moves.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        save();
      }, SAVE_EVERY_MS);
    };
    window.addEventListener('scroll', saveSoon, { passive: true });
    window.addEventListener('click', save, true);
    window.addEventListener('pagehide', save);
    return () => {
      stopScrolling?.();
      clearTimeout(timer);
      window.removeEventListener('scroll', saveSoon);
      window.removeEventListener('click', save, true);
      window.removeEventListener('pagehide', save);
    };
  }, [key, pathname, search, hash]);
}

/** Whether this document was opened by going back or forward, or by a reload. */
function isReturn(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate';
}

/**
 * Scrolls the page to `y`, and again whenever the page grows, until it is tall enough or the user acts: a grid
 * measures its rows after its first render, and a product comes from storage after a reload.
 *
 * @returns a function that stops this
 */
function restoreScroll(y: number): () => void {
  window.scrollTo(0, y);
  const growth = new ResizeObserver(() => {
    if (Math.abs(window.scrollY - y) > 1) window.scrollTo(0, y);
    else stop();
  });
  const stop = () => {
    growth.disconnect();
    for (const type of USER_EVENTS) window.removeEventListener(type, stop);
  };
  for (const type of USER_EVENTS) window.addEventListener(type, stop, { passive: true });
  growth.observe(document.body);
  return stop;
}
