/**
 * Foreign money: an attacker with the shop's public client id makes PayPal orders that name orders of the shop,
 * but whose money goes to the attacker's account.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { orderBody } from '../../netlify/lib/paypal-order.ts';
import { parsePayPalOrder } from '../../netlify/local/paypal/order-request.ts';
import { applyPaymentEvent, type RequestedOrder } from '../../netlify/lib/payments.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Instrument } from '../../netlify/local/paypal/state.ts';
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
const payees = () => backend.query('select merchant_id from public.payees');
const stateOf = (id: string) => shop.buyer.state({ id });

/** An event by which PayPal reports money for an order of the shop; `number` is part of its ids. */
const captureEvent = (reference: string, orderId: string, number: number) =>
  ({
    provider: 'paypal',
    eventId: `WH-${number}`,
    reference,
    orderId,
    outcome: 'captured',
    amountMinor: COAT_CENTS,
    currency: 'USD',
    mode: 'sandbox',
    captureId: `CAP-${number}`,
  }) as const;

/** Pays an order of the shop at PayPal with foreign money. @returns the id of the PayPal order */
async function payElsewhere(orderId: string, instrument: Instrument = 'good'): Promise<string> {
  const placed = await shop.buyer.orders.find(user, orderId, null);
  if (placed === null) throw new Error('no order');
  const body = orderBody(placed.order, 'https://eve.example');
  const { id } = shop.paypal.create(parsePayPalOrder(JSON.stringify(body)));
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

test('foreign money pays no order of the shop, even before the shop has made any order at PayPal', async () => {
  const { orderId } = await createCheckout(shop.ports, request());
  await payElsewhere(orderId);
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await payees()).toEqual([]);
});

test('foreign money that is pending first is not taken for that of an attempt for which PayPal gave no answer', async () => {
  const orderId = await placeWithoutAnswer();
  const foreign = await payElsewhere(orderId, 'pending');
  expect(await stateOf(orderId)).toBe('pending');
  shop.paypal.settle(foreign);
  await shop.idle();
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
});

test('a second foreign payment for an order that waits for a person counts as no money either', async () => {
  const orderId = await placeWithoutAnswer();
  const reference = await payElsewhere(orderId);
  await applyPaymentEvent(shop.ports, { ...captureEvent(reference, orderId, 2), payee: FOREIGN });
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
  expect(shop.log).toContain("paypal payment CAP-2 went to another account than this shop's");
});

test('foreign money in a second purchase unit is not taken for that of the first unit, which pays the shop a cent', async () => {
  // The shop notes its own account when PayPal answers for an order of its own.
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
  await applyPaymentEvent(ports, captureEvent(body.id, orderId, 2));
  expect(await stateOf(orderId)).toBe('needs_review');
  expect(await shop.buyer.money({ id: orderId })).toBe('0 of 0');
});

test('money whose payee the PayPal order does not show yet counts neither as the shop’s nor as foreign', async () => {
  const made = await createWalletOrder(shop.ports, request());
  const { orderId: reference, storeOrderId: orderId } = made;
  const event = captureEvent(reference, orderId, 4);
  await expect(applyPaymentEvent(shop.ports, event)).rejects.toThrow(ProviderUnavailable);
  expect(await stateOf(orderId)).toBe('pending');
  const [own] = await payees();
  await applyPaymentEvent(shop.ports, { ...event, payee: String(own?.['merchant_id']) });
  expect(await stateOf(orderId)).toBe('paid');
});

test('an order that the shop made at PayPal is paid, even before the shop has noted its own account', async () => {
  const made = await createWalletOrder(shop.ports, request());
  await backend.query('truncate public.payees');
  shop.paypal.approve(made.orderId);
  await captureWalletOrder(shop.ports, user, made.orderId);
  expect(await stateOf(made.storeOrderId)).toBe('paid');
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
