/** What the shop offers for a search with a typo. */
import { expect, test } from 'vitest';
import { suggestionFor } from '../../src/catalogue/suggestion.ts';
import { NOTHING_CHOSEN } from '../../src/domain/filter.ts';
import { encodeChunk } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import type { ProductRow } from '../../src/domain/product.ts';

const product = (id: number, category1: string, category2: string): ProductRow => [
  id,
  `S-${id}`,
  'M',
  null,
  category1,
  category2,
  null,
  null,
  9,
  'Wool',
  null,
];
const index = new CatalogueIndex();
index.apply(
  encodeChunk([
    product(1, 'Beanie', 'Men'),
    product(2, 'Linen shirt', 'Women'),
    product(3, 'Trousers', 'Women'),
    product(4, 'Mads Nørgaard tee', 'Women'),
  ]),
);
const filter = { category: null, onlyFavourites: false, sort: null, chosen: NOTHING_CHOSEN };
const suggested = (search: string, category: string | null = null) =>
  suggestionFor(index, { ...filter, category, search });

test.each([
  ['a letter too few', 'benie', 'beanie'],
  ['a letter too many', 'beannie', 'beanie'],
  ['another letter', 'beenie', 'beanie'],
  ['two letters swapped', 'baenie', 'beanie'],
  ['a wrong first letter', 'veanie', 'beanie'],
  ['one word of two', 'linen shrit', 'linen shirt'],
  ['a word in other letters', 'nørgard', 'norgaard'],
])('%s is forgiven: %s', (_typo, search, meant) => {
  expect(suggested(search)).toBe(meant);
});

test('nothing is offered for what is like no word, too short, or in another category', () => {
  for (const search of ['zzzz', 'bx', 'beanie zzzz'])
    expect([search, suggested(search)]).toEqual([search, null]);
  expect(suggested('benie', 'Men')).toBe('beanie');
  expect(suggested('benie', 'Women')).toBeNull();
});
