import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';

/** Where drawing the next screen takes longer than a frame, its pictures would start late and stutter. */
const MAX_DRAWING_MS = 16;
let isTooSlow = false;

/**
 * Product and grid change places in a View Transition, in which the picture on the card and the large one
 * become each other. Taps go to the new screen at once (`page.module.css`). Without one the tapped link
 * is painted first, and then the next screen: where the browser has no transitions, for a user who asks
 * for less motion, and on a device whose last transition was too slow.
 *
 * @returns a function that makes the change, given what draws the next screen, and returns what to do when
 *   that is drawn or not wanted any more; undefined for other screens
 */
export function changeOfPlaces(
  from: Location,
  to: Location,
): ((draw: () => void) => () => void) | undefined {
  const product = [from, to].find(({ pathname }) => isProduct(pathname));
  if (!product || ![from, to].some(({ pathname }) => pathname === '/')) return undefined;
  const card = () => {
    const href = CSS.escape(product.pathname + product.search);
    return document.querySelector(`a[href="${href}"]`)?.closest('article');
  };
  const pictureOnCard = () => card()?.querySelector('img');
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isStill || isTooSlow || !('startViewTransition' in document)) {
    return (draw) => afterNextPaint(draw, to === product ? card() : null);
  }
  return (draw) => {
    // The large picture has this name in the stylesheet, and only one element may have it.
    const leaving = to === product ? pictureOnCard() : null;
    leaving?.style.setProperty('view-transition-name', 'product-picture');
    let coming: HTMLElement | null | undefined;
    const { ready, finished } = document.startViewTransition(() => {
      leaving?.removeAttribute('style');
      const beganMs = performance.now();
      flushSync(draw);
      isTooSlow = performance.now() - beganMs > MAX_DRAWING_MS;
      coming = from === product ? pictureOnCard() : null;
      coming?.style.setProperty('view-transition-name', 'product-picture');
    });
    // Another change of place skips this one.
    ready.catch(() => undefined);
    void finished.catch(() => undefined).finally(() => coming?.removeAttribute('style'));
    return () => undefined;
  };
}

/** A tab in the background paints nothing, and so waits for nothing. The tapped card is marked meanwhile. */
function afterNextPaint(draw: () => void, card: Element | null | undefined): () => void {
  card?.setAttribute('data-opening', '');
  if (document.hidden) draw();
  else requestAnimationFrame(() => setTimeout(() => startTransition(draw)));
  return () => card?.removeAttribute('data-opening');
}
