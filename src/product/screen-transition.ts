import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';

/**
 * Draws the next screen by calling `draw`. Returns a function to call when that screen is drawn or is no
 * longer wanted.
 */
type ScreenTransition = (draw: () => void) => () => void;

/** One frame. If drawing the next screen takes longer, the moving pictures start late and stutter. */
const MAX_DRAWING_MS = 16;
/** Whether the last View Transition of this page took longer. */
let isTooSlow = false;

/**
 * How a product replaces the grid, or the grid a product; undefined for other screens.
 *
 * A View Transition turns the picture on the card into the large picture, and back. Taps go to the new screen
 * at once (`page.module.css`). There is no View Transition where the browser has none, where the user asks for
 * less motion, or after one that was too slow. Then the browser first paints the tapped card as marked, and
 * the next screen after that.
 */
export function screenTransition(from: Location, to: Location): ScreenTransition | undefined {
  const product = [from, to].find(({ pathname }) => isProduct(pathname));
  if (!product || ![from, to].some(({ pathname }) => pathname === '/')) return undefined;
  const findCard = () => {
    const href = CSS.escape(product.pathname + product.search);
    return document.querySelector(`a[href="${href}"]`)?.closest('article');
  };
  const findCardPicture = () => findCard()?.querySelector('img');
  const prefersLessMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (prefersLessMotion || isTooSlow || !('startViewTransition' in document)) {
    return (draw) => drawAfterNextPaint(draw, to === product ? findCard() : null);
  }
  return (draw) => {
    // The large picture has this name in the stylesheet, and only one element may have it at a time.
    const oldPicture = to === product ? findCardPicture() : null;
    oldPicture?.style.setProperty('view-transition-name', 'product-picture');
    let newPicture: HTMLElement | null | undefined;
    const { ready, finished } = document.startViewTransition(() => {
      oldPicture?.removeAttribute('style');
      const beganMs = performance.now();
      flushSync(draw);
      isTooSlow = performance.now() - beganMs > MAX_DRAWING_MS;
      newPicture = from === product ? findCardPicture() : null;
      newPicture?.style.setProperty('view-transition-name', 'product-picture');
    });
    // The next View Transition skips this one, and then `ready` rejects.
    ready.catch(() => undefined);
    void finished.catch(() => undefined).finally(() => newPicture?.removeAttribute('style'));
    return () => undefined;
  };
}

/** Marks the tapped card, and draws after the next paint; at once in a background tab, which paints nothing. */
function drawAfterNextPaint(draw: () => void, card: Element | null | undefined): () => void {
  card?.setAttribute('data-opening', '');
  if (document.hidden) draw();
  else requestAnimationFrame(() => setTimeout(() => startTransition(draw)));
  return () => card?.removeAttribute('data-opening');
}
