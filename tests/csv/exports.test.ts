/** Files of shop systems as they really are, with the values that they should give. */
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS, type ImportColumn } from '../../src/csv/columns.ts';
import { readLayout } from '../../src/csv/layout.ts';
import { RuleApplier, withRules } from '../../src/csv/reading-rules.ts';
import { openRecordReader } from '../../src/csv/records.ts';
import { DETECT_LAYOUT } from '../../src/csv/remembered.ts';
import { openRowValidator } from '../../src/csv/row-validator.ts';
import { layoutIn } from './text.ts';

/** The stored values of these columns, a text for each accepted row, and how many rows rules have skipped. */
function read(text: string, ...columns: readonly ImportColumn[]) {
  const { layout, rules } = withRules(layoutIn(text).layout);
  const applier = new RuleApplier(layout, rules);
  const validator = openRowValidator(layout, { decimalMark: null, blankCellsClear: false });
  const rows: string[] = [];
  const reader = openRecordReader({ ...layout, firstLine: 1 }, (cells) => {
    if (!applier.apply(cells)) return;
    const row = validator.validate(cells);
    if (!row?.ok) return;
    rows.push(columns.map((column) => row.values[IMPORT_COLUMNS.indexOf(column)] ?? '').join('|'));
  });
  expect(reader.push(text.slice(layout.bodyStart)) ?? reader.end()).toBeNull();
  return { rows, skipped: applier.skipped };
}

/** The headings that could be the stock code, where the page asks; null where it does not ask. */
function askedCodes(text: string): readonly string[] | null {
  const outcome = readLayout(text, DETECT_LAYOUT);
  if (outcome.kind !== 'ask-columns') return null;
  const { questions, columns } = outcome.table;
  const { candidates = [] } = questions.find(({ column }) => column === 'SKC') ?? {};
  return candidates.map((index) => columns.find((column) => column.index === index)?.header ?? '');
}

const WOO = 'ID,Type,SKU,Name,Published,Regular price,Categories,Images,Parent\n';

test('a size of Shopify has its variant’s picture, else the first of its product, not the one in its row', () => {
  const { rows } = read(
    'Handle,Title,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Image Position,Variant Image\n' +
      'tee,Tee,true,Size,S,T-S,20,https://x.example/front.jpg,1,\n' +
      'tee,,,,M,T-M,20,https://x.example/back.jpg,2,\n' +
      'tee,,,,L,T-L,20,https://x.example/label.jpg,3,\n' +
      'cap,Cap,true,Color,Red,C-R,9,https://x.example/cap1.jpg,1,https://x.example/red.jpg\n' +
      'cap,,,,Blue,C-B,9,https://x.example/cap2.jpg,2,https://x.example/blue.jpg\n',
    'Images link',
  );
  expect(rows.map((link) => link.replace('https://x.example/', ''))).toEqual([
    'front.jpg',
    'front.jpg',
    'front.jpg',
    'red.jpg',
    'blue.jpg',
  ]);
});

test.each([
  [
    'Lightspeed',
    'id,handle,sku,name,variant_option_one_name,variant_option_one_value,retail_price,active',
    [
      'u1,shirt,A-S,Shirt,Size,S,25.00,1',
      'u2,shirt,A-M,Shirt,Size,M,25.00,1',
      'u3,cap,CAP,Cap,,,9.00,0',
    ],
  ],
  [
    'Squarespace',
    'SKU,Title,Option Name 1,Option Value 1,Price',
    ['A-S,Shirt,Size,S,25', 'A-M,Shirt,Size,M,25'],
  ],
  [
    'Medusa',
    'Variant SKU,Variant Option 1 Name,Variant Option 1 Value,Price USD',
    ['A-S,Size,S,25', 'A-M,Size,M,25'],
  ],
  ['Amazon', 'item_sku,size_name,price', ['A-S,S,25', 'A-M,M,25']],
  [
    'Magento',
    'sku,price,additional_attributes',
    ['A-S,25,"size=S,color=White"', 'A-M,25,"color=White,size=M"'],
  ],
  [
    'Odoo',
    'Internal Reference,Price,Attribute values',
    ['A-S,25,"Color:Red,Size:S"', 'A-M,25,"Size:M"'],
  ],
  [
    'a shop with shoes',
    'Handle,Variant SKU,Option1 Name,Option1 Value,Variant Price',
    ['a,A-S,Shoe size,S,25', 'a,A-M,,M,25'],
  ],
])('sizes in the export of %s are read', (_, header, lines) => {
  const { rows } = read(`${header}\n${lines.join('\n')}\n`, 'SKC', 'Size');
  expect(rows).toEqual(['A-S|S', 'A-M|M']);
});

test('an export of a German or French WooCommerce is read like an English one', () => {
  const expected = {
    rows: ['HEMD-S|S|39.90|Damen|Hemden|/h.jpg', 'HEMD-M|M|39.90|Damen|Hemden|/h.jpg'],
    skipped: 2,
  };
  const columns = [
    'SKC',
    'Size',
    'Retail Price',
    'Category 1',
    'Category 2',
    'Images link',
  ] as const;
  const lines =
    '10,variable,HEMD,Hemd,1,,"Damen > Hemden",/h.jpg,,GRÖSSE,"S, M"\n' +
    '11,variation,HEMD-S,Hemd - S,1,39.90,,,HEMD,GRÖSSE,S\n' +
    '12,variation,HEMD-M,Hemd - M,1,39.90,,,HEMD,GRÖSSE,M\n' +
    '13,simple,ENTWURF,Entwurf,\'-1,10,"Damen > Hemden",/e.jpg,,,\n';
  const german =
    'ID,Typ,Artikelnummer,Name,Veröffentlicht,Regulärer Preis,Kategorien,Bilder,Übergeordnetes Produkt,Attribut 1 Name,Attribut 1 Wert(e)\n';
  const french =
    'ID,Type,UGS,Nom,Publié,Tarif régulier,Catégories,Images,Parent,Nom de l’attribut 1,Valeur(s) de l’attribut 1\n';
  expect(read(german + lines.replaceAll('GRÖSSE', 'Größe'), ...columns)).toEqual(expected);
  expect(read(french + lines.replaceAll('GRÖSSE', 'Taille'), ...columns)).toEqual(expected);
});

test('category paths are split in any file, and of Magento’s lists the first below the root counts', () => {
  const columns = ['Category 1', 'Category 2', 'Category 3'] as const;
  expect(read('sku,category,price\nA,Women > Dresses > Midi,20\n', ...columns).rows).toEqual([
    'Women|Dresses|Midi',
  ]);
  const magento =
    'sku,categories,price\nA1,"Default Category/Men/Bottoms/Pants,Default Category/Promotions/Pants,Default Category",35\n';
  expect(read(magento, ...columns).rows).toEqual(['Men|Bottoms|Pants']);
});

test('the page asks which column has the codes where one repeats and another does not, or is blank', () => {
  expect(askedCodes('article_id,product_code,price\n1,A,5\n2,A,5\n3,B,5\n')).toEqual([
    'article_id',
    'product_code',
  ]);
  expect(askedCodes('Item Name,Item ID,Variation ID,Price\nTee,1,11,5\nTee,1,12,5\n')).toEqual([
    'Item ID',
    'Variation ID',
  ]);
  expect(askedCodes(`${WOO}7,simple,,Tee,1,20,Tops,/1.jpg,\n`)).toEqual(['ID']);
  expect(askedCodes('Product ID,Product Code/SKU,Name,Price\n1,A,Tee,5\n2,B,Cap,5\n')).toBeNull();
  expect(askedCodes('article_id,product_code,size\n1,A,S\n2,A,M\n')).toBeNull();
});

test('headings that come again, and notes, are no products', () => {
  const { rows, skipped } = read(
    'SKU,Size,Price\nA,S,5\nSKU,Size,Price\n# spring,,\n#7,M,5\n',
    'SKC',
  );
  expect([rows, skipped]).toEqual([['A', '#7'], 2]);
});

test('words for none, markup and entities are not stored', () => {
  const { rows } = read(
    'SKU,Size,Category,Material\nA,N/A,Tops &amp; Tees,<ul><li>Cotton</li></ul>\nB,-,nan,none\n',
    'SKC',
    'Size',
    'Category 1',
    'Material',
  );
  expect(rows).toEqual(['A||Tops & Tees|Cotton', 'B|||']);
});

test('notes in brackets behind a heading do not hide what it means', () => {
  const headings =
    'SKU (required),Price (CAD),"Image URLs (x, y, z...)",Categories [list],Internal Reference';
  expect(layoutIn(`${headings}\n`).layout.columns).toEqual([
    'SKC',
    'Retail Price',
    'Images link',
    'Category 1',
    null,
  ]);
});
