import { useLayoutEffect, useRef } from 'react';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';
import { sessionKey } from '../ui/storage-key.ts';

const SAVED_AFTER_MS = 100;
/** With these a user scrolls, or does something that a scroll would disturb. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position when the user comes back to a page (back, reload, from another document),
 * and opens a new page at its top. The browser's own restoration runs before the grid has its height. In
 * a browser without storage every page opens at its top.
 *
 * @param location of the page on screen
 */
export function useScrollMemory({ key, pathname, search, hash }: Location): void {
  const isFirst = useRef(true);
  const last = useRef(pathname);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    // The first entry of every document has the same key, so the name includes the address. It leaves out the
    // search of pages other than the catalogue, which may name an order: the name would outlive a logout.
    const kept = sessionKey(`scroll:${key}:${pathname}${pathname === '/' ? search : ''}`);
    const save = () => kept.write(String(Math.round(window.scrollY)));
    const top = isFirst.current && !isReturn() ? null : kept.read();
    let stopScrolling: (() => void) | undefined;
    if (top !== null) stopScrolling = scrollTo(Number(top));
    // Another size of a product is the same page, under another key.
    else if (last.current === pathname && isProduct(pathname)) save();
    else if (!isFirst.current && hash === '') window.scrollTo(0, 0);
    isFirst.current = false;
    last.current = pathname;

    // Safari has `scrollend` since 2025 only, and a tap may come while the page still moves.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        save();
      }, SAVED_AFTER_MS);
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
 * Scrolls the page, and again whenever it grows, until it is tall enough or the user scrolls: a grid
 * measures its rows after its first render, and a product comes from storage after a reload.
 *
 * @returns a function that ends this
 */
function scrollTo(y: number): () => void {
  window.scrollTo(0, y);
  const growth = new ResizeObserver(() => {
    if (Math.abs(window.scrollY - y) > 1) window.scrollTo(0, y);
    else stop();
  });
  const stop = () => {
    growth.disconnect();
    for (const type of TAKES_OVER) window.removeEventListener(type, stop);
  };
  for (const type of TAKES_OVER) window.addEventListener(type, stop, { passive: true });
  growth.observe(document.body);
  return stop;
}
