/**
 * Keeps the first screen for the next visit.
 *
 * When the user leaves the page, the tab stores the markup of the top of the catalogue. On the next
 * visit a small script in `index.html` shows it before React is loaded, and React then renders the
 * same in its place. The markup holds only data that are on this device anyway, such as hearts and the cart's
 * count, and a logout deletes it.
 */
import { resetAddButton } from '../cart/add-to-cart.tsx';
import { connection } from '../db/connection.ts';
import { shopperHint, shopperStore } from '../db/shopper-store.ts';
import { localKey } from '../browser/storage-key.ts';

const key = localKey('first-screen');

interface FirstScreen {
  /** The width of the window in CSS pixels: the layout is right for this width only. */
  readonly width: number;
  /** The address of the stylesheet: the class names are right for this file only. */
  readonly style: string;
  readonly html: string;
}

/**
 * Stores the screen whenever the page may be about to close. Deletes it when another shopper signs in,
 * or when the shopper's cart or favourites change.
 */
export function keepFirstScreen(): void {
  const root = document.getElementById('root');
  if (!root) return;
  let shown = shownData();
  shopperStore.subscribe(() => {
    const now = shownData();
    if (now !== shown) key.clear();
    shown = now;
  });
  const keep = () => {
    const isTop = location.pathname === '/' && location.search === '' && window.scrollY === 0;
    const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href;
    if (!isTop || !style || !root.querySelector('[data-row]')) return;
    // A translated page has the words of another language, and the next page is translated anew.
    if (root.querySelector('font')) return;
    // Data in memory must not outlive the tab, and stored markup cannot reopen a menu or dialog.
    if (connection.kept === 'memory' || root.querySelector(OPEN)) return;
    // Another tab has logged the shopper out, and this tab has not noticed yet.
    if (shopperHint.read() !== (shopperStore.snapshot()?.shopper.uid ?? null)) return;
    const copy = root.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return;
    // Notices, announcements, the line about being offline and "Added" do not belong to the next visit.
    const regions = '[role=alert], [role=status], output.visually-hidden';
    for (const region of copy.querySelectorAll(regions)) region.replaceChildren();
    for (const temporary of copy.querySelectorAll('[data-passing]')) temporary.remove();
    copy.querySelectorAll<HTMLElement>('[data-added=true]').forEach(resetAddButton);
    // The shop's headers forbid `style` in markup, so `index.html` sets it by script.
    for (const styled of copy.querySelectorAll('[style]')) {
      styled.setAttribute('data-style', styled.getAttribute('style') ?? '');
      styled.removeAttribute('style');
    }
    const screen: FirstScreen = { width: window.innerWidth, style, html: copy.innerHTML };
    key.write(JSON.stringify(screen));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep();
  });
  window.addEventListener('pagehide', keep);
}

const OPEN = 'dialog[open], [aria-expanded=true]';

/** The shopper's data that the screen shows, as text to compare. */
function shownData(): string {
  const view = shopperStore.snapshot();
  return JSON.stringify([view?.shopper.uid, view?.data.cart, view?.data.favourites]);
}
