import { addToCart } from '../cart/mutations.ts';
import { connection } from '../db/connection.ts';
import { onLateChange } from '../db/shopper-change.ts';
import { setFavourite } from '../favourites/mutations.ts';
import { announceWaiting } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';
import { endTaps, hasTaps, STILL_OPENING, takeTaps, type Tap } from './taps.ts';

/** With what `taps.ts` lets pass before React is there, less than a second. */
const PATIENCE_MS = 200;

/**
 * Does what was tapped before React was there. Call when React has drawn. It waits for the database:
 * should this document go away before, the next one does it.
 */
export function repeatTaps(): void {
  endTaps();
  onLateChange(announceWaiting);
  void repeatAll();
}

async function repeatAll(): Promise<void> {
  const telling = setTimeout(() => {
    if (hasTaps()) notify('status', STILL_OPENING);
  }, PATIENCE_MS);
  await connection.opened();
  clearTimeout(telling);
  takeTaps().forEach(repeat);
}

function repeat({ productId, productName, isWanted }: Tap): void {
  if (isWanted !== null) {
    void setFavourite(productId, isWanted);
    return;
  }
  // The button of the card says that it was added; on another screen there is none.
  const card = document.querySelector(`[data-product="${productId}"]`);
  const button = card?.querySelector<HTMLElement>('button:not([aria-pressed])');
  if (button) button.click();
  else void addToCart(productId, productName);
}
