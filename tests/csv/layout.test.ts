/** The layout of a file: separator, line ends, headings, and where its rows begin. */
import { expect, test } from 'vitest';
import type { FileTable } from '../../src/csv/file-table.ts';
import { readLayout } from '../../src/csv/layout.ts';
import { DETECT_LAYOUT, type LayoutChoice, NO_HEADINGS } from '../../src/csv/remembered.ts';
import { layoutIn, recordsOf } from './text.ts';

/** The layout of a file that has one. */
const layoutOf = (...args: Parameters<typeof layoutIn>) => layoutIn(...args).layout;

/** What is wrong with a file that has none, or null. */
function faultOf(text: string) {
  const outcome = readLayout(text, DETECT_LAYOUT);
  return outcome.kind === 'fault' ? outcome.fault : null;
}

/** The columns of a file that has any, as the user sees them. */
function tableOf(text: string, choice: Partial<LayoutChoice> = {}): FileTable {
  const outcome = readLayout(text, { ...DETECT_LAYOUT, ...choice });
  if (outcome.kind === 'fault') throw new Error(outcome.fault.sentence);
  return outcome.table;
}

/** The rows below the headings, read as the layout says. */
function bodyOf(text: string): string[][] {
  const layout = layoutOf(text);
  return recordsOf([text.slice(layout.bodyStart)], layout).rows;
}

test('the separator is the character under which a heading means the stock code, not the most frequent character', () => {
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

/** A row of data that looks like headings: twelve of its cells are aliases. `Genre` means a category. */
const LIKE_HEADINGS = `wool;SKU;Size;Price;${'Genre;'.repeat(9)}`;

test('a file that begins with the shop’s own headings is read by them, whatever the rows below look like', () => {
  const first = { headerLine: 1, columns: ['SKC', 'Material'] };
  // Each of these rows holds headings, too, under a comma, a semicolon or a tab.
  const rows = [`A,${LIKE_HEADINGS}`, 'B,wool;SKC;M;1.00;', '"Stock code","Price\nSKU\tSize"'];
  for (const above of ['', '\ufeff', 'sep=,\n']) {
    const text = [`${above}SKC,Material`, ...rows, ''].join('\n');
    const headerLine = above.startsWith('sep') ? 2 : 1;
    expect(layoutOf(text), above).toMatchObject({ ...first, headerLine, delimiter: ',' });
  }
  // What is remembered for these headings is not asked; `columns` has indices in the sorted headings.
  const columns = { SKC: 1, Material: 0 };
  const match = { headings: ['Material', 'SKC'], columns, at: 5 };
  expect(tableOf(`SKC,Material\n${LIKE_HEADINGS}`, { remembered: [match] })).toMatchObject({
    match: { SKC: 0, Material: 1 },
    origin: 'headings',
  });
  // As a spreadsheet of another country saves an export, with blank columns beside it.
  const saved = `"SKC";Material;;\nA;"wool,SKU,Size,Price,Category,Image,Fabric"\n`;
  expect(layoutOf(saved)).toMatchObject({ headerLine: 1, delimiter: ';' });
  expect(layoutOf('SKC\nSKU;Size;Price\n')).toMatchObject({ delimiter: ',', columns: ['SKC'] });
  // The user still may pick another row.
  const chosen = layoutOf('SKC,Material\nSKU,Price\nA,1\n', { headerLine: 2, delimiter: ',' });
  expect(chosen.columns).toEqual(['SKC', 'Retail Price']);
});

test('a word for categories counts as one heading, in however many cells of a row it stands', () => {
  const text = `Stock list 2026,,,\n\nSKU,Size,Price,Image\nA1,Gender,SKU,gender\nGender,gender,SKU,Gender\n`;
  expect(layoutOf(text).headerLine).toBe(3);
  const genres = LIKE_HEADINGS.replace('Size;Price', '');
  expect(layoutOf(`SKU,Size,Price\n${genres}\n`).headerLine).toBe(1);
});

test('lines end as the first of them does: as on Windows and Unix, or as on old Macs', () => {
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

test('of two columns for one field the user chooses one, and the other is ignored', () => {
  const text = 'SKC,Price,RRP,Image,Photo\n';
  expect(readLayout(text, DETECT_LAYOUT).kind).toBe('ask-columns');
  expect(tableOf(text).questions).toEqual([
    { column: 'Images link', candidates: [3, 4] },
    { column: 'Retail Price', candidates: [1, 2] },
  ]);
  const layout = layoutOf(text, { columns: { 'Retail Price': 2, 'Images link': 3 } });
  expect(layout.columns).toEqual(['SKC', null, 'Retail Price', 'Images link', null]);
  expect(readLayout(text, { ...DETECT_LAYOUT, columns: { SKC: 4 } }).kind).toBe('ask-columns');
});

test('a file without a known stock code gives a question, with the columns as the file has them', () => {
  const text = 'Price list\n\nName;Price;Größe\nShirt;12,50;M\nShirt;12,50;L\nCoat;99;\n';
  const outcome = readLayout(text, DETECT_LAYOUT);
  expect(outcome.kind).toBe('ask-columns');
  const table = tableOf(text);
  expect(table).toMatchObject({ delimiter: ';', headerLine: 3, origin: 'headings' });
  expect(table.questions).toEqual([{ column: 'SKC', candidates: [] }]);
  expect(table.columns).toMatchObject([
    { index: 0, header: 'Name', samples: ['Shirt', 'Coat'] },
    { index: 1, header: 'Price', samples: ['12,50', '99'] },
    { index: 2, header: 'Größe', samples: ['M', 'L'] },
  ]);
  expect(table.match).toMatchObject({ SKC: null, Size: 2, 'Retail Price': 1, Material: null });
  const answered = layoutOf(text, { columns: { SKC: 0 } });
  expect(answered.columns).toEqual(['SKC', 'Retail Price', 'Size']);
});

test('without any known heading the separator is the character that gives the rows below the titles the same number of cells', () => {
  const text =
    'Lista de primavera;\n\nClave;Nombre;Importe\n' +
    'K1;Falda, larga, azul, de lino, con bolsillos;12,50\nK2;Blusa;9,90\nK3;Abrigo;89,00\n';
  expect(tableOf(text)).toMatchObject({ delimiter: ';', headerLine: 3 });
  expect(tableOf('just a line\n').columns.map(({ header }) => header)).toEqual(['just a line']);
  expect(tableOf('Codex,Naam\n').questions).toHaveLength(1);
});

test('the user picks the row with the headings where the guess is wrong', () => {
  const text = 'SKU list,of,spring\nItem,Cost,Kind\nA1,5,Tee\n';
  const columns = { SKC: 0, 'Retail Price': 1, 'Category 1': 2 };
  const layout = layoutOf(text, { headerLine: 2, delimiter: ',', columns });
  expect(layout).toMatchObject({ headerLine: 2, columns: ['SKC', 'Retail Price', 'Category 1'] });
  expect(tableOf(text).rows).toEqual([
    { line: 1, text: 'SKU list, of, spring' },
    { line: 2, text: 'Item, Cost, Kind' },
    { line: 3, text: 'A1, 5, Tee' },
  ]);
});

test('a column that the user chooses for a field no longer counts for the field of its heading', () => {
  const layout = layoutOf('SKU,Price\nA,5\n', { columns: { SKC: 1, 'Retail Price': 0 } });
  expect(layout.columns).toEqual(['Retail Price', 'SKC']);
  expect(layoutOf('SKU,Price\nA,5\n', { columns: { 'Category 1': 1 } }).columns).toEqual([
    'SKC',
    'Category 1',
  ]);
  expect(layoutOf('SKU,Price\nA,5\n', { columns: { 'Retail Price': null } }).columns).toEqual([
    'SKC',
    null,
  ]);
});

test('the separator that the user chose is used, though another one would fit', () => {
  expect(tableOf('SKC;Size\nA1;M\n', { delimiter: ',' }).columns[0]?.header).toBe('SKC;Size');
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

test('where the user says that there are no headings, the first row is a product', () => {
  const text = 'sep=;\nA1;"M;L";10\nA2;;5;red\n';
  const asked = tableOf(text, { headerLine: NO_HEADINGS });
  expect(asked).toMatchObject({ headerLine: NO_HEADINGS, questions: [{ column: 'SKC' }] });
  expect(asked.columns.map(({ header, samples }) => [header, samples])).toEqual([
    ['', ['A1', 'A2']],
    ['', ['M;L']],
    ['', ['10', '5']],
    ['', ['red']],
  ]);
  const columns = { SKC: 0, Size: 1, 'Retail Price': 2 };
  const { layout } = layoutIn(text, { headerLine: NO_HEADINGS, columns });
  expect(layout).toMatchObject({ delimiter: ';', bodyLine: 2 });
  expect(layout.columns).toEqual(['SKC', 'Size', 'Retail Price', null]);
  expect(recordsOf([text.slice(layout.bodyStart)], layout).rows).toEqual([
    ['A1', 'M;L', '10'],
    ['A2', '', '5', 'red'],
  ]);
});
