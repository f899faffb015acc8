/**
 * Foreign money: an attacker with the shop's public client id makes PayPal orders that name orders of the shop,
 * but whose money goes to the attacker's account.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { RequestedOrder } from '../../netlify/lib/orders.ts';
import { applyPaymentEvent } from '../../netlify/lib/payments.ts';
import { orderBody } from '../../netlify/lib/paypal-objects.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

/** The id of the attacker's PayPal account. */
const FOREIGN = 'EVESACCNT2345';
const COAT_CENTS = 5400;
const { backend, user, products } = await openBackendSelling({ COAT: COAT_CENTS / 100 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(() => {
  shop = new InProcessShop(backend, user);
});

const request = (changes?: Partial<RequestedOrder>) => shop.requestFor({ [coat]: 1 }, changes);
const stateOf = (id: string) => shop.buyer.state({ id });

/** An event by which PayPal reports money for a PayPal order; `number` is part of its ids. */
const captureEvent = (reference: string, number: number) =>
  ({
    provider: 'paypal',
    eventId: `WH-${number}`,
    reference,
    outcome: 'captured',
    amountMinor: COAT_CENTS,
    currency: 'USD',
    mode: 'sandbox',
    captureId: `CAP-${number}`,
  }) as const;

test('foreign money that names an order of the shop pays no order', async () => {
  const { storeOrderId } = await createWalletOrder(shop.ports, request());
  const placed = await shop.buyer.orders.find(user, storeOrderId, null);
  if (placed === null) throw new Error('no order');
  const body = orderBody(placed.order, 'https://eve.example');
  const { id } = shop.paypal.create(body);
  shop.paypal.changePayee(id, FOREIGN);
  shop.paypal.approve(id);
  shop.paypal.capture(id);
  await shop.idle();
  expect(await stateOf(storeOrderId)).toBe('pending');
  expect(await backend.query('select result from public.payment_events')).toEqual([
    { result: 'unknown' },
  ]);
});

test('foreign money pays no order, though the shop itself has made the PayPal order and asked for the capture', async () => {
  const { orderId, storeOrderId } = await createWalletOrder(shop.ports, request());
  shop.paypal.changePayee(orderId, FOREIGN);
  shop.paypal.approve(orderId);
  await captureWalletOrder(shop.ports, user, orderId);
  expect(await stateOf(storeOrderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: storeOrderId })).toBe('0 of 0');
});

test('foreign money in a second purchase unit is not taken for that of the first unit, which pays the shop a cent', async () => {
  const { orderId: reference, storeOrderId } = await createWalletOrder(shop.ports, request());
  const [attempt] = await backend.query('select payee from public.payment_attempts');
  const unit = (payee: unknown, value: string, id: string) => ({
    payee: { merchant_id: payee },
    payments: { captures: [{ id, amount: { currency_code: 'USD', value } }] },
  });
  const body = {
    id: reference,
    purchase_units: [unit(attempt?.['payee'], '0.01', 'CAP-1'), unit(FOREIGN, '54.00', 'CAP-2')],
  };
  const readOrder = async () => ({ ok: true, body }) as const;
  const ports = shop.portsToPayPal({ readOrder });
  await applyPaymentEvent(ports, captureEvent(reference, 2));
  expect(await stateOf(storeOrderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: storeOrderId })).toBe('0 of 0');
});

test('money whose payee the PayPal order does not show yet counts neither as the shop’s nor as foreign', async () => {
  const made = await createWalletOrder(shop.ports, request());
  const { orderId: reference, storeOrderId: orderId } = made;
  const event = captureEvent(reference, 4);
  await expect(applyPaymentEvent(shop.ports, event)).rejects.toThrow(ProviderUnavailable);
  expect(await stateOf(orderId)).toBe('pending');
  const [attempt] = await backend.query('select payee from public.payment_attempts');
  await applyPaymentEvent(shop.ports, { ...event, payee: String(attempt?.['payee']) });
  expect(await stateOf(orderId)).toBe('paid');
});

test('an attacker cannot make the PayPal order first, because the request id that the shop will send cannot be guessed', async () => {
  const sent: (string | null)[] = [];
  const handle = shop.paypal.handle.bind(shop.paypal);
  shop.paypal.handle = (request) => {
    if (request.url.endsWith('/v2/checkout/orders')) {
      sent.push(request.headers.get('paypal-request-id'));
    }
    return handle(request);
  };
  const orderId = randomUUID();
  await createWalletOrder(shop.ports, request({ orderId }));
  const [uuid] = /[\da-f-]{36}$/.exec(sent[0] ?? '') ?? [];
  expect(sent).toEqual([`${orderId}:1:${uuid}`]);
  expect(uuid).not.toBe(orderId);
});
