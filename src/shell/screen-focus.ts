import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Gives the focus to the heading of a screen that one has gone to, where it was on the link that led
 * there or has gone with the last screen: a screen reader then says where one is, and the next Tab
 * leads into the screen. Whoever types, or has gone on meanwhile, is left alone.
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
      // Where the page stands is for the browser and `useScrollMemory` to say.
      if (isFree) heading.focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [pathname]);
}
