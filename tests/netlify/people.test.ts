/** Deleting an account while payments are open, and for how long paid orders keep name and address. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../netlify/lib/database.ts';
import { NotConfigured, retentionDays } from '../../netlify/lib/env.ts';
import { createCheckout } from '../../netlify/lib/payments.ts';
import { deleteAccount } from '../../netlify/lib/account.ts';
import type { Ports } from '../../netlify/lib/ports.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { keepUp } from '../../netlify/lib/upkeep.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, products } = await openBackendSelling({ COAT: 129.5 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, await addAccount());
});

const request = () => shop.requestFor({ [coat]: 1 });
async function addAccount(): Promise<string> {
  const id = randomUUID();
  const email = `${id}@weft.test`;
  await backend.query('insert into auth.users (id, email) values ($1, $2)', [id, email]);
  return id;
}
async function storedOrder(id: string) {
  const [row] = await backend.query(
    'select state, email, address is null as erased from public.orders where id = $1',
    [id],
  );
  return row;
}

describe('deleting an account', () => {
  test('leaves the account to the auth service where the database may not delete it, and is asked for again when that fails', async () => {
    const { orderId } = await createCheckout(shop.ports, request());
    let isAuthAway = true;
    const removed: string[] = [];
    const ports: Ports = {
      ...shop.ports,
      call: async (name, args) => {
        const answer = await shop.ports.call(name, args);
        return name === 'erase_account' ? { ...(answer as object), is_removed: false } : answer;
      },
      removeAccount: async (account) => {
        if (isAuthAway) throw new DatabaseUnavailable('auth');
        removed.push(account);
      },
    };
    await expect(deleteAccount(ports, shop.buyer.id)).rejects.toThrow(DatabaseUnavailable);
    expect(await storedOrder(orderId)).toMatchObject({ erased: true });
    isAuthAway = false;
    await deleteAccount(ports, shop.buyer.id);
    expect(removed).toEqual([shop.buyer.id]);
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

  test('stays as it is while a payment that takes days is under way', async () => {
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    shop.stripe.pay(sessionId, 'pending');
    await shop.idle();
    shop.buyer.waitMinutes(2 * DAY_MINUTES);
    await reconcile(withoutKeys());
    expect(await storedOrder(orderId)).toMatchObject({ state: 'confirming' });
  });
});

test('an order whose payment the shop has not heard of for days is paid, not given up, while it can ask Stripe', async () => {
  shop.dropsWebhooks = true;
  const { sessionId, orderId } = await createCheckout(shop.ports, request());
  shop.stripe.pay(sessionId);
  shop.buyer.waitMinutes(2 * 24 * 60);
  await reconcile(shop.ports);
  expect(await storedOrder(orderId)).toMatchObject({ state: 'paid' });
});

describe('how long the shop knows who paid an order', () => {
  test('is for good when nothing is set, and is not guessed from a malformed setting', () => {
    expect(retentionDays(() => '')).toBeNull();
    expect(retentionDays(() => ' 3650 ')).toBe(3650);
    for (const text of ['0', '1.5', '10 years', '999999']) {
      expect(() => retentionDays(() => text)).toThrow(NotConfigured);
    }
  });

  /** Pays one order, cancels another, deletes the account, and lets 40 days pass. */
  async function deleteShopperWithOrders() {
    const paid = await shop.payByCard(request());
    const unpaid = await shop.buyer.place({ [coat]: 2 });
    await shop.buyer.cancel(unpaid);
    await backend.query('delete from auth.users where id = $1', [shop.buyer.id]);
    shop.buyer.waitMinutes(40 * 24 * 60);
    return [paid.orderId, unpaid.id] as const;
  }

  test('ends at night, when the order loses email and address', async () => {
    const [paid, unpaid] = await deleteShopperWithOrders();
    shop.retentionDays = 60;
    await keepUp(shop.ports);
    expect(await storedOrder(paid)).toMatchObject({ erased: false });
    expect(await storedOrder(unpaid)).toMatchObject({ erased: true });
    shop.retentionDays = 30;
    await keepUp(shop.ports);
    expect(await storedOrder(paid)).toEqual({ state: 'paid', email: '', erased: true });
  });

  test('no paid order is erased while the setting is malformed, and the log says so', async () => {
    const [paid, unpaid] = await deleteShopperWithOrders();
    const ports = { ...shop.ports, retentionDays: () => retentionDays(() => 'ten years') };
    expect(await keepUp(ports)).toBeGreaterThan(0);
    expect(await storedOrder(paid)).toMatchObject({ erased: false });
    expect(await storedOrder(unpaid)).toMatchObject({ erased: true });
    expect(shop.log.join('\n')).toContain('RETENTION_DAYS must be');
  });
});

describe('the upkeep of a night', () => {
  test('ends in the time that the host gives it, however much there is to forget; the next run goes on', async () => {
    const began = shop.buyer.now.getTime();
    const calls: string[] = [];
    const call: Ports['call'] = async (name) => {
      calls.push(name);
      shop.buyer.waitMinutes(5 / 60); // 5 seconds, so that four calls begin in the 20 seconds of a run
      return 1;
    };
    expect(await keepUp({ ...shop.ports, call })).toBe(0);
    expect(calls.filter((name) => name === 'prune_product_deletions')).toHaveLength(4);
    expect(shop.buyer.now.getTime() - began, 'Netlify’s limit').toBeLessThan(30_000);
  });

  test('does its other steps when one of them fails, and logs that one', async () => {
    const called: string[] = [];
    const ports = shop.portsBefore((name) => {
      called.push(name);
      if (name === 'prune_product_deletions') throw new DatabaseUnavailable('busy');
    });
    expect(await keepUp(ports)).toBe(1);
    expect(called.filter((name) => name !== 'queue_message')).toEqual([
      'prune_product_deletions',
      'prune_unpaid_orders',
      'prune_import_keys',
      'prune_messages',
      'erase_due',
      'prune_category_names',
      'prune_applied_changes',
    ]);
    expect(shop.log).toEqual([expect.stringContaining('upkeep, products')]);
  });
});
