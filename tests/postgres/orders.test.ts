/** Orders and payments that many sessions change at the same time: one order, one attempt, no deadlock. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { HttpError } from '../../netlify/lib/http.ts';
import { seeded } from '../random.ts';
import { HOME } from '../supabase/buyer.ts';
import { changeOf } from '../supabase/shoppers.ts';
import { captured, type Orders, ordersOf, skipMinute } from './order-sessions.ts';
import type { Session } from './sessions.ts';
import { openSession } from './sessions.ts';
import { addAccount, addProducts, openPostgresShopForFile } from './shop.ts';

const { server, backend } = await openPostgresShopForFile();
const products = await addProducts(backend, 3);
/** The shopper agrees to pay for the same things again. */
const BUY_AGAIN = true;
const REFUND_CENTS = 100;
const DISPUTE_CENTS = 300;
let user: string;
beforeEach(async () => {
  user = await addAccount(backend);
});

/** Places an order of all three products; `again` says that the shopper agrees to buy the same again. */
const place = (orders: Orders, orderId: string | null, quantity = 2, again = false) =>
  orders.place({
    userId: user,
    email: 'ada@weft.test',
    orderId,
    lines: products.map((product_id) => ({ product_id, quantity })),
    address: HOME,
    shownTotal: null,
    again,
    mode: 'sandbox',
  });

/** Runs a task with sessions of the server and of the shopper's phones. Returns their deadlocks. */
async function withSessions(
  count: { readonly servers: number; readonly phones: number },
  task: (orders: readonly Orders[], phones: readonly Session[]) => Promise<void>,
) {
  const open = (length: number, role?: string) =>
    Promise.all(Array.from({ length }, () => openSession(server.url, user, role)));
  const sessions = await open(count.servers, 'service_role');
  const phones = await open(count.phones);
  const all = [...sessions, ...phones];
  try {
    await task(sessions.map(ordersOf), phones);
    return all.reduce((sum, { deadlocks }) => sum + deadlocks, 0);
  } finally {
    await Promise.all(all.map((session) => session.end()));
  }
}

test('equal requests at the same time place one order by its id and at most one without, and begin one attempt', async () => {
  const deadlocks = await withSessions({ servers: 20, phones: 0 }, async (sessions) => {
    const orderId = randomUUID();
    const placed = await Promise.all(
      sessions.map((orders, i) => place(orders, i < 10 ? orderId : null)),
    );
    expect(new Set(placed.map(({ id }) => id)).size).toBeLessThanOrEqual(2);
    const attempts = await Promise.all(
      sessions.map((orders) => orders.startAttempt(user, orderId, 'stripe')),
    );
    expect(attempts.map(({ attempt }) => attempt?.number)).toEqual(sessions.map(() => 1));
    await Promise.all(
      sessions.map(async (orders, i) => {
        const { attempt } = attempts[i] ?? {};
        if (attempt) await orders.recordReference(attempt, `cs-${orderId}`);
      }),
    );
  });
  expect(deadlocks).toBe(0);
});

test('when a shopper chooses two providers at the same time, one attempt stays open', async () => {
  const deadlocks = await withSessions({ servers: 10, phones: 0 }, async (sessions) => {
    for (let round = 0; round < 30; round += 1) {
      skipMinute();
      // Another quantity in each round, so that no earlier attempt is for the same things.
      const order = await place(sessions[0]!, randomUUID(), 10 + round);
      await Promise.all(
        sessions.map(async (orders, i) => {
          const provider = i % 2 === 0 ? 'stripe' : 'paypal';
          const { attempt } = await orders.startAttempt(user, order.id, provider);
          if (attempt !== null)
            await orders.recordReference(attempt, `${provider}-${order.id}-${attempt.number}`);
          if (provider === 'paypal' && attempt?.reference) {
            await orders.mayCapture(user, attempt.reference).catch((thrown: unknown) => {
              if (!(thrown instanceof HttpError)) throw thrown;
            });
          }
        }),
      );
      const openAttempts = await backend.query(
        `select from public.payment_attempts where order_id = $1 and public.is_alive(state)`,
        [order.id],
      );
      expect(openAttempts).toHaveLength(1);
    }
  });
  expect(deadlocks).toBe(0);
});

test('devices that begin to pay the same cart at the same time have one payment page', async () => {
  const deadlocks = await withSessions({ servers: 10, phones: 0 }, async (sessions) => {
    for (let round = 0; round < 5; round += 1) {
      skipMinute();
      const placed = await Promise.all(
        sessions.map((orders) => place(orders, randomUUID(), 50 + round)),
      );
      await Promise.all(
        sessions.map(async (orders, i) => {
          const provider = i % 2 === 0 ? 'stripe' : 'paypal';
          const orderId = placed[i]?.id ?? '';
          try {
            const { attempt } = await orders.startAttempt(user, orderId, provider);
            if (attempt === null) return;
            await orders.recordReference(attempt, `${provider}-${orderId}`);
            if (provider === 'paypal') await orders.mayCapture(user, `${provider}-${orderId}`);
          } catch (thrown) {
            if (!(thrown instanceof HttpError)) throw thrown;
          }
        }),
      );
      const openAttempts = await backend.query(
        `select from public.payment_attempts where order_id = any ($1) and public.is_alive(state)`,
        [placed.map(({ id }) => id)],
      );
      expect(openAttempts).toHaveLength(1);
    }
  });
  expect(deadlocks).toBe(0);
});

test('an order is paid once, and the cart keeps the other pieces, while payments, expiry and phones interfere', async () => {
  const random = seeded(7);
  const deadlocks = await withSessions({ servers: 8, phones: 3 }, async (sessions, phones) => {
    for (let round = 0; round < 40; round += 1) {
      skipMinute();
      const [first] = products;
      const productId = first ?? 0;
      await backend.query('delete from public.cart_items where user_id = $1', [user]);
      await phones[0]?.push([changeOf({ kind: 'cart.add', args: { productId, by: 2 } })]);
      const order = await place(sessions[0]!, randomUUID(), 2, BUY_AGAIN);
      await sessions[0]?.startAttempt(user, order.id, 'stripe', BUY_AGAIN);
      const payment = captured(order, 'stripe', 1);
      const results = await Promise.all([
        ...sessions.slice(0, 6).map(async (orders) => {
          // Half of them are the same webhook again, half another webhook about the same payment.
          const webhook = random() < 0.5 ? payment : { ...payment, eventId: randomUUID() };
          return (await orders.apply(webhook)).result;
        }),
        sessions[6]?.expire(),
        sessions[7]?.attemptsToAsk(10),
        ...phones.map((phone) =>
          phone.push([changeOf({ kind: 'cart.add', args: { productId, by: 1 } })]),
        ),
      ]);
      expect(results).toContain('paid');
      const [row] = await backend.query(
        `select o.state, o.review, (select quantity from public.cart_items where user_id = $1 and product_id = $2) as left,
           (select count(*)::int from public.payment_events e where e.order_id = o.id and e.result = 'paid') as counted
         from public.orders o where id = $3`,
        [user, productId, order.id],
      );
      // The order took the two pieces; each of the three phones has added one.
      expect(row).toEqual({ state: 'paid', review: null, left: phones.length, counted: 1 });
    }
  });
  expect(deadlocks).toBe(0);
});

test('a payment, its refund and its dispute that arrive at the same time are all stored with the order', async () => {
  const deadlocks = await withSessions({ servers: 4, phones: 0 }, async (sessions) => {
    const [checkout, paymentWebhook, refundWebhook, disputeWebhook] = sessions;
    for (let round = 0; round < 40; round += 1) {
      skipMinute();
      const order = await place(checkout!, randomUUID(), 2, BUY_AGAIN);
      await checkout!.startAttempt(user, order.id, 'stripe', BUY_AGAIN);
      const payment = captured(order, 'stripe', 1);
      const paymentId = payment.captureId ?? '';
      const reversal = { provider: 'stripe', paymentId, currency: 'USD', mode: 'sandbox' } as const;
      const saidAt = new Date();
      await Promise.all([
        paymentWebhook!.apply(payment),
        refundWebhook!.applyReversal({
          ...reversal,
          kind: 'refund',
          id: `re-${order.id}`,
          state: 'done',
          amountMinor: REFUND_CENTS,
          saidAt,
        }),
        disputeWebhook!.applyReversal({
          ...reversal,
          kind: 'dispute',
          id: `du-${order.id}`,
          state: 'open',
          amountMinor: DISPUTE_CENTS,
          saidAt,
        }),
      ]);
      const [row] = await backend.query(
        `select state, received_minor = total_minor as is_all, refunded_minor::int as refunded,
           dispute_state as dispute, disputed_minor::int as disputed
         from public.orders where id = $1`,
        [order.id],
      );
      const stored = { refunded: REFUND_CENTS, dispute: 'open', disputed: DISPUTE_CENTS };
      expect(row).toEqual({ state: 'paid', is_all: true, ...stored });
    }
  });
  expect(deadlocks).toBe(0);
});

test('a refund is taken in while the shopper’s own client writes for a long time', async () => {
  await withSessions({ servers: 1, phones: 1 }, async ([orders], [phone]) => {
    const order = await place(orders!, randomUUID());
    await orders!.startAttempt(user, order.id, 'stripe');
    const payment = captured(order, 'stripe', 1);
    await orders!.apply(payment);
    await phone!.query('begin');
    await phone!.query('insert into public.favorites (user_id, product_id) values ($1, $2)', [
      user,
      products[0],
    ]);
    const { result } = await orders!.applyReversal({
      provider: 'stripe',
      kind: 'refund',
      id: `re-${order.id}`,
      paymentId: payment.captureId ?? '',
      state: 'done',
      amountMinor: REFUND_CENTS,
      currency: 'USD',
      mode: 'sandbox',
      saidAt: new Date(),
    });
    expect(result).toBe('counted');
    await phone!.query('rollback');
  });
});

test('pages that wait, presses, captures and the deletion of the account do not wait for one another in a circle', async () => {
  const deadlocks = await withSessions({ servers: 8, phones: 0 }, async (sessions) => {
    for (let round = 0; round < 30; round += 1) {
      user = await addAccount(backend);
      const [first, second] = [
        await place(sessions[0]!, randomUUID()),
        await place(sessions[0]!, randomUUID(), 3),
      ];
      // An account with a card page is not deleted.
      const firstProvider = round % 2 === 0 ? 'stripe' : 'paypal';
      for (const [order, provider] of [
        [first, firstProvider],
        [second, 'paypal'],
      ] as const) {
        const { attempt } = await sessions[0]!.startAttempt(user, order.id, provider);
        if (attempt !== null)
          await sessions[0]!.recordReference(attempt, `${provider}-${order.id}`);
      }
      const ask = [
        (orders: Orders) => orders.find(user, first.id, null),
        (orders: Orders) => orders.find(user, second.id, null),
        (orders: Orders) => orders.startAttempt(user, first.id, firstProvider),
        (orders: Orders) => orders.startAttempt(user, second.id, 'stripe'),
        (orders: Orders) => orders.mayCapture(user, `paypal-${second.id}`),
        (orders: Orders) => orders.cancel(user, first.id),
      ];
      await Promise.all([
        ...sessions.map(async (orders, i) => {
          try {
            await ask[(round + i) % ask.length]!(orders); // the remainder is an index
          } catch (thrown) {
            if (!(thrown instanceof HttpError)) throw thrown;
          }
        }),
        backend.query('select public.erase_account($1, now())', [user]),
      ]);
    }
  });
  expect(deadlocks).toBe(0);
});
