/** What catalogue_changes answers, and imports that cause it to. */
import { expect } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import type { TestShop } from './shop.ts';
import { clientOf } from './shop.ts';

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

/** Asks as a visitor; without a stamp, as a phone does whose build knows no stamps. */
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

/** The newest version. */
export async function head(shop: TestShop): Promise<number> {
  return (await changesSince(shop, null)).ver;
}

/** Imports as the server does. */
export async function importRows(shop: TestShop, rows: readonly ImportRow[]) {
  return clientOf(shop, shop.backend.secretKey).rpc('import_products', { p_rows: rows });
}

/** Imports products of which only the stock code is known. */
export function importCodes(shop: TestShop, ...codes: readonly string[]) {
  return importRows(
    shop,
    codes.map((SKC) => ({ SKC })),
  );
}

export const skcs = (changes: Changes): string[] => changes.products.map(([, skc]) => skc);
