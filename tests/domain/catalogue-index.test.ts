/** Search and categories over the products on the device. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { fold, termsOf } from '../../src/domain/search.ts';
import { indexOf, productRow } from './product-row.ts';

/** The stock codes that a search finds, in their order on screen. */
const skcs = (index: CatalogueIndex, search: string, category: string | null = null) =>
  index.find({ category, search }).map((place) => index.at(place)?.skc);

test('search looks at the four categories, the stock code and the material, and nowhere else', () => {
  const product = productRow(1, 'WF-1', {
    Size: 'xl',
    'Images link': 'link',
    'Category 1': 'one',
    'Category 2': 'two',
    'Category 3': 'three',
    'Category 4': 'four',
    Material: 'wool',
    'Fabric Composition': 'blend',
  });
  const index = indexOf(product);
  for (const typed of ['one', 'two', 'three', 'four', 'wool', 'wf-1']) {
    expect(skcs(index, typed), typed).toEqual(['WF-1']);
  }
  for (const typed of ['link', 'blend', 'xl']) expect(skcs(index, typed), typed).toEqual([]);
});

test('a search finds products with all its words in any order and field; no word matches across two fields', () => {
  const shirt = productRow(1, 'A', { 'Category 1': 'Linen shirt', 'Category 2': 'Women' });
  const index = indexOf(shirt, productRow(2, 'B', { 'Category 1': 'Linen' }));
  expect(skcs(index, '  women   linen ')).toEqual(['A']);
  expect(skcs(index, 'shirtwomen')).toEqual([]);
  expect(skcs(index, '   ')).toEqual(['A', 'B']);
});

test('a chip shows the products that carry the category in any of the four fields', () => {
  const index = indexOf(
    productRow(1, 'A', { 'Category 1': 'Tee', 'Category 4': 'New' }),
    productRow(2, 'B', { 'Category 1': 'New' }),
    productRow(3, 'C', { 'Category 1': 'Newer' }),
  );
  expect(skcs(index, '', 'New')).toEqual(['A', 'B']);
  expect(skcs(index, 'tee', 'New')).toEqual(['A']);
  expect(skcs(index, '', 'Gone')).toEqual([]);
  expect(index.categories()).toEqual(['New', 'Newer', 'Tee']);
});

test('chips are sorted as in English, whatever letters their names have', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...Array.from('abAB2 éÉ-&')) })
    .map((text) => `${text}x`);
  fc.assert(
    fc.property(fc.uniqueArray(name), (used) => {
      const index = indexOf(
        ...used.map((name, i) => productRow(i + 1, `${i}`, { 'Category 1': name })),
      );
      expect(index.categories()).toEqual(used.toSorted((a, b) => a.localeCompare(b, 'en')));
    }),
  );
});

test('folding is the same for what is searched and what is typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
      for (const term of termsOf(text)) expect(fold(text)).toContain(term);
    }),
  );
});
