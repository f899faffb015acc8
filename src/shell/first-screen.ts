import { shopperStore } from '../db/shopper-store.ts';
import { deviceSlot } from '../ui/slot.ts';

/**
 * The first screen of the next visit.
 *
 * When the page is left, what the top of the catalogue looks like is kept as text; a small script
 * in `index.html` puts it back before React has even arrived, and React then draws the same thing
 * in its place. It shows what this device holds anyway, hearts and cart count included, and goes
 * with the shopper who logs out.
 */
const slot = deviceSlot('first-screen');

interface FirstScreen {
  /** The layout holds for this width only, */
  readonly width: number;
  /** and its class names for this stylesheet only. */
  readonly style: string;
  readonly html: string;
}

/**
 * Keeps the screen whenever the page may be about to go away, and drops it when shoppers change, or
 * when what it shows of one changes on another screen.
 */
export function keepFirstScreen(root: HTMLElement): void {
  let shown = shownOf();
  shopperStore.subscribe(() => {
    const now = shownOf();
    const isElsewhere = location.pathname !== '/';
    if (now.uid !== shown.uid || (now.data !== shown.data && isElsewhere)) slot.clear();
    shown = now;
  });
  const keep = () => {
    const isTop = location.pathname === '/' && location.search === '' && window.scrollY === 0;
    const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href;
    if (!isTop || !style || !root.querySelector('[data-row]')) return;
    const copy = root.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return;
    // What was being said then is not news the next time.
    for (const region of copy.querySelectorAll('[role=alert], [role=status]')) {
      region.replaceChildren();
    }
    for (const passing of copy.querySelectorAll('[data-passing]')) passing.remove();
    for (const styled of copy.querySelectorAll('[style]')) {
      styled.setAttribute('data-style', styled.getAttribute('style') ?? '');
      styled.removeAttribute('style');
    }
    const screen: FirstScreen = { width: window.innerWidth, style, html: copy.innerHTML };
    slot.write(JSON.stringify(screen));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep();
  });
  window.addEventListener('pagehide', keep);
}

function shownOf() {
  const view = shopperStore.snapshot();
  return { uid: view?.shopper.uid, data: JSON.stringify([view?.data.cart, view?.data.favourites]) };
}

/**
 * Carries over what was done to the kept screen before React came: a search that was begun, and
 * where the focus was. Call before drawing; what it returns, after.
 */
export function takeOverFirstScreen(): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLInputElement) || focused.type !== 'search') return () => undefined;
  const { id, value } = focused;
  if (value !== '') history.pushState(null, '', `/?${new URLSearchParams({ q: value })}`);
  return () => document.getElementById(id)?.focus();
}
