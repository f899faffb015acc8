/** Deleting an account, and when email and address disappear from its orders. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { HOME, Buyer, expectRejected } from './buyer.ts';
import { storedImport } from './parts.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const { COAT: coat } = await sell({ backend }, { COAT: 129.5 });
let buyer: Buyer;
beforeEach(async () => {
  buyer = await openAccount();
});

/** An account as the auth service stores it, without a password. */
async function openAccount(): Promise<Buyer> {
  const id = randomUUID();
  const account = [id, `${id}@weft.test`];
  await backend.query('insert into auth.users (id, email) values ($1, $2)', account);
  return new Buyer(backend, id);
}

const erase = () => buyer.erase();
/** Erases email and address from orders that were paid before this time (null: from no paid order). */
const eraseDue = (before: Date | null) =>
  buyer.call('erase_due', { p_before: before?.toISOString() ?? null });
/** The answer when the account is gone. */
const ERASED = { open: [], is_removed: true };
const FAR_FUTURE = new Date('2100-01-01');

/** What an order stores about the person who placed it (`asked` is their request), and its state. */
async function personIn({ id }: PlacedOrder) {
  const [row] = await backend.query(
    `select email, address, asked -> 'address' as asked, state, user_id from public.orders where id = $1`,
    [id],
  );
  return row;
}
const ERASED_PERSON = { email: '', address: null, asked: null, user_id: null };
/** The person in an order whose account is deleted, before the order is erased. */
const KEPT_PERSON = { email: 'ada@weft.test', address: HOME, asked: HOME, user_id: null };

async function placePaidOrder(captureId: string = randomUUID()): Promise<PlacedOrder> {
  const reference = `cs_${randomUUID()}`;
  const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', reference);
  await buyer.applyPayment(order, { reference, captureId });
  return order;
}
/** The row of the buyer's account, if it exists. */
const accountRows = () => backend.query('select id from auth.users where id = $1', [buyer.id]);

describe('an account that its owner deletes', () => {
  test('is removed with its cart, and unpaid orders lose email and address', async () => {
    await buyer.putInCart({ [coat]: 2 });
    const order = await buyer.place({ [coat]: 1 });
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...ERASED_PERSON, state: 'cancelled' });
    expect([await accountRows(), await buyer.cart()]).toEqual([[], {}]);
    const [lines] = await backend.query(
      'select skc, quantity from public.order_items where order_id = $1',
      [order.id],
    );
    expect(lines).toEqual({ skc: 'COAT', quantity: 1 });
  });

  test('leaves paid orders as they are, for the shop’s accounting', async () => {
    const order = await placePaidOrder();
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...KEPT_PERSON, state: 'paid' });
  });

  test('is not removed while a payment is being confirmed', async () => {
    const reference = `cs_${randomUUID()}`;
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', reference);
    await buyer.applyPayment(order, { reference, outcome: 'pending' });
    expect((await expectRejected(erase(), 'payment-under-way')).sentence).toContain(
      'being confirmed',
    );
    expect(await accountRows()).toHaveLength(1);
    expect(await personIn(order)).toMatchObject({ email: 'ada@weft.test' });
    await buyer.applyPayment(order, { reference, captureId: randomUUID() });
    expect(await erase()).toEqual(ERASED);
  });

  test('is not removed while a payment page is open; the answer names the page', async () => {
    const reference = `cs_${randomUUID()}`;
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', reference);
    expect(await erase()).toMatchObject({ open: [{ attempt: { reference } }], is_removed: false });
    await buyer.applyPayment(order, { reference, outcome: 'expired' });
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...ERASED_PERSON, state: 'cancelled' });
  });

  test('is deleted once, though the call is repeated, and the operator is told once', async () => {
    await erase();
    expect(await erase()).toEqual(ERASED);
    const told = await backend.query('select kind from public.messages where key = $1', [buyer.id]);
    expect(told).toEqual([{ kind: 'account_deleted' }]);
  });

  test('is no longer named by its imports', async () => {
    const id = randomUUID();
    const columns = '(id, user_id, email)';
    const row = [id, buyer.id, 'ada@weft.test'];
    await backend.query(`insert into public.imports ${columns} values ($1, $2, $3)`, row);
    await erase();
    expect(await storedImport({ backend }, id)).toMatchObject({ user_id: null, email: null });
  });
});

describe('the nightly maintenance', () => {
  test('erases who placed paid orders of deleted accounts, once they are old enough', async () => {
    const order = await placePaidOrder();
    await erase();
    const later = new Date(buyer.now.getTime() + 1);
    await eraseDue(null);
    await eraseDue(buyer.now);
    expect(await personIn(order)).toEqual({ ...KEPT_PERSON, state: 'paid' });
    await eraseDue(later);
    expect(await personIn(order)).toEqual({ ...ERASED_PERSON, state: 'paid' });
    // Another night finds nothing to erase, which is no error.
    await eraseDue(later);
  });

  test('keeps email and address of an existing account’s paid orders, however old they are', async () => {
    const order = await placePaidOrder();
    await eraseDue(FAR_FUTURE);
    expect(await personIn(order)).toMatchObject({ email: 'ada@weft.test', address: HOME });
  });

  test('keeps email and address of an order that staff must review', async () => {
    const reference = `cs_${randomUUID()}`;
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', reference);
    await buyer.applyPayment(order, { reference, amountMinor: 1, captureId: randomUUID() });
    await erase();
    await eraseDue(FAR_FUTURE);
    expect(await personIn(order)).toEqual({ ...KEPT_PERSON, state: 'needs_review' });
  });

  test('keeps email and address of an order while its payment is disputed', async () => {
    const paymentId = `pi_${randomUUID()}`;
    const order = await placePaidOrder(paymentId);
    await erase();
    const dispute = { kind: 'dispute', id: `du_${paymentId}`, paymentId } as const;
    await buyer.applyReversal({ ...dispute, state: 'open' });
    await eraseDue(FAR_FUTURE);
    expect(await personIn(order)).toEqual({ ...KEPT_PERSON, state: 'paid' });
    buyer.waitMinutes(1);
    await buyer.applyReversal({ ...dispute, state: 'won' });
    await eraseDue(FAR_FUTURE);
    expect(await personIn(order)).toEqual({ ...ERASED_PERSON, state: 'paid' });
  });

  test('erases the person of unpaid orders whose account was deleted in the dashboard', async () => {
    const order = await buyer.place({ [coat]: 1 });
    await buyer.cancel(order);
    await backend.query('delete from auth.users where id = $1', [buyer.id]);
    expect(await personIn(order)).toEqual({ ...KEPT_PERSON, state: 'cancelled' });
    await eraseDue(null);
    expect(await personIn(order)).toEqual({ ...ERASED_PERSON, state: 'cancelled' });
  });
});

test('the copy of a person’s data has cart, favourites, imports and orders with addresses, and nothing of another account', async () => {
  await backend.query('insert into public.favorites values ($1, $2)', [buyer.id, coat]);
  await backend.query(
    `insert into public.imports (id, user_id, state, finished_at, inserted, replaced, skipped)
     values ($1, $2, 'finished', now(), 3, 2, 1)`,
    [randomUUID(), buyer.id],
  );
  const order = await placePaidOrder();
  // Only now, because paying takes what was bought out of the cart.
  await buyer.putInCart({ [coat]: 2 });
  const other = await openAccount();
  await other.place({ [coat]: 3 });
  const copy = await buyer.call('account_as_json', { p_user: buyer.id });
  expect(copy).toMatchObject({
    cart: [{ product_id: coat, skc: 'COAT', quantity: 2, price_when_added: 129.5 }],
    favourites: [{ product_id: coat, skc: 'COAT' }],
    orders: [
      {
        id: order.id,
        state: 'paid',
        email: 'ada@weft.test',
        address: HOME,
        items: [{ skc: 'COAT', quantity: 1, unit_minor: 12_950 }],
        payments: [{ provider: 'stripe', state: 'captured' }],
      },
    ],
    imports: [{ inserted: 3, updated: 0, unchanged: 0, rejected: 0, replaced: 2, skipped: 1 }],
    changes: [],
  });
});
