import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Puts the page where it was when one comes back to it, by any way the browser has (back, reload,
 * from another document): the position is kept per history entry. The browser's own restoration
 * runs before the grid has its height.
 */
export function useScrollMemory(isReady: boolean): void {
  const { key } = useLocation();

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);

  useLayoutEffect(() => {
    if (!isReady) return undefined;
    window.scrollTo(0, read(key));
    const save = () => write(key, window.scrollY);
    window.addEventListener('scrollend', save);
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('scrollend', save);
      window.removeEventListener('pagehide', save);
    };
  }, [key, isReady]);
}

const slot = (key: string) => `scroll:${key}`;

function read(key: string): number {
  try {
    return Number(sessionStorage.getItem(slot(key)) ?? 0);
  } catch {
    return 0; // storage is blocked: start at the top
  }
}

function write(key: string, y: number): void {
  try {
    sessionStorage.setItem(slot(key), String(Math.round(y)));
  } catch {
    // Blocked or full: the page then opens at its top.
  }
}
