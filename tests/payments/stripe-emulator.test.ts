/** What only the emulator has: its webhooks, injected faults and a manual clock. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import type { StripeEmulatorOptions } from '../../netlify/local/stripe/account.ts';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { HOUR_MS, openScene } from './webhook-receiver.ts';
import { BASKET, clientInProcess, openStripeEmulator } from './stripe-client.ts';

const HOOK_URL = 'https://shop.example/.netlify/functions/stripe-webhook';

/** An emulator that sends its webhooks to a receiver, on a clock that the test moves. */
function openStripe({ webhook, ...changes }: StripeEmulatorOptions = {}) {
  const { clock, receiver, options } = openScene(HOOK_URL);
  const stripe = new LocalStripe({
    ...options,
    ...changes,
    webhook: { ...options.webhook, ...webhook },
  });
  const client = clientInProcess(stripe);
  const { sessions } = client.checkout;
  const newSession = async () => (await sessions.create(BASKET)).id;
  return { clock, receiver, stripe, client, sessions, newSession };
}

/** Options with which the emulator does not send events of these types. */
const dropping = (...types: string[]) => ({
  webhook: { drop: ({ type }: { type: string }) => types.includes(type) },
});

/** Verifies a webhook with Stripe's SDK, as the shop does. Rejects when its signature is wrong. */
function verify(
  { stripe, clock }: Pick<ReturnType<typeof openStripe>, 'stripe' | 'clock'>,
  body: string,
  headers: Headers,
) {
  return Stripe.webhooks.constructEventAsync(
    body,
    headers.get('stripe-signature') ?? '',
    stripe.webhookSecret,
    undefined, // the default tolerance of five minutes
    undefined, // the default crypto provider
    clock.now(),
  );
}

function verifyFirst(scene: ReturnType<typeof openStripe>) {
  const { body, headers } = scene.receiver.received[0] ?? { body: '', headers: new Headers() };
  return verify(scene, body, headers);
}

describe('webhooks', () => {
  test('report a payment, signed, with the whole session', async () => {
    const scene = openStripe();
    const id = await scene.newSession();
    scene.stripe.pay(id);
    await scene.stripe.webhooks.idle();
    const event = await verifyFirst(scene);
    expect(event).toMatchObject({
      object: 'event',
      type: 'checkout.session.completed',
      api_version: Stripe.API_VERSION,
      livemode: false,
    });
    expect(event.data.object).toEqual(
      JSON.parse(JSON.stringify(await scene.sessions.retrieve(id))),
    );
  });

  test('report each step of a payment that takes days, and a page that expired', async () => {
    const scene = openStripe();
    const { stripe } = scene;
    const ids = [await scene.newSession(), await scene.newSession(), await scene.newSession()];
    stripe.pay(ids[0] ?? '', 'pending');
    stripe.settle(ids[0] ?? '');
    stripe.pay(ids[1] ?? '', 'pending');
    stripe.settle(ids[1] ?? '', 'failed');
    await scene.sessions.expire(ids[2] ?? '');
    await stripe.webhooks.idle();
    expect(
      scene.receiver.events.map(({ type, data }) => {
        const { object } = data as { object: { status: string; payment_status: string } };
        return [type, object.status, object.payment_status].join(' ');
      }),
    ).toEqual([
      'checkout.session.completed complete unpaid',
      'checkout.session.async_payment_succeeded complete paid',
      'checkout.session.completed complete unpaid',
      'checkout.session.async_payment_failed complete unpaid',
      'checkout.session.expired expired unpaid',
    ]);
  });

  test('can be dropped, sent twice and sent late by a test', async () => {
    const { stripe, receiver, newSession } = openStripe(dropping('checkout.session.completed'));
    const id = await newSession();
    stripe.pay(id, 'pending');
    stripe.settle(id);
    await stripe.webhooks.idle();
    const [late] = stripe.webhooks.events;
    expect(late?.type).toBe('checkout.session.completed');
    for (let i = 0; i < 2; i++) {
      expect(await stripe.webhooks.deliver(late?.id ?? '')).toBe(200);
    }
    expect(receiver.events.map(({ type }) => String(type).split('.').at(-1))).toEqual([
      'async_payment_succeeded',
      'completed',
      'completed',
    ]);
  });
});

describe('faults', () => {
  const CREATE = /^POST \/v1\/checkout\/sessions$/;
  const newKeyOptions = () => ({ idempotencyKey: crypto.randomUUID() });

  test.each([
    ['before a session was made', 'before', 0],
    ['after a session was made', 'after', 1],
  ] as const)(
    'after status 500 %s, the same key gets 500 again, and a new key makes a session',
    async (_when, moment, sessionsMade) => {
      const { stripe, sessions } = openStripe();
      stripe.faults.next(CREATE, { kind: 'fail', moment });
      const options = newKeyOptions();
      for (let i = 0; i < 3; i++) {
        await expect(sessions.create(BASKET, options)).rejects.toMatchObject({ statusCode: 500 });
      }
      await sessions.create(BASKET, newKeyOptions());
      expect(stripe.checkouts).toHaveLength(sessionsMade + 1);
    },
  );

  test.each([
    ['before it arrived has made no session', 'before', 0],
    ['before its answer arrived has made a session', 'after', 1],
  ] as const)('a request whose connection is cut %s', async (_when, moment, sessionsMade) => {
    const { stripe, sessions } = openStripe();
    stripe.faults.next(CREATE, { kind: 'cut', moment });
    const options = newKeyOptions();
    const cut = sessions.create(BASKET, options);
    await expect(cut).rejects.toThrow(Stripe.errors.StripeConnectionError);
    expect(stripe.checkouts).toHaveLength(sessionsMade);
    const again = await sessions.create(BASKET, options);
    expect(stripe.checkouts.map(({ id }) => id)).toEqual([again.id]);
  });

  test('a key is in use while its first request hangs; afterwards it gets the answer of that request', async () => {
    const { stripe, sessions } = openStripe();
    const release = Promise.withResolvers<void>();
    stripe.faults.next(CREATE, { kind: 'wait', until: release.promise });
    const options = newKeyOptions();
    const first = sessions.create(BASKET, options);
    await expect(sessions.create(BASKET, options)).rejects.toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    release.resolve();
    expect((await sessions.create(BASKET, options)).id).toBe((await first).id);
  });

  test('a session is made although the client has stopped waiting for it', async () => {
    const { stripe, client } = openStripe();
    const release = Promise.withResolvers<void>();
    stripe.faults.next(CREATE, { kind: 'wait', until: release.promise });
    const call = client.checkout.sessions.create(BASKET, { timeout: 20 });
    await expect(call).rejects.toThrow(Stripe.errors.StripeConnectionError);
    expect(stripe.checkouts).toEqual([]);
    release.resolve();
    await expect.poll(() => stripe.checkouts.length).toBe(1);
  });

  test('an overloaded Stripe makes no session and does not store its answer for the key', async () => {
    const { stripe, sessions } = openStripe();
    stripe.faults.next(CREATE, { kind: 'reject', status: 429 });
    const options = newKeyOptions();
    const rejected = sessions.create(BASKET, options);
    await expect(rejected).rejects.toThrow(Stripe.errors.StripeRateLimitError);
    expect(stripe.checkouts).toEqual([]);
    expect((await sessions.create(BASKET, options)).status).toBe('open');
  });

  test('a connection over a socket is really cut', async () => {
    const subject = await openStripeEmulator();
    // Twice, because the SDK repeats a request whose connection was cut, even with its retries off.
    subject.emulator.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    subject.emulator.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    const cut = subject.client.checkout.sessions.create(BASKET);
    await expect(cut).rejects.toThrow(Stripe.errors.StripeConnectionError);
    await subject.close();
  });
});

describe('as time passes', () => {
  test('a page expires after a day, and a webhook says so', async () => {
    const { clock, stripe, receiver, newSession, sessions } = openStripe();
    const id = await newSession();
    await clock.pass(24 * HOUR_MS - 1000);
    expect(await sessions.retrieve(id)).toMatchObject({ status: 'open' });
    await clock.pass(1000);
    expect(stripe.pay(id)).toBe(false);
    expect(await sessions.retrieve(id)).toMatchObject({ status: 'expired' });
    await stripe.webhooks.idle();
    expect(receiver.events).toMatchObject([{ type: 'checkout.session.expired' }]);
  });

  test('an idempotency key can be used anew after a day', async () => {
    const { clock, sessions } = openStripe();
    const first = await sessions.create(BASKET, { idempotencyKey: 'order-1' });
    await clock.pass(24 * HOUR_MS);
    const second = await sessions.create(BASKET, { idempotencyKey: 'order-1' });
    expect(second.id).not.toBe(first.id);
  });
});
