import { change } from '../db/shopper-change.ts';
import type { CartLine, ChangeAction } from '../domain/change.ts';
import { tellNotStored } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';

/** The most of one product that an order may hold. */
export const MOST_OF_ONE = 99;

/** Adds one; answers whether it is in the cart now. The words are the specification's. */
export async function addToCart(productId: number): Promise<boolean> {
  return isDone([{ kind: 'cart.add', args: { productId, by: 1 } }]);
}

export async function setQuantity(productId: number, quantity: number): Promise<void> {
  await isDone([{ kind: 'cart.set', args: { productId, quantity } }]);
}

/** Takes a line out, and offers to put it back. */
export async function removeLine(line: CartLine, name: string): Promise<void> {
  if (await isDone([{ kind: 'cart.remove', args: { productId: line.productId } }])) {
    notify('status', `${name} was removed.`, undoOf([line]));
  }
}

/** Empties the cart, and offers to put everything back. */
export async function clearCart(lines: readonly CartLine[]): Promise<void> {
  if (await isDone([{ kind: 'cart.clear', args: {} }])) {
    notify('status', 'The cart is empty.', undoOf(lines));
  }
}

/** Asks for a refused change once more, under a new id. */
export async function askAgain(action: ChangeAction): Promise<boolean> {
  return isDone([action]);
}

function undoOf(lines: readonly CartLine[]) {
  const actions = lines.map(({ productId, quantity }): ChangeAction => {
    return { kind: 'cart.set', args: { productId, quantity } };
  });
  return { label: 'Undo', run: () => void isDone(actions) };
}

async function isDone(actions: readonly ChangeAction[]): Promise<boolean> {
  const outcome = await change(actions);
  if (outcome === 'signed-out') notify('alert', 'Please log in to add items to your cart.');
  if (outcome === 'not-stored') tellNotStored();
  return outcome === 'done';
}
