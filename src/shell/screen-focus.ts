import { useEffect, useRef, useState } from 'react';
import type { Location } from 'react-router-dom';

/** After one of these the user is doing something else, so the focus stays. */
const MOVES = ['pointerdown', 'keydown', 'wheel', 'touchmove'];

/**
 * Moves the focus to the heading of a new screen, if it was on the link that led there or on an element
 * that is gone: a screen reader then reads the heading, and the next Tab enters the screen. When the user
 * goes back, it moves to the link by which they left that screen. If the user types or has moved the focus
 * meanwhile, it stays.
 *
 * @param location of the page on screen
 */
export function useScreenFocus({ key, pathname }: Location): void {
  const last = useRef(pathname);
  /** The address of the link by which the user left a screen, by the key of its history entry. */
  const [leftBy] = useState(() => new Map<string, string | null>());

  useEffect(() => {
    const note = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('#main a') : null;
      if (link) leftBy.set(key, link.getAttribute('href'));
    };
    document.addEventListener('click', note, true);
    return () => document.removeEventListener('click', note, true);
  }, [key, leftBy]);

  useEffect(() => {
    const main = document.getElementById('main');
    if (last.current === pathname || !main) return undefined;
    last.current = pathname;
    const from = document.activeElement;
    const href = leftBy.get(key);
    const observer = new MutationObserver(look);
    function look() {
      const heading = main?.querySelector('h1');
      if (!heading || main?.querySelector('[data-arriving]')) return;
      const { activeElement } = document;
      const isOnLink = activeElement === from && from instanceof HTMLAnchorElement;
      const isFree = isOnLink || activeElement === document.body || activeElement === heading;
      // The grid draws the row of this link only when the page has been scrolled there.
      const link = href && main?.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
      if (link || !href || !isFree) observer.disconnect();
      // The browser and `useScrollMemory` decide how far the page is scrolled.
      if (isFree) (link || heading).focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true });
    look();
    const stop = () => observer.disconnect();
    for (const type of MOVES) document.addEventListener(type, stop, true);
    return () => {
      stop();
      for (const type of MOVES) document.removeEventListener(type, stop, true);
    };
  }, [key, pathname, leftBy]);
}
