/** The order of sizes on a product's page and in the filter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareSizes } from '../../src/domain/sizes.ts';

test.each([
  ['words', ['X-Small', 'Small', 'Medium', 'Large', 'X-Large', 'XX-Large']],
  [
    'words written out',
    ['Extra Small', 'small', 'MEDIUM', 'Large', 'Extra Large', 'Extra Extra Large'],
  ],
  ['letters', ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', '3XL', '4XL']],
  ['letters and words', ['XS', 'Small', 'M', 'Large', 'XL']],
  ['plus sizes', ['L', '1X', '2X', '3X']],
  ['pairs', ['S/M', 'M/L', 'L/XL']],
  ['pairs beside letters', ['XS', 'S', 'S/M', 'M', 'M/L', 'L']],
  ['fits', ['S', 'M', 'S Petite', 'M Petite', 'S Tall', 'M Tall', 'L Tall']],
  [
    'months and years',
    ['Newborn', '0-3 months', '3-6 months', '12-18 months', '2-3 years', '3-4 years'],
  ],
  ['short ages', ['3M', '6M', '12M', '2T', '3T', '6/7 years']],
  ['waist and length', ['28/30', '30/30', '32/32', '32/34']],
  ['waist and length in words', ['W30 L32', 'W32 L32', 'W32 L34', 'W34 L30']],
  ['numbers', ['6', '8', '10', '12']],
  ['halves', ['37', '37.5', '38', '38½', '39']],
  ['shoes of three systems', ['EU 38', 'EU 39', 'UK 5', 'UK 5½', 'UK 6', 'US 7', 'US 10']],
  ['everything', ['M', '2T', '40', 'One size']],
] as const)('%s are in their order', (_kind, sizes) => {
  expect(sizes.toReversed().toSorted(compareSizes)).toEqual(sizes);
});

test('two ways to write a size stand together', () => {
  const sizes = ['XS', 'XXS', '2XS', 'S', '2XL', 'XXL', 'XX-Large', 'XL'];
  const sorted = sizes.toSorted(compareSizes);
  expect(sorted.slice(0, 2).toSorted()).toEqual(['2XS', 'XXS']);
  expect(sorted.slice(5).toSorted()).toEqual(['2XL', 'XX-Large', 'XXL']);
});

test('any sizes have one order', () => {
  const size = fc.oneof(
    fc.constantFrom('S', 'M/L', '2-3 years', '32/34', 'EU 38', 'One size', '', '½', 'x'),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(size, size, size, (a, b, c) => {
      // `+ 0` makes 0 of -0, which `toBe` tells apart.
      expect(Math.sign(compareSizes(a, b))).toBe(-Math.sign(compareSizes(b, a)) + 0);
      if (compareSizes(a, b) <= 0 && compareSizes(b, c) <= 0) {
        expect(compareSizes(a, c)).toBeLessThanOrEqual(0);
      }
    }),
  );
});
