/** The layout of a file: separator, line ends, headings, and where its rows begin. */
import { expect, test } from 'vitest';
import { type Layout, type LayoutChoice, readLayout } from '../../src/csv/layout.ts';
import { recordsOf } from './text.ts';

const NO_CHOICE: LayoutChoice = { delimiter: null, columns: {} };

/** The layout of a file that has one. */
function layoutOf(text: string, choice: Partial<LayoutChoice> = {}): Layout {
  const outcome = readLayout(text, { ...NO_CHOICE, ...choice });
  if (outcome.kind !== 'layout') throw new Error(JSON.stringify(outcome));
  return outcome.layout;
}

/** What is wrong with a file that has none, or null. */
function faultOf(text: string, choice: Partial<LayoutChoice> = {}) {
  const outcome = readLayout(text, { ...NO_CHOICE, ...choice });
  return outcome.kind === 'fault' ? outcome.fault : null;
}

/** The rows below the headings, read as the layout says. */
function bodyOf(text: string): string[][] {
  const layout = layoutOf(text);
  return recordsOf([text.slice(layout.bodyStart)], layout).rows;
}

test('the separator is the one under which a heading means the stock code, not the most frequent one', () => {
  expect(layoutOf('SKC;Preis\nA1;12,50\nA2;1,5\n').delimiter).toBe(';');
  expect(layoutOf('SKC\tPrice\nA1\t"1,234,567"\n').delimiter).toBe('\t');
  expect(layoutOf('SKU|Price, each|Size; cm\n').delimiter).toBe('|');
  expect(layoutOf('Price,SKC\n').delimiter).toBe(',');
  expect(layoutOf('SKC\nA1\n').columns).toEqual(['SKC']);
});

test('columns are recognised by name, in any order, and the others are listed', () => {
  const layout = layoutOf('Colour,  RRP ,"Stock\ncode",,Category 2\r\nred,1,A1,,Tops\r\n');
  expect(layout.columns).toEqual([null, 'Retail Price', 'SKC', null, 'Category 2']);
  expect(layout.headers).toEqual(['Colour', 'RRP', 'Stock\ncode', '', 'Category 2']);
  expect(layout.ignored).toEqual(['Colour']);
  expect(layout).toMatchObject({ headerLine: 1, bodyLine: 3 });
});

test('a byte order mark, a line sep=; and titles may stand above the headings', () => {
  const text =
    '\ufeffsep=;\r\nPrice list;2026\r\n\r\n"for ""Weft""\nonly";\r\nSKC;Size\r\nA1;M\r\n';
  expect(layoutOf(text)).toMatchObject({ delimiter: ';', headerLine: 6, bodyLine: 7 });
  expect(bodyOf(text)).toEqual([['A1', 'M']]);
  expect(bodyOf('\ufeff"Stock\ncode",Size\nA1,M')).toEqual([['A1', 'M']]);
  expect(bodyOf('"sep=,"\nSKC,Size\nA1,M')).toEqual([['A1', 'M']]);
  expect(bodyOf('Stock list\n"sku" , "size"\nA1,M')).toEqual([['A1', 'M']]);
});

test('the headings are the row with the most known columns, not a title that names one', () => {
  expect(layoutOf('SKU,list,of,all,in,2026\n\nSKU,Size,Price\nA1,M,5\n').headerLine).toBe(3);
});

test('line endings of Windows, Unix and old Macs are told apart by the first of them', () => {
  expect(layoutOf('SKC,Size\r\nA1,M\r\n').newline).toBe('\n');
  expect(layoutOf('SKC,Size\nA1,M\r\n').newline).toBe('\n');
  expect(layoutOf('"Stock\ncode",Size\rA1,M\r').newline).toBe('\r');
  expect(bodyOf('SKC,Size\rA1,M\rA2,L\r')).toEqual([
    ['A1', 'M'],
    ['A2', 'L'],
  ]);
});

test('a file in which a program has converted the line ends twice reads like any other', () => {
  const text = 'SKC,Size\r\r\n"A1","M"\r\r\n"A2","L"\r\r\n';
  expect(bodyOf(text)).toEqual([
    ['A1', 'M'],
    ['A2', 'L'],
  ]);
});

test('a file of headings alone has no rows', () => {
  expect(bodyOf('SKC,Size')).toEqual([]);
  expect(bodyOf('SKC,Size\r\n')).toEqual([]);
});

test('of two columns for one field the user chooses one, and the other is ignored', () => {
  const text = 'SKC,Price,RRP,Image,Photo\n';
  const outcome = readLayout(text, NO_CHOICE);
  const questions = outcome.kind === 'ask-columns' ? outcome.questions : [];
  const inWords = questions.map(({ column, headers }) => [
    column,
    ...headers.map(({ index, header }) => `${index} ${header}`),
  ]);
  expect(inWords).toEqual([
    ['Images link', '3 Image', '4 Photo'],
    ['Retail Price', '1 Price', '2 RRP'],
  ]);
  const layout = layoutOf(text, { columns: { 'Retail Price': 2, 'Images link': 3 } });
  expect(layout.columns).toEqual(['SKC', null, 'Retail Price', 'Images link', null]);
  expect(layout.ignored).toEqual(['Price', 'Photo']);
  expect(readLayout(text, { ...NO_CHOICE, columns: { SKC: 4 } }).kind).toBe('ask-columns');
});

test('a file without a column of stock codes is rejected with what was found and what is needed', () => {
  const fault = faultOf('Price list\n\nName;Price;Größe\nShirt;12,50;M\n');
  expect(fault?.line).toBe(3);
  expect(fault?.sentence).toContain('Line 3 reads “Name”, “Price”, “Größe”.');
  expect(fault?.sentence).toContain('Write “SKC” above');
  const manyHeadings = `${Array.from({ length: 30 }, (_, i) => `heading ${i}`).join(',')}\n`;
  expect(faultOf(manyHeadings)?.sentence).toContain('“heading 5” and 24 more.');
});

test('the separator that the user chose is used, though another one would fit', () => {
  expect(faultOf('SKC;Size\nA1;M\n', { delimiter: ',' })?.sentence).toContain('“SKC;Size”');
  expect(layoutOf('SKC;Size\nA1;M\n', { delimiter: ';' }).columns).toEqual(['SKC', 'Size']);
});

test('an empty file, an open quotation mark and too many columns are rejected in a sentence', () => {
  for (const empty of ['', '\ufeff', ' \r\n\n', 'sep=;\n']) {
    expect(faultOf(empty)).toEqual({ sentence: 'This file is empty.', line: null });
  }
  expect(faultOf('Prices\n"SKC,Size\nA1,M\n')).toMatchObject({ line: 2 });
  const MAX_COLUMNS = 200;
  const tooWide = `SKC,${Array.from({ length: MAX_COLUMNS }, (_, i) => `c${i}`).join(',')}\n`;
  expect(faultOf(tooWide)?.sentence).toContain(`more than ${MAX_COLUMNS} columns`);
  expect(faultOf(`SKC,Size${','.repeat(5000)}\nA1,M\n`), 'columns without a heading').toBeNull();
});
