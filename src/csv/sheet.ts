import { isHandle, lettersAndDigitsOf } from './aliases.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import type { Layout } from './layout.ts';

/** What rules need to know of a file. */
export interface Sheet {
  readonly headers: readonly string[];
  /** Where a field stands in the file, -1 for nowhere; `added` where a rule has put it. */
  readonly at: (column: ImportColumn) => number;
  readonly added: (column: ImportColumn) => number;
  /** The columns whose value a row may take from another row of the same product. */
  readonly inherited: readonly number[];
  /** The columns of each option's name and value, as in `Option1 Name` and `Option1 Value`. */
  readonly options: readonly { readonly name: number; readonly value: number }[];
  /** The columns that the rules for an export of Shopify or WooCommerce read; null for another file. */
  readonly shopify: { readonly handle: number } | null;
  readonly woo: Readonly<Record<'type' | 'id' | 'sku' | 'parent', number>> | null;
}

/** @param fileColumns columns of the file itself; rules have added the others */
export function sheetOf({ headers, columns }: Layout, fileColumns: number): Sheet {
  const names = headers.slice(0, fileColumns).map(lettersAndDigitsOf);
  const find = (...anyOf: readonly string[]) => names.findIndex((name) => anyOf.includes(name));
  const options = names.flatMap((name, i) => {
    const number = /^(option|attribute)(\d+)name$/.exec(name);
    if (!number) return [];
    const [, kind = '', n = ''] = number;
    const value = find(`${kind}${n}value`, `${kind}${n}values`);
    return value < 0 ? [] : [{ name: i, value }];
  });
  const handle = headers.findIndex(isHandle);
  const isShopify = handle >= 0 && find('option1value', 'variantprice', 'option1name') >= 0;
  const [type, id, sku, parent] = [find('type'), find('id'), find('sku'), find('parent')];
  const isWoo = type >= 0 && find('regularprice') >= 0 && find('categories') >= 0;
  const at = (column: ImportColumn) => columns.slice(0, fileColumns).indexOf(column);
  return {
    headers,
    at,
    added: (column) => columns.indexOf(column, fileColumns),
    inherited: IMPORT_COLUMNS.map(at).filter((i) => i >= 0 && i !== at('SKC') && i !== at('Size')),
    options,
    shopify: isShopify ? { handle } : null,
    woo: isWoo ? { type, id, sku, parent } : null,
  };
}
