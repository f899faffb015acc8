import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';

/**
 * Product and grid change places in a View Transition, in which the picture on the card and the large one
 * become each other. Taps go to the new screen at once (`page.module.css`).
 *
 * @returns a function that runs the transition, given what draws the next screen; undefined for other
 *   screens, where the browser has no transitions, and for a user who asks for less motion
 */
export function changeOfPlaces(
  from: Location,
  to: Location,
): ((update: () => unknown) => void) | undefined {
  const product = [from, to].find(({ pathname }) => isProduct(pathname));
  if (!product || ![from, to].some(({ pathname }) => pathname === '/')) return undefined;
  if (!('startViewTransition' in document)) return undefined;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
  const pictureOnCard = () => {
    const href = CSS.escape(product.pathname + product.search);
    return document.querySelector(`a[href="${href}"]`)?.closest('article')?.querySelector('img');
  };
  return (update) => {
    // The large picture has this name in the stylesheet, and only one element may have it.
    const leaving = to === product ? pictureOnCard() : null;
    leaving?.style.setProperty('view-transition-name', 'product-picture');
    let coming: HTMLElement | null | undefined;
    const { finished } = document.startViewTransition(() => {
      leaving?.removeAttribute('style');
      update();
      coming = from === product ? pictureOnCard() : null;
      coming?.style.setProperty('view-transition-name', 'product-picture');
    });
    void finished.finally(() => coming?.removeAttribute('style'));
  };
}
