/** Prices, which are whole numbers of cents. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPrice, parseMinor } from '../../src/domain/money.ts';

test('a price is shown with a dollar sign and two decimals, and as N/A when there is none', () => {
  expect(formatPrice(parseMinor(12.5))).toBe('$12.50');
  expect(formatPrice(parseMinor(0))).toBe('$0.00');
  for (const none of [null, NaN, '12', -1]) expect(formatPrice(parseMinor(none))).toBe('N/A');
});

test('a price from a thousand dollars on has its thousands separated', () => {
  expect(formatPrice(parseMinor(999.99))).toBe('$999.99');
  expect(formatPrice(parseMinor(1234.05))).toBe('$1,234.05');
  expect(formatPrice(parseMinor(11088))).toBe('$11,088.00');
  expect(formatPrice(parseMinor(1234567890.5))).toBe('$1,234,567,890.50');
});

test('every price that the database can hold keeps its cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => {
      expect(parseMinor(cents / 100)).toBe(cents);
    }),
  );
});
