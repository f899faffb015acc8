import { change, changeAgain, dismiss } from '../db/shopper-change.ts';
import type { Mutation } from '../db/shopper-log.ts';
import { MAX_LINE_QUANTITY } from '../domain/cart.ts';
import type { CartLine, ChangeAction } from '../domain/change.ts';
import { announceNotStored } from '../ui/not-stored.ts';
import { announce, notify } from '../ui/notices.ts';

/** Adds one, if it is not too many; answers whether it was added. */
export async function addToCart(productId: number, name: string): Promise<boolean> {
  let isFull = false;
  const isStored = await applyOrAnnounce(({ cart }) => {
    isFull = quantityIn(cart, productId) >= MAX_LINE_QUANTITY;
    return isFull ? [] : [{ kind: 'cart.add', args: { productId, by: 1 } }];
  });
  if (isStored && isFull) {
    notify(
      'alert',
      `${name} was not added: at most ${MAX_LINE_QUANTITY} of a product can be ordered.`,
    );
  } else if (isStored) {
    announce(`${name} was added to your cart.`);
  }
  return isStored && !isFull;
}

/**
 * One more or one less of a line, as a difference: what another phone adds or takes meanwhile counts
 * too. From more than can be ordered, one less is the most that can.
 */
export async function changeQuantity(productId: number, by: 1 | -1): Promise<void> {
  await applyOrAnnounce(({ cart }) => quantityChange(quantityIn(cart, productId), productId, by));
}

/** @param present what the line is when the change is stored; 0 where there is none */
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
  const fewer = present - Math.min(present - 1, MAX_LINE_QUANTITY);
  return [{ kind: 'cart.reduce', args: { productId, by: fewer } }];
}

function quantityIn(cart: readonly CartLine[], productId: number): number {
  return cart.find((line) => line.productId === productId)?.quantity ?? 0;
}

/** Takes a line out, and offers to put it back. */
export async function removeLine(line: CartLine, name: string): Promise<void> {
  if (await applyOrAnnounce([{ kind: 'cart.remove', args: { productId: line.productId } }])) {
    notify('status', `${name} was removed.`, undoOf([line]));
  }
}

/**
 * Empties the cart, and offers to put everything back. A cart whose rest has never been seen here
 * loses only the lines that are shown: nobody asked for more.
 */
export async function clearCart(lines: readonly CartLine[], isWhole: boolean): Promise<void> {
  const removals = lines.map(({ productId }): ChangeAction => {
    return { kind: 'cart.remove', args: { productId } };
  });
  if (await applyOrAnnounce(isWhole ? [{ kind: 'cart.clear', args: {} }] : removals)) {
    notify('status', 'The cart is empty.', undoOf(lines));
  }
}

/** Asks for a rejected change once more. */
export async function retryChange(rejectedId: string): Promise<void> {
  if ((await changeAgain(rejectedId)) === 'not-stored') announceNotStored();
}

/** The shopper has seen why a change was rejected. */
export async function dismissRejected(rejectedId: string): Promise<void> {
  if ((await dismiss(rejectedId)) === 'not-stored') announceNotStored();
}

function undoOf(lines: readonly CartLine[]) {
  const actions = lines.map(({ productId, quantity }): ChangeAction => {
    return { kind: 'cart.set', args: { productId, quantity } };
  });
  return { label: 'Undo', run: () => void applyOrAnnounce(actions) };
}

/** The words for nobody being signed in are the specification's. */
async function applyOrAnnounce(mutation: Mutation): Promise<boolean> {
  const outcome = await change(mutation);
  if (outcome === 'signed-out') notify('alert', 'Please log in to add items to your cart.');
  if (outcome === 'not-stored') announceNotStored();
  return outcome === 'done';
}
