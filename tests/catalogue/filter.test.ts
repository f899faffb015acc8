/** The filter of the catalogue as an address. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL, filterHref, filterOf, type PageFilter } from '../../src/catalogue/filter.ts';
import { PRICE_SORTS } from '../../src/domain/filter.ts';

const read = (address: string) => filterOf(new URL(address, 'https://shop.test').searchParams);
/** Half of a surrogate pair cannot stand in an address; the database does not hold it either. */
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => value.isWellFormed());
const values = fc.uniqueArray(text, { maxLength: 4 });

const anyFilter: fc.Arbitrary<PageFilter> = fc.record({
  category: fc.option(text),
  search: text.filter((value) => value.trim() !== ''),
  onlyFavourites: fc.boolean(),
  chosen: fc.record({
    size: values,
    price: fc.uniqueArray(fc.constantFrom('-50', '50-80', '80-'), { maxLength: 3 }),
    material: values,
  }),
  sort: fc.constantFrom(null, ...PRICE_SORTS),
});

test('a filter goes into its address and comes back', () => {
  fc.assert(
    fc.property(anyFilter, (filter) => {
      expect(read(filterHref(filter))).toEqual(filter);
    }),
  );
  expect(filterHref(ALL)).toBe('/');
  expect(read('/')).toEqual(ALL);
});

test('an address with words that the shop does not know is read without them', () => {
  expect(
    read(
      '/?sort=name&price=cheap&price=-&price=1.5-2&price=-0&price=80-50&size=&material=&colour=red',
    ),
  ).toEqual(ALL);
  expect(read('/?size=M&size=M').chosen.size).toEqual(['M']);
});
