/** Products on their way to a phone, by columns. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, rowsIn } from '../../src/domain/product-columns.ts';
import type { ProductRow } from '../../src/domain/product.ts';

/** As the shop stores texts. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .map((given) => given.trim())
  .filter((given) => given !== '');
const textOrNull = fc.option(text);
const row: fc.Arbitrary<ProductRow> = fc.tuple(
  fc.integer({ min: 1 }),
  fc.oneof(text, fc.constantFrom('S-1', 'S-10', 'S-1😀', 'S-1😁')),
  fc.constantFrom('', 'S', 'M'),
  textOrNull,
  textOrNull,
  textOrNull,
  textOrNull,
  textOrNull,
  fc.constantFrom(null, 0, 9.95, 1234.5),
  textOrNull,
  textOrNull,
);

test('products arrive as they were sent, whatever they are made of', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(rowsIn(JSON.parse(JSON.stringify(columnsOf(rows))))).toEqual(rows);
    }),
  );
});

const [ids, codes, ...others] = columnsOf([[7, 'A', '', ...Array(8).fill(null)] as never]);

test.each([
  ['nothing', null],
  ['a page of another site', { ids }],
  ['no columns', []],
  ['a column too few', [ids, codes, ...others.slice(1)]],
  ['an id that is no number', [['x'], codes, ...others]],
  ['no stock code', [ids, [[0], ['']], ...others]], // no shared characters, and no others
])('an answer with %s holds no products', (_what, columns) => {
  expect(rowsIn(columns)).toBeNull();
});
