/** Many sessions change orders and payments at the same time: one order, one attempt, no deadlock. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { DatabaseRejection } from '../../netlify/lib/database.ts';
import { HttpError } from '../../netlify/lib/http.ts';
import { seeded } from '../random.ts';
import { HOME } from '../supabase/buyer.ts';
import { changeOf } from '../supabase/shoppers.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';
import { captured, type Orders, ordersOf, reversalOf } from './order-sessions.ts';
import { asTexts, deadlocksOf, type Session, withSessions } from './sessions.ts';
import { addAccount, addProducts, openPostgresShopForFile, waitUntilLocked } from './shop.ts';

const { server, backend } = await openPostgresShopForFile();
const products = await addProducts(backend, 3);
/** The shopper agrees to pay for the same things again. */
const BUY_AGAIN = true;
const DISPUTE_CENTS = 300;
let user: string;
beforeEach(async () => {
  user = await addAccount(backend);
});

/** Places an order of all three products. */
const place = (orders: Orders, orderId: string | null, quantity = 2) =>
  orders.place({
    userId: user,
    email: 'ada@weft.test',
    orderId,
    lines: products.map((product_id) => ({ product_id, quantity })),
    address: HOME,
    shownTotal: null,
    mode: 'sandbox',
  });

/** Runs a task with sessions of the shop's functions and of the shopper's phones, and expects no deadlock. */
const withoutDeadlock = (
  count: { readonly servers: number; readonly phones?: number },
  task: (orders: readonly Orders[], phones: readonly Session[]) => Promise<void>,
) =>
  withSessions([server.url, user, 'service_role'], count.servers, (servers) =>
    withSessions([server.url, user], count.phones ?? 0, async (phones) => {
      await task(servers.map(ordersOf), phones);
      expect(deadlocksOf([...servers, ...phones])).toBe(0);
    }),
  );

/** Begins to pay an order by card, as its event in `captured` expects. */
async function openCard(orders: Orders, { id }: { readonly id: string }, again = false) {
  const { attempt } = await orders.startAttempt(user, id, 'stripe', again);
  if (attempt !== null) await orders.recordReference(attempt, `stripe-${id}`);
}

/**
 * The answers to requests that are under way at the same time. Whoever waits for a shopper's lock for longer than a
 * second is told to try again later (`lock_account`), which is no fault.
 */
async function answersTo<Answer>(requests: readonly Promise<Answer>[]): Promise<Answer[]> {
  const results = await Promise.allSettled(requests);
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    if (isLockTimeout(result.reason)) return [];
    throw result.reason;
  });
}

function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof DatabaseRejection && thrown.code === SQLSTATE.lockNotAvailable;
}

/** Ignores that the shop rejects a request, or tells it to try again later; throws any other error. */
function ignoreRejection(thrown: unknown): void {
  if (!(thrown instanceof HttpError) && !isLockTimeout(thrown)) throw thrown;
}

/** How many attempts to pay one of these orders are open. */
async function countOpenAttempts(orderIds: readonly string[]): Promise<number> {
  const attempts = await backend.query(
    `select from public.payment_attempts where order_id = any ($1) and public.is_alive(state)`,
    [orderIds],
  );
  return attempts.length;
}

test('fifty equal requests at the same time place one order with the id they name, at most one without an id, and begin one attempt', async () => {
  await withoutDeadlock({ servers: 50 }, async (sessions) => {
    const orderId = randomUUID();
    const placed = await answersTo(
      sessions.map((orders, i) => place(orders, i < 25 ? orderId : null)),
    );
    const ids = new Set(placed.map(({ id }) => id));
    expect(ids.size).toBeLessThanOrEqual(2);
    const [id = ''] = ids;
    const begun = await answersTo(
      sessions.map((orders) => orders.startAttempt(user, id, 'stripe')),
    );
    const attempts = begun.flatMap(({ attempt }) => attempt ?? []);
    expect(new Set(attempts.map(({ number }) => number))).toEqual(new Set([1]));
    await answersTo(
      attempts.map((attempt, i) => sessions[i]!.recordReference(attempt, `cs-${id}`)),
    );
  });
});

test('devices that begin to pay the same cart at the same time have one payment page', async () => {
  await withoutDeadlock({ servers: 10 }, async (sessions) => {
    for (let round = 0; round < 5; round += 1) {
      user = await addAccount(backend);
      const placed = await answersTo(sessions.map((orders) => place(orders, randomUUID())));
      await Promise.all(
        placed.map(async ({ id: orderId }, i) => {
          const orders = sessions[i]!; // at most one order for each session
          const provider = i % 2 === 0 ? 'stripe' : 'paypal';
          try {
            const { attempt } = await orders.startAttempt(user, orderId, provider);
            if (attempt === null) return;
            await orders.recordReference(attempt, `${provider}-${orderId}`);
            if (provider === 'paypal') await orders.mayCapture(user, `${provider}-${orderId}`);
          } catch (thrown) {
            ignoreRejection(thrown);
          }
        }),
      );
      expect(await countOpenAttempts(placed.map(({ id }) => id))).toBe(1);
    }
  });
});

test('an order that is paid by card while its capture at PayPal is given up keeps no attempt that could be paid', async () => {
  await withSessions([server.url, user, 'service_role'], 2, async ([webhook, buyer]) => {
    const orders = ordersOf(buyer!);
    const order = await place(orders, randomUUID());
    await openCard(orders, order);
    const payment = captured(order, 'stripe', 1);
    // Stripe's word that the page has ended overtakes the word that it was paid.
    await orders.apply({ ...payment, eventId: 'over', outcome: 'expired', captureId: null });
    const { attempt } = await orders.startAttempt(user, order.id, 'paypal');
    await orders.recordReference(attempt!, `paypal-${order.id}`);
    const capture = await orders.mayCapture(user, `paypal-${order.id}`);
    await webhook!.query('begin');
    expect(await ordersOf(webhook!).apply(payment)).toBe('paid');
    // The release waits for the order, which the webhook's open transaction has locked.
    const releasing = orders.releaseCapture(capture.attempt, 'this-request');
    await waitUntilLocked(backend, releasing, 'release_capture');
    await webhook!.query('commit');
    await releasing;
    expect(await countOpenAttempts([order.id])).toBe(0);
  });
});

test('an order is paid once, and the cart keeps the other pieces, while payments, expiry and phones interfere', async () => {
  const random = seeded(7);
  await withoutDeadlock({ servers: 8, phones: 3 }, async (sessions, phones) => {
    for (let round = 0; round < 40; round += 1) {
      const [first] = products;
      const productId = first ?? 0;
      await backend.query('delete from public.cart_items where user_id = $1', [user]);
      await phones[0]?.push([changeOf({ kind: 'cart.add', args: { productId, by: 2 } })]);
      const order = await place(sessions[0]!, randomUUID());
      await openCard(sessions[0]!, order, BUY_AGAIN);
      const payment = captured(order, 'stripe', 1);
      const results = await Promise.all([
        ...sessions.slice(0, 6).map(async (orders) => {
          // About half repeat one webhook; the others are further webhooks about the same payment.
          const webhook = random() < 0.5 ? payment : { ...payment, eventId: randomUUID() };
          return orders.apply(webhook);
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
});

test('a payment, its refund and its dispute that arrive at the same time are all stored with the order', async () => {
  await withoutDeadlock({ servers: 4 }, async (sessions) => {
    const [checkout, paymentWebhook, refundWebhook, disputeWebhook] = sessions;
    for (let round = 0; round < 40; round += 1) {
      const order = await place(checkout!, randomUUID());
      await openCard(checkout!, order, BUY_AGAIN);
      const payment = captured(order, 'stripe', 1);
      const refund = reversalOf(payment);
      const dispute = reversalOf(payment, {
        kind: 'dispute',
        id: `du-${order.id}`,
        state: 'open',
        amountMinor: DISPUTE_CENTS,
      });
      await Promise.all([
        paymentWebhook!.apply(payment),
        refundWebhook!.applyReversal(refund),
        disputeWebhook!.applyReversal(dispute),
      ]);
      const [row] = await backend.query(
        `select state, received_minor = total_minor as is_all, refunded_minor::int as refunded,
           dispute_state as dispute, disputed_minor::int as disputed
         from public.orders where id = $1`,
        [order.id],
      );
      const stored = { refunded: refund.amountMinor, dispute: 'open', disputed: DISPUTE_CENTS };
      expect(row).toEqual({ state: 'paid', is_all: true, ...stored });
    }
  });
});

test('a refund is stored while a long transaction of the shopper’s own client is open', async () => {
  await withoutDeadlock({ servers: 1, phones: 1 }, async ([orders], [phone]) => {
    const order = await place(orders!, randomUUID());
    await openCard(orders!, order);
    const payment = captured(order, 'stripe', 1);
    await orders!.apply(payment);
    await phone!.query('begin');
    await phone!.query('insert into public.favorites (user_id, product_id) values ($1, $2)', [
      user,
      products[0],
    ]);
    expect(await orders!.applyReversal(reversalOf(payment))).toBe('counted');
    await phone!.query('rollback');
  });
});

test('status requests, payments, captures and the deletion of the account do not deadlock', async () => {
  await withoutDeadlock({ servers: 8 }, async (sessions) => {
    for (let round = 0; round < 30; round += 1) {
      user = await addAccount(backend);
      const [first, second] = [
        await place(sessions[0]!, randomUUID()),
        await place(sessions[0]!, randomUUID(), 3),
      ];
      // In odd rounds no card page is open, so that the account can be deleted.
      const firstProvider = round % 2 === 0 ? 'stripe' : 'paypal';
      for (const [order, provider] of [
        [first, firstProvider],
        [second, 'paypal'],
      ] as const) {
        const { attempt } = await sessions[0]!.startAttempt(user, order.id, provider);
        if (attempt !== null)
          await sessions[0]!.recordReference(attempt, `${provider}-${order.id}`);
      }
      const requests = [
        (orders: Orders) => orders.find(user, first.id, null),
        (orders: Orders) => orders.find(user, second.id, null),
        (orders: Orders) => orders.startAttempt(user, first.id, firstProvider),
        (orders: Orders) => orders.startAttempt(user, second.id, 'stripe'),
        (orders: Orders) => orders.mayCapture(user, `paypal-${second.id}`),
      ];
      await Promise.all([
        ...sessions.map(async (orders, i) => {
          const request = requests[(round + i) % requests.length]!; // the remainder is an index
          await request(orders).catch(ignoreRejection);
        }),
        backend.query('select public.erase_account($1, now())', [user]),
      ]);
    }
  });
});

test('twenty people of the staff who send the same orders do not deadlock, and each order is sent once', async () => {
  const staff = await addAccount(backend);
  await withSessions([server.url, staff, 'service_role'], 20, async (sessions) => {
    const checkout = ordersOf(sessions[0]!);
    const paid: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const order = await place(checkout, randomUUID());
      await openCard(checkout, order, BUY_AGAIN);
      await checkout.apply(captured(order, 'stripe', 1));
      paid.push(order.id);
    }
    const sentCounts = await Promise.all(
      sessions.map(async (session, i) => {
        // Two thirds of the orders, and in every second session the last one first.
        const ids = paid.filter((_, n) => (n + i) % 3 > 0);
        if (i % 2 === 1) ids.reverse();
        const orders = ids.map((id) => ({ id, refunded_minor: 0 }));
        const send = 'select public.mark_orders($1, true, null, null, $2, now())';
        // If one of these orders is sent already, the shop rejects the request and sends none.
        return session.query(send, asTexts([orders, staff])).then(
          () => ids.length,
          () => 0,
        );
      }),
    );
    expect(deadlocksOf(sessions)).toBe(0);
    const sentCount = sentCounts.reduce((a, b) => a + b, 0);
    expect(sentCount).toBeGreaterThan(0);
    const [stored] = await backend.query(
      `select count(*)::int as events, count(distinct order_id)::int as orders from public.order_events
       where kind = 'sent' and order_id = any ($1)`,
      [paid],
    );
    expect(stored).toEqual({ events: sentCount, orders: sentCount });
  });
});
