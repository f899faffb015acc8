/** Sentences about carts that the checkout cannot order. */
import { expect, test } from 'vitest';
import { validationErrorsOf } from '../../src/checkout/pay/place-order.ts';
import { cartOf, lineTotalOf } from '../../src/domain/cart.ts';

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
    'Sock: you can order up to 99 at once. You have 100 in your cart.',
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
