/** Columns matched by their headings, by the user, and by what was remembered of other files. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS, type ImportColumn } from '../../src/csv/columns.ts';
import { matchHeadings } from '../../src/csv/match.ts';
import {
  applyRemembered,
  type LayoutChoice,
  type Match,
  parseMatch,
  type RememberedMatch,
  rememberedMatch,
} from '../../src/csv/remembered.ts';
import { openRowValidator, type ValidatedRow } from '../../src/csv/row-validator.ts';
import { csvLine } from '../../src/csv/write.ts';
import { layoutIn, recordsOf, somePrice, someText } from './text.ts';

/** By field, the heading that means it; '?' where several could, and no entry where none does. */
function matched(headings: string): Partial<Record<ImportColumn, string>> {
  const headers = headings.split(', ');
  const match = matchHeadings(headers);
  return Object.fromEntries(
    IMPORT_COLUMNS.flatMap((column) => {
      const index = match[column];
      return index === null ? [] : [[column, index === undefined ? '?' : headers[index]] as const];
    }),
  );
}

/** The rows of a file, validated; `choice.columns` is needed where the headings are not known. */
function rowsOf(text: string, choice: Partial<LayoutChoice> = {}): (ValidatedRow | null)[] {
  const { layout } = layoutIn(text, choice);
  const validator = openRowValidator(layout, { decimalMark: '.', blankCellsClear: false });
  const { rows } = recordsOf([text.slice(layout.bodyStart)], layout);
  return rows.map((cells) => validator.validate(cells));
}

const textOf = (rows: readonly (readonly string[])[]) => rows.map((row) => csvLine(row)).join('');
const reorder = <T>(list: readonly T[], order: readonly number[]) => order.map((i) => list[i]!);

/** The columns' indices in any order. */
const ORDERS = fc.shuffledSubarray(
  IMPORT_COLUMNS.map((_, i) => i),
  { minLength: IMPORT_COLUMNS.length },
);
const ROWS = fc.array(
  fc.record({ code: fc.stringMatching(/^[A-Z0-9-]{1,9}$/), price: somePrice, text: someText }),
  { minLength: 1, maxLength: 5 },
);

const REMEMBERED_AT_MS = 5;

/** The match as a device remembers it. @throws if it has a column without a heading */
function rememberedIn(
  headings: Parameters<typeof rememberedMatch>[0],
  match: Match,
): RememberedMatch {
  const remembered = rememberedMatch(headings, match, REMEMBERED_AT_MS);
  if (!remembered) throw new Error('a column without a heading is matched');
  return remembered;
}

test('matching never changes a value, whatever the columns are called and wherever they stand', () => {
  fc.assert(
    fc.property(ROWS, ORDERS, (rows, order) => {
      const cells = rows.map(({ code, price, text }) =>
        IMPORT_COLUMNS.map((column) =>
          column === 'SKC' ? code : column === 'Retail Price' ? price : text,
        ),
      );
      const expected = rowsOf(textOf([IMPORT_COLUMNS, ...cells]), { delimiter: ',' });
      const headings = IMPORT_COLUMNS.map((_, i) => `Colonne ${'abcdefghij'[i]}`);
      const file = textOf([headings, ...cells].map((row) => reorder(row, order)));
      const columns = Object.fromEntries(
        IMPORT_COLUMNS.map((column, i) => [column, order.indexOf(i)]),
      );
      const choice = { delimiter: ',', headerLine: 1 } as const;
      expect(rowsOf(file, { ...choice, columns })).toEqual(expected);

      // The same headings in another order, read by what was remembered of the first file.
      const { table } = layoutIn(file, { ...choice, columns });
      const match = rememberedIn(table.columns, table.match);
      const reordered = textOf([headings, ...cells]);
      expect(rowsOf(reordered, { ...choice, remembered: [match] })).toEqual(expected);
    }),
  );
});

const fileColumns = (headings: string) =>
  headings.split(', ').map((header, index) => ({ header, index }));

test('a match is remembered for the set of headings: in any order, and for no other', () => {
  const match = rememberedIn(fileColumns('Ref, Price, Price, , Kind'), {
    SKC: 0,
    'Retail Price': 2,
    Material: null,
  });
  expect(applyRemembered(match, ['Price', '', 'Kind', 'Price', 'Ref'])).toEqual({
    SKC: 4,
    'Retail Price': 3,
    Material: null,
  });
  for (const others of [
    'Ref, Price, Kind',
    'Ref, Price, Price, Kind, New',
    'Ref, Price, Price, kind',
  ]) {
    expect(applyRemembered(match, others.split(', ')), others).toBeNull();
  }
});

test('a match of a column without a heading is not remembered, because nothing tells it in the next file', () => {
  // A merged heading, `Price`, above `net` and `gross`.
  const text = 'SKU,Price,\n,net,gross\nA,5,10\n';
  const { table } = layoutIn(text, { columns: { 'Retail Price': 2 } });
  expect(table.match).toMatchObject({ SKC: 0, 'Retail Price': 2 });
  expect(rememberedMatch(table.columns, table.match, REMEMBERED_AT_MS)).toBeNull();
});

test('a remembered match says where the headings stand, and the user’s own choice goes before it', () => {
  const text = 'Spring 2026,,\nKey,Name,Cost\nA1,Tee,5\n';
  const match = rememberedIn(fileColumns('Key, Name, Cost'), { SKC: 0, 'Retail Price': 2 });
  expect(layoutIn(text, { remembered: [match] })).toMatchObject({
    layout: { headerLine: 2, columns: ['SKC', null, 'Retail Price'] },
    table: { origin: match },
  });
  const own = { headerLine: 2, delimiter: ',', columns: { SKC: 1 } } as const;
  expect(layoutIn(text, { ...own, remembered: [match] })).toMatchObject({
    layout: { columns: [null, 'SKC', null] },
    table: { origin: 'chosen' },
  });
});

test('what the device has kept is a match only with headings, and columns among them', () => {
  const match = rememberedIn(fileColumns('Ref, Price'), { SKC: 1 });
  expect(parseMatch(JSON.parse(JSON.stringify(match)))).toEqual(match);
  for (const wrong of [
    null,
    'match',
    {},
    { ...match, at: 'then' },
    { ...match, headings: ['a', 5] },
    { ...match, columns: { SKC: 2 } },
    { ...match, columns: { SKC: -1 } },
    { ...match, columns: { SKC: '0' } },
  ]) {
    expect(parseMatch(wrong), JSON.stringify(wrong)).toBeNull();
  }
});

test('a likely heading, such as a style number, counts only where no sure one such as SKU is', () => {
  expect(matched('Style no, SKU')).toEqual({ SKC: 'SKU' });
  expect(matched('Style no, Product name')).toEqual({ SKC: 'Style no' });
  expect(matched('Style no, Reference'), 'a question').toEqual({ SKC: '?' });
  expect(matched('SKU, Item code'), 'a question').toEqual({ SKC: '?' });
  expect(matched('Image 1, Image 2, Main image')).toEqual({ 'Images link': 'Main image' });
});

test('categories without a number fill the fields that are left: type, department, gender', () => {
  expect(matched('Gender, Product type')).toEqual({
    'Category 1': 'Product type',
    'Category 2': 'Gender',
  });
  expect(matched('Gender, Department, Category, Subcategory')).toEqual({
    'Category 1': 'Category',
    'Category 2': 'Subcategory',
    'Category 3': 'Department',
    'Category 4': 'Gender',
  });
  expect(matched('Cat 1, Cat 2, Cat 3, Cat 4, Gender')).toMatchObject({ 'Category 4': 'Cat 4' });
});
