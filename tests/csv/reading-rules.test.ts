/** The rules by which exports of Shopify and WooCommerce are read as a person would read them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS, type ImportColumn } from '../../src/csv/columns.ts';
import { readLayout } from '../../src/csv/layout.ts';
import { RuleApplier, type RuleName, withRules } from '../../src/csv/reading-rules.ts';
import { DETECT_LAYOUT, type Match } from '../../src/csv/remembered.ts';
import { csvLine } from '../../src/csv/write.ts';
import { layoutIn, someText } from './text.ts';

type Table = readonly (readonly string[])[];

/** The text of a file with these rows. */
const csvOf = (table: Table) => table.map((row) => csvLine(row)).join('');

interface Reading {
  /** The values of some columns in each row that no rule skips. */
  readonly rows: Table;
  /** How many rows each rule changed or skipped. */
  readonly counts: Partial<Record<RuleName, number>>;
  readonly skipped: number;
}

/** Reads a table whose first row has the headings, and returns these columns of it. */
function read(
  table: Table,
  columns: readonly ImportColumn[],
  { match = null }: { match?: Match | null } = {},
): Reading {
  const choice = { delimiter: ',', headerLine: 1, columns: match } as const;
  const { layout, rules } = withRules(layoutIn(csvOf(table), choice).layout);
  const applier = new RuleApplier(layout, rules);
  const rows = table.slice(1).flatMap((row) => {
    const cells = [...row];
    if (!applier.apply(cells)) return [];
    return [columns.map((column) => cells[layout.columns.indexOf(column)] ?? '(absent)')];
  });
  return { rows, counts: applier.counts, skipped: applier.skipped };
}

/** Rows of cells, from a text for each row. */
const tableOf = (...rows: readonly string[]) => rows.map((row) => row.split('|'));

const SHOPIFY = tableOf(
  'Handle|Title|Product Category|Option1 Name|Option1 Value|Option2 Name|Option2 Value|' +
    'Variant SKU|Variant Price|Image Src|Image Position|Image Alt Text',
  'tee|Tee|Apparel > Clothing > Shirts|Colour|Red|Size|S|T-1|20|https://a/1.jpg|1|Front',
  'tee||||Red||M|T-2||||',
  'tee|||||||||https://a/2.jpg|2|Back',
  'cap|Cap|Hats|Title|Default Title|||C-1|9|https://a/3.jpg|1|',
);
const COMPARED = [
  'SKC',
  'Size',
  'Category 1',
  'Category 2',
  'Category 3',
  'Retail Price',
  'Images link',
] as const;

test('an export of Shopify: pictures are skipped, sizes found, first rows count for all, paths split', () => {
  const { rows, counts, skipped } = read(SHOPIFY, COMPARED);
  expect(rows).toEqual([
    ['T-1', 'S', 'Apparel', 'Clothing', 'Shirts', '20', 'https://a/1.jpg'],
    ['T-2', 'M', 'Apparel', 'Clothing', 'Shirts', '20', 'https://a/1.jpg'],
    ['C-1', '', 'Hats', '', '', '9', 'https://a/3.jpg'],
  ]);
  expect(counts).toEqual({
    'picture-rows': 1,
    'variant-picture': 1,
    'first-row': 1,
    'size-option': 2,
    'category-path': 2,
  });
  expect(skipped).toBe(1);
});

test('where the user has said which column is the size, no rule looks for it in the options', () => {
  const match = { Size: SHOPIFY[0]!.indexOf('Option1 Value') };
  expect(read(SHOPIFY, ['SKC', 'Size'], { match }).rows).toEqual([
    ['T-1', 'Red'],
    ['T-2', 'Red'],
    ['C-1', 'Default Title'],
  ]);
});

test('an option is the size by its name in any of our languages, and no other option is', () => {
  const size = (name: string) => {
    const table = tableOf('Handle|Variant SKU|Option1 Name|Option1 Value', `a|A-1|${name}|L`);
    return read(table, ['Size']).rows[0]?.[0];
  };
  for (const name of ['Size', 'size', 'Größe', 'Talla', 'Taglia', 'Rozmiar', 'Beden', '尺码']) {
    expect(size(name), name).toBe('L');
  }
  for (const name of ['Colour', 'Title', 'Sizing', '']) expect(size(name), name).toBe('');
});

test('a size with a comma stays a size; only a list of WooCommerce, which names all sizes of a parent, is none', () => {
  const sizes = (table: Table) => read(table, ['SKC', 'Size']).rows;
  const shopify = tableOf(
    'Handle|Variant SKU|Option1 Name|Option1 Value',
    'shoe|S-425|Größe|42,5',
    'shoe|S-43||43',
    'jeans|J-32|Size|W32, L34',
  );
  expect(sizes(shopify)).toEqual([
    ['S-425', '42,5'],
    ['S-43', '43'],
    ['J-32', 'W32, L34'],
  ]);
  const woo = tableOf(
    'ID|Type|SKU|Regular price|Categories|Parent|Attribute 1 name|Attribute 1 value(s)',
    '7|variable|SHOE|9|Shoes||Size|42\\,5, 43',
    '9|variation|SHOE-425|20||id:7|Size|42\\,5',
    '10|variation|SHOE-43|20||id:7|Size|43',
  );
  expect(sizes(woo)).toEqual([
    ['SHOE', ''],
    ['SHOE-425', '42,5'],
    ['SHOE-43', '43'],
  ]);
});

test('a file without stock codes asks for them, and offers the handle', () => {
  const skus = SHOPIFY[0]!.indexOf('Variant SKU');
  const blank = SHOPIFY.map((row, i) => row.map((cell, j) => (i > 0 && j === skus ? '' : cell)));
  const outcome = readLayout(csvOf(blank), DETECT_LAYOUT);
  expect(outcome).toMatchObject({
    kind: 'ask-columns',
    table: { questions: [{ column: 'SKC', candidates: [0] }] },
  });
  expect(read(blank, ['SKC', 'Size'], { match: { SKC: 0 } }).rows).toEqual([
    ['tee', 'S'],
    ['tee', 'M'],
    ['cap', ''],
  ]);
});

const WOO = tableOf(
  'ID|Type|SKU|Name|Regular price|Categories|Images|Parent|' +
    'Attribute 1 name|Attribute 1 value(s)|Attribute 2 name|Attribute 2 value(s)',
  '7|variable|TEE|Tee||Clothing > Tees, Sale|https://a/1.jpg||Colour|Red, Blue|Size|S, M',
  '8|simple|CAP|Cap|9|Hats\\, caps|https://a/2.jpg|||||',
  '9|variation|TEE-S|Tee S|20|||id:7|Colour|Red|Size|S',
  '10|variation|TEE-M|Tee M|21||https://a/3.jpg|TEE|Colour|Red|Size|M',
);

test('an export of WooCommerce: parents without a price are skipped and lend what variations lack', () => {
  const { rows, counts, skipped } = read(WOO, COMPARED);
  expect(rows).toEqual([
    ['CAP', '', 'Hats, caps', '', '', '9', 'https://a/2.jpg'],
    ['TEE-S', 'S', 'Clothing', 'Tees', 'Sale', '20', 'https://a/1.jpg'],
    ['TEE-M', 'M', 'Clothing', 'Tees', 'Sale', '21', 'https://a/3.jpg'],
  ]);
  expect(counts).toMatchObject({ parents: 1, 'from-parent': 2, 'size-option': 2 });
  expect(skipped).toBe(1);
});

test('products that a shop does not publish are skipped with all of their rows', () => {
  const shopify = tableOf(
    'Handle|Variant SKU|Variant Price|Option1 Name|Option1 Value|Published|Status',
    'tee|T-1|20|Size|S|TRUE|active',
    'tee|T-2|20||M||',
    'coat|C-1|90|Size|S|TRUE|draft',
    'coat|C-2|90||M||',
    'cap|H-1|9|Size|S|true|Archived',
    'hat|H-2|9|Size|S|FALSE|active',
    'sock|S-1|3|Size|S||',
  );
  const woo = tableOf(
    'ID|Type|SKU|Published|Regular price|Categories|Parent',
    '1|simple|A|1|5|x|',
    '2|simple||0|5|x|',
    '3|simple|B|1|5|x|',
    '10|simple|C|-1|5|x|',
    "11|simple|F|'-1|5|x|", // as WooCommerce escapes it
    '12|simple|G|-1.0|5|x|', // as a spreadsheet saves it
    '13|simple|H|0.0|5|x|',
    '4|variable|D|-1||x|',
    '5|variation|D-S|1|5||D',
    '6|variation|D-M|1|5||id:4',
    '7|variable|E|1||x|',
    '8|variation|E-S|1|5||id:7',
    '9|variation|E-M|0|5||id:7',
  );
  const codes = (table: Table) => read(table, ['SKC']).rows.flat();
  expect(codes(shopify)).toEqual(['T-1', 'T-2', 'S-1']);
  expect(codes(woo)).toEqual(['A', 'B', 'E-S']);
  expect(read(shopify, ['SKC'])).toMatchObject({ counts: { unpublished: 4 }, skipped: 4 });
  // In any other file Status and Published may mean anything.
  const other = tableOf('SKC|Size|Status|Published', 'A|M|draft|false');
  expect(codes(other)).toEqual(['A']);
});

test('of a category path of more than four steps, the first three and the last are kept', () => {
  const table = tableOf(
    'Handle|Variant SKU|Variant Price|Category',
    'a|A-1|5|Apparel > Clothing > Tops > Shirts > Oxford',
  );
  const all = ['Category 1', 'Category 2', 'Category 3', 'Category 4'] as const;
  expect(read(table, all).rows).toEqual([['Apparel', 'Clothing', 'Tops', 'Oxford']]);
});

test('rows like Total are skipped in any file, and products are not', () => {
  const codes =
    'A1|Total|TOTAL:| Grand total |Summe|Totale|Razem|合计|TOTAL-7|Totaliser|Sum 5'.split('|');
  const table = [['SKC', 'Retail Price'], ...codes.map((code) => [code, '5'])];
  const { rows, skipped } = read(table, ['SKC']);
  expect(rows.flat()).toEqual(['A1', 'TOTAL-7', 'Totaliser', 'Sum 5']);
  expect(skipped).toBe(7);
});

test('no rule changes a cell of a plain product file, whatever its cells hold', () => {
  const rows = fc.array(fc.array(someText, { minLength: 10, maxLength: 12 }), { maxLength: 5 });
  fc.assert(
    fc.property(rows, (table) => {
      const { layout } = layoutIn(csvLine(IMPORT_COLUMNS));
      const ruled = withRules(layout);
      expect(ruled.layout).toBe(layout);
      const applier = new RuleApplier(ruled.layout, ruled.rules);
      for (const cells of table) {
        const before = [...cells];
        applier.apply(cells);
        expect(cells).toEqual(before);
      }
    }),
  );
});

test('rows whose blank cells at the end are left out, as spreadsheets do, are read as the whole rows', () => {
  const short = SHOPIFY.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
  expect(read(short, COMPARED)).toEqual(read(SHOPIFY, COMPARED));
  const cut = tableOf(
    'Handle|Title|Variant SKU|Variant Price|Barcode|Size|Material',
    'tee|Tee|T-M|12|1|M|Cotton',
    'tee||T-L|12',
  );
  expect(read(cut, ['SKC', 'Size', 'Material']).rows[1]).toEqual(['T-L', '', 'Cotton']);
});

test('cells without a heading come behind the columns that the rules add', () => {
  const cells = 'hat|Hat||||||H|5||||spilled'.split('|');
  const { layout, rules } = withRules(layoutIn(csvOf([...SHOPIFY, cells])).layout);
  new RuleApplier(layout, rules).apply(cells);
  expect(cells.indexOf('spilled')).toBe(layout.columns.length);
});

test('a second row of headings, or one that says which are required, is no product', () => {
  const amazon = [
    ['Seller SKU', 'Product name', 'Size', 'Price'],
    ['Required', 'Optional', '', 'Mandatory'],
    ['item_sku', 'item_name', 'size', 'price'],
    ['A', 'Tee', 'M', '10'],
    ['Optional', 'Band', 'M', '10'],
    ['SKU', 'Patch', 'L', '3'],
    ['SKU', 'Name', 'Size', 'Price'],
  ];
  const { rows, counts } = read(amazon, ['SKC', 'Size']);
  expect(rows).toEqual([
    ['A', 'M'],
    ['Optional', 'M'],
    ['SKU', 'L'],
    ['SKU', 'Size'],
  ]);
  expect(counts).toEqual({ headings: 2 });
});
