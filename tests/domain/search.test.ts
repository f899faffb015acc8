/** A search finds what it should, however a phone types it and a file writes it. */
import { expect, test } from 'vitest';
import { haystackOf, termsOf } from '../../src/domain/search.ts';
import { productRow } from './product-row.ts';

const isFound = (search: string, name: string) => {
  const haystack = haystackOf(productRow(1, 'A', { 'Category 1': name }));
  return termsOf(search).every((term) => haystack.includes(term));
};

/** What is typed, and the product that it must find. */
const PAIRS = [
  // Apostrophes and quotation marks
  ['Women’s cape', "Women's cape"],
  ['womens cape', "Women's cape"],
  ['women`s', "Women's cape"],
  ['waist 32”', 'Waist 32" belt'],
  ['“best” coat', 'best coat'],
  // Dashes
  ['T—shirt', 'T-shirt'],
  ['T-shirt', 'T‑shirt'],
  // Invisible characters and blanks of phones and spreadsheets
  ['T-1\u200b', 'T-1'],
  ['T-1', 'T\u00ad-1'],
  ['wool\u00a0coat', 'wool coat'],
  ['\u200ewool\u200f', 'wool'],
  // Letters with a stroke, and pairs of letters
  ['nørgaard', 'Mads Norgaard tee'],
  ['lodz shawl', 'Łódź shawl'],
  ['STRASSEN', 'Straßen mac'],
  ['coeur', 'Cœur knit'],
  ['istanbul', 'İstanbul scarf'],
  ['kadin', 'Kadın mont'],
  ['thorhildur', 'Þórhildur knit'],
  // Accents and other forms
  ['été', 'ETE'],
  ['ete', 'Été'],
  ['cafe', 'cafe\u0301'],
  ['fine', 'ﬁne knit'],
] as const;

test.each(PAIRS)('“%s” finds “%s”', (search, name) => {
  expect(isFound(search, name)).toBe(true);
});

test('other words find nothing', () => {
  expect(isFound('mens', 'Wool coat')).toBe(false);
  expect(isFound('t shirts', 'T-shirt')).toBe(false);
});
