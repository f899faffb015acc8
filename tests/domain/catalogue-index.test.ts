/** Search and categories over the products on the device. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeChunk } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { categoriesOf, compareKeys, keyOf, type ProductRow } from '../../src/domain/product.ts';
import { fold, termsOf } from '../../src/domain/search.ts';

/**
 * A product; `fields` has values by their position in PRODUCT_COLUMNS: 2 is the size, 3 the picture's link, 4 to 7
 * are the categories, 9 is the material and 10 the fabric composition.
 */
const row = (id: number, skc: string, fields: Partial<Record<number, string | number>> = {}) =>
  [id, skc, '', null, null, null, null, null, null, null, null].map(
    (value, i) => fields[i] ?? value,
  ) as unknown as ProductRow;

function indexOf(...chunks: (readonly ProductRow[])[]): CatalogueIndex {
  const index = new CatalogueIndex();
  for (const rows of chunks) index.apply(encodeChunk(rows));
  return index;
}

/** The stock codes that a search finds, in their order on screen. */
const skcs = (index: CatalogueIndex, search: string, category: string | null = null) =>
  index.find({ category, search }).map((place) => index.at(place)?.skc);

test('search looks at the four categories, the stock code and the material, and nowhere else', () => {
  const fields = { 3: 'link', 4: 'one', 5: 'two', 6: 'three', 7: 'four', 9: 'wool', 10: 'blend' };
  const index = indexOf([row(1, 'WF-1', { ...fields, 2: 'xl' })]);
  for (const typed of ['one', 'two', 'three', 'four', 'wool', 'wf-1']) {
    expect(skcs(index, typed), typed).toEqual(['WF-1']);
  }
  for (const typed of ['link', 'blend', 'xl']) expect(skcs(index, typed), typed).toEqual([]);
});

test('a search finds products with all its words in any order and field; no word matches across two fields', () => {
  const shirt = row(1, 'A', { 4: 'Linen shirt', 5: 'Women' });
  const index = indexOf([shirt, row(2, 'B', { 4: 'Linen' })]);
  expect(skcs(index, '  women   linen ')).toEqual(['A']);
  expect(skcs(index, 'shirtwomen')).toEqual([]);
  expect(skcs(index, '   ')).toEqual(['A', 'B']);
});

test('a chip shows the products that carry the category in any of the four fields', () => {
  const index = indexOf([
    row(1, 'A', { 4: 'Tee', 7: 'New' }),
    row(2, 'B', { 4: 'New' }),
    row(3, 'C', { 4: 'Newer' }),
  ]);
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
      const index = indexOf(used.map((name, i) => row(i + 1, `${i}`, { 4: name })));
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

/** Pages and changes from the server: products as id, stock code and first category, and removed ids. */
const history = fc.array(
  fc.record({
    rows: fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('A', 'B', 'C', 'D'),
        fc.constantFrom('Tee', 'Coat', 'Sock'),
      ),
      { maxLength: 8 },
    ),
    removed: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
  }),
  { maxLength: 12 },
);

test('whatever pages and changes arrive, each product is there once, in its last version, in order', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const index = new CatalogueIndex();
      const model = new Map<number, ProductRow>();
      for (const batch of batches) {
        const unique = new Map(
          batch.rows.map(([id, skc, name]) => [id, row(id, skc, { 4: name })]),
        );
        // The server names a product as changed or as removed, never as both.
        for (const id of batch.removed) unique.delete(id);
        index.apply(encodeChunk([...unique.values()], batch.removed));
        for (const id of batch.removed) model.delete(id);
        for (const [id, product] of unique) model.set(id, product);
      }
      const expected = [...model.values()].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
      expect(index.rows()).toEqual(expected);
      expect(index.size).toBe(expected.length);
      expect(index.categories()).toEqual([...new Set(expected.flatMap(categoriesOf))].sort());
      for (const category of ['Tee', 'Coat', 'Sock']) {
        const ids = index.find({ category, search: '' }).map((place) => index.at(place)?.id);
        expect(ids).toEqual(
          expected.filter((product) => product[4] === category).map((product) => product[0]),
        );
      }
    }),
    { numRuns: 500 },
  );
});
