import { addToCart } from '../cart/mutations.ts';
import { setFavourite } from '../favourites/mutations.ts';
import { takeTaps } from './taps.ts';

/** Does what was tapped before React was there. Call when React has drawn. */
export function repeatTaps(): void {
  for (const { productId, productName, isWanted } of takeTaps()) {
    if (isWanted !== null) {
      void setFavourite(productId, isWanted);
      continue;
    }
    // The button of the card says that it was added; on another screen there is none.
    const card = document.querySelector(`[data-product="${productId}"]`);
    const button = card?.querySelector<HTMLElement>('button:not([aria-pressed])');
    if (button) button.click();
    else void addToCart(productId, productName);
  }
}
