/** Undoing several imports, newest first, also when they ran at the same time. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { SEED, seeded } from '../random.ts';
import { importWhole, recentImports, storedProducts, undo, undoAll, writePart } from './parts.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = (await addShopper(shop, 'ada')).id;
const eve = (await addShopper(shop, 'eve')).id;
const forgetImports = () =>
  shop.backend.query('truncate public.products, public.imports, public.import_changes cascade');
beforeEach(forgetImports);

/** The products' materials by stock code. */
const materials = async () =>
  Object.fromEntries((await storedProducts(shop)).map((row) => [row['SKC'], row['Material']]));
/** Rows that give these stock codes a material. */
const rowsWith = (Material: string | null, ...codes: string[]): ImportRow[] =>
  codes.map((SKC) => ({ SKC, Material }));
const updateProducts = (sql: string) => shop.backend.query(`update public.products set ${sql}`);

/** The recent import that may be undone now. */
const undoableImport = async () =>
  (await recentImports(shop, ada)).find(({ undo: state }) => state === 'now');

test('imports are undone newest first, until the catalogue is as it was before all of them', async () => {
  await importWhole(shop, null, [{ SKC: 'A', Material: 'wool', 'Retail Price': '10.00' }]);
  const catalogues = [await storedProducts(shop)];
  const imports: string[] = [];
  const files: readonly (readonly ImportRow[])[] = [
    [{ SKC: 'A', 'Retail Price': '0.50' }, { SKC: 'B' }],
    [...rowsWith('felt', 'A', 'B'), ...rowsWith(null, 'C')],
    [{ SKC: 'A', Material: 'silk', 'Retail Price': '0.60' }, ...rowsWith('silk', 'C')],
    rowsWith('silk', 'B'),
  ];
  for (const rows of files) {
    imports.push(await importWhole(shop, ada, rows));
    catalogues.push(await storedProducts(shop));
  }
  const { error } = await undo(shop, ada, imports[0] ?? '');
  expect([error?.code, error?.message]).toEqual([
    SQLSTATE.conflict,
    'Imports are undone newest first: undo the one after this first.',
  ]);
  for (;;) {
    catalogues.pop();
    const newest = imports.pop();
    if (newest === undefined) break;
    expect((await undoableImport())?.import_id).toBe(newest);
    expect(await undoAll(shop, ada, newest)).toMatchObject({ kept: 0 });
    expect(await storedProducts(shop)).toEqual(catalogues.at(-1));
  }
});

test('a product that was changed by hand between two imports keeps that change after both undos', async () => {
  await importWhole(shop, null, rowsWith('wool', 'A', 'B'));
  const first = await importWhole(shop, ada, rowsWith('felt', 'A', 'B'));
  await updateProducts(`"Material" = 'by hand' where "SKC" = 'A'`);
  const second = await importWhole(shop, ada, rowsWith('silk', 'A', 'B'));
  expect(await undoAll(shop, ada, second)).toMatchObject({ restored: 2 });
  expect(await undoAll(shop, ada, first)).toMatchObject({ restored: 1, kept: 1 });
  expect(await materials()).toEqual({ A: 'by hand', B: 'wool' });
});

test('of two imports at the same time each can be undone, and the earlier values are restored', async () => {
  await importWhole(shop, null, rowsWith('wool', 'A', 'B', 'C'));
  const importId = randomUUID();
  const sendPart = (part: number, rows: readonly ImportRow[]) =>
    writePart(shop, { user: ada, importId, part, rows }).throwOnError();
  await sendPart(0, [...rowsWith('felt', 'A', 'B'), ...rowsWith('felt', 'new')]);
  const other = await importWhole(shop, eve, rowsWith('silk', 'A', 'B', 'C', 'new'));
  await sendPart(1, rowsWith('linen', 'A', 'C'));
  expect(await undoAll(shop, ada, importId)).toEqual({ removed: 0, restored: 2, kept: 2, left: 0 });
  expect(await materials()).toEqual({ A: 'silk', B: 'silk', C: 'silk', new: 'silk' });
  expect(await undoAll(shop, eve, other)).toEqual({ removed: 1, restored: 3, kept: 0, left: 0 });
  expect(await materials()).toEqual({ A: 'wool', B: 'wool', C: 'wool' });
});

test('random imports whose parts alternate leave no trace when all are undone', async () => {
  const random = seeded(SEED);
  const randomSubset = (...codes: readonly string[]) => codes.filter(() => random() < 0.5);
  for (let round = 0; round < 4; round += 1) {
    await forgetImports();
    await importWhole(shop, null, rowsWith('wool', ...randomSubset('A', 'B', 'C', 'D', 'E')));
    const before = await materials();
    const imports = Array.from({ length: 4 }, () => randomUUID());
    for (let part = 0; part < 10; part += 1) {
      const importId = imports[Math.floor(random() * imports.length)] ?? '';
      const rows = randomSubset('A', 'B', 'C', 'D', 'E', 'F', 'G').flatMap((code) =>
        rowsWith(`m${Math.floor(random() * 3)}`, code),
      );
      if (rows.length === 0) continue;
      await writePart(shop, { user: ada, importId, part, rows }).throwOnError();
    }
    for (let importsLeft = imports.length; importsLeft > 0; importsLeft -= 1) {
      const next = await undoableImport();
      if (next) await undoAll(shop, ada, next.import_id, { limit: 2 });
    }
    expect(await materials(), `SEED=${SEED}, round ${round}`).toEqual(before);
  }
});

test('staff can undo imports of other accounts, even of deleted ones', async () => {
  const first = await importWhole(shop, ada, rowsWith('felt', 'A'));
  const second = await importWhole(shop, eve, rowsWith('silk', 'A'));
  expect((await undo(shop, ada, second)).error?.code).toBe(SQLSTATE.notFound);
  expect((await undo(shop, ada, first)).error?.code).toBe(SQLSTATE.conflict);
  const asStaff = (importId: string) => undoAll(shop, ada, importId, { isStaff: true });
  await shop.backend.query('update public.imports set user_id = null where id = $1', [second]);
  expect(await asStaff(second)).toMatchObject({ restored: 1 });
  expect(await asStaff(first)).toMatchObject({ removed: 1 });
});

test('an import of a deleted account does not keep shoppers from undoing earlier imports', async () => {
  const first = await importWhole(shop, ada, rowsWith('felt', 'A', 'B'));
  const second = await importWhole(shop, eve, rowsWith('silk', 'A'));
  await shop.backend.query('update public.imports set user_id = null where id = $1', [second]);
  expect(await undoAll(shop, ada, first)).toMatchObject({ removed: 1, kept: 1 });
  expect(await materials()).toEqual({ A: 'silk' });
});

test("an undo that was begun stands first in its importer's list, and in no other after a deletion", async () => {
  const first = await importWhole(shop, ada, rowsWith('felt', 'A', 'B'));
  await undo(shop, ada, first, { limit: 1 }).throwOnError();
  const second = await importWhole(shop, eve, rowsWith('silk', 'C'));
  const listed = async (user: string) =>
    (await recentImports(shop, user)).map(({ import_id }) => import_id);
  expect(await listed(ada)).toEqual([first, second]);
  expect(await listed(eve)).toEqual([second, first]);
  await shop.backend.query('update public.imports set user_id = null where id = $1', [first]);
  expect(await listed(eve)).toEqual([second, first]);
});

test('the logs of at most 20 imports and two million products are kept, and older imports cannot be undone', async () => {
  const KEPT_LOGS = 20;
  /** Ids of all imports, the newest first. */
  const importIds: string[] = [];
  for (let i = 0; i < KEPT_LOGS + 2; i += 1)
    importIds.unshift(await importWhole(shop, ada, rowsWith(`m${i}`, 'A')));
  const recent = await recentImports(shop, ada);
  expect(recent.map(({ import_id }) => import_id)).toEqual(importIds.slice(0, KEPT_LOGS));
  expect(recent.map(({ undo: state }) => state)).toEqual([
    'now',
    ...Array(KEPT_LOGS - 1).fill('later'),
  ]);
  const logs = () =>
    shop.backend.query('select distinct import_id from public.import_changes order by 1');
  expect(await logs()).toHaveLength(KEPT_LOGS);
  expect((await undo(shop, ada, importIds.at(-1) ?? '')).error?.message).toContain(
    'not kept any more',
  );

  // Pretends that the third newest import, with the two newer ones, changed two million products.
  const setLeft = 'update public.imports set undo_left = 1999998 where id = $1';
  await shop.backend.query(setLeft, [importIds[2]]);
  await importWhole(shop, ada, rowsWith('last', 'A'));
  const states = (await recentImports(shop, ada)).map(({ undo: state }) => state);
  expect(states).toEqual(['now', 'later', 'later', ...Array(KEPT_LOGS - 3).fill('gone')]);
  // Each part of a later import removes one log that is no longer needed; these imports change nothing.
  for (let i = 0; i < KEPT_LOGS; i += 1) await importWhole(shop, ada, rowsWith('last', 'A'));
  expect(await logs()).toHaveLength(states.filter((state) => state !== 'gone').length);
});
