import { useEffect, useRef, useState } from 'react';
import type { Location } from 'react-router-dom';

/** Events that show that the user is already doing something else, so the focus stays. */
const USER_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'];

/**
 * Moves the focus to the heading of a new screen, if the focus is on the link that led there or was on an element
 * that is gone: a screen reader then reads the heading, and the next Tab enters the screen. When the user goes
 * back, the focus moves to the link by which they left that screen. If the user types or has moved the focus
 * meanwhile, the focus stays.
 *
 * @param location of the page on screen
 */
export function useScreenFocus({ key, pathname }: Location): void {
  const lastPathname = useRef(pathname);
  const lastLink = useRef<Element>(null);
  /**
   * From the key of a history entry to the `href` of the link that the user has left the screen by; null for a link
   * outside of the screen, such as one of the header.
   */
  const [exitLinks] = useState(() => new Map<string, string | null>());

  useEffect(() => {
    const noteLink = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (!link) return;
      lastLink.current = link;
      exitLinks.set(key, link.closest('#main') && link.getAttribute('href'));
    };
    document.addEventListener('click', noteLink, true);
    return () => document.removeEventListener('click', noteLink, true);
  }, [key, exitLinks]);

  useEffect(() => {
    const main = document.getElementById('main');
    if (lastPathname.current === pathname || !main) return undefined;
    lastPathname.current = pathname;
    const href = exitLinks.get(key);
    const observer = new MutationObserver(moveFocus);
    function moveFocus() {
      const heading = main?.querySelector('h1');
      // The heading of a placeholder goes when the screen has arrived.
      if (!heading || main?.querySelector('[data-arriving]')) return;
      const { activeElement } = document;
      const mayMove = [lastLink.current, document.body, heading].includes(activeElement);
      // The grid draws the row of this link only when the page has been scrolled there. Until then the heading
      // has the focus.
      const link = href && main?.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
      if (link || !href || !mayMove) observer.disconnect();
      // The browser and `useScrollMemory` decide how far the page is scrolled.
      if (mayMove) (link || heading).focus({ preventScroll: true });
    }
    observer.observe(main, { childList: true, subtree: true });
    moveFocus();
    const stop = () => observer.disconnect();
    for (const type of USER_EVENTS) document.addEventListener(type, stop, true);
    return () => {
      stop();
      for (const type of USER_EVENTS) document.removeEventListener(type, stop, true);
    };
  }, [key, pathname, exitLinks]);
}
