/** What the index holds after any changes; filters by size, price and material, their counts, and the orders by price. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeChunk } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { Facets } from '../../src/domain/facets.ts';
import { type Chosen, FACETS, PRICE_SORTS } from '../../src/domain/filter.ts';
import { priceSteps, rangesBetween } from '../../src/domain/price-ranges.ts';
import { categoriesOf, compareKeys, keyOf } from '../../src/domain/product.ts';
import { productRow } from './product-row.ts';

/** A product; `fields` are its four categories. */
interface Garment {
  readonly id: number;
  readonly skc: string;
  readonly size: string;
  readonly price: number | null;
  readonly material: string | null;
  readonly fields: readonly (string | null)[];
}

/** A garment for tests that look at other fields. */
const PLAIN = { skc: 'A', size: '', price: 1, material: null, fields: [] };

const rowOf = ({ id, skc, size, price, material, fields }: Garment) => {
  const categories = Object.fromEntries(fields.map((name, i) => [`Category ${i + 1}`, name]));
  return productRow(id, skc, {
    Size: size,
    ...categories,
    'Retail Price': price,
    Material: material,
  });
};

const SIZES = ['', 'S', 'M', '38'];
const MATERIALS = ['Linen', 'Merino, moss stitch', 'Wool'];
const PRICES = [null, 0, 9.99, 10, 48.5, 50, 120, 445];
const RANGES = ['-10', '10-50', '50-120', '120-', '0-9'];

const garment: fc.Arbitrary<Garment> = fc.record({
  id: fc.integer({ min: 1, max: 25 }),
  skc: fc.constantFrom('A', 'B', 'C'),
  size: fc.constantFrom(...SIZES),
  price: fc.constantFrom(...PRICES),
  material: fc.constantFrom(null, ...MATERIALS),
  fields: fc.array(fc.constantFrom(null, 'Coat', 'Women', 'New'), { minLength: 4, maxLength: 4 }),
});
const chosenArbitrary = fc.record({
  size: fc.uniqueArray(fc.constantFrom('S', 'M', '38', 'Gone'), { maxLength: 2 }),
  price: fc.uniqueArray(fc.constantFrom(...RANGES), { maxLength: 2 }),
  material: fc.uniqueArray(fc.constantFrom(...MATERIALS), { maxLength: 2 }),
});
/** Changes as the server sends them, and how many rows `Facets` reads before the next batch. */
interface Batch {
  readonly garments: readonly Garment[];
  readonly removed: readonly number[];
  readonly read: number;
}

const history: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({
    garments: fc.uniqueArray(garment, { maxLength: 8, selector: ({ id }) => id }),
    removed: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }),
    read: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** What a range means: from its first price to below its second. */
function isIn(range: string, price: number): boolean {
  const [from = '', below = ''] = range.split('-');
  return price >= Number(from) && (below === '' || price < Number(below));
}

/** What a filter means: in each facet with chosen values, the garment has one of these values. */
function fits({ size, price, material }: Garment, chosen: Chosen): boolean {
  return (
    (chosen.size.length === 0 || chosen.size.includes(size)) &&
    (chosen.material.length === 0 || (material !== null && chosen.material.includes(material))) &&
    (chosen.price.length === 0 ||
      (price !== null && chosen.price.some((range) => isIn(range, price))))
  );
}

/** An index after these batches, its facets, and the garments that it holds, in the shop's order. */
function replay(batches: readonly Batch[]) {
  const index = new CatalogueIndex();
  const facets = new Facets(index);
  const shop = new Map<number, Garment>();
  for (const { garments, removed, read } of batches) {
    index.apply(encodeChunk(garments.map(rowOf), removed));
    for (const changed of garments) shop.set(changed.id, changed);
    for (const id of removed) shop.delete(id);
    facets.read(read);
  }
  const garments = [...shop.values()].sort((a, b) => compareKeys(keyOf(rowOf(a)), keyOf(rowOf(b))));
  return { index, facets, garments };
}

test('whatever arrives, each product is there once, in its last version, in order', () => {
  fc.assert(
    fc.property(history, (batches) => {
      const { index, garments } = replay(batches);
      const rows = garments.map(rowOf);
      expect(index.rows()).toEqual(rows);
      expect(index.size).toBe(rows.length);
      expect(index.categories()).toEqual([...new Set(rows.flatMap(categoriesOf))].sort());
      for (const category of ['Coat', 'Women', 'New']) {
        const ids = index.find({ category, search: '' }).map((place) => index.at(place)?.id);
        const found = garments.filter(({ fields }) => fields.includes(category));
        expect(ids).toEqual(found.map(({ id }) => id));
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever arrives, filters, sorting and counts give what the rules for one garment give', () => {
  fc.assert(
    fc.property(
      history,
      chosenArbitrary,
      fc.constantFrom(null, ...PRICE_SORTS),
      fc.nat(3),
      (batches, chosen, sort, remainder) => {
        const { index, facets, garments } = replay(batches);
        // The facets filter what a search has found: here all products but every fourth.
        const places = index
          .find({ category: null, search: '' })
          .filter((place) => place % 4 !== remainder);
        const base = places.map((place) => garments[place]!);
        const ids = facets.narrow(places, chosen, sort).map((place) => index.at(place)?.id);

        const kept = base.filter((candidate) => fits(candidate, chosen));
        // Garments without a price stand at the end in both sortings.
        const sign = sort === 'price-desc' ? -1 : 1;
        const key = ({ price }: Garment) => (price === null ? Infinity : sign * price);
        const expected =
          sort === null ? kept : kept.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b))); // ∞ - ∞ is NaN
        expect(ids).toEqual(expected.map(({ id }) => id));

        const counts = facets.counts(places, chosen);
        for (const facet of FACETS) {
          const values = { size: SIZES.slice(1), price: RANGES, material: MATERIALS }[facet];
          for (const value of values) {
            const choice = { ...chosen, [facet]: [value] };
            expect(counts(facet, value), `${facet} ${value}`).toBe(
              base.filter((candidate) => fits(candidate, choice)).length,
            );
          }
        }
        const used = (facet: 'size' | 'material') => facets.values(facet, places).toSorted();
        const sizesOf = base.map(({ size }) => size).filter((size) => size !== '');
        expect(used('size')).toEqual([...new Set(sizesOf)].sort());
        const materialsOf = base.flatMap(({ material }) => material ?? []);
        expect(used('material')).toEqual([...new Set(materialsOf)].sort());
      },
    ),
    { numRuns: 1000 },
  );
});

test('at most six ranges of prices hold every priced product once, and none is empty', () => {
  const cents = fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(cents, (minors) => {
      const prices = minors.map((minor) => minor / 100);
      const steps = priceSteps(prices);
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
      const ranges = rangesBetween(steps);
      expect(ranges.length).toBeLessThanOrEqual(6);
      for (const range of ranges) {
        const inRange = prices.filter((price) => isIn(range, price));
        expect(inRange, range).not.toEqual([]);
      }
      if (ranges.length === 0) return;
      for (const price of prices) {
        expect(ranges.filter((range) => isIn(range, price))).toHaveLength(1);
      }
    }),
    { numRuns: 500 },
  );
});

test('prices are offered in steps that a price tag would have', () => {
  const prices = Array.from({ length: 600 }, (_, i) => 16 + i * 0.7);
  // A range ends after each sixth of the products, at about 86, 156, 226, 296 and 366 dollars. These are rounded
  // down to tens, and the last one to fifties.
  const ranges = ['-80', '80-150', '150-220', '220-290', '290-350', '350-'];
  expect(rangesBetween(priceSteps(prices))).toEqual(ranges);
  expect(rangesBetween(priceSteps([48.5, 48.5]))).toEqual([]);
  expect(rangesBetween(priceSteps([]))).toEqual([]);
});

test('the most frequent material is named first', () => {
  const materials = ['Wool', 'Linen', 'Silk', 'Linen'];
  const garments = materials.map((material, id) => ({ ...PLAIN, id, material }));
  const { facets } = replay([{ garments, removed: [], read: 0 }]);
  expect(facets.values('material', [0, 1, 2, 3])).toEqual(['Linen', 'Wool', 'Silk']);
});
