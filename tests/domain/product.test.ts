/** Products as the database stores them, read into the shop's own types. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  categoriesOf,
  nameOf,
  namesAmong,
  parseProductRow,
  productOf,
} from '../../src/domain/product.ts';

/** A row as the database sends it, in the order of PRODUCT_COLUMNS. */
const STORED = [7, '000123', 'M', '/pictures/tee.svg', 'Tee', 'Women', '', null, 38, 'Cotton', ' '];

test('a product keeps its stock code as text and loses empty fields', () => {
  const row = parseProductRow(STORED);
  expect(row).toEqual(STORED.with(6, null).with(10, null));
  expect(row && categoriesOf(row)).toEqual(['Tee', 'Women']);
});

test('a product without a first category is Untitled, and a price that is not a number is none', () => {
  const row = parseProductRow([7, 'A', null, null, ' ', 'Women', null, null, 'free', null, null]);
  expect(row && productOf(row)).toEqual({
    id: 7,
    skc: 'A',
    size: '',
    picture: null,
    title: 'Untitled',
    material: null,
    price: null,
  });
});

test('a row without an id or a stock code is not a product', () => {
  expect(parseProductRow([])).toBeNull();
  expect(parseProductRow(['7', 'A'])).toBeNull();
  expect(parseProductRow([7, ''])).toBeNull();
  expect(parseProductRow([1.5, 'A'])).toBeNull();
});

test('a picture is only ever loaded over http, https or from this shop', () => {
  const pictureOf = (link: unknown) => {
    const row = parseProductRow([1, 'A', '', link]);
    return row && productOf(row).picture;
  };
  expect(pictureOf('https://a.example/x.jpg')).toBe('https://a.example/x.jpg');
  expect(pictureOf('HTTP://a.example/x.jpg')).toBe('HTTP://a.example/x.jpg');
  expect(pictureOf('/pictures/x.svg')).toBe('/pictures/x.svg');
  const unsafe = ['javascript:alert(1)', '//a.example/x', '/\\a.example', 'data:,x', 'x.jpg', 5];
  for (const link of unsafe) {
    expect(pictureOf(link), String(link)).toBeNull();
  }
});

const SHIRT = { skc: 'A', title: 'Oxford shirt', material: 'Indigo oxford', size: 'M' };

test('a product is named by what it is, its material and its size, as far as it has them', () => {
  expect(nameOf(SHIRT)).toBe('Oxford shirt, Indigo oxford, size M');
  expect(nameOf({ ...SHIRT, material: null })).toBe('Oxford shirt, size M');
  expect(nameOf({ ...SHIRT, size: '' })).toBe('Oxford shirt, Indigo oxford');
  expect(nameOf({ ...SHIRT, size: 'One size' })).toBe('Oxford shirt, Indigo oxford, One size');
  expect(nameOf({ title: 'Untitled', size: '' })).toBe('Untitled');
});

test('in a list only products that nothing else tells apart have their stock code in the name', () => {
  const small = { ...SHIRT, size: 'S' }; // stands twice, and is the same product
  const listed = [SHIRT, small, { ...SHIRT, skc: 'B' }, small];
  expect(listed.map(namesAmong(listed))).toEqual([
    'Oxford shirt, Indigo oxford, size M, A',
    'Oxford shirt, Indigo oxford, size S',
    'Oxford shirt, Indigo oxford, size M, B',
    'Oxford shirt, Indigo oxford, size S',
  ]);
});

test('no two products of a list have the same name, however alike they are', () => {
  const words = fc.constantFrom('Tee', 'Coat', 'Linen');
  const product = fc.record({
    skc: fc.string({ minLength: 1, maxLength: 3 }),
    title: words,
    material: fc.option(words),
    size: fc.constantFrom('', 'S', 'M'),
  });
  // The database holds each stock code and size once.
  const selector = ({ skc, size }: { skc: string; size: string }) => `${skc}\n${size}`;
  fc.assert(
    fc.property(fc.uniqueArray(product, { selector, maxLength: 40 }), (products) => {
      expect(new Set(products.map(namesAmong(products))).size).toBe(products.length);
    }),
  );
});
