import { isHandle, normaliseHeading } from './aliases.ts';
import { IMPORT_COLUMNS, type ImportColumn, KEY_COLUMNS } from './columns.ts';
import type { Layout } from './layout.ts';

/** What the reading rules need to know about a file. Positions are from 0; -1 for a column that is absent. */
export interface Sheet {
  readonly headers: readonly string[];
  /** The position of a column that the file itself has. */
  readonly positionInFile: (column: ImportColumn) => number;
  /** The position of a column that a rule adds. */
  readonly addedPosition: (column: ImportColumn) => number;
  /** The positions whose value a row may take from another row of the same product. */
  readonly inherited: readonly number[];
  /** The positions of each option's name and value, as in `Option1 Name` and `Option1 Value`. */
  readonly options: readonly { readonly name: number; readonly value: number }[];
  /** Columns that hold all options of a row in one cell, as `size=S,color=White`. */
  readonly packedOptions: readonly number[];
  /** The columns that say whether a product is on sale: status, published, active. */
  readonly states: readonly number[];
  /** Whether the first categories of the file are paths, such as `Women > Dresses`. */
  readonly hasPaths: boolean;
  /** The positions that the rules for an export of Shopify or WooCommerce read; null for another file. */
  readonly shopify: Readonly<Record<'handle' | 'variantPicture', number>> | null;
  readonly woo: Readonly<Record<'type' | 'id' | 'sku' | 'parent', number>> | null;
}

/**
 * The headings of WooCommerce's exports, which are in the language of the site: English, German, French, Spanish,
 * Italian, Dutch, Polish, Portuguese, Russian. Separated by a comma and a space.
 */
const WOO_HEADINGS = {
  type: 'Type, Typ, Tipo, Rodzaj, Тип',
  sku: 'SKU, Artikelnummer, UGS, COD, Artikelnummer, Артикул',
  published:
    'Published, Veröffentlicht, Publié, Publicado, Pubblicato, Gepubliceerd, Opublikowano, Опубликован',
  price:
    'Regular price, Regulärer Preis, Tarif régulier, Precio normal, Prezzo di listino, Reguliere prijs, ' +
    'Cena regularna, Preço normal, Preço, Базовая цена',
  parent:
    'Parent, Übergeordnetes Produkt, Übergeordnet, Superior, Genitore, Hoofdproduct, Hoofd, Nadrzędny, ' +
    'Ascendente, Родительский',
  categories:
    'Categories, Kategorien, Catégories, Categorías, Categorie, Categorieën, Kategorie, Categorias, Категории',
} as const;

/** Columns that tell whether a product is on sale, in exports of shop systems other than WooCommerce. */
const STATES = 'Status, Published, Product status, Active, Is active, Visible, Visibility';
const PACKED = 'Additional attributes, Attribute values, Variant attributes, Variation attributes';

const OPTION =
  '(?:variant|product)?(?:option|attribute?|attribuut|atributo|attributo|atrybutu|атрибутов|атрибута)';
/** `option1name`, `variantoptiononename`, `attribut1werte`; `optionname1`; `nomdelattribut1`. */
const OPTION_HEADINGS = [
  new RegExp(String.raw`^${OPTION}(?<number>\w+?)(?<what>name|naam|wert|values?|waarden?)e?$`),
  new RegExp(String.raw`^${OPTION}(?<what>name|values?)(?<number>\d+)$`),
  new RegExp(
    '^(?<what>nomdelattribut|valeursdelattribut|nombredelatributo|valoresdelatributo|nomedellattributo|' +
      'valoredellattributo|valoridellattributo|nazwaatrybutu|wartosciatrybutu|nomedoatributo|' +
      String.raw`valoresdoatributo|названиеатрибута|значенияатрибутов)(?<number>\d+)$`,
  ),
];
/** How the words for "value" begin. */
const VALUE = /^(?:wert|val|waarde|wartosc|знач)/;

/** @param fileColumns how many columns the file itself has; rules have added those behind them */
export function sheetOf({ headers, columns, hasPaths }: Layout, fileColumns: number): Sheet {
  const names = headers.slice(0, fileColumns).map(normaliseHeading);
  const findAny = (list: string) => {
    const anyOf = new Set(list.split(', ').map(normaliseHeading));
    return names.findIndex((name) => anyOf.has(name));
  };
  const handle = headers.findIndex(isHandle);
  const isShopify =
    handle >= 0 && findAny('Option1 Value, Variant Price, Option1 Name, Option1 Linked To') >= 0;
  const variantPicture = findAny('Variant Image, Variant Image URL');
  const [type, id] = [findAny(WOO_HEADINGS.type), findAny('ID')];
  const [sku, parent] = [findAny(WOO_HEADINGS.sku), findAny(WOO_HEADINGS.parent)];
  const isWoo =
    type >= 0 && findAny(WOO_HEADINGS.price) >= 0 && findAny(WOO_HEADINGS.categories) >= 0;
  const options = optionsIn(names);
  // In a plain list Status and Published may mean anything.
  const isExport = isShopify || options.length > 0;
  const states = isWoo
    ? [findAny(WOO_HEADINGS.published)]
    : isExport
      ? STATES.split(', ').map(findAny)
      : [];
  const positionInFile = (column: ImportColumn) => columns.slice(0, fileColumns).indexOf(column);
  return {
    headers,
    positionInFile,
    addedPosition: (column) => columns.indexOf(column, fileColumns),
    inherited: IMPORT_COLUMNS.slice(KEY_COLUMNS)
      .map(positionInFile)
      .filter((position) => position >= 0),
    options,
    packedOptions: PACKED.split(', ')
      .map(findAny)
      .filter((position) => position >= 0),
    states: states.filter((position) => position >= 0),
    hasPaths,
    shopify: isShopify ? { handle, variantPicture } : null,
    woo: isWoo ? { type, id, sku, parent } : null,
  };
}

/** Pairs the columns of names and values that have the same number. */
function optionsIn(names: readonly string[]): Sheet['options'] {
  const nameOf = new Map<string, number>();
  const valueOf = new Map<string, number>();
  for (const [position, heading] of names.entries()) {
    const option = OPTION_HEADINGS.map((each) => each.exec(heading)?.groups).find(Boolean);
    if (!option) continue;
    const { number = '', what = '' } = option;
    (VALUE.test(what) ? valueOf : nameOf).set(number, position);
  }
  return [...nameOf].flatMap(([number, name]) => {
    const value = valueOf.get(number);
    return value === undefined ? [] : [{ name, value }];
  });
}
