import { change, changeAgain } from '../db/shopper-change.ts';
import type { Deed } from '../db/shopper-log.ts';
import type { CartLine, ChangeAction } from '../domain/change.ts';
import { tellNotStored } from '../ui/not-stored.ts';
import { notify, say } from '../ui/notices.ts';

/** The most of one product that an order may hold. */
export const MOST_OF_ONE = 99;

/** Adds one; answers whether it is in the cart now. The words are the specification's. */
export async function addToCart(productId: number, name: string): Promise<boolean> {
  const isAdded = await isDone([{ kind: 'cart.add', args: { productId, by: 1 } }]);
  if (isAdded) say(`${name} was added to your cart.`);
  return isAdded;
}

/** One more or one less of a line, counted from what it is when the change is stored. */
export async function changeQuantity(productId: number, by: 1 | -1): Promise<void> {
  await isDone(({ cart }) => {
    const line = cart.find((each) => each.productId === productId);
    const quantity = (line?.quantity ?? 0) + by;
    if (!line || quantity < 1 || quantity > MOST_OF_ONE) return [];
    return [{ kind: 'cart.set', args: { productId, quantity } }];
  });
}

/** Takes a line out, and offers to put it back. */
export async function removeLine(line: CartLine, name: string): Promise<void> {
  if (await isDone([{ kind: 'cart.remove', args: { productId: line.productId } }])) {
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
  if (await isDone(isWhole ? [{ kind: 'cart.clear', args: {} }] : removals)) {
    notify('status', 'The cart is empty.', undoOf(lines));
  }
}

/** Asks for a refused change once more. */
export async function askAgain(refusedId: string): Promise<void> {
  if ((await changeAgain(refusedId)) === 'not-stored') tellNotStored();
}

function undoOf(lines: readonly CartLine[]) {
  const actions = lines.map(({ productId, quantity }): ChangeAction => {
    return { kind: 'cart.set', args: { productId, quantity } };
  });
  return { label: 'Undo', run: () => void isDone(actions) };
}

async function isDone(deed: Deed): Promise<boolean> {
  const outcome = await change(deed);
  if (outcome === 'signed-out') notify('alert', 'Please log in to add items to your cart.');
  if (outcome === 'not-stored') tellNotStored();
  return outcome === 'done';
}
