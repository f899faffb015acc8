import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { orderStatus } from '../../netlify/lib/order-status.ts';
import { NotConfigured } from '../../netlify/lib/env.ts';
import { openPayPal, type PayPalAnswer } from '../../netlify/lib/paypal.ts';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { refusal } from '../supabase/desk.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { Counter } from './counter.ts';

let backend: Backend;
let user: string;
let eve: string;
let counter: Counter;
let coat: number;

beforeAll(async () => {
  backend = await openTestBackend();
  user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
  eve = await backend.addAccount({ email: 'eve@weft.test', password: 'secret-1' });
});
afterAll(() => backend.close());
beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  counter = new Counter(backend, user);
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 129.5 }));
  await counter.desk.putInCart({ [coat]: 3 });
});

const wants = () => counter.wants({ [coat]: 2 });
const create = () => createWalletOrder(counter.ports, wants());
const capture = (id: string) => captureWalletOrder(counter.ports, user, id);
const stateOf = async (id: string) =>
  String(
    (await backend.query('select state from public.orders where id = $1', [id]))[0]?.['state'],
  );
const status = async (orderId: string) =>
  (await orderStatus(counter.ports, user, { orderId, sessionId: null })).status;
const attempts = async () =>
  (
    await backend.query(
      `select provider || ' ' || state as attempt from public.payment_attempts order by number`,
    )
  ).map(({ attempt }) => attempt);
const CAPTURE = /capture$/;

async function approved(instrument: 'good' | 'pending' | 'refused' | 'declined' = 'good') {
  const order = await create();
  counter.paypal.approve(order.orderId, instrument);
  return order;
}

describe('paying with PayPal', () => {
  test('sends the lines, the sum and the address, and names the order', async () => {
    const { orderId, storeOrderId } = await create();
    const answer = await counter.ports.wallet().readOrder(orderId);
    const { status: state, purchase_units: units } = (answer.ok ? answer.body : {}) as Record<
      string,
      unknown
    >;
    expect(state).toBe('PAYER_ACTION_REQUIRED');
    expect(units).toMatchObject([
      {
        custom_id: storeOrderId,
        invoice_id: storeOrderId,
        amount: { currency_code: 'USD', value: '259.00' },
        items: [{ name: 'Untitled', sku: 'COAT', quantity: '2', unit_amount: { value: '129.50' } }],
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
    ]);
  });

  test('takes the money once it is approved, pays the order and takes it out of the cart', async () => {
    const { orderId, storeOrderId } = await approved();
    expect(await status(storeOrderId)).toBe('unpaid');
    expect(await capture(orderId)).toEqual({ status: 'COMPLETED', storeOrderId });
    await counter.idle();
    expect(await status(storeOrderId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [coat]: 1 });
    expect(await capture(orderId)).toEqual({ status: 'COMPLETED', storeOrderId });
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('twice, in two tabs or by a repeated press, is one PayPal order', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, create));
    expect(new Set(all.map(({ orderId }) => orderId)).size).toBe(1);
    expect(counter.paypal.orders).toHaveLength(1);
  });

  test('twenty captures at once take the money once, and each hears that it came', async () => {
    const { orderId, storeOrderId } = await approved();
    const all = await Promise.all(Array.from({ length: 20 }, () => capture(orderId)));
    expect(new Set(all.map((one) => one.status))).toEqual(new Set(['COMPLETED']));
    expect(counter.paypal.receipts).toHaveLength(1);
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [coat]: 1 });
  });

  test('waits for another request that takes the same money, or makes the same order', async () => {
    for (const route of [/^POST .*orders$/, CAPTURE]) {
      const held = Promise.withResolvers<void>();
      counter.paypal.faults.next(route, { kind: 'wait', until: held.promise });
      const ports = { ...counter.ports, pause: async () => held.resolve() };
      const both = async () => {
        if (route !== CAPTURE) return [create(), createWalletOrder(ports, wants())];
        const { orderId } = await approved();
        return [capture(orderId), captureWalletOrder(ports, user, orderId)];
      };
      const [first, second] = await Promise.all(await both());
      expect(second).toEqual(first);
    }
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('of somebody else, or of nobody, finds nothing and takes nothing', async () => {
    const { orderId } = await approved();
    await refusal(captureWalletOrder(counter.ports, eve, orderId), 'order-unknown');
    await refusal(capture('NOSUCHORDER'), 'order-unknown');
    expect(counter.paypal.receipts).toEqual([]);
  });
});

describe('when PayPal does not give the money', () => {
  test('a declined instrument goes back to PayPal with the same order', async () => {
    const { orderId, storeOrderId } = await approved('declined');
    await refusal(capture(orderId), 'INSTRUMENT_DECLINED');
    expect(await status(storeOrderId)).toBe('unpaid');
    expect(await counter.desk.cart()).toEqual({ [coat]: 3 });
    expect((await create()).orderId).toBe(orderId);
    counter.paypal.approve(orderId);
    expect((await capture(orderId)).status).toBe('COMPLETED');
    expect(await stateOf(storeOrderId)).toBe('paid');
  });

  test('an order that was not approved yet is not taken, and may still be approved', async () => {
    const { orderId } = await create();
    await refusal(capture(orderId), 'ORDER_NOT_APPROVED');
    counter.paypal.approve(orderId);
    expect((await capture(orderId)).status).toBe('COMPLETED');
  });

  test('a pending capture is being confirmed, keeps the cart, and then pays', async () => {
    const { orderId, storeOrderId } = await approved('pending');
    expect((await capture(orderId)).status).toBe('PENDING');
    expect(await status(storeOrderId)).toBe('confirming');
    expect(await counter.desk.cart()).toEqual({ [coat]: 3 });
    expect((await capture(orderId)).status).toBe('PENDING');
    counter.paypal.settle(orderId);
    await counter.idle();
    expect(await status(storeOrderId)).toBe('paid');
  });

  test('a pending capture may be denied, also when nobody hears of it', async () => {
    const { orderId, storeOrderId } = await approved('pending');
    await capture(orderId);
    counter.dropsWebhooks = true;
    counter.paypal.deny(orderId);
    counter.desk.wait(3);
    await reconcile(counter.ports);
    expect(await status(storeOrderId)).toBe('failed');
    expect(await counter.desk.cart()).toEqual({ [coat]: 3 });
  });

  test('a capture that is declined closes the order; the next press makes another', async () => {
    const { orderId, storeOrderId } = await approved('refused');
    expect((await capture(orderId)).status).toBe('DECLINED');
    expect(await status(storeOrderId)).toBe('failed');
    const next = await create();
    expect(next.storeOrderId).not.toBe(storeOrderId);
  });

  test('an order that PayPal has forgotten is not the end', async () => {
    const { orderId, storeOrderId } = await create();
    counter.desk.wait(50);
    const lost = new Counter(backend, user);
    lost.desk.now = counter.desk.now;
    await refusal(captureWalletOrder(lost.ports, user, orderId), 'INVALID_RESOURCE_ID');
    const next = await createWalletOrder(lost.ports, wants());
    expect([next.storeOrderId, next.orderId === orderId]).toEqual([storeOrderId, false]);
  });
});

describe('when the answer is lost', () => {
  test('to the capture, the page asks again and hears that it came', async () => {
    const { orderId } = await approved();
    counter.dropsWebhooks = true;
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'after' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    expect(await capture(orderId)).toMatchObject({ status: 'COMPLETED' });
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('and nobody asks again, the reconcile finds the money', async () => {
    counter.dropsWebhooks = true;
    const { orderId, storeOrderId } = await approved();
    counter.paypal.faults.next(CAPTURE, { kind: 'fail', moment: 'after' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    counter.desk.wait(2);
    expect(await reconcile(counter.ports)).toMatchObject({ asked: 1, failed: 0 });
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('before PayPal heard of it, the reconcile finishes what the shopper had approved', async () => {
    const { orderId, storeOrderId } = await approved();
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'before' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    expect(await status(storeOrderId)).toBe('confirming');
    counter.desk.wait(2);
    await reconcile(counter.ports);
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('and PayPal then refuses, the money that it took is found all the same', async () => {
    const { orderId, storeOrderId } = await approved();
    counter.dropsWebhooks = true;
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'after' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    const wallet = counter.ports.wallet();
    const refusing = (status: number, issue: string, readOrder = wallet.readOrder) => {
      const strict = { capture: async () => ({ ok: false, status, issue }) as const, readOrder };
      return { ...counter.ports, wallet: () => ({ ...wallet, ...strict }) };
    };
    const shutOut = async () => ({ ok: false, status: 403, issue: 'PERMISSION_DENIED' }) as const;
    await expect(
      captureWalletOrder(refusing(403, 'PERMISSION_DENIED', shutOut), user, orderId),
    ).rejects.toThrow(NotConfigured);
    expect(await attempts()).toEqual(['paypal capturing']);
    const restricted = refusing(422, 'PAYEE_ACCOUNT_RESTRICTED');
    expect(await captureWalletOrder(restricted, user, orderId)).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(counter.paypal.receipts).toHaveLength(1);
  });

  test('and the shop sends the money back before it is heard of, the order was paid', async () => {
    const { orderId, storeOrderId } = await approved();
    counter.dropsWebhooks = true;
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'after' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    const wallet = counter.ports.wallet();
    const refunded = async (): Promise<PayPalAnswer> => {
      const answer = await wallet.readOrder(orderId);
      const text = JSON.stringify(answer).replaceAll('"status":"COMPLETED"', '"status":"REFUNDED"');
      return JSON.parse(text) as PayPalAnswer;
    };
    const ports = {
      ...counter.ports,
      wallet: () => ({ ...wallet, capture: refunded, readOrder: refunded }),
    };
    expect(await captureWalletOrder(ports, user, orderId)).toMatchObject({ status: 'REFUNDED' });
    expect(await stateOf(storeOrderId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [coat]: 1 });
  });

  test('money that PayPal took under another request is found in the order', async () => {
    const { orderId } = await approved();
    counter.dropsWebhooks = true;
    await counter.ports.wallet().capture(orderId, 'by-other-means');
    expect(await capture(orderId)).toMatchObject({ status: 'COMPLETED' });
  });

  test('to the order, the next press gets the same one', async () => {
    counter.paypal.faults.next(/^POST .*orders$/, { kind: 'cut', moment: 'after' });
    await expect(create()).rejects.toThrow(ProviderUnavailable);
    const { orderId } = await create();
    expect(counter.paypal.orders.map(({ id }) => id)).toEqual([orderId]);
  });
});

describe('choosing the card instead', () => {
  const card = () => createCheckout(counter.ports, wants());

  test('drops the PayPal order: its money is not taken though it was approved', async () => {
    const { orderId, storeOrderId } = await approved();
    expect((await card()).orderId).toBe(storeOrderId);
    await refusal(capture(orderId), 'payment-elsewhere');
    expect(counter.paypal.receipts).toEqual([]);
    expect(await attempts()).toEqual(['paypal void', 'stripe open']);
  });

  test('waits while it is not known whether PayPal took the money', async () => {
    counter.dropsWebhooks = true;
    const { orderId, storeOrderId } = await approved();
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'before' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    await refusal(card(), 'payment-under-way');
    counter.paypal.faults.next(CAPTURE, { kind: 'cut', moment: 'after' });
    await expect(capture(orderId)).rejects.toThrow(ProviderUnavailable);
    await refusal(
      createCheckout(counter.ports, { ...wants(), orderId: storeOrderId }),
      'order-paid',
    );
    expect(await stateOf(storeOrderId)).toBe('paid');
  });
});

test('an order that PayPal does not take is told so, and the next press tries again', async () => {
  const wallet = counter.ports.wallet();
  const strict = {
    ...wallet,
    makeOrder: async () => ({ ok: false, status: 422, issue: 'CITY_REQUIRED' }) as const,
  };
  const ports = { ...counter.ports, wallet: () => strict };
  await refusal(createWalletOrder(ports, wants()), 'CITY_REQUIRED');
  await create();
  expect(await attempts()).toEqual(['paypal failed', 'paypal open']);
});

test('a token that PayPal has taken back is replaced, and keys that it does not take are named', async () => {
  const { clientId, clientSecret } = counter.paypal;
  let paypal = new LocalPayPal({ clientId, clientSecret });
  const settings = {
    clientId,
    clientSecret,
    mode: 'sandbox',
    apiUrl: 'http://127.0.0.1:1',
  } as const;
  const wallet = openPayPal(settings, {
    fetch: (input, init) => paypal.handle(new Request(input, init)),
  });
  expect(await wallet.readOrder('NONE')).toMatchObject({ status: 404 });
  paypal = new LocalPayPal({ clientId, clientSecret });
  expect(await wallet.readOrder('NONE')).toMatchObject({ status: 404 });
  paypal = new LocalPayPal({ clientId, clientSecret: 'another' });
  await expect(wallet.readOrder('NONE')).rejects.toThrow(NotConfigured);
});
