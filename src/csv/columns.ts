import { PRODUCT_COLUMNS } from '../domain/product.ts';

/** The columns of a product file: those of the table of products without the id, in its order. */
export const [, ...IMPORT_COLUMNS] = PRODUCT_COLUMNS;

export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** The first two columns, stock code (SKC) and size, identify a product. */
export const KEY_COLUMNS = 2;

/** Limits of one file; the import page shows them. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024;
export const MAX_ROWS = 2_000_000;
export const MAX_COLUMNS = 200;
/** Characters (UTF-16 units) of one row. */
export const MAX_RECORD_CHARS = 1024 * 1024;

/** The most characters of a stored value. The database has the same limit for `SKC`. */
export const TEXT_LIMITS: Readonly<Record<Exclude<ImportColumn, 'Retail Price'>, number>> = {
  SKC: 64,
  Size: 32,
  'Images link': 2048,
  'Category 1': 120,
  'Category 2': 120,
  'Category 3': 120,
  'Category 4': 120,
  Material: 500,
  'Fabric Composition': 500,
};

/**
 * Other headings that mean exactly one column, as shops, suppliers and shop systems (Shopify,
 * WooCommerce) write them. Colour has no column here, and a sale price is not the retail price.
 */
const ALIASES: Readonly<Record<ImportColumn, string>> = {
  SKC:
    'Stock code, Stock keeping code, SKU, SKU code, Product SKU, Variant SKU, Item code, ' +
    'Item number, Item no, Article code, Article number, Article no, Product code, ' +
    'Artikelnummer, Artikel-Nr, Art-Nr, Artikelcode, Code article, Référence article, Réf article',
  Size: 'Product size, Größe, Groesse, Taille',
  'Images link':
    'Image, Images, Image link, Image links, Image URL, Image URLs, Images URL, Image Src, ' +
    'Main image, Photo, Photos, Photo link, Photo URL, Picture, Pictures, Picture link, ' +
    'Picture URL, Bild, Bilder, Bildlink, Bild-URL',
  'Category 1': 'Category, Categories, Kategorie, Kategorie 1, Catégorie, Catégorie 1',
  'Category 2': 'Kategorie 2, Catégorie 2',
  'Category 3': 'Kategorie 3, Catégorie 3',
  'Category 4': 'Kategorie 4, Catégorie 4',
  'Retail Price':
    'Price, Price USD, Retail price USD, RRP, MSRP, Regular price, Selling price, Variant price, ' +
    'Preis, Verkaufspreis, VK-Preis, UVP, Prix, Prix de vente',
  Material: 'Materials, Materialien, Matière, Matières',
  'Fabric Composition':
    'Composition, Fabric, Fabrics, Fabric content, Fibre content, Fiber content, ' +
    'Fibre composition, Fiber composition, Material composition, Zusammensetzung, ' +
    'Materialzusammensetzung',
};

const COLUMN_BY_NAME: ReadonlyMap<string, ImportColumn> = new Map(
  IMPORT_COLUMNS.flatMap((column) =>
    [column, ...ALIASES[column].split(', ')].map(
      (name) => [lettersAndDigitsOf(name), column] as const,
    ),
  ),
);

/**
 * The column that a file's heading means, or null. Case, spaces, punctuation and accents do not matter;
 * every letter and digit does, because `Category 1` and `Category 2` differ in one.
 */
export function columnOf(heading: string): ImportColumn | null {
  if (heading.length > 100) return null; // longer than any alias
  return COLUMN_BY_NAME.get(lettersAndDigitsOf(heading)) ?? null;
}

function lettersAndDigitsOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
