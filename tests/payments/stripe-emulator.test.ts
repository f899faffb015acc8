/** What only the emulator has: its webhooks, injected faults, a manual clock and state that survives a restart. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import type { StripeEmulatorOptions } from '../../netlify/local/stripe/account.ts';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { seeded, SEED } from '../random.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { HOUR_MS, MINUTE_MS, openScene, WebhookReceiver } from './webhook-receiver.ts';
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
    expect(scene.stripe.webhooks.waiting).toEqual([]);
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

  test('are sent again until the shop accepts them, at most five times more', async () => {
    const { stripe, receiver, clock, newSession } = openStripe();
    receiver.statuses.push(500, 404, 302);
    stripe.pay(await newSession());
    for (let i = 0; i < 3; i++) {
      await stripe.webhooks.idle();
      await clock.pass(HOUR_MS);
    }
    await stripe.webhooks.idle();
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1);
    expect(stripe.webhooks.waiting).toEqual([]);

    receiver.statuses.push(...Array.from({ length: 20 }, () => 500));
    stripe.pay(await newSession());
    for (let i = 0; i < 10; i++) {
      await stripe.webhooks.idle();
      await clock.pass(24 * HOUR_MS);
    }
    expect(receiver.received, 'the second event is sent six times').toHaveLength(4 + 6);
    expect(stripe.webhooks.waiting).toHaveLength(1);
  });

  test('can be dropped, sent twice and sent late by a test', async () => {
    const { stripe, receiver, newSession } = openStripe(dropping('checkout.session.completed'));
    const id = await newSession();
    stripe.pay(id, 'pending');
    stripe.settle(id);
    await stripe.webhooks.idle();
    const [late] = stripe.webhooks.waiting;
    expect(late?.type).toBe('checkout.session.completed');
    for (let i = 0; i < 2; i++) {
      expect(await stripe.webhooks.deliver(late?.id ?? '')).toBe(200);
    }
    expect(receiver.events.map(({ type }) => String(type).split('.').at(-1))).toEqual([
      'async_payment_succeeded',
      'completed',
      'completed',
    ]);
    expect(stripe.webhooks.waiting).toEqual([]);
  });

  test.each<[string, (body: string, secret: string, now: number) => [string, object]]>([
    ['with another secret', (body, _, now) => [body, signatureHeaders(body, 'whsec_other', now)]],
    [
      'and changed on the way',
      (body, secret, now) => [body.replace('5400', '1'), signatureHeaders(body, secret, now)],
    ],
    [
      'ten minutes ago',
      (body, secret, now) => [body, signatureHeaders(body, secret, now - 10 * MINUTE_MS)],
    ],
  ])('signed %s do not pass the verification', async (_manipulation, forge) => {
    const scene = openStripe();
    const { stripe, clock } = scene;
    stripe.pay(await scene.newSession());
    const { id, body = '' } = stripe.webhooks.events[0] ?? {};
    const check = ([text, headers]: [string, object]) =>
      verify(scene, text, new Headers({ ...headers }));
    await expect(check(forge(body, stripe.webhookSecret, clock.now()))).rejects.toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    const genuine = signatureHeaders(body, stripe.webhookSecret, clock.now());
    expect(await check([body, genuine])).toMatchObject({ id });
  });

  test('can be invented by a test: here a live-mode event with a valid signature', async () => {
    const scene = openStripe();
    const session = await scene.sessions.retrieve(await scene.newSession());
    scene.stripe.emit('checkout.session.completed', session, { livemode: true });
    await scene.stripe.webhooks.idle();
    expect(await verifyFirst(scene)).toMatchObject({ livemode: true });
  });

  test('wait until the shop has an address', async () => {
    const receiver = new WebhookReceiver();
    const stripe = new LocalStripe({ webhook: { send: receiver.send } });
    const { id } = await clientInProcess(stripe).checkout.sessions.create(BASKET);
    stripe.pay(id);
    await stripe.webhooks.idle();
    expect(receiver.received).toEqual([]);
    stripe.webhooks.sendTo(HOOK_URL);
    await stripe.webhooks.idle();
    expect(receiver.received).toHaveLength(1);
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

test('the same seed gives the same run', async () => {
  const run = async () => {
    const { receiver, stripe, newSession } = openStripe({
      random: seeded(1),
      now: () => 1_790_000_000_000,
    });
    stripe.pay(await newSession());
    await stripe.webhooks.idle();
    return receiver.received.map(({ body, headers }) => [body, headers.get('stripe-signature')]);
  };
  expect(await run()).toEqual(await run());
});

test('ids with the names of JavaScript’s built-in properties are ids like any other', async () => {
  const { sessions } = openStripe();
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const missing = { code: 'resource_missing' };
    await expect(sessions.retrieve(name)).rejects.toMatchObject(missing);
    const first = await sessions.create(BASKET, { idempotencyKey: name });
    const again = await sessions.create(BASKET, { idempotencyKey: name });
    expect(again.id).toBe(first.id);
  }
});

const FORM_PARTS =
  'mode payment line_items [0] [] [price_data] [quantity] __proto__ = & % 1 -1 metadata [ ] expand'.split(
    ' ',
  );

test(`no random request makes the emulator fail (SEED=${SEED})`, async () => {
  const { stripe } = openStripe();
  const id = (await clientInProcess(stripe).checkout.sessions.create(BASKET)).id;
  const part = fc.constantFrom(...FORM_PARTS);
  const form = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
  const path = fc.constantFrom(
    '/v1/checkout/sessions',
    `/v1/checkout/sessions/${id}`,
    `/v1/checkout/sessions/${id}/expire`,
    `/v1/checkout/sessions/${id}/expire/more`,
    '/v1/',
    '/c/pay/x',
    '/%',
  );
  await fc.assert(
    fc.asyncProperty(path, form, fc.boolean(), async (target, text, isPost) => {
      const url = `http://127.0.0.1${target}${isPost ? '' : `?${text}`}`;
      const headers = { authorization: `Bearer ${stripe.secretKey}` };
      const init = isPost ? { method: 'POST', headers, body: text } : { headers };
      const { status } = await stripe.handle(new Request(url, init));
      expect([200, 303, 400, 404]).toContain(status);
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

describe('a restart', () => {
  test('loses nothing: the page opens, the key counts, and the webhook is delivered', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'stripe.json');
    const before = await openStripeEmulator({}, file);
    const options = { idempotencyKey: 'order-1' };
    const paid = await before.client.checkout.sessions.create(BASKET);
    const open = await before.client.checkout.sessions.create(BASKET, options);
    before.emulator.pay(paid.id);
    await before.close();

    const receiver = new WebhookReceiver();
    const after = await openStripeEmulator(
      { webhook: { url: HOOK_URL, send: receiver.send } },
      file,
    );
    expect(after.url).toBe(before.url);
    expect((await fetch(open.url ?? '')).status).toBe(200);
    expect((await after.client.checkout.sessions.create(BASKET, options)).id).toBe(open.id);
    expect(after.emulator.pay(open.id)).toBe(true);
    await after.emulator.webhooks.idle();
    expect(
      receiver.events.map(({ data }) => (data as { object: { id: string } }).object.id),
    ).toEqual([paid.id, open.id]);
    await after.close();

    const third = await openStripeEmulator({}, file);
    expect(third.emulator.webhooks.waiting, 'accepted webhooks are not sent again').toEqual([]);
    await third.close();
  });

  test('on another port makes payment pages’ addresses point to that port', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'stripe.json');
    const before = await openStripeEmulator({}, file);
    const options = { idempotencyKey: 'order-1' };
    const { id } = await before.client.checkout.sessions.create(BASKET, options);
    await before.close();
    const blocker = await openStripeEmulator();
    // Makes the emulator find the port of its earlier start taken, by replacing it in the file.
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(before.url, blocker.url));
    const after = await openStripeEmulator({}, file);
    expect(after.url).not.toBe(blocker.url);
    const { url } = await after.client.checkout.sessions.create(BASKET, options);
    expect(url).toBe(`${after.url}/c/pay/${id}`);
    await Promise.all([after.close(), blocker.close()]);
  });

  test('with a damaged file fails with a sentence that names the file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'stripe.json');
    await writeFile(file, '[1, 2');
    await expect(openStripeEmulator({}, file)).rejects.toThrow(/cannot be read .*stripe\.json/);
  });

  test('after another version of the shop puts its file aside, and starts without payments', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'stripe.json');
    const text = JSON.stringify({ url: 'http://127.0.0.1:9', state: { sessions: {} } });
    await writeFile(file, text);
    const after = await openStripeEmulator({}, file);
    expect(after.emulator.checkouts).toEqual([]);
    expect(await readFile(`${file}.old`, 'utf8')).toBe(text);
    await after.close();
  });
});
