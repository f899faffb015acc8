/**
 * What the shop relies on in Stripe, tested against the emulator and, when STRIPE_SECRET_KEY is set,
 * against a real test account. Tests in which a buyer acts run against the emulator only.
 */
import Stripe from 'stripe';
import { afterAll, describe, expect, test } from 'vitest';
import { API_VERSION } from '../../netlify/local/stripe/objects.ts';
import { BASKET, line, stripesUnderTest } from './stripe-client.ts';

const subjects = await stripesUnderTest();
afterAll(() => Promise.all(subjects.map((subject) => subject.close())));

const newKey = () => crypto.randomUUID();
const nowS = () => Math.floor(Date.now() / 1000);

/** Expects that Stripe rejects a call, and returns the error that the SDK throws. */
async function rejectionOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const thrown: unknown = await call.catch((error: unknown) => error);
  if (thrown instanceof Stripe.errors.StripeError) return thrown;
  throw new Error('Stripe did not reject the call.', { cause: thrown });
}

test('the emulator has the version of the API that the SDK uses', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});

describe.each(subjects)('$name', ({ client, emulator }) => {
  const { sessions } = client.checkout;

  /** Creates a session with parameters that the SDK's types may not allow. */
  const create = (params: object, options: Stripe.RequestOptions = {}) =>
    sessions.create({ ...BASKET, ...params }, options);

  test('a session has the total, the id of the order, and the address of a payment page', async () => {
    const session = await sessions.create(BASKET);
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 5400,
      currency: 'usd',
      customer_email: 'ana@example.com',
      metadata: { order_id: 'order-1' },
      payment_intent: null,
      livemode: false,
    });
    expect(session.id).toMatch(/^cs_test_\w{50,}$/);
    expect(session.url).toContain(session.id);
    const lifetimeS = session.expires_at - session.created;
    expect(lifetimeS, 'almost a day').toBeGreaterThan(86_000);
    expect(lifetimeS).toBeLessThanOrEqual(86_400);
    expect(await sessions.retrieve(session.id)).toMatchObject({ id: session.id, status: 'open' });
  });

  test('an open session can be expired, once, and then has no page any more', async () => {
    const { id } = await sessions.create(BASKET);
    expect(await sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    expect(await rejectionOf(sessions.expire(id))).toMatchObject({
      statusCode: 400,
      rawType: 'invalid_request_error',
    });
    expect(await sessions.retrieve(id)).toMatchObject({ status: 'expired', payment_intent: null });
  });

  test.each([
    ['before 30 minutes', 29 * 60],
    ['after 24 hours', 24 * 3600 + 600],
  ])('a session cannot expire %s', async (_when, seconds) => {
    const rejected = await rejectionOf(create({ expires_at: nowS() + seconds }));
    expect(rejected).toMatchObject({ statusCode: 400, param: 'expires_at' });
    const expires_at = nowS() + 31 * 60;
    expect(await create({ expires_at })).toMatchObject({ expires_at });
  });

  test('a session that does not exist is not found', async () => {
    const missing = 'cs_test_nowhere';
    for (const call of [sessions.retrieve(missing), sessions.expire(missing)]) {
      expect(await rejectionOf(call)).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    }
  });

  describe('an idempotency key', () => {
    test('returns the first answer unchanged, though the session has expired since', async () => {
      const idempotencyKey = newKey();
      const { id, url } = await create({}, { idempotencyKey });
      await sessions.expire(id);
      const again = await create({}, { idempotencyKey });
      expect(again).toMatchObject({ id, url, status: 'open' });
      expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    });

    test('is rejected with another request than the first', async () => {
      const idempotencyKey = newKey();
      const { id } = await create({}, { idempotencyKey });
      const otherKey = newKey();
      await sessions.expire((await create({})).id, {}, { idempotencyKey: otherKey });
      for (const call of [
        create({ line_items: [line('Tee', 1000, 1)] }, { idempotencyKey }),
        sessions.expire(id, {}, { idempotencyKey }),
        sessions.expire(id, {}, { idempotencyKey: otherKey }),
      ]) {
        const rejected = await rejectionOf(call);
        expect(rejected).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
        expect(rejected.statusCode).toBe(400);
      }
    });
  });

  describe.skipIf(emulator === undefined)('when the buyer', () => {
    const buyer = () => {
      if (emulator === undefined) throw new Error('Only the emulator has a buyer.');
      return emulator;
    };

    test('pays, the session is complete and the payment has succeeded', async () => {
      const { id } = await sessions.create(BASKET);
      expect(buyer().pay(id)).toBe(true);
      const session = await sessions.retrieve(id, { expand: ['payment_intent'] });
      expect(session).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
        url: null,
        payment_intent: { object: 'payment_intent', status: 'succeeded' },
      });
      const unexpanded = (await sessions.retrieve(id)).payment_intent;
      expect(unexpanded, 'the payment’s id').toMatch(/^pi_/);
      expect(await rejectionOf(sessions.expire(id))).toMatchObject({ statusCode: 400 });
      expect(buyer().pay(id), 'a second payment is rejected').toBe(false);
    });

    test.each([
      ['arrives', 'succeeded', 'paid', 'succeeded'],
      ['fails', 'failed', 'unpaid', 'requires_payment_method'],
    ] as const)(
      'pays by bank, the session is complete and unpaid until the money %s',
      async (_words, outcome, paymentStatus, status) => {
        const { id } = await sessions.create(BASKET);
        buyer().pay(id, 'pending');
        const expand = { expand: ['payment_intent'] };
        expect(await sessions.retrieve(id, expand)).toMatchObject({
          status: 'complete',
          payment_status: 'unpaid',
          payment_intent: { status: 'processing' },
        });
        expect(buyer().settle(id, outcome)).toBe(true);
        expect(buyer().settle(id, outcome), 'only once').toBe(false);
        expect(await sessions.retrieve(id, expand)).toMatchObject({
          status: 'complete',
          payment_status: paymentStatus,
          payment_intent: { status },
        });
      },
    );
  });
});
