/** Products as the database stores them, read into the shop's own types. */
import { expect, test } from 'vitest';
import { categoriesOf, parseProductRow, productOf } from '../../src/domain/product.ts';

/** A row as the database sends it, in the order of PRODUCT_COLUMNS. */
const STORED = [7, '000123', 'M', '/pictures/tee.svg', 'Tee', 'Women', '', null, 38, 'Cotton', ' '];

/** The same row as it is read. */
const READ = [
  7,
  '000123',
  'M',
  '/pictures/tee.svg',
  'Tee',
  'Women',
  null,
  null,
  38,
  'Cotton',
  null,
];

test('a product keeps its stock code as text and loses empty fields', () => {
  const row = parseProductRow(STORED);
  expect(row).toEqual(READ);
  expect(row && categoriesOf(row)).toEqual(['Tee', 'Women']);
});

test('a product without a first category is Untitled, without a price it has none', () => {
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
