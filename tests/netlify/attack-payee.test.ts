/** A program with the shop's public client id makes PayPal orders of its own, for another account. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { orderBody } from '../../netlify/lib/paypal-order.ts';
import { readOrderRequest } from '../../netlify/local/paypal/order-request.ts';
import { applyPaymentEvent, type RequestedOrder } from '../../netlify/lib/payments.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Instrument } from '../../netlify/local/paypal/state.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const FOREIGN = 'EVESACCNT2345';
const CENTS = 5400;
const { backend, user, products } = await openBackendSelling({ COAT: CENTS / 100 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(() => {
  shop = new InProcessShop(backend, user);
});

const request = (changes?: Partial<RequestedOrder>) => shop.requestFor({ [coat]: 1 }, changes);
const payees = () => backend.query('select merchant_id from public.payees');
const stateOf = (id: string) => shop.buyer.state({ id });

/** What PayPal says of money for an order of the shop. */
const captured = (reference: string, orderId: string, number: number) =>
  ({
    provider: 'paypal',
    eventId: `WH-${number}`,
    reference,
    orderId,
    outcome: 'captured',
    amountMinor: CENTS,
    currency: 'USD',
    mode: 'sandbox',
    captureId: `CAP-${number}`,
  }) as const;

/** Makes an order at PayPal as the shop does for one of its own, and has another account get the money. */
async function payElsewhere(orderId: string, instrument: Instrument = 'good'): Promise<string> {
  const found = await shop.buyer.orders.find(user, orderId, null);
  if (found === null) throw new Error('no order');
  const body = orderBody(found.order, 'https://eve.example');
  const { id } = shop.paypal.create(readOrderRequest(JSON.stringify(body)));
  shop.paypal.changePayee(id, FOREIGN);
  shop.paypal.approve(id, instrument);
  shop.paypal.capture(id);
  await shop.idle();
  return id;
}

/** Places an order whose request to PayPal fails. @returns the id of the shop's order */
async function placeWithoutAnswer(): Promise<string> {
  shop.paypal.faults.next(/orders$/, { kind: 'cut', moment: 'before' });
  const orderId = randomUUID();
  const creating = createWalletOrder(shop.ports, request({ orderId }));
  await expect(creating).rejects.toThrow(ProviderUnavailable);
  return orderId;
}

test('before the shop has made an order at PayPal, its money pays no order of the shop', async () => {
  const { orderId } = await createCheckout(shop.ports, request());
  await payElsewhere(orderId);
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await payees()).toEqual([]);
});

test('its money that waits first does not become that of an attempt for which PayPal gave no answer', async () => {
  const orderId = await placeWithoutAnswer();
  const foreign = await payElsewhere(orderId, 'pending');
  expect(await stateOf(orderId)).toBe('pending');
  shop.paypal.settle(foreign);
  await shop.idle();
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
});

test('its second payment for an order that waits for a person counts as no money either', async () => {
  const orderId = await placeWithoutAnswer();
  const reference = await payElsewhere(orderId);
  await applyPaymentEvent(shop.ports, { ...captured(reference, orderId, 2), payee: FOREIGN });
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
  expect(shop.log).toContain("paypal payment CAP-2 went to another account than this shop's");
});

test('its money in a second purchase unit is not taken for that of the first, which pays the shop a cent', async () => {
  await createWalletOrder(shop.ports, shop.requestFor({ [coat]: 2 }));
  const [own] = await payees();
  const { orderId } = await createCheckout(shop.ports, request());
  const unit = (payee: unknown, value: string, id: string) => ({
    payee: { merchant_id: payee },
    payments: { captures: [{ id, amount: { currency_code: 'USD', value } }] },
  });
  const body = {
    id: 'FOREIGN1',
    purchase_units: [unit(own?.['merchant_id'], '0.01', 'CAP-1'), unit(FOREIGN, '54.00', 'CAP-2')],
  };
  const readOrder = async () => ({ ok: true, body }) as const;
  const ports = shop.portsToPayPal({ readOrder });
  await applyPaymentEvent(ports, captured(body.id, orderId, 2));
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
});

test('money of which PayPal’s order does not show who gets it yet is neither the shop’s nor foreign', async () => {
  const made = await createWalletOrder(shop.ports, request());
  const { orderId: reference, storeOrderId: orderId } = made;
  const event = captured(reference, orderId, 4);
  await expect(applyPaymentEvent(shop.ports, event)).rejects.toThrow(ProviderUnavailable);
  expect(await stateOf(orderId)).toBe('pending');
  const [own] = await payees();
  await applyPaymentEvent(shop.ports, { ...event, payee: String(own?.['merchant_id']) });
  expect(await stateOf(orderId)).toBe('paid');
});

test('before the shop has noted an account, an order that it made itself is paid', async () => {
  const made = await createWalletOrder(shop.ports, request());
  await backend.query('truncate public.payees');
  shop.paypal.approve(made.orderId);
  await captureWalletOrder(shop.ports, user, made.orderId);
  expect(await stateOf(made.storeOrderId)).toBe('paid');
});

test('it cannot make the order first under the request id that the shop will send, as that cannot be guessed', async () => {
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
