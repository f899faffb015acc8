/** Undoing the last import, also in steps, and what it leaves as it is. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { changesSince, newestVersion } from './changes.ts';
import {
  importWhole,
  lastImport,
  recentImports,
  storedProducts,
  undo,
  undoAll,
  writePart,
} from './parts.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = (await addShopper(shop, 'ada')).id;
const eve = (await addShopper(shop, 'eve')).id;
beforeEach(() => shop.backend.query('truncate public.products'));

/** How many rows the log of one import has, or all logs together. */
async function logSize(importId: string | null = null): Promise<number> {
  const log = 'select from public.import_changes where $1::uuid is null or import_id = $1';
  return (await shop.backend.query(log, [importId])).length;
}

/** The products' materials by stock code. */
const materials = async () =>
  Object.fromEntries((await storedProducts(shop)).map((row) => [row['SKC'], row['Material']]));
/** Rows that give these stock codes a material. */
const rowsWith = (Material: string, ...codes: string[]): ImportRow[] =>
  codes.map((SKC) => ({ SKC, Material }));

test('an undo removes added products and restores changed ones, and phones receive that', async () => {
  await importWhole(shop, null, [
    { SKC: 'A', 'Retail Price': '10.50', Material: 'wool', 'Category 1': 'Coats' },
    { SKC: 'B', Material: null },
    { SKC: 'C', Material: 'silk' },
  ]);
  const before = await storedProducts(shop);
  const importId = await importWhole(shop, ada, [
    { SKC: 'A', 'Retail Price': null, Material: 'linen', 'Fabric Composition': 'all of it' },
    { SKC: 'B', Material: 'felt' },
    { SKC: 'C', Material: 'silk' },
    { SKC: 'D' },
    { SKC: 'D', Size: 'M' },
  ]);
  const ver = await newestVersion(shop);
  expect(await undoAll(shop, ada, importId)).toEqual({ removed: 2, restored: 2, kept: 0, left: 0 });
  expect(await storedProducts(shop)).toEqual(before);
  const changes = await changesSince(shop, ver);
  expect([changes.products.length, changes.deleted.length]).toEqual([2, 2]);
});

test('products that were changed or deleted after the import stay as they are and are counted', async () => {
  await importWhole(shop, null, [{ SKC: 'A' }, { SKC: 'B' }]);
  const importId = await importWhole(shop, ada, [
    { SKC: 'A', Material: 'felt' },
    { SKC: 'B', Material: 'felt' },
    { SKC: 'C' },
    { SKC: 'D' },
    { SKC: 'E' },
  ]);
  await shop.backend.query(
    `update public.products set "Retail Price" = 5 where "SKC" in ('A', 'C')`,
  );
  await shop.backend.query(`delete from public.products where "SKC" = 'D'`);
  expect(await undoAll(shop, ada, importId)).toEqual({ removed: 1, restored: 1, kept: 3, left: 0 });
  expect(
    (await storedProducts(shop)).map((row) => [row['SKC'], row['Material'], row['Retail Price']]),
  ).toEqual([
    ['A', 'felt', 5],
    ['B', null, null],
    ['C', null, 5],
  ]);
});

test('an undo in small steps restores everything, and repeating the last step changes nothing', async () => {
  await importWhole(shop, null, rowsWith('wool', 'A', 'B'));
  const before = await storedProducts(shop);
  const importId = await importWhole(shop, ada, rowsWith('felt', 'A', 'B', 'C', 'D'));
  const limit = 1;
  const first = await undo(shop, ada, importId, { limit });
  expect(first.data).toMatchObject({ left: 3 });
  expect(await lastImport(shop, ada)).toMatchObject({ state: 'undoing', undo: 'now' });
  const undone = await undoAll(shop, ada, importId, { limit });
  expect(await storedProducts(shop)).toEqual(before);
  expect(undone).toEqual({ removed: 2, restored: 2, kept: 0, left: 0 });
  expect((await undo(shop, ada, importId)).data).toEqual(undone);
  expect(await lastImport(shop, ada)).toMatchObject({ state: 'undone', undo: 'done' });
});

test('a part that arrives during or after the undo of its import is rejected and not stored', async () => {
  const importId = randomUUID();
  const sendPart = (part: number) => {
    const rows = [{ SKC: `A${part}` }, { SKC: `B${part}` }];
    return writePart(shop, { user: ada, importId, part, rows });
  };
  await sendPart(0);
  await undo(shop, ada, importId, { limit: 1 });
  for (const answer of [await sendPart(1), await sendPart(0)])
    expect(answer.error?.code).toBe(SQLSTATE.conflict);
  await undoAll(shop, ada, importId);
  expect((await sendPart(1)).error?.code).toBe(SQLSTATE.conflict);
  expect(await storedProducts(shop)).toEqual([]);
});

test('only the account that made an import can undo it, or staff, even when that account is deleted', async () => {
  await importWhole(shop, null, rowsWith('wool', 'A'));
  const importId = await importWhole(shop, eve, rowsWith('silk', 'A'));
  for (const user of [ada, null]) {
    expect((await undo(shop, user, importId)).error?.code).toBe(SQLSTATE.notFound);
  }
  expect(await lastImport(shop, ada)).toMatchObject({ undo: 'foreign' });
  expect(await materials()).toEqual({ A: 'silk' });
  await shop.backend.query('update public.imports set user_id = null where id = $1', [importId]);
  expect(await undoAll(shop, ada, importId, { isStaff: true })).toMatchObject({ restored: 1 });
});

test('an import stays undoable after another import that changed nothing', async () => {
  const first = await importWhole(shop, ada, [{ SKC: 'A' }]);
  await importWhole(shop, eve, [{ SKC: 'A' }]);
  expect(await lastImport(shop, ada)).toMatchObject({ import_id: first, undo: 'now' });
  expect(await undoAll(shop, ada, first)).toMatchObject({ removed: 1 });
});

test('an undo that has begun can be finished although another import has run meanwhile', async () => {
  await importWhole(shop, null, [{ SKC: 'A' }, { SKC: 'B' }, { SKC: 'C' }]);
  const importId = await importWhole(shop, ada, rowsWith('felt', 'A', 'B', 'C'));
  await undo(shop, ada, importId, { limit: 1 });
  const other = await importWhole(shop, eve, [{ SKC: 'C', Material: 'silk' }]);
  expect(await lastImport(shop, ada)).toMatchObject({ import_id: importId, undo: 'now' });
  expect(await lastImport(shop, eve)).toMatchObject({ import_id: other, undo: 'now' });
  expect(await undoAll(shop, ada, importId)).toEqual({ removed: 0, restored: 2, kept: 1, left: 0 });
  expect(await materials()).toEqual({ A: null, B: null, C: 'silk' });
  expect(await undoAll(shop, eve, other)).toMatchObject({ restored: 1 });
  expect(await materials()).toEqual({ A: null, B: null, C: 'felt' });
});

test('only the last import that changed something can be undone, and only its log is kept', async () => {
  const first = await importWhole(shop, ada, rowsWith('felt', 'A', 'B'));
  const second = await importWhole(shop, ada, rowsWith('silk', 'A'));
  expect((await recentImports(shop, ada)).slice(0, 2)).toMatchObject([
    { import_id: second, undo: 'now' },
    { import_id: first, undo: 'gone' },
  ]);
  expect([await logSize(first), await logSize(second), await logSize()]).toEqual([0, 1, 1]);
  expect((await undo(shop, ada, first)).error?.code).toBe(SQLSTATE.conflict);
  expect(await undoAll(shop, ada, second)).toMatchObject({ restored: 1 });
  expect(await materials()).toEqual({ A: 'felt', B: 'felt' });
  expect((await undo(shop, ada, first)).error?.code).toBe(SQLSTATE.conflict);
});

test('of two imports at the same time the one that began to write last can be undone, and touches only its own', async () => {
  await importWhole(shop, null, rowsWith('wool', 'A', 'B', 'C'));
  const importId = randomUUID();
  const sendPart = (part: number, rows: readonly ImportRow[]) =>
    writePart(shop, { user: ada, importId, part, rows }).throwOnError();
  await sendPart(0, rowsWith('felt', 'A', 'B'));
  const other = await importWhole(shop, eve, rowsWith('silk', 'A', 'B', 'C', 'new'));
  await sendPart(1, rowsWith('linen', 'A'));
  expect((await undo(shop, ada, importId)).error?.code).toBe(SQLSTATE.conflict);
  expect(await undoAll(shop, eve, other)).toEqual({ removed: 1, restored: 2, kept: 1, left: 0 });
  expect(await materials()).toEqual({ A: 'linen', B: 'felt', C: 'wool' });
});
