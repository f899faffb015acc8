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
  /** The positions that the rules for an export of Shopify or WooCommerce read; null for another file. */
  readonly shopify: Readonly<Record<'handle' | 'status' | 'published', number>> | null;
  readonly woo: Readonly<Record<'type' | 'id' | 'sku' | 'parent' | 'published', number>> | null;
}

/** @param fileColumns how many columns the file itself has; rules have added those behind them */
export function sheetOf({ headers, columns }: Layout, fileColumns: number): Sheet {
  const names = headers.slice(0, fileColumns).map(normaliseHeading);
  const find = (...anyOf: readonly string[]) => names.findIndex((name) => anyOf.includes(name));
  const options = names.flatMap((name, i) => {
    const match = /^(option|attribute)(\d+)name$/.exec(name);
    if (!match) return [];
    const [, kind, number] = match;
    const value = find(`${kind}${number}value`, `${kind}${number}values`);
    return value < 0 ? [] : [{ name: i, value }];
  });
  const handle = headers.findIndex(isHandle);
  const isShopify = handle >= 0 && find('option1value', 'variantprice', 'option1name') >= 0;
  const [status, published] = [find('status'), find('published')];
  const [type, id, sku, parent] = [find('type'), find('id'), find('sku'), find('parent')];
  const isWoo = type >= 0 && find('regularprice') >= 0 && find('categories') >= 0;
  const positionInFile = (column: ImportColumn) => columns.slice(0, fileColumns).indexOf(column);
  return {
    headers,
    positionInFile,
    addedPosition: (column) => columns.indexOf(column, fileColumns),
    inherited: IMPORT_COLUMNS.slice(KEY_COLUMNS)
      .map(positionInFile)
      .filter((position) => position >= 0),
    options,
    shopify: isShopify ? { handle, status, published } : null,
    woo: isWoo ? { type, id, sku, parent, published } : null,
  };
}
