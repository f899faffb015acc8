/**
 * The first screen of the next visit.
 *
 * When the page is left, what the top of the catalogue looks like is kept as text; a small script
 * in `index.html` puts it back before React has even arrived, and React then draws the same thing
 * in its place. It holds nothing personal and nothing that the device's catalogue does not hold.
 */
const SLOT = 'first-screen';

interface FirstScreen {
  /** The layout holds for this width only. */
  readonly width: number;
  readonly html: string;
}

/** Keeps the screen whenever the page may be about to go away. */
export function keepFirstScreen(root: HTMLElement): void {
  const keep = () => {
    const isTop = location.pathname === '/' && location.search === '' && window.scrollY === 0;
    if (!isTop || !root.querySelector('[data-row]')) return;
    const screen: FirstScreen = { width: window.innerWidth, html: root.innerHTML };
    try {
      localStorage.setItem(SLOT, JSON.stringify(screen));
    } catch {
      // Blocked or full: the next visit draws its first screen the longer way.
    }
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep();
  });
  window.addEventListener('pagehide', keep);
}
