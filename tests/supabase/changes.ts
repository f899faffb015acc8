/** Reads changes of the catalogue with `catalogue_changes`, and makes some by imports. */
import { expect } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import type { TestShop } from './shop.ts';
import { clientOf } from './shop.ts';

/** An answer of `catalogue_changes`; `known` is false when the phone must load everything again. */
export interface Changes {
  readonly epoch: string;
  readonly min_ver: number;
  readonly known: boolean;
  readonly ver: number;
  readonly stamp: string | null;
  readonly more: boolean;
  readonly products: readonly (readonly [id: number, skc: string, size: string, ...unknown[]])[];
  readonly deleted: readonly number[];
}

/** Asks as a visitor. Without a stamp it asks as phones with an older build do. */
export async function changesSince(
  shop: TestShop,
  since: number | null,
  limit?: number,
  stamp?: string | null,
) {
  const { data, error } = await clientOf(shop).rpc('catalogue_changes', {
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
export async function importRows(shop: TestShop, rows: readonly ImportRow[]) {
  return clientOf(shop, shop.backend.secretKey).rpc('import_products', { p_rows: rows });
}

/** Imports products that have only a stock code. */
export function importCodes(shop: TestShop, ...codes: readonly string[]) {
  return importRows(
    shop,
    codes.map((SKC) => ({ SKC })),
  );
}

/** The stock codes of the changed products, in the order of their changes. */
export const codesIn = (changes: Changes): string[] => changes.products.map(([, skc]) => skc);
