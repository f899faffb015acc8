/** What catalogue_changes answers, and small things that its tests say often. */
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

/** Asks as a shopper without an account; without a stamp as a build that knows none. */
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

export async function head(shop: TestShop): Promise<number> {
  return (await changesSince(shop, null)).ver;
}

/** Imports as the server does. */
export async function importRows(shop: TestShop, rows: readonly ImportRow[]) {
  return clientOf(shop, shop.backend.secretKey).rpc('import_products', { p_rows: rows });
}

export const skcs = (changes: Changes): string[] => changes.products.map(([, skc]) => skc);
