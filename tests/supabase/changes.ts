/** What catalogue_changes answers, and small things that its tests say often. */
import { expect } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import type { TestShop } from './shop.ts';
import { clientOf } from './shop.ts';

export interface Changes {
  readonly epoch: string;
  readonly min_ver: number;
  readonly ver: number;
  readonly more: boolean;
  readonly products: readonly (readonly [id: number, skc: string, size: string, ...unknown[]])[];
  readonly deleted: readonly number[];
}

/** Asks as a shopper without an account. */
export async function changesSince(shop: TestShop, since: number | null, limit?: number) {
  const { data, error } = await clientOf(shop).rpc('catalogue_changes', {
    p_since: since,
    ...(limit === undefined ? {} : { p_limit: limit }),
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
