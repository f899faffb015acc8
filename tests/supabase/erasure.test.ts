import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callOrders, type PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { HOME, Buyer, expectRejected } from './buyer.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

let backend: Backend;
let buyer: Buyer;
let coat: number;

beforeAll(async () => {
  backend = await openTestBackend();
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 129.5 }));
});
afterAll(() => backend.close());
beforeEach(async () => {
  buyer = await openAccount();
});

/** An account as the auth service stores it, without a password. */
async function openAccount(): Promise<Buyer> {
  const id = randomUUID();
  await backend.query('insert into auth.users (id, email) values ($1, $2)', [
    id,
    `${id}@weft.test`,
  ]);
  return new Buyer(backend, id);
}

interface Erasure {
  readonly open: readonly { readonly attempt: { readonly reference: string | null } }[];
  readonly is_removed: boolean;
}
const erase = (user = buyer.id) =>
  callOrders<Erasure>(buyer.call, 'erase_account', {
    p_user: user,
    p_now: buyer.now.toISOString(),
  });
const eraseDue = (before: Date | null) =>
  buyer.call('erase_due', { p_before: before?.toISOString() ?? null });
const ERASED = { open: [], is_removed: true };

async function personIn({ id }: PlacedOrder) {
  const [row] = await backend.query(
    `select email, address, asked -> 'address' as asked, state, user_id from public.orders where id = $1`,
    [id],
  );
  return row;
}
const NOBODY = { email: '', address: null, asked: null, user_id: null };
const ADA = { email: 'ada@weft.test', address: HOME, asked: HOME, user_id: null };

async function paid(reference = `cs_${randomUUID()}`): Promise<PlacedOrder> {
  const order = await buyer.place({ [coat]: 1 });
  await buyer.openAttempt(order, 'stripe', reference);
  await buyer.applyPayment(order, { reference, captureId: randomUUID() });
  return order;
}
const accounts = () =>
  backend.query('select id from auth.users where id = $1', [buyer.id]).then(({ length }) => length);

describe('an account that its owner deletes', () => {
  test('goes with its cart and its sessions, and unpaid orders forget who placed them', async () => {
    await buyer.putInCart({ [coat]: 2 });
    const order = await buyer.place({ [coat]: 1 });
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...NOBODY, state: 'cancelled' });
    expect([await accounts(), await buyer.cart()]).toEqual([0, {}]);
    const [lines] = await backend.query(
      'select skc, quantity from public.order_items where order_id = $1',
      [order.id],
    );
    expect(lines).toEqual({ skc: 'COAT', quantity: 1 });
  });

  test('leaves paid orders as they are, for the shop’s books', async () => {
    const order = await paid();
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...ADA, state: 'paid' });
  });

  test('waits while a payment is being confirmed', async () => {
    const order = await buyer.place({ [coat]: 1 });
    const reference = `cs_${randomUUID()}`;
    await buyer.openAttempt(order, 'stripe', reference);
    await buyer.applyPayment(order, { reference, outcome: 'pending' });
    expect((await expectRejected(erase(), 'payment-under-way')).sentence).toContain(
      'being confirmed',
    );
    expect([await accounts(), (await personIn(order))?.['email']]).toEqual([1, 'ada@weft.test']);
    await buyer.applyPayment(order, { reference, captureId: randomUUID() });
    expect(await erase()).toEqual(ERASED);
  });

  test('waits while money of a PayPal order is being taken', async () => {
    const order = await buyer.place({ [coat]: 1 });
    const reference = `PP-${randomUUID()}`;
    await buyer.openAttempt(order, 'paypal', reference);
    await buyer.orders.mayCapture(buyer.id, reference);
    expect(await erase()).toMatchObject({ open: [{ attempt: { reference } }], is_removed: false });
    expect(await accounts()).toBe(1);
  });

  test('names payment pages that are still open, and stays until they are closed', async () => {
    const order = await buyer.place({ [coat]: 1 });
    const reference = `cs_${randomUUID()}`;
    await buyer.openAttempt(order, 'stripe', reference);
    expect(await erase()).toMatchObject({ open: [{ attempt: { reference } }], is_removed: false });
    await buyer.applyPayment(order, { reference, outcome: 'expired' });
    expect(await erase()).toEqual(ERASED);
    expect(await personIn(order)).toEqual({ ...NOBODY, state: 'cancelled' });
  });

  test('drops a PayPal order that nobody approved', async () => {
    const order = await buyer.place({ [coat]: 1 });
    await buyer.openAttempt(order, 'paypal', `PP-${randomUUID()}`);
    expect(await erase()).toEqual(ERASED);
    expect(await buyer.attempts(order)).toEqual(['paypal void']);
  });

  test('is deleted once, though the answer was lost, and other phones hear of it', async () => {
    const wasDeleted = () => buyer.call('account_was_deleted', { p_user: buyer.id });
    expect(await wasDeleted()).toBe(false);
    await erase();
    expect([await erase(), await wasDeleted()]).toEqual([ERASED, true]);
  });

  test('which is merely missing, as after a backup, was not deleted', async () => {
    await backend.query('delete from auth.users where id = $1', [buyer.id]);
    expect(await buyer.call('account_was_deleted', { p_user: buyer.id })).toBe(false);
  });

  test('is forgotten by its imports', async () => {
    const id = randomUUID();
    await backend.query('insert into public.imports (id, user_id, email) values ($1, $2, $3)', [
      id,
      buyer.id,
      'ada@weft.test',
    ]);
    await erase();
    const rows = await backend.query('select user_id, email from public.imports where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ user_id: null, email: null }]);
  });

  test('leaves the orders of others alone', async () => {
    const other = await openAccount();
    const theirs = await other.place({ [coat]: 1 });
    await erase();
    expect(await personIn(theirs)).toMatchObject({ email: 'ada@weft.test', state: 'pending' });
  });
});

describe('the nightly upkeep', () => {
  test('erases who placed paid orders of deleted accounts, once they are old enough', async () => {
    const order = await paid();
    await erase();
    const later = new Date(buyer.now.getTime() + 1);
    await eraseDue(null);
    await eraseDue(buyer.now);
    expect(await personIn(order)).toEqual({ ...ADA, state: 'paid' });
    await eraseDue(later);
    expect(await personIn(order)).toEqual({ ...NOBODY, state: 'paid' });
    await eraseDue(later);
  });

  test('keeps paid orders of an account that is there, however old they are', async () => {
    const order = await paid();
    await eraseDue(new Date('2100-01-01'));
    expect(await personIn(order)).toMatchObject({ email: 'ada@weft.test', address: HOME });
  });

  test('keeps an order that waits for a person of the shop', async () => {
    const order = await buyer.place({ [coat]: 1 });
    const reference = `cs_${randomUUID()}`;
    await buyer.openAttempt(order, 'stripe', reference);
    await buyer.applyPayment(order, { reference, amountMinor: 1, captureId: randomUUID() });
    await erase();
    await eraseDue(new Date('2100-01-01'));
    expect(await personIn(order)).toEqual({ ...ADA, state: 'needs_review' });
  });

  test('erases an order with a remark that no money came for', async () => {
    const order = await buyer.place({ [coat]: 1 });
    await backend.query(`update public.orders set review = 'at another price' where id = $1`, [
      order.id,
    ]);
    await erase();
    expect(await personIn(order)).toEqual({ ...NOBODY, state: 'cancelled' });
  });

  test('forgets an account that was deleted in the dashboard', async () => {
    const order = await buyer.place({ [coat]: 1 });
    await buyer.call('cancel_order', { p_order: order.id, p_now: buyer.now.toISOString() });
    await backend.query('delete from auth.users where id = $1', [buyer.id]);
    expect(await personIn(order)).toEqual({ ...ADA, state: 'cancelled' });
    await eraseDue(null);
    expect(await personIn(order)).toEqual({ ...NOBODY, state: 'cancelled' });
  });
});

describe('who placed an order', () => {
  const blank = `set email = '', address = null, asked = asked - 'address'`;
  const because = /not changed after it was placed/;

  test('is blanked by no hand, not even the owner’s, and not by one that knows how it is done', async () => {
    const { id } = await buyer.place({ [coat]: 1 });
    const update = (what: string) =>
      backend.query(`update public.orders ${what} where id = '${id}'`);
    await expect(update(blank)).rejects.toThrow(because);
    await expect(update('set address = null')).rejects.toThrow(because);
    const naming = `select set_config('weft.erased_order', '${randomUUID()}', true)`;
    await expect(
      backend.query(
        `with s as (${naming}) update public.orders ${blank} from s where id = '${id}'`,
      ),
    ).rejects.toThrow(because);
  });

  test('is blanked and not replaced while an order is being erased', async () => {
    const { id } = await buyer.place({ [coat]: 1 });
    const as = (what: string) =>
      backend.query(`do $$ begin
        perform set_config('weft.erased_order', '${id}', true);
        update public.orders ${what} where id = '${id}';
      end $$`);
    await expect(as(`set email = 'eve@weft.test', address = null`)).rejects.toThrow(because);
    await expect(as(`${blank}, total_minor = 50`)).rejects.toThrow(because);
    await expect(as(`set email = '', address = null, asked = '{}'`)).rejects.toThrow(because);
    await as(blank);
  });

  test('is open to change again by nobody once it is erased', async () => {
    const order = await paid();
    await erase();
    await eraseDue(new Date('2100-01-01'));
    await expect(
      backend.query(`update public.orders set email = 'x' where id = '${order.id}'`),
    ).rejects.toThrow(because);
  });
});

test('a person’s copy holds their cart, favourites, orders with addresses, imports and changes, and nothing of others', async () => {
  await buyer.putInCart({ [coat]: 2 });
  await backend.query('insert into public.favorites (user_id, product_id) values ($1, $2)', [
    buyer.id,
    coat,
  ]);
  const order = await paid();
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
    imports: [],
    changes: [],
  });
});

test.each(['erase_account', 'erase_due', 'account_as_json', 'account_was_deleted'])(
  '%s answers the server and nobody else',
  async (name) => {
    const rows = await backend.query(
      `select r.rolname, has_function_privilege(r.oid, p.oid, 'execute') as may
       from pg_proc p cross join pg_roles r
       where p.proname = $1 and r.rolname in ('anon', 'authenticated', 'service_role') order by 1`,
      [name],
    );
    expect(rows.map(({ may }) => may)).toEqual([false, false, true]);
  },
);
