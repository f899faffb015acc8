/** Opens a shop or a backend for all tests of a file, and closes it after the last of them. */
import { afterAll } from 'vitest';
import type { Backend } from '../../supabase/local/backend.ts';
import { openTestBackend, openTestShop, type TestShop, type TestShopOptions } from './shop.ts';

/** Opens a shop with a web server. */
export async function openShopForFile(options?: TestShopOptions): Promise<TestShop> {
  const shop = await openTestShop(options);
  afterAll(() => shop.close());
  return shop;
}

/** Opens a backend without a web server. */
export async function openBackendForFile(): Promise<Backend> {
  const backend = await openTestBackend();
  afterAll(() => backend.close());
  return backend;
}
