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
  for (const name of ['Category 5', 'Category 11', 'Category 0', 'Categry 1', 'Category one']) {
    expect(columnOf(name), name).toBeNull();
  }
});

test('a column is recognised by other names that staff, suppliers and shop systems use', () => {
  const aliasesByColumn = {
    SKC: 'Stock code, SKU, Item code, item-no., Variant SKU, Artikelnummer, Art.-Nr., Code article',
    Size: 'SIZE, Größe, GROESSE, Taille',
    'Images link': 'Image, Image URL, Photo, Picture, Images, Image Src, Bild',
    'Category 1': 'Category, Categories, Kategorie, Catégorie',
    'Retail Price': 'Price, RRP, Retail price ($), Regular price, Variant Price, Preis, Prix, UVP',
    Material: 'material, Matière',
    'Fabric Composition': 'Composition, Fabric, Zusammensetzung',
  };
  for (const [column, aliases] of Object.entries(aliasesByColumn)) {
    for (const alias of aliases.split(', ')) expect(columnOf(alias), alias).toBe(column);
  }
});

test('a heading that means no column of the shop, or could mean several, is not recognised', () => {
  const names =
    'Colour, Color, Farbe, Name, Title, Handle, Type, Sale price, Price EUR, Option1 Value';
  for (const name of [...names.split(', '), '', ' ', '-', 'SKC2', 'Prices', 'x'.repeat(5000)]) {
    expect(columnOf(name), name).toBeNull();
  }
});
