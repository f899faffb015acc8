/** Paying with PayPal: the shop's own code with the real SQL and an emulator of PayPal. */
import { beforeEach, describe, expect, test } from 'vitest';
import { NotConfigured } from '../../netlify/lib/env.ts';
import { orderStatus } from '../../netlify/lib/order-status.ts';
import { openPayPal } from '../../netlify/lib/paypal.ts';
import type { Ports } from '../../netlify/lib/ports.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { captureOf } from '../../netlify/lib/paypal-objects.ts';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { expectRejected } from '../supabase/buyer.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const COAT_CENTS = 12_950;

const { backend, user, products } = await openBackendSelling({ COAT: COAT_CENTS / 100 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, user);
  await shop.buyer.putInCart({ [coat]: 3 });
});

const request = () => shop.requestFor({ [coat]: 2 });
// What the page asks of the shop. `orderId` is PayPal's id, `storeOrderId` the shop's.
const create = (ports = shop.ports) => createWalletOrder(ports, request());
const capture = (orderId: string, ports = shop.ports) => captureWalletOrder(ports, user, orderId);
const askStatus = (storeOrderId: string, ports = shop.ports) =>
  orderStatus(ports, user, { orderId: storeOrderId, sessionId: null });
const statusOf = async (storeOrderId: string) => (await askStatus(storeOrderId)).status;
// What the database stores of the order.
const stateOf = (storeOrderId: string) => shop.buyer.state({ id: storeOrderId });
const attemptsOf = (storeOrderId: string) => shop.buyer.attempts({ id: storeOrderId });
/** The routes of PayPal at which the faults below strike. */
const CREATE = /^POST .*orders$/;
const CAPTURE = /capture$/;

/** Makes a PayPal order, which the buyer approves with an instrument of the emulator. */
async function createApproved(instrument: 'good' | 'pending' | 'refused' | 'declined' = 'good') {
  const order = await create();
  shop.paypal.approve(order.orderId, instrument);
  return order;
}

/** Captures while the connection to PayPal breaks, after PayPal has taken the money. */
async function captureCut(orderId: string): Promise<void> {
  shop.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'after' });
  await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
}

describe('paying with PayPal', () => {
  test('PayPal gets the lines, the sum, the address and the id of the order', async () => {
    const { orderId, storeOrderId } = await create();
    const body = {
      status: 'PAYER_ACTION_REQUIRED',
      purchase_units: [
        {
          custom_id: storeOrderId,
          invoice_id: storeOrderId,
          amount: { currency_code: 'USD', value: ((2 * COAT_CENTS) / 100).toFixed(2) },
          items: [
            {
              name: 'Untitled',
              sku: 'COAT',
              quantity: '2',
              unit_amount: { value: (COAT_CENTS / 100).toFixed(2) },
            },
          ],
          shipping: {
            name: { full_name: 'Ada Byron' },
            address: {
              address_line_1: '12 St James’s Square',
              admin_area_2: 'Chicago',
              admin_area_1: 'IL',
              postal_code: '60614',
              country_code: 'US',
            },
          },
        },
      ],
    };
    expect(await shop.ports.wallet().readOrder(orderId)).toMatchObject({ ok: true, body });
  });

  /** Holds the next request to this route until other code, which uses the returned ports, pauses to wait for it. */
  function holdNextRequest(route: RegExp): Ports {
    const released = Promise.withResolvers<void>();
    shop.paypal.faults.next(route, { kind: 'wait', until: released.promise });
    return { ...shop.ports, pause: async () => released.resolve() };
  }

  test('a request waits for another one that makes the same order', async () => {
    const ports = holdNextRequest(CREATE);
    const [first, second] = await Promise.all([create(), create(ports)]);
    expect(second).toEqual(first);
  });

  test('a request waits for another one that captures the same money', async () => {
    const { orderId } = await createApproved();
    const ports = holdNextRequest(CAPTURE);
    const [first, second] = await Promise.all([capture(orderId), capture(orderId, ports)]);
    expect(second).toEqual(first);
    expect(await capture(orderId), 'sent once more').toEqual(first);
    expect(shop.paypal.receipts).toHaveLength(1);
  });
});

describe('when PayPal does not give the money', () => {
  test('a shopper whose instrument is declined goes back to PayPal with the same order', async () => {
    const { orderId, storeOrderId } = await createApproved('declined');
    await expectRejected(capture(orderId), 'INSTRUMENT_DECLINED');
    expect(await statusOf(storeOrderId)).toBe('unpaid');
    expect(await shop.buyer.cart()).toEqual({ [coat]: 3 });
    expect((await create()).orderId).toBe(orderId);
    shop.paypal.approve(orderId);
    expect((await capture(orderId)).status).toBe('COMPLETED');
    expect(await stateOf(storeOrderId)).toBe('paid');
  });

  test('an order that PayPal has forgotten is replaced by another one at the next press', async () => {
    const { orderId, storeOrderId } = await create();
    const emptyPayPal = new InProcessShop(backend, user);
    await expectRejected(capture(orderId, emptyPayPal.ports), 'INVALID_RESOURCE_ID');
    const next = await create(emptyPayPal.ports);
    expect([next.storeOrderId, next.orderId === orderId]).toEqual([storeOrderId, false]);
  });
});

describe('when the answer is lost', () => {
  test('after a capture request that never reached the shop, the money is taken when a page asks about the order', async () => {
    const { storeOrderId } = await createApproved();
    expect(await askStatus(storeOrderId)).toMatchObject({ status: 'paid', provider: 'paypal' });
    expect(await statusOf(storeOrderId)).toBe('paid');
    expect(shop.paypal.receipts).toHaveLength(1);
  });

  test('a page that asks takes no money before the shopper has approved', async () => {
    const { storeOrderId } = await create();
    expect(await askStatus(storeOrderId)).toMatchObject({ status: 'unpaid', isCurrent: true });
    expect(shop.paypal.receipts).toEqual([]);
  });

  test('a page that asks does not charge an instrument again that was declined', async () => {
    const { orderId, storeOrderId } = await createApproved('declined');
    const captured: string[] = [];
    const client = shop.ports.wallet();
    const ports = shop.portsToPayPal({
      capture: (id, key) => {
        captured.push(id);
        return client.capture(id, key);
      },
    });
    for (let poll = 0; poll < 3; poll += 1) {
      expect((await askStatus(storeOrderId, ports)).status).toBe('unpaid');
      shop.buyer.waitMinutes(1);
    }
    expect(captured).toEqual([orderId]);
  });

  test('money that PayPal took is found although the shop has had no keys for days meanwhile', async () => {
    const { orderId, storeOrderId } = await createApproved();
    shop.dropsWebhooks = true;
    await captureCut(orderId);
    const wallet = () => {
      throw new NotConfigured('PAYPAL_CLIENT_SECRET is not set.');
    };
    for (let day = 0; day < 3; day += 1) {
      shop.buyer.waitMinutes(24 * 60);
      await reconcile({ ...shop.ports, wallet });
    }
    expect(await attemptsOf(storeOrderId)).toEqual(['paypal capturing']);
    shop.buyer.waitMinutes(60);
    await reconcile(shop.ports);
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(shop.paypal.receipts).toHaveLength(1);
  });

  test('money that PayPal took is found although it rejects the repeated capture', async () => {
    const { orderId, storeOrderId } = await createApproved();
    shop.dropsWebhooks = true;
    await captureCut(orderId);
    const rejecting = (status: number, issue: string) => async () =>
      ({ ok: false, status, issue }) as const;
    const forbidden = rejecting(403, 'PERMISSION_DENIED');
    const withoutReading = shop.portsToPayPal({ capture: forbidden, readOrder: forbidden });
    await expect(capture(orderId, withoutReading)).rejects.toThrow(NotConfigured);
    expect(await attemptsOf(storeOrderId), 'not known yet').toEqual(['paypal capturing']);
    const withReading = shop.portsToPayPal({ capture: rejecting(422, 'PAYEE_ACCOUNT_RESTRICTED') });
    expect(await capture(orderId, withReading)).toMatchObject({ status: 'COMPLETED' });
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(shop.paypal.receipts).toHaveLength(1);
  });
});

test('PayPal’s order shows a payment that was made, also after it was refunded', () => {
  const payments = { captures: [{ id: 'CAP-1', status: 'REFUNDED', amount: {} }] };
  const read = captureOf({ id: 'PP-1', purchase_units: [{ payments }] }, 'sandbox');
  expect(read?.event).toMatchObject({ outcome: 'captured', captureId: 'CAP-1' });
});

test('the shopper is told when PayPal rejects the order, and the next press tries again', async () => {
  const makeOrder = async () => ({ ok: false, status: 422, issue: 'CITY_REQUIRED' }) as const;
  const ports = shop.portsToPayPal({ makeOrder });
  await expectRejected(create(ports), 'CITY_REQUIRED');
  const { storeOrderId } = await create();
  expect(await attemptsOf(storeOrderId)).toEqual(['paypal failed', 'paypal open']);
});

const SETTINGS = {
  clientId: 'client',
  clientSecret: 'secret',
  mode: 'sandbox',
  apiUrl: 'http://127.0.0.1:1',
} as const;

test('an access token that PayPal has revoked is replaced, and keys that PayPal rejects are reported', async () => {
  const { clientId, clientSecret } = SETTINGS;
  let paypal = new LocalPayPal({ clientId, clientSecret });
  const client = openPayPal(SETTINGS, {
    fetch: (input, init) => paypal.handle(new Request(input, init)),
  });
  expect(await client.readOrder('NONE')).toMatchObject({ status: 404 });
  // Another PayPal knows none of the tokens of the first.
  paypal = new LocalPayPal({ clientId, clientSecret });
  expect(await client.readOrder('NONE')).toMatchObject({ status: 404 });
  paypal = new LocalPayPal({ clientId, clientSecret: 'another' });
  await expect(client.readOrder('NONE')).rejects.toThrow(NotConfigured);
});

test('a redirect of PayPal’s is not followed, so no other host is told the shop’s secret or its access token', async () => {
  const redirects: unknown[] = [];
  const client = openPayPal(SETTINGS, {
    fetch: async (_url, init) => {
      redirects.push(init?.redirect);
      return Response.json({ access_token: 'A', expires_in: 3600 });
    },
  });
  await client.readOrder('NONE');
  expect(redirects).toEqual(['error', 'error']);
});

test('an answer that is not PayPal’s is quoted in no log', async () => {
  const client = openPayPal(SETTINGS, { fetch: async () => new Response('Ada Byron, 12 St') });
  await expect(client.readOrder('NONE')).rejects.toThrow(
    new ProviderUnavailable('PayPal: /v1/oauth2/token: SyntaxError'),
  );
});
