/** What a press of + or − in the cart sends. */
import { expect, test } from 'vitest';
import { quantityChange } from '../../src/cart/mutations.ts';

const PRODUCT = 7;
const MAX = 99;

test('+ and − send by how much, so that those of two phones add up', () => {
  expect(quantityChange(5, PRODUCT, 1)).toEqual([
    { kind: 'cart.add', args: { productId: PRODUCT, by: 1 } },
  ]);
  expect(quantityChange(5, PRODUCT, -1)).toEqual([
    { kind: 'cart.reduce', args: { productId: PRODUCT, by: 1 } },
  ]);
});

test('from more than can be ordered, one press of − leads to 99; + stops at 99, and − at 1', () => {
  expect(quantityChange(150, PRODUCT, -1)).toEqual([
    { kind: 'cart.reduce', args: { productId: PRODUCT, by: 150 - MAX } },
  ]);
  expect(quantityChange(MAX - 1, PRODUCT, 1)).toHaveLength(1);
  for (const present of [0, MAX, 150]) expect(quantityChange(present, PRODUCT, 1)).toEqual([]);
  for (const present of [0, 1]) expect(quantityChange(present, PRODUCT, -1)).toEqual([]);
});
