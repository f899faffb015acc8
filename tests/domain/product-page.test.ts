/** A product with all of its sizes, and what goes with it. */
import { expect, test } from 'vitest';
import {
  chosenSize,
  summaryOf,
  priceWords,
  productData,
  productPageOf,
} from '../../src/domain/product-page.ts';
import { goesWith } from '../../src/product/goes-with.ts';
import { nearTo } from '../../src/product/near-to.ts';
import { indexOf, productRow } from './product-row.ts';

let id = 0;
/** A row with these values, and the price of 9; its other fields are empty. */
const row = (
  skc: string,
  size: string,
  category1 = 'Tee',
  category2: string | null = null,
  price: number | null = 9,
) => {
  const categories = { 'Category 1': category1, 'Category 2': category2 };
  return productRow(++id, skc, { Size: size, ...categories, 'Retail Price': price });
};

test('the index finds all rows of a code, and none of another that begins or ends like it', () => {
  const codes = ['A', 'A ', 'AB', 'A-1', 'a', 'B'];
  const index = indexOf(...codes.flatMap((skc) => [row(skc, 'M'), row(skc, 'L')]));
  for (const skc of codes) {
    expect(index.ofCode(skc).map(([, code, size]) => [code, size])).toEqual([
      [skc, 'M'],
      [skc, 'L'],
    ]);
  }
  for (const skc of ['', 'A-', 'C', 'AA']) expect(index.ofCode(skc)).toEqual([]);
});

test('below a product are others of its categories: one of each other kind, then its own kind, beginning at its own place in the list', () => {
  const index = indexOf(
    row('A', '', 'Sock', 'Men'),
    row('B', '', 'Tee', 'Men'),
    row('C', '', 'Tee', 'Men'),
    row('D', '', 'Coat', 'Men'),
    row('E', '', 'Coat', 'Men'),
    row('F', '', 'Skirt', 'Women'),
    row('G', '', 'Tee', 'Women'),
  );
  const codesBelow = (skc: string) => {
    const page = productPageOf(index.ofCode(skc));
    return page && goesWith(index, page).map((other) => other.skc);
  };
  expect(codesBelow('C')).toEqual(['D', 'A', 'G', 'B']); // a coat, a sock, then the other tees
  expect(codesBelow('F')).toEqual(['G']);
  expect(codesBelow('A')).toEqual(['B', 'D']);
});

test('a product without a price is not shown below another', () => {
  const index = indexOf(
    row('A', '', 'Sock', 'Men'),
    row('B', '', 'Coat', 'Men', null),
    row('C', '', 'Tee', 'Men'),
  );
  const page = productPageOf(index.ofCode('A'));
  expect(page && goesWith(index, page).map(({ skc }) => skc)).toEqual(['C']);
});

test('a size is chosen by the address or because it is the only one; until then the price is the lowest', () => {
  const page = productPageOf([
    row('A', 'S', 'Tee', null, null),
    row('A', 'M', 'Tee', null, 9),
    row('A', 'L', 'Tee', null, 12),
  ])!;
  expect(chosenSize(page, 'L')?.size).toBe('L');
  expect(priceWords(page, chosenSize(page, 'L'))).toBe('$12.00');
  expect(priceWords(page, chosenSize(page, 'S'))).toBe('N/A');
  expect(chosenSize(page, 'XXL')).toBeNull();
  expect(chosenSize(page, null)).toBeNull();
  expect(priceWords(page, null)).toBe('From $9.00');
  const single = productPageOf([row('B', 'M')])!;
  expect(chosenSize(single, null)?.size).toBe('M');
});

test('near to a product that has left the shop are those of its kind, or of the kind of the most alike code', () => {
  const index = indexOf(
    row('COAT-1', '', 'Coat'),
    row('SOCK-1', '', 'Sock'),
    row('SOCK-3', '', 'Sock'),
    row('TEE-1', '', 'Tee'),
  );
  const near = (skc: string, kind: string | null = null) =>
    nearTo(index, skc, kind).map((place) => index.at(place)?.skc);
  expect(near('SOCK-2')).toEqual(['SOCK-1', 'SOCK-3']);
  expect(near('SOCK-2', 'Coat')).toEqual(['COAT-1']);
  // No product is a cape, so the code decides.
  expect(near('SOCK-9', 'Cape')).toEqual(['SOCK-1', 'SOCK-3']);
  // Fewer than three characters in common may be chance.
  expect(near('SO')).toEqual([]);
  expect(near('X-1')).toEqual([]);
});

test('a product without anything but a code is described all the same', () => {
  const page = productPageOf([productRow(1, 'A')]);
  expect(page && summaryOf(page)).toBe('Untitled.');
});

test('a product with a price for only one of its sizes is one product to search engines, with that size', () => {
  const page = productPageOf([row('A', 'S'), row('A', 'L', 'Tee', null, null)]);
  const text = page && productData(page, { site: 'https://weft.example', returns: null });
  expect(JSON.parse(text ?? '')).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Tee',
    description: 'Tee. Sizes S, L. $9.00.',
    url: 'https://weft.example/product/A',
    category: 'Tee',
    sku: 'A',
    size: 'S',
    offers: {
      '@type': 'Offer',
      price: '9.00',
      priceCurrency: 'USD',
      url: 'https://weft.example/product/A?size=S',
    },
  });
});
