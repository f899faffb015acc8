import { dismiss, enqueue } from '../db/enqueue.ts';
import type { ChangeOutcome } from '../db/outbox.ts';
import { MAX_LINE_QUANTITY } from '../domain/cart.ts';
import type { CartLine, ChangeAction, Mutation } from '../domain/change.ts';
import { askToLogIn, type Wanted } from '../ui/log-in-first.ts';
import { announceNotStored } from '../ui/not-stored.ts';
import { announce, notify } from '../ui/notices.ts';
import { undoFor } from './undo.ts';

/** Adds one piece unless the line is full. Returns whether it was added. */
export async function addToCart(productId: number, productName: string): Promise<boolean> {
  let isFull = false;
  const add: Mutation = ({ cart }) => {
    isFull = isLineFull(cart, productId);
    return isFull ? [] : [{ kind: 'cart.add', args: { productId, by: 1 } }];
  };
  const addition: Wanted = { kind: 'cart.add', productId, productName };
  const isStored = announceUnlessDone(await enqueue(add), addition);
  if (isStored && isFull) announceFull(productName);
  else if (isStored) announce(`Added to cart: ${productName}.`);
  return isStored && !isFull;
}

export function isLineFull(cart: readonly CartLine[], productId: number): boolean {
  return quantityIn(cart, productId) >= MAX_LINE_QUANTITY;
}

/** Says that a line is full, so that nothing was added. */
export function announceFull(productName: string): void {
  notify(
    'alert',
    `You can order up to ${MAX_LINE_QUANTITY} of each product. Not added: ${productName}.`,
  );
}

/**
 * Changes a line's quantity by one, as a difference: changes by another phone count too. "One less"
 * than a quantity above the limit sets the line to the limit.
 */
export async function changeQuantity(productId: number, by: 1 | -1): Promise<void> {
  await applyOrAnnounce(({ cart }) => quantityChange(quantityIn(cart, productId), productId, by));
}

/**
 * The actions for one piece more or less; none where the quantity cannot change.
 *
 * @param present the line's quantity so far; 0 without a line
 */
export function quantityChange(
  present: number,
  productId: number,
  by: 1 | -1,
): readonly ChangeAction[] {
  if (by === 1) {
    if (present === 0 || present >= MAX_LINE_QUANTITY) return [];
    return [{ kind: 'cart.add', args: { productId, by } }];
  }
  if (present <= 1) return [];
  const next = Math.min(present - 1, MAX_LINE_QUANTITY);
  return [{ kind: 'cart.reduce', args: { productId, by: present - next } }];
}

function quantityIn(cart: readonly CartLine[], productId: number): number {
  return cart.find((line) => line.productId === productId)?.quantity ?? 0;
}

/** Removes a line, and offers to undo that. */
export async function removeLine(line: CartLine, name: string): Promise<void> {
  const undo = undoFor([line], applyOrAnnounce);
  if (await applyOrAnnounce([{ kind: 'cart.remove', args: { productId: line.productId } }])) {
    notify('status', `Removed ${name}.`, undo);
  }
}

/**
 * Empties the cart, and offers to undo that.
 *
 * @param options.isWhole whether this device has read the whole cart; otherwise only `lines`, which are on screen,
 *   are removed
 */
export async function clearCart(
  lines: readonly CartLine[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const undo = undoFor(lines, applyOrAnnounce);
  const removals = lines.map(({ productId }): ChangeAction => {
    return { kind: 'cart.remove', args: { productId } };
  });
  if (await applyOrAnnounce(isWhole ? [{ kind: 'cart.clear', args: {} }] : removals)) {
    notify('status', 'Cart cleared.', undo);
  }
}

/** Removes a rejected change from the list. */
export async function dismissRejected(rejectedId: string): Promise<void> {
  if ((await dismiss(rejectedId)) === 'not-stored') announceNotStored();
}

async function applyOrAnnounce(mutation: Mutation): Promise<boolean> {
  return announceUnlessDone(await enqueue(mutation), null);
}

/**
 * Says why a change was not done: to a visitor in the specification's words. Returns whether it was done.
 *
 * @param addition what a visitor's login will add; null for nothing
 */
function announceUnlessDone(outcome: ChangeOutcome, addition: Wanted | null): boolean {
  if (outcome === 'not-stored') announceNotStored();
  else if (outcome === 'signed-out') {
    askToLogIn('Please log in to add items to your cart.', addition);
  }
  return outcome === 'done';
}
