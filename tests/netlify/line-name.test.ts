/** The name of an order's line on the payment pages of Stripe and PayPal. */
import { expect, test } from 'vitest';
import { lineName } from '../../netlify/lib/stripe-session.ts';

const nameOfSize = (size: string) =>
  lineName({ product_id: 1, skc: 'A', title: 'Scarf', size, unit_minor: 100, quantity: 1 });

test('the name of a line says the size, and the word "size" once', () => {
  expect(nameOfSize('M')).toBe('Scarf, size M');
  expect(nameOfSize('One size')).toBe('Scarf, One size');
  expect(nameOfSize('')).toBe('Scarf');
});
