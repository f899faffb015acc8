/** What only the emulator has: its webhooks and injected faults. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import { BASKET, clientInProcess } from './stripe-client.ts';

const HOOK_URL = 'https://shop.example/.netlify/functions/stripe-webhook';

/** An emulator that sends its webhooks to a receiver. */
function openStripe() {
  const receiver = new WebhookReceiver();
  const stripe = new LocalStripe({ webhook: { url: HOOK_URL, send: receiver.send } });
  const { sessions } = clientInProcess(stripe).checkout;
  const newSession = async () => (await sessions.create(BASKET)).id;
  return { receiver, stripe, sessions, newSession };
}

/** Verifies the first webhook with Stripe's SDK, as the shop does. Rejects when its signature is wrong. */
function verifyFirst({ receiver, stripe }: ReturnType<typeof openStripe>) {
  const { body, headers } = receiver.received[0] ?? { body: '', headers: new Headers() };
  const signature = headers.get('stripe-signature') ?? '';
  return Stripe.webhooks.constructEventAsync(body, signature, stripe.webhookSecret);
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
});
