/** The functions of the import page: `imports`, `undo-import`, and who may use them. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { storedProducts } from '../supabase/parts.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper, type Shopper } from '../supabase/shoppers.ts';
import { askImports, post, upload } from './function-calls.ts';
import { openHostWith } from './start-host.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
beforeEach(() => shop.backend.query('truncate public.products, public.imports cascade'));

/** The answer to a part with one row that is rejected. */
const ONE_REJECTED = { status: 200, body: { rejected_count: 1 } };

const undo = (token: string | null, importId: unknown, at: { readonly url: string } = shop) =>
  post(at, 'undo-import', token, { importId });

/** Uploads a file as a shopper. @returns the import's id */
async function importCsv(shopper: Shopper, csv: string): Promise<string> {
  const { body } = await upload(shop, shopper.token, { csv, fileName: 'spring.csv' });
  return String(body['import_id']);
}

test('every row of a file is in a count of the last import, also a row that never left the device', async () => {
  const importId = randomUUID();
  const leftOut = { replaced: 3, rejected: 4, skipped: 5 };
  const csv = 'SKC,Retail Price\nA,1\nA,2\nB,\nC,-1\n';
  const first = { csv, importId, part: 0, leftOut };
  // The part is sent twice, as after a lost answer.
  for (let i = 0; i < 2; i++)
    expect(await upload(shop, ada.token, first)).toMatchObject(ONE_REJECTED);
  await upload(shop, ada.token, { csv: 'SKC\nB\nD\n', importId, part: 1, totalParts: 2 });
  expect((await askImports(shop, ada.token)).body['last']).toMatchObject({
    state: 'finished',
    inserted: 3,
    updated: 0,
    unchanged: 1,
    replaced: 3 + 1,
    rejected: 4 + 1,
    skipped: 5,
  });
});

test('the page learns who imported last, what, when, and whether it can be undone', async () => {
  const importId = await importCsv(ada, 'SKC\nA\nB\n,\n');
  expect((await askImports(shop, ada.token)).body['last']).toMatchObject({
    import_id: importId,
    file_name: 'spring.csv',
    started_at: expect.stringMatching(/^20/),
    is_by_hand: false,
    by_me: true,
    inserted: 2,
    undo: 'now',
  });
  expect((await askImports(shop, eve.token)).body['last']).toMatchObject({
    by_me: false,
    undo: 'foreign',
  });
});

test('an undo is rejected for an older import, an import of others, without a token and for no id', async () => {
  const first = await importCsv(ada, 'SKC\nA\n');
  await importCsv(ada, 'SKC\nB\n');
  expect((await undo(ada.token, first)).status).toBe(409);
  expect((await undo(eve.token, first)).status).toBe(404);
  expect((await undo(ada.token, randomUUID())).status).toBe(404);
  expect((await undo(null, first)).status).toBe(401);
  expect((await askImports(shop, null)).status).toBe(401);
  for (const importId of ['x', 7, undefined, `${first}\u0000`]) {
    expect((await undo(ada.token, importId)).status).toBe(400);
  }
  expect(await storedProducts(shop)).toHaveLength(2);
});

test('where the shop names a role, only accounts with it may import, undo or see imports', async () => {
  await using withRole = await openHostWith(shop, { IMPORT_ROLE: 'staff' });
  const { token: staff } = await addShopper(shop, 'boss', 'staff');
  // An account may write a role into its own user metadata, which must give it no rights.
  await eve.client.auth.updateUser({ data: { role: 'staff' } });

  const csv = 'SKC\nA\n';
  const importId = randomUUID();
  expect(await upload(withRole, eve.token, { csv, importId })).toEqual({
    status: 403,
    body: { error: 'Only accounts with the role "staff" may import products.' },
  });
  expect(await storedProducts(shop)).toEqual([]);
  expect((await upload(withRole, staff, { csv, importId })).status).toBe(200);
  expect((await undo(eve.token, importId, withRole)).status).toBe(403);
  expect((await askImports(withRole, eve.token)).body).toEqual({
    required_role: 'staff',
    may_import: false,
    last: null,
    earlier: [],
  });
  expect((await askImports(withRole, staff)).body).toMatchObject({
    required_role: 'staff',
    may_import: true,
    last: { import_id: importId },
  });
  const { token: colleague } = await addShopper(shop, 'colleague', 'staff');
  expect((await undo(colleague, importId, withRole)).status).toBe(200);
});

test('a shop that takes real money rejects imports until it says who may import', async () => {
  await using live = await openHostWith(shop, { STRIPE_SECRET_KEY: 'sk_live_abc' });
  const importId = await importCsv(ada, 'SKC\nA\n');
  for (const answer of [
    await upload(live, ada.token, { csv: 'SKC\nB\n' }),
    await undo(ada.token, importId, live),
    await askImports(live, ada.token),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'not-configured' } });
    expect(answer.body['error']).toContain('IMPORT_ROLE is not set');
  }
  expect(await storedProducts(shop)).toMatchObject([{ SKC: 'A' }]);
});
