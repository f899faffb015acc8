/** Opens what all tests of a file share, and closes it when the last of them has run. */
import { afterAll } from 'vitest';
import type { Backend } from '../../supabase/local/backend.ts';
import type { TestShop, TestShopOptions } from './shop.ts';
import { openTestBackend, openTestShop } from './shop.ts';

export async function openShopForFile(options?: TestShopOptions): Promise<TestShop> {
  const shop = await openTestShop(options);
  afterAll(() => shop.close());
  return shop;
}

/** A backend without an address. */
export async function openBackendForFile(): Promise<Backend> {
  const backend = await openTestBackend();
  afterAll(() => backend.close());
  return backend;
}
