import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Moves the focus to the heading of a new screen, if it was on the link that led there or on an element
 * that is gone: a screen reader then reads the heading, and the next Tab enters the screen. If the user
 * types or has moved the focus meanwhile, it stays.
 */
export function useScreenFocus(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);

  useEffect(() => {
    const main = document.getElementById('main');
    if (last.current === pathname || !main) return undefined;
    last.current = pathname;
    const from = document.activeElement;
    const observer = new MutationObserver(look);
    function look() {
      const heading = main?.querySelector('h1');
      if (!heading || main?.querySelector('[data-arriving]')) return;
      observer.disconnect();
      const { activeElement } = document;
      const isOnTheWay = activeElement === from && from instanceof HTMLAnchorElement;
      const isFree = activeElement === document.body || isOnTheWay;
      // The browser and `useScrollMemory` decide how far the page is scrolled.
      if (isFree) heading.focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [pathname]);
}
