/** What a new shop begins with: the sample catalogue, demo accounts, and products in any number. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDemoAccounts, DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../supabase/local/accounts.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { loadSampleCatalogue, readSampleCatalogue } from '../../supabase/local/sample.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';

const shop = await openShopForFile();
const loadedRows = await loadSampleCatalogue(shop.backend);

test('a new shop opens with the sample catalogue, and a shop with products is left alone', async () => {
  const rows = readSampleCatalogue();
  expect(loadedRows).toBe(rows.length);
  expect(await loadSampleCatalogue(shop.backend)).toBe(0);
  const { count } = await clientOf(shop).from('products').select('id', { count: 'exact' }).limit(1);
  expect(count).toBe(rows.length);
});

test('the demo accounts can sign in, one of them as staff; adding them again changes nothing, and no mail is sent', async () => {
  await addDemoAccounts(shop.backend);
  await addDemoAccounts(shop.backend);
  for (const { email, appMetadata = {} } of DEMO_ACCOUNTS) {
    const { data, error } = await clientOf(shop).auth.signInWithPassword({
      email,
      password: DEMO_PASSWORD,
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, app_metadata: appMetadata });
  }
  expect(shop.backend.mails).toEqual([]);
});

test('a demo account whose password was changed has the printed one again after the next start', async () => {
  await addDemoAccounts(shop.backend);
  const other = { email: 'other@weft.test', password: 'another password' };
  await shop.backend.addAccount(other);
  const { email } = DEMO_ACCOUNTS[0]!; // the list has two accounts
  await shop.backend.query(
    `update auth.users set encrypted_password =
       (select encrypted_password from auth.users where email = $1) where email = $2`,
    [other.email, email],
  );
  const signIn = () => clientOf(shop).auth.signInWithPassword({ email, password: DEMO_PASSWORD });
  expect((await signIn()).error?.code).toBe('invalid_credentials');
  await addDemoAccounts(shop.backend);
  expect((await signIn()).error).toBeNull();
});

test('generated products have sizes, categories of the sample catalogue, and pictures that exist', () => {
  const COUNT = 2000;
  const rows = generateProducts(COUNT);
  const codes = new Set(rows.map((row) => row.SKC));
  expect(codes.size, 'some products come in several sizes').toBeLessThan(COUNT);
  const keys = rows.map((row) => `${row.SKC} ${row.Size}`);
  expect(new Set(keys).size).toBe(COUNT);
  const categories = new Set(readSampleCatalogue().map((row) => row['Category 1'] ?? null));
  for (const row of rows) {
    expect(categories).toContain(row['Category 1']);
    const picture = row['Images link'];
    if (typeof picture === 'string') {
      expect(existsSync(join(import.meta.dirname, '../../public', picture))).toBe(true);
    }
  }
});
