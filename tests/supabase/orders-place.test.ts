/** Placing an order: its prices, repeated requests, and orders that the shop does not accept. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { addBuyer, HOME, expectRejected, ORDER_MINUTES } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
const COAT_CENTS = 12_950;
const SOCK_CENTS = 10;
/** The largest sum that Stripe takes, in cents. */
const MAX_CENTS = 99_999_999;
/** The most pieces of one product in an order. */
const MAX_QUANTITY = 99;
/** One piece each of a hundred and one products. */
const TOO_MANY = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i + 1, 1]));
let coat: number;
let hat: number;
let sock: number;
let ring: number;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  const sold = await sell(
    { backend },
    {
      COAT: COAT_CENTS / 100,
      HAT: null,
      SOCK: SOCK_CENTS / 100,
      RING: (MAX_CENTS + 1) / 100,
    },
  );
  ({ COAT: coat, HAT: hat, SOCK: sock, RING: ring } = sold);
});

const orderCount = async () => (await backend.query('select from public.orders')).length;

describe('an order', () => {
  test('has the shop’s prices, names, materials and pictures, and the total to the cent', async () => {
    await backend.query(
      `update public.products set "Category 1" = ' Coat ', "Material" = ' Grey wool ',
         "Images link" = '/c.jpg' where id = $1`,
      [coat],
    );
    const order = await ada.place({ [coat]: 2, [sock]: 3 });
    expect(order).toMatchObject({
      user_id: ada.id,
      email: 'ada@weft.test',
      state: 'pending',
      total_minor: 2 * COAT_CENTS + 3 * SOCK_CENTS,
      currency: 'USD',
      mode: 'sandbox',
      address: HOME,
      items: [
        {
          product_id: coat,
          skc: 'COAT',
          title: 'Coat',
          material: 'Grey wool',
          size: '',
          picture: '/c.jpg',
          unit_minor: COAT_CENTS,
          quantity: 2,
        },
        {
          product_id: sock,
          skc: 'SOCK',
          title: 'Untitled',
          material: null,
          size: '',
          picture: null,
          unit_minor: SOCK_CENTS,
          quantity: 3,
        },
      ],
    });
  });

  test('stays as it was placed when the catalogue changes or empties', async () => {
    const order = await ada.place({ [coat]: 1 });
    await backend.query('update public.products set "Retail Price" = 1');
    await backend.query('delete from public.products');
    const found = await ada.orders.find(ada.id, order.id, null);
    expect(found?.order).toEqual(order);
  });
});

describe('a repeated request', () => {
  test('finds the order by its id, at the price at which it was placed', async () => {
    const orderId = randomUUID();
    const first = await ada.place({ [coat]: 1 }, { orderId });
    await backend.query('update public.products set "Retail Price" = 999');
    const second = await ada.place({ [coat]: 1 }, { orderId, shownTotal: COAT_CENTS });
    expect(second).toEqual(first);
    expect(await orderCount()).toBe(1);
  });

  test('is rejected when it has other contents under the same id', async () => {
    const orderId = randomUUID();
    await ada.place({ [coat]: 1 }, { orderId });
    for (const differing of [
      ada.place({ [coat]: 2 }, { orderId }),
      ada.place({ [coat]: 1, [sock]: 1 }, { orderId }),
      ada.place({ [coat]: 1 }, { orderId, mode: 'live' }),
      ada.place({ [coat]: 1 }, { orderId, address: { ...HOME, city: 'Evanston' } }),
      ada.place({ [coat]: 1 }, { orderId, shownTotal: 1 }),
    ]) {
      const rejection = await expectRejected(differing, 'order-differs');
      expect(rejection).toMatchObject({ total: COAT_CENTS });
    }
    expect(await orderCount()).toBe(1);
  });

  test('without an id finds an order that waits for payment and has the same total', async () => {
    const placeAgain = (shopper = ada) =>
      shopper.place({ [coat]: 1, [sock]: 2 }, { orderId: null });
    const first = await placeAgain();
    expect((await placeAgain()).id).toBe(first.id);
    expect((await placeAgain(eve)).id).not.toBe(first.id);
    await backend.query('update public.products set "Retail Price" = 50 where id = $1', [coat]);
    const atNewPrice = await placeAgain();
    expect(atNewPrice.id).not.toBe(first.id);
    await ada.openAttempt(atNewPrice, 'stripe', 'cs_1');
    await ada.applyPayment(atNewPrice, {});
    expect((await placeAgain()).id).not.toBe(atNewPrice.id);
    const expiring = await placeAgain();
    ada.waitMinutes(ORDER_MINUTES + 1);
    expect((await placeAgain()).id).not.toBe(expiring.id);
  });
});

describe('an order that the shop does not accept', () => {
  test('has a product that was deleted or has no price, which the answer names', async () => {
    await backend.query('delete from public.products where id = $1', [sock]);
    const placeUnavailable = (lines: Record<number, number>) =>
      expectRejected(ada.place(lines), 'product-unavailable');
    expect(await placeUnavailable({ [coat]: 1, [sock]: 1 })).toMatchObject({
      lines: [{ product_id: sock, reason: 'gone' }],
    });
    const withoutPrice = await placeUnavailable({ [coat]: 1, [hat]: 2 });
    expect(withoutPrice).toMatchObject({
      lines: [{ product_id: hat, skc: 'HAT', quantity: 2, reason: 'no-price' }],
    });
    expect(withoutPrice.sentence).toContain('HAT');
    expect(await orderCount()).toBe(0);
  });

  test.each([
    ['is of less than fifty cents', () => ada.place({ [sock]: 4 }), 'total-too-small'],
    ['is of more than a card can pay', () => ada.place({ [ring]: 1 }), 'total-too-large'],
    ['has no product', () => ada.place({}), 'nothing-to-buy'],
    ['has more than a hundred products', () => ada.place(TOO_MANY), 'too-many-lines'],
  ])('%s', async (_, place, code) => {
    await expectRejected(place(), code);
  });

  test('has more than 99 of a product, in one line or in two, or a line of less than one', async () => {
    const lines = (...quantities: number[]) =>
      quantities.map((quantity) => ({ product_id: coat, quantity }));
    for (const quantities of [[MAX_QUANTITY + 1], [50, 50], [0, 1], [5, -3]]) {
      await expectRejected(ada.place({}, { lines: lines(...quantities) }), 'bad-quantity');
    }
    const [line] = (await ada.place({}, { lines: lines(60, MAX_QUANTITY - 60) })).items;
    expect(line?.quantity).toBe(MAX_QUANTITY);
  });

  test('has an incomplete or invalid address', async () => {
    const { city: _, ...noCity } = HOME;
    for (const address of [
      noCity,
      { ...HOME, country: 'France' },
      { ...HOME, city: ' ' },
      { ...HOME, more: 'x' },
    ]) {
      const requested = ada.place({ [coat]: 1 }, { address: address as typeof HOME });
      await expect(requested).rejects.toMatchObject({ code: SQLSTATE.checkViolation });
    }
  });
});

test('an order to a country that the shop has stopped delivering to can still be paid', async () => {
  const address = { ...HOME, country: 'FR' } as unknown as typeof HOME;
  const order = await ada.place({ [coat]: 1 }, { address });
  await ada.openAttempt(order, 'stripe', 'cs_1');
  expect(await ada.applyPayment(order, {})).toBe('paid');
});

test('a shopper whose account was deleted just now is told so, and not to sign in', async () => {
  const deleted = await addBuyer(backend, 'deleted-now');
  await backend.query('delete from auth.users where id = $1', [deleted.id]);
  await expectRejected(deleted.place({ [coat]: 1 }), 'account-gone');
});

test('when the total differs from the one that the shopper saw, the answer names the changed lines', async () => {
  const oldCents = COAT_CENTS - 3000;
  const lines = [
    { product_id: coat, quantity: 1, unit_minor: oldCents },
    { product_id: sock, quantity: 1, unit_minor: SOCK_CENTS },
  ];
  const shownTotal = oldCents + SOCK_CENTS;
  const total = COAT_CENTS + SOCK_CENTS;
  const rejection = await expectRejected(ada.place({}, { lines, shownTotal }), 'total-differs');
  expect(rejection).toMatchObject({
    shownTotal,
    total,
    lines: [{ product_id: coat, unit_minor: COAT_CENTS, shown_minor: oldCents }],
  });
  expect(await orderCount()).toBe(0);
  expect((await ada.place({}, { lines, shownTotal: total })).total_minor).toBe(total);
});

test('a shopper who has placed a hundred orders without paying cannot place another', async () => {
  for (let i = 0; i < 100; i += 1) {
    await ada.place({ [coat]: 1 });
    ada.waitMinutes(1);
  }
  await expectRejected(ada.place({ [coat]: 1 }), 'too-many-orders');
  expect((await eve.place({ [coat]: 1 })).state).toBe('pending');
});
