import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';

/** If drawing the next screen takes longer than a frame, the moving pictures start late and stutter. */
const MAX_DRAWING_MS = 16;
let isTooSlow = false;

/**
 * Product and grid change places in a View Transition, in which the picture on the card and the large one
 * become each other. Taps go to the new screen at once (`page.module.css`). There is no transition where
 * the browser has none, the user asks for less motion, or the last one on this device was too slow: then
 * the browser paints the tapped link first, and the next screen after that.
 *
 * @returns undefined for other screens; else a function that makes the change. It gets a function that
 *   draws the next screen, and returns one to call when that is drawn or not wanted any more.
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
    // The large picture has this name in the stylesheet, and only one element may have it at a time.
    const oldOnCard = to === product ? pictureOnCard() : null;
    oldOnCard?.style.setProperty('view-transition-name', 'product-picture');
    let newOnCard: HTMLElement | null | undefined;
    const { ready, finished } = document.startViewTransition(() => {
      oldOnCard?.removeAttribute('style');
      const beganMs = performance.now();
      flushSync(draw);
      isTooSlow = performance.now() - beganMs > MAX_DRAWING_MS;
      newOnCard = from === product ? pictureOnCard() : null;
      newOnCard?.style.setProperty('view-transition-name', 'product-picture');
    });
    // A further change of places skips this transition, and `ready` rejects.
    ready.catch(() => undefined);
    void finished.catch(() => undefined).finally(() => newOnCard?.removeAttribute('style'));
    return () => undefined;
  };
}

/** Marks the tapped card, and draws after the next paint: now in a background tab, which paints nothing. */
function afterNextPaint(draw: () => void, card: Element | null | undefined): () => void {
  card?.setAttribute('data-opening', '');
  if (document.hidden) draw();
  else requestAnimationFrame(() => setTimeout(() => startTransition(draw)));
  return () => card?.removeAttribute('data-opening');
}
