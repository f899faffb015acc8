import { sayNothing } from '../cart/add-to-cart.tsx';
import { connection } from '../db/connection.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { localKey } from '../ui/storage-key.ts';

/**
 * The first screen of the next visit.
 *
 * When the page is left, what the top of the catalogue looks like is kept as text; a small script
 * in `index.html` puts it back before React has even arrived, and React then draws the same thing
 * in its place. It shows what this device holds anyway, hearts and cart count included, and goes
 * with the shopper who logs out.
 */
const key = localKey('first-screen');

interface FirstScreen {
  /** The layout holds for this width only, */
  readonly width: number;
  /** and its class names for this stylesheet only. */
  readonly style: string;
  readonly html: string;
}

/**
 * Keeps the screen whenever the page may be about to go away, and drops it when shoppers change, or
 * when what it shows of one does.
 */
export function keepFirstScreen(root: HTMLElement): void {
  let shown = shownOf();
  shopperStore.subscribe(() => {
    const now = shownOf();
    if (now !== shown) key.clear();
    shown = now;
  });
  const keep = () => {
    const isTop = location.pathname === '/' && location.search === '' && window.scrollY === 0;
    const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href;
    if (!isTop || !style || !root.querySelector('[data-row]')) return;
    // What is kept in memory only is nobody's business after it; what is open will not be.
    if (connection.kept === 'memory' || root.querySelector(OPEN)) return;
    const copy = root.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return;
    // What was being said then is not news the next time.
    for (const region of copy.querySelectorAll('[role=alert], [role=status]')) {
      region.replaceChildren();
    }
    for (const passing of copy.querySelectorAll('[data-passing]')) passing.remove();
    for (const added of copy.querySelectorAll<HTMLElement>('[data-added=true]')) sayNothing(added);
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

function shownOf(): string {
  const view = shopperStore.snapshot();
  return JSON.stringify([view?.shopper.uid, view?.data.cart, view?.data.favourites]);
}

/**
 * Carries over what was done to the screen that stood there before React came: a search that was
 * begun, and where the focus was. Call before drawing; what it returns, after.
 */
export function takeOverFirstScreen(): () => void {
  const begun = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')].find(
    ({ value }) => value !== '',
  );
  const isHere = location.pathname === '/';
  if (begun && isHere) history.pushState(null, '', `/?${new URLSearchParams({ q: begun.value })}`);
  const findAgain = wayTo(document.activeElement);
  return () => {
    if (begun && !isHere) typeInto(begun.id, begun.value);
    findAgain()?.focus({ preventScroll: true });
  };
}

/** Finds the same thing again when React has drawn it: by its product, or by its place and words. */
function wayTo(element: Element | null): () => HTMLElement | null {
  const product = element?.closest<HTMLElement>('[data-product]')?.dataset['product'];
  if (!element || element === document.body) return () => null;
  if (product !== undefined) {
    const button = element.ariaPressed === null ? 'button:not([aria-pressed])' : '[aria-pressed]';
    return () => document.querySelector(`[data-product="${product}"] ${button}`);
  }
  const alike = () => [...document.querySelectorAll<HTMLElement>(element.tagName)];
  const place = alike().findIndex((each) => each === element);
  return () => {
    const found = alike()[place];
    return found?.textContent === element.textContent ? found : null;
  };
}

function typeInto(id: string, text: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return;
  // React takes no notice of a value that is assigned.
  field.setRangeText(text, 0, field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
