/** What the shop offers for a search with a typo. */
import { expect, test } from 'vitest';
import { suggestionFor } from '../../src/catalogue/suggestion.ts';
import { NOTHING_CHOSEN } from '../../src/domain/filter.ts';
import { indexOf, productRow } from '../domain/product-row.ts';

const index = indexOf(
  productRow(1, 'A', { 'Category 1': 'Beanie', 'Category 2': 'Men' }),
  productRow(2, 'B', { 'Category 1': 'Linen shirt', 'Category 2': 'Women' }),
  productRow(3, 'C', { 'Category 1': 'Trousers', 'Category 2': 'Women' }),
  productRow(4, 'D', { 'Category 1': 'Mads Nørgaard tee', 'Category 2': 'Women' }),
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
