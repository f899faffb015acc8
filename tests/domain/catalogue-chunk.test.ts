/** What phones store of products. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CATALOGUE_FORMAT, encodeChunk, haystacksOf } from '../../src/domain/catalogue-chunk.ts';
import { PRODUCT_COLUMNS, type ProductRow } from '../../src/domain/product.ts';

/** The present format, and the digest of what `encodeChunk` writes for `ROWS` in it. */
const STORED = { format: 2, digest: '2abc5aef887ce602' };

/** Two products with a text in each column, of letters that a search text may treat in different ways. */
const ROWS = [1, 2].map(
  (id) =>
    [
      id,
      ...PRODUCT_COLUMNS.slice(1).map(
        (name) => `${name} ${id} Été Łódź Straße Ærø ﬁn W’s T‑shirt “x” ™\u200b\n`,
      ),
    ] as unknown as ProductRow, // every column but the id takes a text here, the price too
);

test('the format has another number whenever phones store products in another way', () => {
  // After a change: raise CATALOGUE_FORMAT, and replace both values of STORED.
  const stored = encodeChunk(ROWS, [3]);
  const text = JSON.stringify({ ...stored, codes: [...stored.codes] });
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  expect({ format: CATALOGUE_FORMAT, digest }).toEqual(STORED);
});

test('search texts that another build has stored are made anew from the rows', () => {
  const stored = encodeChunk(ROWS);
  const foreign = { ...stored, format: 0, haystacks: 'a\nb' };
  expect(haystacksOf(foreign)).toEqual(stored.haystacks.split('\n'));
  expect(haystacksOf({ ...foreign, format: CATALOGUE_FORMAT })).toEqual(['a', 'b']);
});
