/** Placing an order from the page: its id is stored first, so that repeated presses pay once. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CartState,
  type PlacingTools,
  placeOrder,
  type CheckoutRequest,
} from '../../src/checkout/pay/place-order.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import type { CheckoutAnswer, PayRequest } from '../../src/remote/checkout.ts';

const UID = 'ada';
const REQUEST: CheckoutRequest = {
  uid: UID,
  lines: [
    { product_id: 2, quantity: 1, unit_minor: 900 },
    { product_id: 1, quantity: 2, unit_minor: 4850 },
  ],
  address: {
    full_name: 'Ada Weaver',
    address_line1: '1 Mill Lane',
    city: 'Chicago',
    state: 'IL',
    postal_code: '60614',
    country: 'US',
  },
  shownTotal: 900 + 2 * 4850,
  earlierOrderId: null,
};
const CART: CartState = {
  uid: UID,
  lines: [
    { product_id: 1, quantity: 2 },
    { product_id: 2, quantity: 1 },
  ],
  unsaved: 0,
  saving: 'saved',
};

let db: WeftDatabase;
let cart: CartState | null;
let listeners: Set<() => void>;
let placing: PlacingTools;
let sent: PayRequest[];

beforeEach(async () => {
  db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  await db.meta.put({ key: 'shopper', uid: UID, email: '', session: 'live' });
  cart = CART;
  listeners = new Set();
  sent = [];
  placing = {
    db,
    cart: () => cart,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    newId: () => crypto.randomUUID(),
    timeoutMs: 60_000,
  };
});
afterEach(() => db.close());

/** A shop that gives these answers one after the other, and the last one from then on. */
function answerWith(...answers: readonly CheckoutAnswer<string>[]) {
  let next = 0;
  return async (request: PayRequest): Promise<CheckoutAnswer<string>> => {
    sent.push(request);
    const answer = answers[Math.min(next++, answers.length - 1)];
    if (!answer) throw new Error('no answer was given');
    return answer;
  };
}

const DONE: CheckoutAnswer<string> = { ok: true, value: 'page' };
const LOST: CheckoutAnswer<string> = { ok: false, failure: { kind: 'offline' } };
const rejected = (code: string): CheckoutAnswer<string> => ({
  ok: false,
  failure: { kind: 'rejected', status: 409, code, message: null },
});
const answerOfKind = (kind: 'order-paid' | 'payment-under-way'): CheckoutAnswer<string> => ({
  ok: false,
  failure: { kind, message: null },
});
const changeCart = (next: CartState | null) => {
  cart = next;
  for (const listener of listeners) listener();
};

test('the id of an order is durable before anything is sent', async () => {
  const placed = await placeOrder(placing, REQUEST, async (request) => {
    expect((await db.running.get(UID))?.orderId).toBe(request.orderId);
    return DONE;
  });
  expect(placed.ok).toBe(true);
});

test('two presses, two tabs and a press after a lost answer name the same order', async () => {
  await placeOrder(placing, REQUEST, answerWith(LOST));
  await Promise.all([
    placeOrder(placing, REQUEST, answerWith(DONE)),
    placeOrder(placing, { ...REQUEST, lines: REQUEST.lines.toReversed() }, answerWith(DONE)),
  ]);
  expect(sent.length).toBe(3);
  expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(1);
});

test('another quantity, address or total is another order', async () => {
  const lines = [
    { product_id: 1, quantity: 3 },
    { product_id: 2, quantity: 1 },
  ];
  const others: readonly CheckoutRequest[] = [
    { ...REQUEST, shownTotal: 11_000 },
    { ...REQUEST, address: { ...REQUEST.address, city: 'Peoria' } },
    { ...REQUEST, lines },
  ];
  for (const other of others) {
    cart = CART;
    await placeOrder(placing, REQUEST, answerWith(DONE));
    cart = { ...CART, lines: other.lines };
    await placeOrder(placing, other, answerWith(DONE));
    expect(sent.at(-1)?.orderId).not.toBe(sent.at(-2)?.orderId);
  }
});

test('an id that the shop has closed is replaced by another, once', async () => {
  const placed = await placeOrder(placing, REQUEST, answerWith(rejected('order-closed'), DONE));
  expect(placed.ok).toBe(true);
  expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(2);
  // `order-differs`: the id belongs to an order with other contents. The second id is refused too.
  const differing = await placeOrder(placing, REQUEST, answerWith(rejected('order-differs')));
  expect(differing).toMatchObject({ ok: false, failure: { code: 'order-differs' } });
  expect(sent.length).toBe(4);
});

test('an order that is paid keeps its id, so that the shopper is asked before ordering again', async () => {
  const paid = answerOfKind('order-paid');
  await placeOrder(placing, REQUEST, answerWith(paid));
  expect(await placeOrder(placing, REQUEST, answerWith(paid))).toMatchObject({
    failure: { kind: 'being-paid', orderId: sent[0]?.orderId, message: expect.any(String) },
  });
  expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(1);
});

test('a shopper who agrees to pay again makes another order, which says so to the shop', async () => {
  await placeOrder(placing, REQUEST, answerWith(answerOfKind('payment-under-way')));
  // The order whose payment is under way; the new one is placed in addition to it.
  const earlierOrderId = sent[0]?.orderId ?? null;
  await placeOrder(placing, { ...REQUEST, earlierOrderId }, answerWith(LOST));
  await placeOrder(placing, { ...REQUEST, earlierOrderId }, answerWith(DONE));
  // A request that does not name the first order continues the newest order of the same lines.
  await placeOrder(placing, REQUEST, answerWith(DONE));
  expect(sent.map((request) => request.again)).toEqual([false, true, true, false]);
  expect(sent[1]?.orderId).not.toBe(earlierOrderId);
  expect(new Set(sent.slice(1).map(({ orderId }) => orderId)).size).toBe(1);
});

test('paying waits until the shop has the cart', async () => {
  cart = { ...CART, unsaved: 2, saving: 'saving' };
  const placed = placeOrder(placing, REQUEST, answerWith(DONE));
  changeCart({ ...CART, unsaved: 1, saving: 'saving' });
  changeCart(CART);
  expect((await placed).ok).toBe(true);
  expect(listeners.size).toBe(0);
});

test('paying stops waiting after a timeout, and at once for a session that has ended', async () => {
  cart = { ...CART, unsaved: 1, saving: 'offline' };
  const timedOut = await placeOrder({ ...placing, timeoutMs: 1 }, REQUEST, answerWith(DONE));
  expect(timedOut).toMatchObject({ failure: { kind: 'unsaved', saving: 'offline' } });
  cart = { ...CART, unsaved: 1, saving: 'sign-in' };
  const ended = await placeOrder(placing, REQUEST, answerWith(DONE));
  expect(ended).toMatchObject({ failure: { kind: 'unsaved', saving: 'sign-in' } });
  expect(sent).toEqual([]);
});

test('a cart that changed while it was saved is not paid', async () => {
  cart = { ...CART, unsaved: 1, saving: 'saving' };
  const placed = placeOrder(placing, REQUEST, answerWith(DONE));
  changeCart({ ...CART, lines: [{ product_id: 1, quantity: 2 }] });
  expect(await placed).toMatchObject({ ok: false, failure: { kind: 'changed' } });
  expect(sent).toEqual([]);
});

test('no order is placed for a shopper when another one is signed in, in the page or on the device', async () => {
  cart = { ...CART, uid: 'bob' };
  expect(await placeOrder(placing, REQUEST, answerWith(DONE))).toMatchObject({
    failure: { kind: 'sign-in' },
  });
  cart = CART;
  await db.meta.put({ key: 'shopper', uid: 'bob', email: '', session: 'live' });
  expect(await placeOrder(placing, REQUEST, answerWith(DONE))).toMatchObject({
    failure: { kind: 'sign-in' },
  });
  expect(sent).toEqual([]);
});

test('a device that cannot store the id sends nothing', async () => {
  db.close();
  const placed = await placeOrder(placing, REQUEST, answerWith(DONE));
  expect(placed).toMatchObject({ ok: false, failure: { kind: 'not-stored' } });
  expect(sent).toEqual([]);
});
