import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { addBuyer, HOME, expectRejected } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
let coat: number;
let hat: number;
let sock: number;
let pin: number;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  const sold = await sell({ backend }, { COAT: 129.5, HAT: null, SOCK: 0.1, PIN: 9_999_999.99 });
  ({ COAT: coat, HAT: hat, SOCK: sock, PIN: pin } = sold);
});

const orderCount = async () => (await backend.query('select from public.orders')).length;

describe('an order', () => {
  test('has the shop’s prices, names and pictures, and the total to the cent', async () => {
    await backend.query(
      `update public.products set "Category 1" = ' Coat ', "Images link" = '/c.jpg' where id = $1`,
      [coat],
    );
    const order = await ada.place({ [coat]: 2, [sock]: 3 });
    expect(order).toMatchObject({
      user_id: ada.id,
      email: 'ada@weft.test',
      state: 'pending',
      total_minor: 25_930,
      currency: 'USD',
      mode: 'sandbox',
      address: HOME,
      items: [
        {
          product_id: coat,
          skc: 'COAT',
          title: 'Coat',
          size: '',
          picture: '/c.jpg',
          unit_minor: 12_950,
          quantity: 2,
        },
        {
          product_id: sock,
          skc: 'SOCK',
          title: 'Untitled',
          size: '',
          picture: null,
          unit_minor: 10,
          quantity: 3,
        },
      ],
    });
  });

  test('adds up whatever the prices are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async (lines) => {
          await backend.query('truncate public.products');
          const prices = lines.map(([cents], i) => [`P${i}`, cents / 100] as const);
          const sold = await sell({ backend }, Object.fromEntries(prices));
          const asked = lines.map(([, quantity], i) => [sold[`P${i}`], quantity]);
          const total = lines.reduce((sum, [cents, quantity]) => sum + cents * quantity, 0);
          fc.pre(total >= 50 && total <= 99_999_999);
          const { total_minor } = await ada.place(Object.fromEntries(asked));
          expect(total_minor).toBe(total);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('stays as it was placed when the catalogue changes or empties', async () => {
    const order = await ada.place({ [coat]: 1 });
    await backend.query('update public.products set "Retail Price" = 1');
    await backend.query('delete from public.products');
    const found = await ada.orders.find(ada.id, order.id, null);
    expect(found?.order).toEqual(order);
  });

  test('outlives the account of its shopper', async () => {
    const gone = await addBuyer(backend, 'gone');
    const order = await gone.place({ [coat]: 1 });
    await backend.query('delete from auth.users where id = $1', [gone.id]);
    const rows = await backend.query('select user_id, state from public.orders where id = $1', [
      order.id,
    ]);
    expect(rows).toEqual([{ user_id: null, state: 'pending' }]);
  });
});

describe('the same request again', () => {
  test('its id finds the order, at the price that it was placed at', async () => {
    const orderId = randomUUID();
    const first = await ada.place({ [coat]: 1 }, { orderId });
    await backend.query('update public.products set "Retail Price" = 999');
    const second = await ada.place({ [coat]: 1 }, { orderId, shownTotal: 12_950 });
    expect(second).toEqual(first);
    expect(await orderCount()).toBe(1);
  });

  test('other contents under the same id are rejected', async () => {
    const orderId = randomUUID();
    await ada.place({ [coat]: 1 }, { orderId });
    await expectRejected(ada.place({ [coat]: 2 }, { orderId }), 'order-differs');
    await expectRejected(ada.place({ [coat]: 1, [sock]: 1 }, { orderId }), 'order-differs');
    await expectRejected(ada.place({ [coat]: 1 }, { orderId, mode: 'live' }), 'order-differs');
    await expectRejected(
      ada.place({ [coat]: 1 }, { orderId, address: { ...HOME, city: 'Evanston' } }),
      'order-differs',
    );
    const more = await expectRejected(
      ada.place({ [coat]: 1 }, { orderId, shownTotal: 1 }),
      'order-differs',
    );
    expect(more).toMatchObject({ total: 12_950 });
    expect(await orderCount()).toBe(1);
  });

  test('another shopper does not find the order by its id', async () => {
    const orderId = randomUUID();
    await ada.place({ [coat]: 1 }, { orderId });
    await expectRejected(eve.place({ [coat]: 1 }, { orderId }), 'order-unknown');
  });

  test('a request without an id finds the order while it waits, and at the same total', async () => {
    const ask = (who = ada) => who.place({ [coat]: 1, [sock]: 2 }, { orderId: null });
    const first = await ask();
    expect((await ask()).id).toBe(first.id);
    expect((await ask(eve)).id).not.toBe(first.id);
    await backend.query('update public.products set "Retail Price" = 50 where id = $1', [coat]);
    const dearer = await ask();
    expect(dearer.id).not.toBe(first.id);
    await ada.openAttempt(dearer, 'stripe', 'cs_1');
    await ada.applyPayment(dearer, {});
    expect((await ask()).id).not.toBe(dearer.id);
    const waiting = await ask();
    ada.waitMinutes(181);
    expect((await ask()).id).not.toBe(waiting.id);
  });
});

describe('what the shop does not sell', () => {
  test('a product that is gone or has no price is named', async () => {
    await backend.query('delete from public.products where id = $1', [sock]);
    const gone = await expectRejected(ada.place({ [coat]: 1, [sock]: 1 }), 'product-unavailable');
    expect(gone).toMatchObject({ lines: [{ product_id: sock, reason: 'gone' }] });
    const free = await expectRejected(ada.place({ [coat]: 1, [hat]: 2 }), 'product-unavailable');
    expect(free).toMatchObject({
      lines: [{ product_id: hat, skc: 'HAT', quantity: 2, reason: 'no-price' }],
    });
    expect(free.sentence).toContain('HAT');
    expect(await orderCount()).toBe(0);
  });

  test('an order of less than fifty cents, or of more than a card can pay, is rejected', async () => {
    expect((await expectRejected(ada.place({ [sock]: 4 }), 'total-too-small'))['total']).toBe(40);
    await expectRejected(ada.place({ [pin]: 1 }), 'total-too-large');
    expect((await ada.place({ [sock]: 5 })).total_minor).toBe(50);
  });

  test('a quantity above 99 is rejected, also when two lines of one product add up to it', async () => {
    const lines = (...quantities: number[]) =>
      quantities.map((quantity) => ({ product_id: coat, quantity }));
    for (const quantities of [[100], [50, 50]]) {
      await expectRejected(ada.place({}, { lines: lines(...quantities) }), 'bad-quantity');
    }
    const [line] = (await ada.place({}, { lines: lines(60, 39) })).items;
    expect(line?.quantity).toBe(99);
  });

  test('an order of nothing, or of more than a hundred products, is rejected', async () => {
    await expectRejected(ada.place({}), 'nothing-to-buy');
    const lines = Array.from({ length: 101 }, (_, i) => ({ product_id: i + 1, quantity: 1 }));
    await expectRejected(ada.place({}, { lines }), 'too-many-lines');
  });

  test('an order without a whole address is rejected', async () => {
    const { city: _, ...noCity } = HOME;
    for (const address of [
      noCity,
      { ...HOME, country: 'FR' },
      { ...HOME, city: ' ' },
      { ...HOME, more: 'x' },
    ]) {
      const asked = ada.place({ [coat]: 1 }, { address: address as typeof HOME });
      await expect(asked).rejects.toMatchObject({ code: '23514' });
    }
  });
});

test('a total that differs from the one shown is told, with the lines that changed', async () => {
  const lines = [
    { product_id: coat, quantity: 1, unit_minor: 9_950 },
    { product_id: sock, quantity: 1, unit_minor: 10 },
  ];
  const more = await expectRejected(ada.place({}, { lines, shownTotal: 9_960 }), 'total-differs');
  expect(more).toMatchObject({
    shownTotal: 9_960,
    total: 12_960,
    lines: [{ product_id: coat, unit_minor: 12_950, shown_minor: 9_950 }],
  });
  expect(await orderCount()).toBe(0);
  expect((await ada.place({}, { lines, shownTotal: 12_960 })).total_minor).toBe(12_960);
});

test('a shopper who has placed a hundred orders without paying cannot place another', async () => {
  for (let i = 0; i < 100; i += 1) await ada.place({ [coat]: 1 });
  await expectRejected(ada.place({ [coat]: 1 }), 'too-many-orders');
  expect((await eve.place({ [coat]: 1 })).state).toBe('pending');
});
