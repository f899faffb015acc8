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

test('a column is recognised by other names that staff, suppliers and shop systems use', () => {
  const aliasesByColumn = {
    SKC:
      'Stock code, SKU, Item code, item-no., Variant SKU, SKC code, SKU no., SKU number, Style no, ' +
      'Style code, Style number, Article ID, Article no, Art. no., Item #, Item ID, Item no, ' +
      'Product ID, Product code, Reference, Custom label (SKU), Artikelnummer, Art.-Nr., ' +
      'Code article, Código de artículo, Referencia, CÓDIGO PRODUCTO, Codice articolo, Cod. art., ' +
      'Código do produto, Referência, Productcode, Kod produktu, KOD TOWARU, Nr artykułu, ' +
      'Nr artykulu, Stok kodu, ÜRÜN KODU, 货号, 商品编码, 款号',
    Size: 'SIZE, Sizes, EU size, Size (EU), Größe, GROESSE, Taille, Talla, Taglia',
    'Images link':
      'Image, Image URL, Photo, Picture, Images, Image Src, Image 1, Main image URL, ' +
      'Product image URL, Bild, Imagem, URL da imagem',
    'Category 1': 'Category, Categories, Cat 1, Kategorie, Catégorie',
    'Retail Price':
      'Price, RRP, MRP, List price, Retail price ($), Regular price, Variant Price, ' +
      'Price incl. VAT, Preis, UVP, Prix, Precio, PVP, Precio con IVA, Prezzo, ' +
      'Prezzo di listino, Prijs, Verkoopprijs, Adviesprijs, Fiyat, SATIŞ FİYATI, Satış fiyatı, ' +
      '价格, 零售价, 吊牌价',
    Material: 'material, Matière',
    'Fabric Composition': 'Composition, Fabric, Zusammensetzung, Skład',
  };
  for (const [column, aliases] of Object.entries(aliasesByColumn)) {
    for (const alias of aliases.split(', ')) expect(columnOf(alias), alias).toBe(column);
  }
});

test('a heading that is not the name of a column is not recognised', () => {
  const names =
    'Colour, Color, Farbe, Name, Title, Handle, Type, Sale price, Price EUR, Option1 Value';
  for (const name of [...names.split(', '), '', ' ', '-', 'SKUs2', 'x'.repeat(5000)]) {
    expect(columnOf(name), name).toBeNull();
  }
});

test('a heading with a typing error is not recognised', () => {
  for (const name of 'SKC2, Skuu, Sise, Prise, Pries, Prices, Catgory, Imaje, Tala'.split(', ')) {
    expect(columnOf(name), name).toBeNull();
  }
});
