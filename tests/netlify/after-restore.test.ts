/** The search for payments whose orders were lost when the database was restored from a backup. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findForgottenPayments, describePayment } from '../../netlify/lib/after-restore.ts';
import { cancelOrder } from '../../netlify/lib/cancel-order.ts';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { NotConfigured } from '../../netlify/lib/env.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { openPayments } from '../../netlify/local/payments.ts';
import { listenOnLoopback } from '../../netlify/local/provider/server.ts';
import { BASKET, clientAt, line } from '../payments/stripe-client.ts';
import { openTestShop } from '../supabase/shop.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, user, products } = await openBackendSelling({ COAT: 129.5 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(() => {
  shop = new InProcessShop(backend, user);
});

/** When the backup was made, which is also the time at which the clock of each shop starts. */
const BACKUP = new Date('2026-11-21T12:00:00Z');
/** Makes a request to pay for a coat. Each makes an order of its own, although the lines are the same. */
const request = () => shop.requestFor({ [coat]: 1 }, { orderId: crypto.randomUUID(), again: true });

const payByCard = () => shop.payByCard(request());
const payWithPayPal = () => shop.payByWallet(request());
/** Pays an order by card once more. */
const payByCardOf = (orderId: string) => shop.payByCard({ ...request(), orderId });

/** Deletes orders and all about them, as a restore does. A replica runs no triggers, which would forbid it. */
async function loseOrders(...ids: readonly string[]): Promise<void> {
  const tables = ['payment_events', 'payment_attempts', 'order_events', 'order_items', 'orders'];
  await backend.query('set session_replication_role = replica');
  for (const table of tables) {
    const key = table === 'orders' ? 'id' : 'order_id';
    await backend.query(`delete from public.${table} where ${key} = any ($1::uuid[])`, [ids]);
  }
  await backend.query('set session_replication_role = origin');
}

const listedPayments = async (since = BACKUP) =>
  (await findForgottenPayments(shop.ports, since)).forgotten.map(describePayment);

describe('after the database was restored from a backup', () => {
  test('payments of both providers that have no order are listed, and no others', async () => {
    await payByCard();
    await payWithPayPal();
    shop.buyer.waitMinutes(30);
    const { orderId: cardOrderId } = await payByCard();
    shop.buyer.waitMinutes(10);
    const payPalOrderId = await payWithPayPal();
    // An order that is not paid.
    await createCheckout(shop.ports, request());
    expect(await listedPayments()).toEqual([]);
    await loseOrders(cardOrderId, payPalOrderId);
    const listed = await listedPayments();
    expect(listed).toEqual([
      expect.stringMatching(
        /^stripe {2}pi_\w+ {2}129\.50 USD {2}2026-11-21T12:30:00\.000Z {2}ada@/,
      ),
      expect.stringMatching(
        /^paypal {2}\w{17} {2}129\.50 USD {2}2026-11-21T12:40:00\.000Z {2}buyer@/,
      ),
    ]);
    expect(listed[0]).toContain(`order ${cardOrderId}: not in the database`);
    expect(listed[1]).toContain(`order ${payPalOrderId}: not in the database`);
    expect(await listedPayments(new Date('2026-11-21T14:00:00Z')), 'after both').toEqual([]);
  });

  test('a payment is listed when the backup has its order as not paid yet', async () => {
    shop.dropsWebhooks = true;
    const { orderId, storeOrderId } = await createWalletOrder(shop.ports, request());
    shop.paypal.approve(orderId);
    await captureWalletOrder(shop.ports, user, orderId);
    await backend.query('set session_replication_role = replica');
    await backend.query(`delete from public.payment_events`);
    await backend.query(`update public.orders set state = 'pending', paid_at = null`);
    await backend.query('set session_replication_role = origin');
    expect(await listedPayments()).toEqual([
      expect.stringContaining(`order ${storeOrderId}: pending`),
    ]);
  });

  test('a payment that takes days is listed as not arrived until the bank has paid', async () => {
    const { sessionId, orderId } = await createCheckout(shop.ports, request());
    shop.stripe.pay(sessionId, 'pending');
    await shop.idle();
    expect(await listedPayments()).toEqual([]);
    await loseOrders(orderId);
    expect(await listedPayments()).toEqual([expect.stringContaining('not arrived yet')]);
    shop.stripe.settle(sessionId);
    await shop.idle();
    const listed = await listedPayments();
    expect(listed).toHaveLength(1);
    expect(listed[0]).not.toContain('not arrived yet');
  });

  test('all payments of three months are compared, though PayPal lists those of 31 days at most at a time', async () => {
    const paid = [];
    for (let day = 0; day < 96; day += 4) {
      paid.push((await payByCard()).orderId, await payWithPayPal());
      shop.buyer.waitMinutes(4 * 24 * 60);
    }
    const { compared, forgotten } = await findForgottenPayments(shop.ports, BACKUP);
    expect([compared, forgotten]).toEqual([paid.length, []]);
    await loseOrders(...paid);
    expect(await listedPayments()).toHaveLength(paid.length);
  });

  test('a provider without keys is named as not asked, and the other provider is asked', async () => {
    const { orderId } = await payByCard();
    await loseOrders(orderId);
    const wallet = () => {
      throw new NotConfigured('VITE_PAYPAL_CLIENT_ID is not set.');
    };
    const { forgotten, unasked } = await findForgottenPayments({ ...shop.ports, wallet }, BACKUP);
    expect(forgotten).toHaveLength(1);
    expect(unasked).toEqual(['VITE_PAYPAL_CLIENT_ID is not set.']);
  });

  describe('the line about a payment', () => {
    const payment = {
      provider: 'stripe',
      paymentId: 'pi_1',
      orderId: '0a000000-0000-4000-8000-000000000001',
      amountMinor: 900,
      currency: 'USD',
      at: BACKUP,
      email: '\u001B[2Jada@weft.test\n\u009B0m',
      hasArrived: true,
      orderState: null,
    } as const;

    test('replaces characters in the payer’s address that would steer the terminal of the shop’s staff', () => {
      expect(describePayment(payment)).toContain('  \uFFFD[2Jada@weft.test\uFFFD\uFFFD0m  ');
    });

    test('says that the time is unknown when the provider gave none', () => {
      const undated = { ...payment, at: new Date(NaN) };
      expect(describePayment(undated)).toContain('  time unknown  ');
    });
  });

  test('the search fails when a provider does not answer', async () => {
    shop.paypal.faults.next(/reporting/, { kind: 'reject', status: 503 });
    await expect(findForgottenPayments(shop.ports, BACKUP)).rejects.toThrow('503');
  });
});

describe('a payment of an order that was placed before the backup and paid after it', () => {
  /** Takes the database back to before all payments: orders are pending, and attempts are as they were then. */
  async function loseMoney(attempts: 'open' | 'none' = 'open'): Promise<void> {
    await backend.query('set session_replication_role = replica');
    for (const statement of [
      `delete from public.payment_events`,
      `delete from public.order_events where kind = 'moved'`,
      `update public.orders set state = 'pending', paid_at = null, received_minor = 0`,
      attempts === 'none'
        ? `delete from public.payment_attempts`
        : `update public.payment_attempts set state = 'open', capturers = 0, capturing_since = null`,
      `truncate public.provider_reads`,
    ]) {
      await backend.query(statement);
    }
    await backend.query('set session_replication_role = origin');
  }

  async function paidAfterBackup(
    pay: () => Promise<string>,
    attempts?: 'open' | 'none',
  ): Promise<{ readonly id: string }> {
    const id = await pay();
    await loseMoney(attempts);
    shop.buyer.waitMinutes(5);
    return { id };
  }
  const cardOrder = async () => (await payByCard()).orderId;
  const noticesOf = () => backend.query('select kind from public.notices order by kind');

  test.each([
    ['with PayPal', payWithPayPal, 'open'],
    ['with PayPal, at a page that was opened after the backup', payWithPayPal, 'none'],
    ['by card, at a page that was opened after the backup', cardOrder, 'none'],
  ] as const)('%s, is found by the next reconcile', async (_, pay, attempts) => {
    const order = await paidAfterBackup(pay, attempts);
    expect(await reconcile(shop.ports)).toMatchObject({ neglected: 0 });
    expect(await shop.buyer.state(order)).toBe('paid');
    expect(await listedPayments()).toEqual([]);
    expect(await noticesOf()).toEqual([]);
  });

  test('is found before its order is closed, though the backup is older than the order’s three hours', async () => {
    const order = await paidAfterBackup(payWithPayPal);
    shop.buyer.waitMinutes(24 * 60);
    await reconcile(shop.ports);
    expect(await shop.buyer.state(order)).toBe('paid');
  });

  test('is being confirmed when PayPal still processes it, and then paid', async () => {
    const { orderId, storeOrderId } = await createWalletOrder(shop.ports, request());
    shop.paypal.approve(orderId, 'pending');
    const order = await paidAfterBackup(async () => {
      await captureWalletOrder(shop.ports, user, orderId);
      await shop.idle();
      return storeOrderId;
    });
    await reconcile(shop.ports);
    expect(await shop.buyer.state(order)).toBe('confirming');
    shop.dropsWebhooks = true;
    shop.paypal.settle(orderId);
    shop.buyer.waitMinutes(70);
    await reconcile(shop.ports);
    expect(await shop.buyer.state(order)).toBe('paid');
  });

  test('is reported to the operator when the shopper has cancelled the order meanwhile, or paid it again', async () => {
    const cancelled = await payWithPayPal();
    const repeated = await payWithPayPal();
    await loseMoney();
    await cancelOrder(shop.ports, user, cancelled);
    await payByCardOf(repeated);
    shop.buyer.waitMinutes(5);
    await reconcile(shop.ports);
    expect(await shop.buyer.state({ id: cancelled })).toBe('paid_late');
    expect(await shop.buyer.money({ id: repeated })).toBe('0 of 25900');
    expect(await noticesOf()).toEqual([{ kind: 'needs_review' }, { kind: 'paid_late' }]);
  });

  test('is found once: a webhook that comes late, and later reconciles, change nothing', async () => {
    const order = await paidAfterBackup(payWithPayPal);
    for (let run = 0; run < 3; run += 1) {
      await reconcile(shop.ports);
      for (const { id } of shop.paypal.webhooks.events) await shop.paypal.webhooks.deliver(id);
      shop.buyer.waitMinutes(5);
    }
    expect(await shop.buyer.money(order)).toBe('0 of 12950');
    expect(await noticesOf()).toEqual([]);
  });

  test('is not taken for one of this shop when another shop at the same account took it', async () => {
    const order = await payWithPayPal();
    await loseOrders(order);
    await loseMoney('none');
    await shop.buyer.place({ [coat]: 1 });
    shop.buyer.waitMinutes(5);
    expect(await reconcile(shop.ports)).toMatchObject({ neglected: 0 });
    expect(await noticesOf()).toEqual([]);
    expect(await backend.query('select from public.payment_events')).toEqual([]);
  });
});

describe('npm run after-restore', () => {
  const COMMAND = join(import.meta.dirname, '../../netlify/lib/after-restore-command.ts');

  async function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const run = promisify(execFile)(process.execPath, [COMMAND, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (failure: { code: number; stdout: string; stderr: string }) => failure,
    );
  }

  test('prints what the database answers without the characters that steer a terminal', async () => {
    const database = await listenOnLoopback();
    const fault = { code: 'P0001', message: '\u001B[2Jall is well', details: '' };
    database.serve(async () => Response.json(fault, { status: 400 }));
    const payments = await openPayments();
    onTestFinished(async () => void (await Promise.all([database.close(), payments.close()])));
    const backendSettings = { VITE_SUPABASE_URL: database.url, SUPABASE_SECRET_KEY: 'sb_secret_1' };
    const env = { ...payments.environment, ...backendSettings };
    const { code, stderr } = await runCommand(env, BACKUP.toISOString());
    expect([code, stderr]).toEqual([2, '\uFFFD[2Jall is well\n']);
  });

  test(
    'ends with status 0 when no payment is missing, 1 when one is, and 2 when it could not ask everything or the time is invalid; changes nothing and prints no secret',
    { tags: 'long' },
    async () => {
      const payments = await openPayments();
      const shop = await openTestShop();
      onTestFinished(async () => void (await Promise.all([shop.close(), payments.close()])));
      const env = {
        ...payments.environment,
        VITE_SUPABASE_URL: shop.url,
        SUPABASE_SECRET_KEY: shop.backend.secretKey,
      };
      const since = new Date(Date.now() - 60_000).toISOString();
      expect(await runCommand(env, since)).toMatchObject({ code: 0, stdout: '' });
      const { stripe } = payments;
      const stripeUrl = payments.environment['STRIPE_API_URL'] ?? '';
      const { sessions } = clientAt(stripeUrl, stripe?.secretKey ?? '').checkout;
      const { id } = await sessions.create({
        ...BASKET,
        metadata: { order_id: '0a000000-0000-4000-8000-000000000001' },
        line_items: [line('Sock', 900, 1)],
      });
      stripe?.pay(id);
      const { code, stdout, stderr } = await runCommand(env, since);
      expect([code, stdout.split('\n')]).toEqual([
        1,
        [expect.stringMatching(/^stripe {2}pi_\w+ {2}9\.00 USD .* ana@example\.com /), ''],
      ]);
      const withoutPayPal = await runCommand({ ...env, PAYPAL_CLIENT_SECRET: '' }, since);
      expect([withoutPayPal.code, withoutPayPal.stdout]).toEqual([2, stdout]);
      for (const secret of [env.SUPABASE_SECRET_KEY, stripe?.secretKey ?? '']) {
        expect(stdout + stderr).not.toContain(secret);
      }
      expect(await shop.backend.query('select from public.orders')).toEqual([]);
      expect((await runCommand({ ...env, SUPABASE_SECRET_KEY: '' }, since)).code).toBe(2);
      for (const time of ['yesterday', '2026-02-30T10:00Z', '2999-01-01T10:00Z']) {
        expect(await runCommand(env, time)).toMatchObject({ code: 2, stdout: '' });
      }
    },
  );
});
