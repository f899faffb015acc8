/** Reads changes of the catalogue with `catalogue_changes`, and makes some by imports. */
import { expect } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { clientOf, type TestShop } from './shop.ts';

/** An answer of `catalogue_changes`. */
export interface Changes {
  /** A random id, which changes when the whole table of products is emptied at once. */
  readonly epoch: string;
  /** The oldest version since which the server still knows all deletions. */
  readonly min_ver: number;
  /** False when the phone's version is not one of this server's: the phone must load everything again. */
  readonly known: boolean;
  /** The version of the catalogue that a phone has after it applied this answer. */
  readonly ver: number;
  /** The random id of this version. After a restore from a backup a version gets another one. */
  readonly stamp: string | null;
  /** Whether there are changes after `ver`. */
  readonly more: boolean;
  /** New and changed products, in the order of PRODUCT_COLUMNS. */
  readonly products: readonly (readonly [id: number, skc: string, size: string, ...unknown[]])[];
  /** Ids of deleted products. */
  readonly deleted: readonly number[];
}

/**
 * Asks for the changes since a version, as the site's function does.
 *
 * @param since null asks for the newest version only
 */
export async function changesSince(
  shop: TestShop,
  since: number | null,
  limit?: number,
  stamp?: string | null,
) {
  const { data, error } = await clientOf(shop, shop.backend.secretKey).rpc('catalogue_changes', {
    p_since: since,
    ...(limit === undefined ? {} : { p_limit: limit }),
    ...(stamp === undefined ? {} : { p_stamp: stamp }),
  });
  expect(error).toBeNull();
  return data as Changes;
}

/** The newest version of the catalogue. */
export async function newestVersion(shop: TestShop): Promise<number> {
  return (await changesSince(shop, null)).ver;
}

/** Imports rows with the rights of the server. */
export async function importProducts(shop: TestShop, rows: readonly ImportRow[]) {
  return clientOf(shop, shop.backend.secretKey).rpc('import_products', { p_rows: rows });
}

/** Imports products that have only a stock code. */
export function importCodes(shop: TestShop, ...codes: readonly string[]) {
  return importProducts(
    shop,
    codes.map((SKC) => ({ SKC })),
  );
}

/** The stock codes of the changed products, in the order of their changes. */
export const codesIn = (changes: Changes): string[] => changes.products.map(([, skc]) => skc);

/** Deletes the records of all deletions so far, as the nightly maintenance does with old ones. */
export const forgetDeletions = ({ backend }: TestShop) =>
  backend.query(`select public.prune_product_deletions('2100-01-01')`);
