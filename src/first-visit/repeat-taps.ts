import { addToCart } from '../cart/mutations.ts';
import { connection } from '../db/connection.ts';
import { onWait } from '../db/enqueue.ts';
import { setFavourite } from '../favourites/mutations.ts';
import { announceWait } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';
import { type CardTap, endTaps, hasTaps, STILL_OPENING, takeTaps } from './taps.ts';

/** Begins when React ends the wait in `taps.ts`. Both waits leave time to draw the notice within a second. */
const PATIENCE_MS = 200;

/**
 * Repeats the taps from before React. Call it when React has rendered. It waits for the database; if the
 * user opens another document first, that document repeats the taps.
 */
export function repeatTaps(): void {
  endTaps();
  // Tells the user when one of these taps, or a later one, waits long for the database.
  onWait(announceWait);
  void repeatAll();
}

async function repeatAll(): Promise<void> {
  const noticeTimer = setTimeout(() => {
    if (hasTaps()) notify('status', STILL_OPENING);
  }, PATIENCE_MS);
  await connection.opened();
  clearTimeout(noticeTimer);
  takeTaps().forEach(repeat);
}

function repeat({ productId, productName, isWanted }: CardTap): void {
  if (isWanted !== null) {
    void setFavourite(productId, productName, isWanted);
    return;
  }
  // A click on the card's button also shows "Added"; on another screen there is no such button.
  const card = document.querySelector(`[data-product="${productId}"]`);
  // The heart is the button with `aria-pressed`.
  const addButton = card?.querySelector<HTMLElement>('button:not([aria-pressed])');
  if (addButton) addButton.click();
  else void addToCart(productId, productName);
}
