import { keepDraft, releaseOrderId } from '../db/checkout-draft.ts';
import { connection } from '../db/connection.ts';
import { change } from '../db/shopper-change.ts';
import { shopperStore } from '../db/shopper-store.ts';
import type { CartLine } from '../domain/change.ts';
import { announceNotStored } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';
import type { AddressText } from './address-form.tsx';

/** Returns a function that stores a shopper's draft: one write at a time, then the newest text. */
export function draftKeeper(uid: string): (fields: AddressText) => void {
  let next: AddressText | null = null;
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (next) {
      const fields = next;
      next = null;
      await connection.failover
        .write((db) => keepDraft(db, uid, fields))
        .catch((error: unknown) => connection.recoverFrom(error));
    }
    isWriting = false;
  }

  return (fields) => {
    next = fields;
    if (!isWriting) void write();
  };
}

/** Call when an order is over: paying the same cart then makes another order. */
export async function forgetPendingOrder(orderId: string): Promise<void> {
  await releaseOrderId(connection.db, orderId).catch((error: unknown) =>
    connection.recoverFrom(error),
  );
}

/** Empties the cart, as the specification's success page does, and offers to undo that. */
export async function clearCart(): Promise<void> {
  const lines = shopperStore.snapshot()?.data.cart ?? [];
  if (lines.length === 0) return;
  const outcome = await change([{ kind: 'cart.clear', args: {} }]);
  if (outcome === 'not-stored') announceNotStored();
  if (outcome !== 'done') return;
  notify('status', 'The cart is empty.', { label: 'Undo', run: () => void putBack(lines) });
}

async function putBack(lines: readonly CartLine[]): Promise<void> {
  const outcome = await change(
    lines.map(({ productId, quantity }) => ({ kind: 'cart.set', args: { productId, quantity } })),
  );
  if (outcome === 'not-stored') announceNotStored();
}
