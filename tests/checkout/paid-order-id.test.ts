/** When the device releases the id of an order that is paid. */
// Imported first, because Dexie looks for IndexedDB while it loads.
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { settlePendingOrder } from '../../src/checkout/mutations.ts';
import { cartNow, linesKeyOf } from '../../src/checkout/pay/place-order.ts';
import { claimOrderId, readPendingOrder } from '../../src/db/checkout-draft.ts';
import { connection } from '../../src/db/connection.ts';
import { shopperStore } from '../../src/db/shopper-store.ts';
import { viewOf } from '../shopper-view.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const PAID_CART = [{ productId: 7, quantity: 2, priceWhenAdded: null }];
const showCart = (cart: typeof PAID_CART) =>
  shopperStore.set({ ...viewOf('ada'), data: { cart, favourites: [] } });
const isClaimed = async () => (await readPendingOrder(connection.db, ID)) !== undefined;

test('the id of a paid order stays while this device shows no cart, and goes with another cart', async () => {
  await connection.open();
  await connection.db.meta.put({ key: 'shopper', uid: 'ada', email: '', session: 'live' });
  showCart(PAID_CART);
  const cart = linesKeyOf(cartNow()?.lines ?? []);
  await claimOrderId(connection.db, { uid: 'ada', content: 'a cart', cart }, () => ID);
  settlePendingOrder({ status: 'paid', orderId: ID, paidBy: 'card', isCurrent: true });
  shopperStore.set(null);
  await settled();
  expect(await isClaimed()).toBe(true);
  showCart(PAID_CART);
  await settled();
  expect(await isClaimed()).toBe(true);
  showCart([]);
  await expect.poll(isClaimed).toBe(false);
});

/** Resolves after the reads and writes that were requested before. */
const settled = () => connection.db.transaction('rw', connection.db.running, async () => undefined);
