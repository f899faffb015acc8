/** Imports in parts: in any order, repeated, and of several accounts. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { generateProducts } from '../../supabase/local/generate.ts';
import { SEED } from '../random.ts';
import { changesSince, newestVersion } from './changes.ts';
import { columnOf } from './column.ts';
import { importWhole, storedImport, storedProducts, writePart } from './parts.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = (await addShopper(shop, 'ada')).id;
const eve = (await addShopper(shop, 'eve')).id;
beforeEach(() => shop.backend.query('truncate public.products'));

test('a part that is sent twice counts once, and the second time writes nothing', async () => {
  const part = { user: ada, importId: randomUUID(), rows: [{ SKC: 'A' }, { SKC: 'B' }] };
  const first = await writePart(shop, { ...part, rejected: 3 });
  expect(first.data).toEqual({ inserted: 2, updated: 0, unchanged: 0, rejected: 3, off_sale: 0 });
  await shop.backend.query(`delete from public.products where "SKC" = 'B'`);
  const ver = await newestVersion(shop);
  const second = await writePart(shop, { ...part, rejected: 3 });
  expect(second.data).toEqual(first.data);
  expect(await newestVersion(shop)).toBe(ver);
  expect(await storedImport(shop, part.importId)).toMatchObject({ inserted: 2, rejected: 3 });
});

test('a part that was sent before with other content is rejected, and changes nothing', async () => {
  const part = { user: ada, importId: randomUUID() };
  await writePart(shop, { ...part, rows: [{ SKC: 'A' }] });
  const { error } = await writePart(shop, { ...part, rows: [{ SKC: 'B' }] });
  expect(error).toMatchObject({
    code: SQLSTATE.conflict,
    message: expect.stringContaining('other content'),
  });
  expect(await storedProducts(shop)).toHaveLength(1);
});

test('an account cannot send parts of another account’s import', async () => {
  const importId = await importWhole(shop, ada, [{ SKC: 'A' }]);
  for (const user of [eve, null]) {
    const { error } = await writePart(shop, { user, importId, part: 1, rows: [{ SKC: 'B' }] });
    expect(error?.code).toBe(SQLSTATE.notFound);
  }
  expect(await storedProducts(shop)).toHaveLength(1);
});

test('an import stores who made it and when, and is finished when all its parts have arrived', async () => {
  const importId = randomUUID();
  const sendPart = (part: number, totalParts: number | null) =>
    writePart(shop, { user: ada, importId, part, totalParts, rows: [{ SKC: `P${part}` }] });
  await sendPart(0, null);
  // Only the sender of the last part knows how many parts there are.
  await sendPart(2, 3);
  expect(await storedImport(shop, importId)).toMatchObject({ state: 'running', finished_at: null });
  expect((await sendPart(1, 4)).error?.code).toBe(SQLSTATE.conflict);
  expect((await sendPart(3, null)).error?.code).toBe(SQLSTATE.conflict);
  await sendPart(1, null);
  expect(await storedImport(shop, importId)).toMatchObject({
    user_id: ada,
    email: 'ada@weft.test',
    file_name: 'spring.csv',
    total_parts: 3,
    state: 'finished',
    inserted: 3,
    finished_at: expect.anything() as unknown,
  });
});

test('the number of parts may also come with a part that has arrived before', async () => {
  const importId = randomUUID();
  const part = { user: ada, importId, rows: [{ SKC: 'A' }] };
  await writePart(shop, part);
  expect((await storedImport(shop, importId))?.['state']).toBe('running');
  await writePart(shop, { ...part, totalParts: 1 });
  expect((await storedImport(shop, importId))?.['state']).toBe('finished');
});

test('an import is found by its file, for its account, until it ends or somebody changes the catalogue', async () => {
  const fileDigest = 'a'.repeat(64);
  const part = { user: ada, rows: [{ SKC: 'A' }], fileDigest };
  const unfinishedOf = (user: string) =>
    columnOf(
      shop.backend,
      `select public.unfinished_import('${user}', '${fileDigest}') ->> 'import_id'`,
    );
  const [first, second] = [randomUUID(), randomUUID()];
  await writePart(shop, { ...part, importId: first });
  expect([await unfinishedOf(ada), await unfinishedOf(eve)]).toEqual([[first], [null]]);
  await shop.backend.query(`update public.products set "Material" = 'changed by hand'`);
  expect(await unfinishedOf(ada)).toEqual([null]);
  await writePart(shop, { ...part, importId: second });
  expect(await unfinishedOf(ada)).toEqual([second]);
  await writePart(shop, { ...part, importId: second, totalParts: 1 });
  expect(await unfinishedOf(ada)).toEqual([null]);
});

test('a file imported again writes 0 rows, and phones have nothing to download', async () => {
  const rows = generateProducts(1500, SEED);
  await importWhole(shop, ada, rows);
  const rowVersions = 'select id, ver, xmin::text from public.products order by id';
  const before = await shop.backend.query(rowVersions);
  const ver = await newestVersion(shop);
  const secondImport = await importWhole(shop, eve, rows);
  const counts = { inserted: 0, updated: 0, unchanged: rows.length };
  expect(await storedImport(shop, secondImport)).toMatchObject({ ...counts, ver: null });
  expect(await shop.backend.query(rowVersions)).toEqual(before);
  expect(await changesSince(shop, ver)).toMatchObject({ ver, products: [], deleted: [] });
});
