/** A shopper who may import sets a low price, orders at it, and undoes the import. */
import { beforeEach, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { Buyer } from './buyer.ts';
import { columnOf } from './column.ts';
import { importWhole, undo } from './parts.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, sell } from './shoppers.ts';

const shop = await openShopForFile();
const buyer = new Buyer(shop.backend, (await addShopper(shop, 'ada')).id);
let coat: number;

beforeEach(async () => {
  await shop.backend.query('truncate public.products, public.orders, public.provider_asks cascade');
  ({ COAT: coat = 0 } = await sell(shop, { COAT: 136 }));
  // The database's clock dates the start of an import, which the undo compares with the time of an order.
  buyer.now = new Date();
});

const LOW_CENTS = 50;
const LOW_PRICE = '0.50';
const importLowPrice = () =>
  importWhole(shop, buyer.id, [{ SKC: 'COAT', 'Retail Price': LOW_PRICE }]);
const undoImport = (importId: string) => undo(shop, buyer.id, importId).throwOnError();
/** The kinds of the notices that name this order. */
function noticesOf({ id }: PlacedOrder): Promise<unknown[]> {
  const sql = `select kind from public.notices where detail ->> 'order' = $1 order by id`;
  return columnOf(shop.backend, sql, [id]);
}

test('an order at a price whose import was undone is marked for review when it is paid', async () => {
  const importId = await importLowPrice();
  const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
  expect(order.total_minor).toBe(LOW_CENTS);
  await undoImport(importId);
  expect(await buyer.state(order)).toBe('pending');
  expect(await buyer.applyPayment(order, {})).toBe('needs_review');
  expect(await buyer.state(order)).toBe('needs_review');
  expect(await buyer.review(order)).toMatch(/its undo took back; stripe payment pi_1/);
});

test.each(['pending', 'confirming'] as const)(
  'a %s order at a price that was taken back cannot be closed as paid, and is reported once its money has come',
  async (state) => {
    const importId = await importLowPrice();
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    if (state === 'confirming') await buyer.applyPayment(order, { outcome: 'pending' });
    await buyer.putInCart({ [coat]: 1 });
    await undoImport(importId);
    expect(await noticesOf(order)).toEqual([]);
    await expect(buyer.closeReview(order, 'paid')).rejects.toThrow('No money has come');
    expect(await buyer.state(order)).toBe(state);
    expect(await buyer.cart()).toEqual({ [coat]: 1 });
    await buyer.applyPayment(order, {});
    expect(await noticesOf(order)).toEqual(['needs_review']);
    await buyer.closeReview(order, 'paid');
    expect(await buyer.state(order)).toBe('paid');
    expect(await buyer.cart()).toEqual({});
  },
);

test('an order that was paid before its price was taken back stays paid and is marked for review', async () => {
  const importId = await importLowPrice();
  const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
  await buyer.applyPayment(order, {});
  await undoImport(importId);
  expect(await buyer.state(order)).toBe('paid');
  expect(await buyer.review(order)).toContain(importId);
});

test('an order of a product that an import added and its undo removed is marked for review', async () => {
  const importId = await importWhole(shop, buyer.id, [{ SKC: 'NEW', 'Retail Price': LOW_PRICE }]);
  const [id] = await columnOf(shop.backend, `select id from public.products where "SKC" = 'NEW'`);
  const order = await buyer.place({ [Number(id)]: 1 });
  await undoImport(importId);
  expect(await buyer.review(order)).toContain(importId);
});

test('orders at other prices than the import’s are not marked', async () => {
  const before = await buyer.place({ [coat]: 1 });
  const importId = await importLowPrice();
  await shop.backend.query(`update public.products set "Retail Price" = 120 where id = $1`, [coat]);
  const whileChanged = await buyer.place({ [coat]: 2 });
  await undoImport(importId);
  const after = await buyer.place({ [coat]: 3 });
  for (const order of [before, whileChanged, after]) expect(await buyer.review(order)).toBeNull();
});
