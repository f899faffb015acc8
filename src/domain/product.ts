import { isolated } from './isolated.ts';
import { type Minor, parseMinor } from './money.ts';

/**
 * A product as the server sends it and the device stores it: the columns in this order. Rows without
 * column names are half the size, and a chunk of them is one string.
 */
export type ProductRow = readonly [
  id: number,
  skc: string,
  size: string,
  picture: string | null,
  category1: string | null,
  category2: string | null,
  category3: string | null,
  category4: string | null,
  /** In dollars, as the database has it. */
  retailPrice: number | null,
  material: string | null,
  fabricComposition: string | null,
];

/** The database's own column names, in the order of `ProductRow`. */
export const PRODUCT_COLUMNS = [
  'id',
  'SKC',
  'Size',
  'Images link',
  'Category 1',
  'Category 2',
  'Category 3',
  'Category 4',
  'Retail Price',
  'Material',
  'Fabric Composition',
] as const;

export interface Product {
  readonly id: number;
  /** Stock code. */
  readonly skc: string;
  /** Empty when the product has no size. */
  readonly size: string;
  /** `http(s)` or a path on this shop; null where there is none or an `<img>` must not load it. */
  readonly picture: string | null;
  /** The first category, or `Untitled`. */
  readonly title: string;
  /** Some shops name the colour here, too: "Indigo linen". */
  readonly material: string | null;
  readonly price: Minor | null;
}

/** The sort key of the shop's order: by stock code, then by id. */
export interface ProductKey {
  readonly skc: string;
  readonly id: number;
}

/** A version of the server's catalogue. */
export interface VersionName {
  readonly ver: number;
  /**
   * Tells the server whether a restore has undone what was read: the stamp of the newest version at that time, which
   * may be later than `ver`.
   */
  readonly stamp: string;
}

/** A version of the server's catalogue. `ver` grows within an epoch; truncating the table begins a new epoch. */
export interface CatalogueVersion extends VersionName {
  readonly epoch: string;
}

/**
 * Checks one row from outside, given as values in the order of `PRODUCT_COLUMNS`.
 * Returns null when it has no id or stock code; a value of the wrong type becomes null.
 */
export function parseProductRow(values: readonly unknown[]): ProductRow | null {
  const [id, skc, size] = values;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (typeof skc !== 'string' || skc === '') return null;
  const price = values[8];
  return [
    id,
    skc,
    textOrNull(size) ?? '',
    textOrNull(values[3]),
    textOrNull(values[4]),
    textOrNull(values[5]),
    textOrNull(values[6]),
    textOrNull(values[7]),
    parseMinor(price) === null ? null : (price as number), // parseMinor has tested it
    textOrNull(values[9]),
    textOrNull(values[10]),
  ];
}

export function productOf(row: ProductRow): Product {
  return {
    id: row[0],
    skc: row[1],
    size: row[2],
    picture: loadablePicture(row[3]),
    title: row[4] ?? 'Untitled',
    material: row[9],
    price: parseMinor(row[8]),
  };
}

/** The fields of a product that make its name. */
export interface Named {
  readonly title: string;
  readonly material?: string | null;
  readonly size: string;
}

/** The name of a product on its own, in a sentence and for screen readers. */
export function nameOf({ title, material, size }: Named): string {
  // "One size" needs no word "size" before it.
  const ofSize = / size$/i.test(size) ? size : size && `size ${size}`;
  return [title, material, ofSize]
    .map((part) => isolated(part ?? ''))
    .filter(Boolean)
    .join(', ');
}

/** A product in a list. */
type Listed = Named & Pick<Product, 'skc'>;

/**
 * Names products that stand side by side. Where products of different stock codes would have the same name,
 * the stock code is added.
 *
 * @param products may hold the same product twice
 */
export function namesAmong(products: readonly Listed[]): (product: Listed) => string {
  /** The stock code by name; null if several stock codes have the name. */
  const owners = new Map<string, string | null>();
  for (const product of products) {
    const name = nameOf(product);
    const isOnlyOwner = !owners.has(name) || owners.get(name) === product.skc;
    owners.set(name, isOnlyOwner ? product.skc : null);
  }
  return (product) => {
    const name = nameOf(product);
    return owners.get(name) === null ? `${name}, ${product.skc}` : name;
  };
}

/** The four category fields without the empty ones. */
export function categoriesOf(row: ProductRow): string[] {
  return [row[4], row[5], row[6], row[7]].filter((category) => category !== null);
}

export function keyOf(row: ProductRow): ProductKey {
  return { skc: row[1], id: row[0] };
}

/**
 * The shop's order. This compares code units, and the column's collation "C" compares bytes: the two orders
 * differ only for characters beyond U+FFFF, which only changes where such a product is shown.
 */
export function compareKeys(a: ProductKey, b: ProductKey): number {
  if (a.skc !== b.skc) return a.skc < b.skc ? -1 : 1;
  return a.id - b.id;
}

export function textOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

/** Returns the link if an `<img>` may load it: no `javascript:`, `data:` or protocol-relative one. */
export function loadablePicture(link: string | null): string | null {
  if (link === null) return null;
  if (/^https?:\/\//i.test(link)) return link;
  return /^\/(?![/\\])/.test(link) ? link : null;
}
