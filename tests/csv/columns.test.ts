/** The headings of a product file, by which columns are recognised. */
import { expect, test } from 'vitest';
import { columnOf } from '../../src/csv/aliases.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';

test('a column is recognised by its name, however that is spaced, cased or punctuated', () => {
  for (const column of IMPORT_COLUMNS) {
    expect(columnOf(column)).toBe(column);
    expect(columnOf(` ${column.toUpperCase().replace(' ', '_')}: `)).toBe(column);
    expect(columnOf(column.toLowerCase().replaceAll(' ', ''))).toBe(column);
  }
});

test('the four categories are never taken for one another', () => {
  for (const number of [1, 2, 3, 4]) {
    for (const name of [`Category ${number}`, `CATEGORY-${number}`, `Kategorie ${number}`]) {
      expect(columnOf(name)).toBe(`Category ${number}`);
    }
  }
  const others = 'Category 5, Category 11, Category 0, Cat 5, Categry 1, Category one';
  for (const name of others.split(', ')) {
    expect(columnOf(name), name).toBeNull();
  }
});

test('accents, capitals and punctuation of a name do not matter, in whatever language it is', () => {
  const names = {
    SKC: 'item-no., Item #, Art.-Nr., Custom label (SKU), CÓDIGO PRODUCTO, Cod. art., Nr artykulu, ÜRÜN KODU, 货号',
    Size: 'SIZE, Size (EU), GROESSE',
    'Images link': 'Image_Src, URL da imagem',
    'Retail Price': 'Retail price ($), Price incl. VAT, SATIŞ FİYATI, Satış fiyatı, 价格',
    Material: 'matiere',
    'Fabric Composition': 'Skład',
  };
  for (const [column, headings] of Object.entries(names)) {
    for (const heading of headings.split(', ')) expect(columnOf(heading), heading).toBe(column);
  }
});

test('a heading that is not the name of a column is not recognised', () => {
  const names =
    'Colour, Farbe, Name, Title, Handle, Type, Sale price, Price EUR, Option1 Value, ' +
    'SKC2, Skuu, Sise, Prices, Catgory';
  for (const name of [...names.split(', '), '', ' ', '-', 'SKUs2', 'x'.repeat(5000)]) {
    expect(columnOf(name), name).toBeNull();
  }
});
