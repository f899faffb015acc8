/** Payment pages that the checkout may open, sentences about carts that it cannot order, and address fields. */
import { expect, test } from 'vitest';
import { textFields } from '../../src/checkout/address-form.tsx';
import { stripeHostIn } from '../../netlify/build/stripe-host.ts';
import { isPaymentPage } from '../../src/checkout/pay/card.ts';
import { validationErrorsOf } from '../../src/checkout/pay/place-order.ts';
import { COUNTRIES } from '../../src/domain/address.ts';
import { cartOf, lineTotalOf } from '../../src/domain/cart.ts';

/** A shop without a domain of its own at Stripe. */
const NO_HOST = '';
/** The build is for one machine, with test payments. */
const EMBEDDED = true;

test('only Stripe’s own address is a payment page', () => {
  const isAllowed = (address: string) => isPaymentPage(address, NO_HOST, !EMBEDDED);
  expect(isAllowed('https://checkout.stripe.com/c/pay/cs_1#fragment')).toBe(true);
  for (const address of [
    'http://checkout.stripe.com/c/pay/cs_1',
    'https://checkout.stripe.com.example/c/pay/cs_1',
    'https://checkout.stripe.com:444/',
    'https://user@checkout.stripe.com/',
    'https://example.com/?checkout.stripe.com',
    'javascript:alert(1)',
    'http://127.0.0.1:4000/c/pay/cs_1',
    '',
  ]) {
    expect(isAllowed(address), address).toBe(false);
  }
});

test('a card is also taken to the shop’s own domain at Stripe, and to no other', () => {
  const isAllowed = (address: string) => isPaymentPage(address, 'pay.weft.example', !EMBEDDED);
  expect(isAllowed('https://pay.weft.example/c/pay/cs_1')).toBe(true);
  expect(isAllowed('https://checkout.stripe.com/c/pay/cs_1')).toBe(true);
  for (const address of [
    'http://pay.weft.example/',
    'https://x.pay.weft.example/',
    'https:///c/pay/cs_1',
  ]) {
    expect(isAllowed(address), address).toBe(false);
  }
});

test('a build takes a bare host name for Stripe’s payment page, and rejects anything else', () => {
  const hostIn = (VITE_STRIPE_CHECKOUT_HOST?: string) =>
    stripeHostIn((name) => ({ VITE_STRIPE_CHECKOUT_HOST })[name]);
  for (const unset of [undefined, '', ' ']) {
    expect(hostIn(unset)).toEqual({ host: null, fault: null });
  }
  expect(hostIn(' Pay.Weft.example ')).toEqual({ host: 'pay.weft.example', fault: null });
  for (const wrong of [
    'https://pay.weft.example',
    'pay.weft.example/',
    'pay.weft.example:443',
    'user@pay.weft.example',
    '*.weft.example',
    'a.example,b.example',
    'localhost',
    '127.0.0.1',
    '-pay.example',
    `${'a'.repeat(64)}.example`,
  ]) {
    expect(hostIn(wrong).fault, wrong).toContain('must be a host name alone');
  }
});

test('with test payments the emulator on this machine is a payment page too', () => {
  const isAllowed = (address: string) => isPaymentPage(address, NO_HOST, EMBEDDED);
  expect(isAllowed('http://127.0.0.1:4000/c/pay/cs_1')).toBe(true);
  expect(isAllowed('http://localhost:4000/c/pay/cs_1')).toBe(true);
  expect(isAllowed('http://[::1]:4000/c/pay/cs_1')).toBe(true);
  expect(isAllowed('http://127.0.0.1.example:4000/')).toBe(false);
  expect(isAllowed('http://192.168.0.2:4000/')).toBe(false);
});

const product = (id: number, price: number | null, size = '') => ({
  id,
  skc: `S${id}`,
  size,
  picture: null,
  title: 'Sock',
  material: null,
  price,
});
/** The device has the whole catalogue. */
const COMPLETE = true;
const line = (productId: number, quantity = 1) => ({ productId, quantity, priceWhenAdded: null });

test('the checkout names every problem of a cart, and none when all of it can be ordered', () => {
  const products = new Map([
    [1, product(1, 900)],
    [2, product(2, null, 'L')],
  ]);
  const find = (id: number) => products.get(id);
  expect(validationErrorsOf(cartOf([line(1, 99)], find, COMPLETE))).toEqual([]);
  expect(validationErrorsOf(cartOf([line(1, 100), line(2), line(3)], find, COMPLETE))).toEqual([
    'You can order up to 99 of Sock at once. You have 100 in your cart.',
    'Sock, size L doesn’t have a price yet, so it can’t be ordered. Remove it to order the rest.',
    'A product in your cart is no longer in the shop. Remove it to order the rest.',
  ]);
  expect(validationErrorsOf(cartOf([line(3)], find, !COMPLETE))).toEqual([
    'The products are still loading. You can pay once they’ve loaded.',
  ]);
});

test('a product that has left the shop is named as this device last saw it, and costs nothing', () => {
  const cart = cartOf(
    [line(1), line(2, 3)],
    (id) => (id === 1 ? product(1, 900) : undefined),
    COMPLETE,
    [product(2, 500, 'L')],
  );
  expect(cart.total).toBe(900);
  expect(cart.items.map(lineTotalOf)).toEqual([900, null]);
  expect(validationErrorsOf(cart)).toEqual([
    'Sock, size L is no longer in the shop. Remove it to order the rest.',
  ]);
});

test('one order has at most 100 different products', () => {
  const MAX_LINES = 100;
  const lines = Array.from({ length: MAX_LINES + 1 }, (_, id) => line(id));
  const [sentence] = validationErrorsOf(cartOf(lines, (id) => product(id, 900), COMPLETE));
  expect(sentence).toContain(`up to ${MAX_LINES} different products`);
});

test('every country asks for the same five fields, the last two in words of its own', () => {
  const names = ['full_name', 'address_line1', 'city', 'state', 'postal_code'];
  for (const country of COUNTRIES) {
    expect(textFields(country).map(({ name }) => name)).toEqual(names);
  }
  const labels = COUNTRIES.map((country) =>
    textFields(country)
      .slice(3)
      .map(({ label }) => label),
  );
  expect(labels).toEqual([
    ['State', 'ZIP code'],
    ['Province', 'Postal code'],
    ['County', 'Postcode'],
  ]);
});
