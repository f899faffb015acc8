import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Gives the focus to the heading of a screen that one has gone to, where it was on the link that led
 * there or has gone with the last screen: a screen reader then says where one is, and the next Tab
 * leads into the screen. Whoever is typing is left alone.
 */
export function useScreenFocus(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);

  useEffect(() => {
    const main = document.getElementById('main');
    if (last.current === pathname || !main) return undefined;
    last.current = pathname;
    const observer = new MutationObserver(look);
    function look() {
      const heading = main?.querySelector('h1');
      if (!heading || main?.querySelector('[data-arriving]')) return;
      observer.disconnect();
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement instanceof HTMLAnchorElement;
      // Where the page stands is for the browser and `useScrollMemory` to say.
      if (isFree) heading.focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [pathname]);
}
