/** Deleting an account while payments are open, and for how long paid orders keep name and address. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { DatabaseUnavailable } from '../../netlify/lib/database.ts';
import { NotConfigured, retentionDays } from '../../netlify/lib/env.ts';
import type { Ports } from '../../netlify/lib/payments.ts';
import { deleteAccount } from '../../netlify/lib/people.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { expectRejected } from '../supabase/buyer.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, products } = await openBackendSelling({ COAT: 129.5 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, await addAccount());
});

const request = () => shop.requestFor({ [coat]: 1 });
const deleteShopper = () => deleteAccount(shop.ports, shop.buyer.id);
async function addAccount(id: string = randomUUID()): Promise<string> {
  const email = `${id}@weft.test`;
  await backend.query('insert into auth.users (id, email) values ($1, $2)', [id, email]);
  return id;
}
async function accountExists(): Promise<boolean> {
  const rows = await backend.query('select from auth.users where id = $1', [shop.buyer.id]);
  return rows.length > 0;
}
async function storedOrder(id: string) {
  const [row] = await backend.query(
    'select state, email, address is null as erased from public.orders where id = $1',
    [id],
  );
  return row;
}

/** Pays a new order by card in a way that takes days. @returns its id */
async function beginSlowPayment(): Promise<string> {
  const { sessionId, orderId } = await createCheckout(shop.ports, request());
  shop.stripe.pay(sessionId, 'pending');
  await shop.idle();
  return orderId;
}

describe('deleting an account', () => {
  test('ends an open payment page first, so that nobody can pay on it afterwards', async () => {
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    await deleteShopper();
    expect(shop.stripe.checkouts.find(({ id }) => id === sessionId)?.status).toBe('expired');
    expect(await accountExists()).toBe(false);
    expect(await storedOrder(orderId)).toEqual({ state: 'cancelled', email: '', erased: true });
  });

  test('keeps an order that was paid just before, though the shop has not heard of it yet', async () => {
    shop.dropsWebhooks = true;
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    shop.stripe.pay(sessionId);
    await deleteShopper();
    expect(await storedOrder(orderId)).toMatchObject({ state: 'paid', erased: false });
    expect(await accountExists()).toBe(false);
  });

  test('waits while a payment that takes days is being confirmed, and says so', async () => {
    const orderId = await beginSlowPayment();
    const { sentence } = await expectRejected(deleteShopper(), 'payment-under-way');
    expect(sentence).toMatch(/still being confirmed/);
    expect(await accountExists()).toBe(true);
    expect(await storedOrder(orderId)).toMatchObject({ erased: false });
  });

  test('waits while PayPal has not said whether it took the money', async () => {
    const { orderId: reference } = await createWalletOrder(shop.ports, request());
    shop.paypal.approve(reference);
    await shop.buyer.orders.mayCapture(shop.buyer.id, reference);
    await expectRejected(deleteShopper(), 'payment-under-way');
    expect(await accountExists()).toBe(true);
    await captureWalletOrder(shop.ports, shop.buyer.id, reference);
    await deleteShopper();
    expect(await accountExists()).toBe(false);
  });

  test('may be requested again after a lost answer', async () => {
    await deleteShopper();
    await deleteShopper();
    expect([await accountExists(), shop.removed]).toEqual([false, []]);
  });

  test('leaves the account to the auth service where the database may not delete it', async () => {
    const { orderId } = await createCheckout(shop.ports, request());
    const ports = {
      ...shop.ports,
      call: async (name: string, args: Readonly<Record<string, unknown>>) => {
        const answer = await shop.ports.call(name, args);
        return name === 'erase_account' ? { ...(answer as object), is_removed: false } : answer;
      },
    };
    await deleteAccount(ports, shop.buyer.id);
    expect(shop.removed).toEqual([shop.buyer.id]);
    expect(await storedOrder(orderId)).toMatchObject({ erased: true });
  });
});

describe('a deletion that ended before the auth service had done its part', () => {
  /** The account that the auth service cannot delete for now. */
  let undeletable: string | null;
  /** Ports to a hosted project, whose database may not delete accounts. */
  const hostedPorts = (): Ports => ({
    ...shop.ports,
    call: async (name, args) => {
      if (name !== 'erase_account') return shop.ports.call(name, args);
      // In the embedded database `erase_account` would delete the account itself, so it is not called.
      const erased = await backend.query('select from auth.users where id = $1', [args['p_user']]);
      return { open: [], is_removed: erased.length === 0 };
    },
    removeAccount: async (account) => {
      if (account === undeletable) throw new DatabaseUnavailable('auth');
      await backend.query('delete from auth.users where id = $1', [account]);
    },
  });
  const noteDeletion = (id: string) =>
    backend.query(
      'insert into public.deleted_accounts (user_id, deleted_at, log_erased_at) values ($1, $2, $2)',
      [id, new Date(0)],
    );
  const untilNextNight = () => shop.buyer.waitMinutes(24 * 60);
  beforeEach(() => {
    undeletable = null;
    shop.setToNight();
  });

  test('is finished at night, and the log of the auth service is read once more', async () => {
    const { id } = shop.buyer;
    await noteDeletion(id);
    undeletable = id;
    expect(await reconcile(hostedPorts())).toMatchObject({ neglected: 1 });
    expect(await accountExists()).toBe(true);
    undeletable = null;
    untilNextNight();
    expect(await reconcile(hostedPorts())).toMatchObject({ neglected: 0 });
    expect(await accountExists()).toBe(false);
    const [noted] = await backend.query(
      `select deleted_at > now() - interval '1 minute' as is_deleted_now, log_erased_at,
         removed_at is not null as is_removed
       from public.deleted_accounts where user_id = $1`,
      [id],
    );
    // The nightly upkeep reads the log for each account whose `log_erased_at` is null.
    expect(noted).toEqual({ is_deleted_now: true, log_erased_at: null, is_removed: true });
  });

  test('does not hold up the deletion of other accounts while the auth service cannot delete this one', async () => {
    const other = await addAccount();
    // The upkeep takes accounts that were deleted at the same time in the order of their ids.
    undeletable = [other, shop.buyer.id].toSorted()[0] ?? '';
    for (const id of [other, shop.buyer.id]) await noteDeletion(id);
    await reconcile(hostedPorts());
    const left = await backend.query('select id from auth.users where id = any ($1)', [
      [other, shop.buyer.id],
    ]);
    expect(left).toEqual([{ id: undeletable }]);
    const due = await backend.query(`select public.upkeep_is_due($1) as due`, [shop.buyer.now]);
    expect(due, 'the night’s upkeep has ended all the same').toEqual([{ due: false }]);
  });

  test('also closes and erases an order that was placed meanwhile', async () => {
    const { orderId, sessionId } = await createCheckout(shop.ports, request());
    await noteDeletion(shop.buyer.id);
    await reconcile(shop.ports);
    expect(shop.stripe.checkouts.find(({ id }) => id === sessionId)?.status).toBe('expired');
    expect(await storedOrder(orderId)).toEqual({ state: 'cancelled', email: '', erased: true });
  });

  test('leaves an account alone that was deleted and put back under its id', async () => {
    const { id } = shop.buyer;
    await backend.query('delete from auth.users where id = $1', [id]);
    await addAccount(id);
    await reconcile(hostedPorts());
    expect(await accountExists()).toBe(true);
  });
});

describe('an order whose card page was open when Stripe’s keys were removed', () => {
  const HOUR_MINUTES = 60;
  /** How long a card page can be used. */
  const PAGE_MINUTES = HOUR_MINUTES;
  const DAY_MINUTES = 24 * HOUR_MINUTES;
  const withoutKeys = (): Ports => ({
    ...shop.ports,
    cards: () => {
      throw new NotConfigured('STRIPE_SECRET_KEY is not set.');
    },
  });
  const deleteWithoutKeys = () => deleteAccount(withoutKeys(), shop.buyer.id);

  test('is closed a day after its page has ended, and its shopper can then delete the account', async () => {
    const { orderId } = await createCheckout(shop.ports, request());
    shop.buyer.waitMinutes(PAGE_MINUTES + DAY_MINUTES - 1);
    await reconcile(withoutKeys());
    expect(await storedOrder(orderId)).toMatchObject({ state: 'pending' });
    await expect(deleteWithoutKeys()).rejects.toThrow(NotConfigured);
    shop.buyer.waitMinutes(HOUR_MINUTES);
    await reconcile(withoutKeys());
    expect(await storedOrder(orderId)).toMatchObject({ state: 'expired' });
    await deleteWithoutKeys();
    expect(await storedOrder(orderId)).toEqual({ state: 'expired', email: '', erased: true });
  });

  test('loses name and address at night when its account was deleted in the dashboard', async () => {
    const { orderId } = await createCheckout(shop.ports, request());
    await backend.query('delete from auth.users where id = $1', [shop.buyer.id]);
    shop.buyer.waitMinutes(PAGE_MINUTES + DAY_MINUTES);
    await reconcile(withoutKeys());
    shop.buyer.waitMinutes(DAY_MINUTES);
    shop.setToNight();
    await reconcile(withoutKeys());
    expect(await storedOrder(orderId)).toEqual({ state: 'expired', email: '', erased: true });
  });

  test('waits for a person when the shop hears of its money later', async () => {
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    shop.dropsWebhooks = true;
    shop.stripe.pay(sessionId);
    shop.buyer.waitMinutes(PAGE_MINUTES + DAY_MINUTES);
    await reconcile(withoutKeys());
    const found = await shop.buyer.orders.find(shop.buyer.id, orderId, null);
    if (found === null) throw new Error('the order is gone');
    expect(await shop.buyer.applyPayment(found.order, { reference: sessionId })).toBe('paid_late');
  });

  test('stays as it is while a payment that takes days is under way', async () => {
    const orderId = await beginSlowPayment();
    shop.buyer.waitMinutes(2 * DAY_MINUTES);
    await reconcile(withoutKeys());
    expect(await storedOrder(orderId)).toMatchObject({ state: 'confirming' });
  });

  test('stays open while Stripe merely does not answer', async () => {
    shop.dropsWebhooks = true;
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    shop.stripe.pay(sessionId);
    shop.buyer.waitMinutes(2 * DAY_MINUTES);
    for (const path of [/^GET .*sessions/, /^GET .*events/]) {
      shop.stripe.faults.next(path, { kind: 'reject', status: 503 });
    }
    await reconcile(shop.ports);
    expect(await storedOrder(orderId)).toMatchObject({ state: 'pending' });
    shop.buyer.waitMinutes(HOUR_MINUTES);
    await reconcile(shop.ports);
    expect(await storedOrder(orderId)).toMatchObject({ state: 'paid' });
  });
});

describe('how long the shop knows who paid an order', () => {
  test.each([
    ['is for good when nothing is set', '', null],
    ['is the number of days that is set', ' 3650 ', 3650],
  ])('%s', (_, text, days) => {
    expect(retentionDays(() => text)).toBe(days);
  });

  test.each(['0', '-1', '1.5', '10 years', '1e3', '999999', 'never'])(
    'is not guessed from the malformed setting %s',
    (text) => {
      expect(() => retentionDays(() => text)).toThrow(NotConfigured);
    },
  );

  /** Pays one order, cancels another, deletes the account, and lets 40 days pass until the night. */
  async function deleteShopperWithOrders() {
    const paid = await shop.payByCard(request());
    const unpaid = await shop.buyer.place({ [coat]: 2 });
    await shop.buyer.cancel(unpaid);
    await backend.query('delete from auth.users where id = $1', [shop.buyer.id]);
    shop.buyer.waitMinutes(40 * 24 * 60);
    shop.setToNight();
    return [paid.orderId, unpaid.id] as const;
  }

  test('ends at night, when the order loses email and address', async () => {
    const [paid, unpaid] = await deleteShopperWithOrders();
    shop.retentionDays = 60;
    await reconcile(shop.ports);
    expect(await storedOrder(paid)).toMatchObject({ erased: false });
    expect(await storedOrder(unpaid)).toMatchObject({ erased: true });
    shop.retentionDays = 30;
    shop.buyer.waitMinutes(24 * 60);
    await reconcile(shop.ports);
    expect(await storedOrder(paid)).toEqual({ state: 'paid', email: '', erased: true });
  });

  /** How many orders one call of `erase_due` erases at most. */
  const ERASED_AT_ONCE = 500;
  /** Adds cancelled orders whose account is gone, and which are due to be erased. */
  async function addOrdersWithoutAccount(count: number): Promise<void> {
    const order = await shop.buyer.place({ [coat]: 1 });
    await backend.query(
      `insert into public.orders (id, email, total_minor, mode, address, asked, created_at, expires_at)
       select gen_random_uuid(), email, total_minor, mode, address, asked, created_at, expires_at
       from public.orders, generate_series(1, $2::int) where id = $1`,
      [order.id, count],
    );
    await backend.query(`update public.orders set state = 'cancelled' where user_id is null`);
  }
  /** How many orders without an account still have an email or an address. */
  async function countNamed(): Promise<number> {
    const named = await backend.query(
      `select from public.orders where user_id is null and (address is not null or email <> '')`,
    );
    return named.length;
  }

  test('all orders that are due are erased in one night, however many they are', async () => {
    await addOrdersWithoutAccount(2 * ERASED_AT_ONCE + 1);
    shop.retentionDays = 30;
    shop.setToNight();
    await reconcile(shop.ports);
    expect(await countNamed()).toBe(0);
  });

  test('the upkeep of a night continues in the next run when one run is out of time', async () => {
    await addOrdersWithoutAccount(2 * ERASED_AT_ONCE + 1);
    shop.setToNight();
    /** How many orders were named at each end of the upkeep. */
    const namedAtEnds: number[] = [];
    const ports = shop.portsBefore(async (name) => {
      if (name === 'erase_due') shop.buyer.waitMinutes(1);
      if (name === 'end_upkeep') namedAtEnds.push(await countNamed());
    });
    expect(await reconcile(ports)).toMatchObject({ neglected: 0 });
    expect([await countNamed(), namedAtEnds]).toEqual([ERASED_AT_ONCE + 1, []]);
    // Two runs erase the rest. The upkeep ends once, however many runs follow.
    for (let run = 0; run < 4; run += 1) await reconcile(ports);
    expect([await countNamed(), namedAtEnds]).toEqual([0, [0]]);
  });

  test('no paid order is erased while the setting is malformed, and the log says so', async () => {
    const [paid, unpaid] = await deleteShopperWithOrders();
    const ports = { ...shop.ports, retentionDays: () => retentionDays(() => 'ten years') };
    expect((await reconcile(ports)).neglected).toBeGreaterThan(0);
    expect(await storedOrder(paid)).toMatchObject({ erased: false });
    expect(await storedOrder(unpaid)).toMatchObject({ erased: true });
    expect(shop.log.join('\n')).toContain('RETENTION_DAYS must be');
  });
});
