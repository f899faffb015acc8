/** Prices as people and programs write them, and when a comma is a decimal mark. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecimalMark, namesForeignCurrency, openPriceReader } from '../../src/csv/price.ts';
import { quickOrFull } from '../full-run.ts';
import { somePrice } from './text.ts';

/** The price as the shop stores it, or the problem with it. */
function read(text: string, mark: DecimalMark | null = null): string {
  const reading = openPriceReader(mark).read(text);
  return reading.ok ? reading.text : reading.problem;
}

/** A reader that has read these prices of one column. */
function readColumn(...texts: readonly string[]) {
  const reader = openPriceReader(null);
  for (const text of texts) reader.read(text);
  return reader;
}

test('prices as people and programs write them are read to the cent', () => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    '0.00': ['0', '0.00', '000', '-0.00', '0,-'],
    '0.50': ['.5', ',5', '0.5', '0,50', '00.50', '0.500', '0,500'],
    '12.00': ['12', '12.', '12,-', '12.–', '12.--', '12/-', 'Rs.12', 'CHF 12.–', '012', '+12'],
    '12.50': [
      ...'12.5|12,50|12.5000|$12.50|US$ 12.50|12.50 USD|$ 12.50 USD|USD12.50|€12,50'.split('|'),
      ...'12,50 €|12,50\u00a0€|EUR 12,50|12,50 Euro|£12.50|¥12.50|kr 12,50|12,50 kr.'.split('|'),
      ...'12,50 zł|R$ 12,50|R 12.50|Fr. 12.50|12,50 Kč|\u200e$12.50|￥１２．５０'.split('|'),
      ...' 12.50\n|\t12,50|$\n12.50'.split('|'),
    ],
    '1234.56': [
      ...'1234.56|1234,56|1,234.56|1.234,56|1 234,56|1\u00a0234,56|1\u202f234,56'.split('|'),
      ..."1\u2009234.56|1'234.56|1’234.56|Rs. 1,234.56|Rs.\n1,234.56".split('|'),
    ],
    '1234567.00': '1,234,567|1.234.567|12,34,567|1 234 567|1,234,567.00|12,34,567/-'.split('|'),
    '9999999999.99': ['9999999999.99', '9,999,999,999.99', '9.999.999.999,99'],
  };
  for (const [price, texts] of Object.entries(spellings)) {
    for (const text of texts) expect(read(text), JSON.stringify(text)).toBe(price);
  }
});

test('words and signs for "there is none" are no price', () => {
  for (const text of ['', '  ', ...'- – — n/a N/A NaN Nan unknown None null'.split(' ')]) {
    expect(read(text), text).toBe('');
  }
});

test('net prices, which programs write with four decimals or more, are rounded, and no other price is', () => {
  const rounded = {
    '161.788618': '161.79',
    '40.650407': '40.65',
    '0.00499': '0.00',
    '9,99500': '10.00',
  };
  for (const [text, price] of Object.entries(rounded)) {
    expect(openPriceReader(null).read(text), text).toEqual({
      ok: true,
      text: price,
      isRounded: true,
    });
  }
  expect(openPriceReader(null).read('12.500000')).toMatchObject({
    text: '12.50',
    isRounded: false,
  });
});

test('a text that is not one price is rejected with the reason', () => {
  const rejected: Readonly<Record<string, readonly string[]>> = {
    'price-negative': ['-12', '−12.50', '(12.50)', '12.50-', '-$12.50', '$-12.50', '- 12'],
    'price-decimals': ['1234.505', '0.005', '0,999', '1234,567', '1,234.567'],
    'price-too-high': ['10000000000', '12345678901234567890', '4006381333931'],
    'price-not-a-number': [
      ...'free|12-20|10.00 – 20.00|1e5|1.2E+3|12 50|1\n234|1,2,3|12..5|12%|€'.split('|'),
      ...'Price: 12|50¢|50 ￠|12⁵⁰|1.234.56|12,34.56.7'.split('|'),
      '9'.repeat(1_000_000),
    ],
  };
  for (const [problem, texts] of Object.entries(rejected)) {
    for (const text of texts) expect(read(text), text.slice(0, 40)).toBe(problem);
  }
});

test('a price that could be thousands or decimals is rejected until a mark is chosen', () => {
  expect(read('1,234')).toBe('price-ambiguous');
  expect(read('1.234')).toBe('price-ambiguous');
  expect(read('$ 999.000')).toBe('price-ambiguous');
  expect(read('12.505')).toBe('price-ambiguous');
  expect(read('1,234', '.')).toBe('1234.00');
  expect(read('1.234', ',')).toBe('1234.00');
  expect(read('1.230', '.')).toBe('1.23');
  expect(read('1.234', '.')).toBe('price-decimals');
});

test('a price that shows its decimal mark reads the same under any chosen mark', () => {
  expect(read('12.50', ',')).toBe('12.50');
  expect(read('1,234.50', ',')).toBe('1234.50');
  expect(read('1.234,50', '.')).toBe('1234.50');
});

test('the other prices of the column decide about an ambiguous one', () => {
  expect(readColumn('1,234', '12.50').markForRereading).toBe('.');
  expect(readColumn('12,50', '1.234', '7').markForRereading).toBe(',');
  expect(readColumn('1,234', '1,234,567').markForRereading).toBe('.');
  expect(readColumn('1.234', '1.234.567').markForRereading).toBe(',');
  expect(readColumn('1,234', '99').markForRereading).toBeNull();
  expect(readColumn('12.50', '99').markForRereading).toBeNull();
});

test('a column that writes prices in both ways decides only by a clear majority', () => {
  expect(readColumn('1,234', '12.50', '12,50').markForRereading).toBeNull();
  // A clear majority has more than a hundred prices for each that is written in the other way.
  const withPoint = Array.from({ length: 500 }, () => '12.50');
  expect(readColumn('1,234', '12,50', ...withPoint.slice(0, 50)).markForRereading).toBeNull();
  expect(readColumn('1,234', '12,50', ...withPoint).markForRereading).toBe('.');
});

test('the reader names the decimal mark of the column, a point where no price shows one', () => {
  expect(readColumn('12,50', '1.234').mark).toBe(',');
  expect(readColumn('12.50').mark).toBe('.');
  expect(readColumn('12').mark).toBe('.');
  expect(openPriceReader(',').mark).toBe(',');
});

const LOCALES = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'sv-SE', 'pt-BR', 'pl-PL', 'it-IT'];

test('every amount is read exactly from the ways in which nine countries write it', () => {
  const style = fc.constantFrom('decimal', 'currency');
  const currency = fc.constantFrom('USD', 'EUR', 'INR', 'SEK', 'PLN', 'CHF', 'BRL', 'GBP');
  const display = fc.constantFrom('symbol', 'code', 'narrowSymbol');
  fc.assert(
    fc.property(
      somePrice,
      fc.constantFrom(...LOCALES),
      style,
      currency,
      display,
      (price, locale, style, currency, currencyDisplay) => {
        const format = new Intl.NumberFormat(locale, {
          style,
          currency,
          currencyDisplay,
          minimumFractionDigits: 2,
          maximumFractionDigits: 2,
        });
        const text = format.format(price);
        expect(read(text), text).toBe(price);
      },
    ),
    { numRuns: quickOrFull(1000, 5000) },
  );
});

test('prices in another currency are counted, with the first of them', () => {
  const foreignIn = (...texts: readonly string[]) => readColumn(...texts).foreign;
  expect(
    foreignIn(
      '12.50',
      '$5',
      'US$ 7.00',
      '5 USD',
      '(3)',
      '5 dollars',
      '＄5',
      '５ ＵＳＤ',
      '-',
      'abc €',
    ),
  ).toEqual({
    count: 0,
    example: '',
  });
  expect(foreignIn('5', 'Rs 1699', '89,00 €')).toEqual({ count: 2, example: 'Rs 1699' });
  for (const text of ['£5', '5 kr', 'CHF 5', '5,- zł', '₹5', 'C$5', 'A$ 5', '5 EUR']) {
    expect(foreignIn(text).count, text).toBe(1);
  }
});

test('a heading may name the currency of its column', () => {
  const euros = ['Price EUR', 'Preis (€)', 'Prix en euros', 'Preis in Euro', 'PREIS IN EURO'];
  for (const heading of [...euros, 'MRP (Rs)', 'Price / GBP', 'Preço (R$)', 'Price NZ$']) {
    expect(namesForeignCurrency(heading), heading).toBe(true);
  }
  const ours = ['Price USD', 'Price ($)', 'Price in US$', 'MRP$', 'Price in Dollars'];
  for (const heading of [...ours, 'Price', 'Retail Price', 'Prix', 'Réf R']) {
    expect(namesForeignCurrency(heading), heading).toBe(false);
  }
});
