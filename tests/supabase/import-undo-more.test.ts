import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { SEED, seeded } from '../random.ts';
import { importWhole, recentImports, table, undo, undoAll, writePart } from './parts.ts';
import type { TestShop } from './shop.ts';
import { openTestShop } from './shop.ts';
import { addShopper } from './shoppers.ts';

let shop: TestShop;
let ada: string;
let eve: string;
beforeAll(async () => {
  shop = await openTestShop();
  [ada, eve] = [(await addShopper(shop, 'ada')).id, (await addShopper(shop, 'eve')).id];
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.backend.query(
    'truncate public.products, public.imports, public.import_changes cascade',
  );
});

const materials = async () =>
  Object.fromEntries((await table(shop)).map((row) => [row['SKC'], row['Material']]));
const set = (Material: string | null, ...codes: string[]): ImportRow[] =>
  codes.map((SKC) => ({ SKC, Material }));
const change = (sql: string) => shop.backend.query(`update public.products set ${sql}`);

test('imports are undone newest first, down to the shop as it was before all of them', async () => {
  await importWhole(shop, null, [{ SKC: 'A', Material: 'wool', 'Retail Price': '10.00' }]);
  const shops = [await table(shop)];
  const imports: string[] = [];
  const files: readonly (readonly ImportRow[])[] = [
    [{ SKC: 'A', 'Retail Price': '0.50' }, { SKC: 'B' }],
    [...set('felt', 'A', 'B'), ...set(null, 'C')],
    [{ SKC: 'A', Material: 'silk', 'Retail Price': '0.60' }, ...set('silk', 'C')],
    set('silk', 'B'),
  ];
  for (const rows of files) {
    imports.push(await importWhole(shop, ada, rows));
    shops.push(await table(shop));
  }
  const first = await undo(shop, ada, imports[0] ?? '');
  expect([first.error?.code, first.error?.message]).toEqual([
    'PT409',
    'Imports are undone newest first: undo the one after this first.',
  ]);
  for (;;) {
    shops.pop();
    const newest = imports.pop();
    if (newest === undefined) break;
    const [row] = await recentImports(shop, ada).then((all) =>
      all.filter(({ undo: may }) => may === 'now'),
    );
    expect(row?.import_id).toBe(newest);
    expect(await undoAll(shop, ada, newest)).toMatchObject({ kept: 0 });
    expect(await table(shop)).toEqual(shops.at(-1));
  }
});

test('a product that was changed by hand between two imports keeps that change', async () => {
  await importWhole(shop, null, set('wool', 'A', 'B'));
  const first = await importWhole(shop, ada, set('felt', 'A', 'B'));
  await change(`"Material" = 'by hand' where "SKC" = 'A'`);
  const second = await importWhole(shop, ada, set('silk', 'A', 'B'));
  expect(await undoAll(shop, ada, second)).toMatchObject({ restored: 2 });
  expect(await undoAll(shop, ada, first)).toMatchObject({ restored: 1, kept: 1 });
  expect(await materials()).toEqual({ A: 'by hand', B: 'wool' });
});

test('two imports at the same time are undone one by one, and what each changed comes back', async () => {
  await importWhole(shop, null, set('wool', 'A', 'B', 'C'));
  const importId = randomUUID();
  const part = (number: number, rows: readonly ImportRow[]) =>
    writePart(shop, { user: ada, importId, part: number, rows }).throwOnError();
  await part(0, [...set('felt', 'A', 'B'), ...set('felt', 'new')]);
  const other = await importWhole(shop, eve, set('silk', 'A', 'B', 'C', 'new'));
  await part(1, set('linen', 'A', 'C'));
  expect(await undoAll(shop, ada, importId)).toEqual({ removed: 0, restored: 2, kept: 2, left: 0 });
  expect(await materials()).toEqual({ A: 'silk', B: 'silk', C: 'silk', new: 'silk' });
  expect(await undoAll(shop, eve, other)).toEqual({ removed: 1, restored: 3, kept: 0, left: 0 });
  expect(await materials()).toEqual({ A: 'wool', B: 'wool', C: 'wool' });
});

test('random imports, in parts and in turns, leave nothing of themselves when all are undone', async () => {
  const random = seeded(SEED);
  const few = (...codes: readonly string[]) => codes.filter(() => random() < 0.5);
  for (let round = 0; round < 4; round += 1) {
    await shop.backend.query(
      'truncate public.products, public.imports, public.import_changes cascade',
    );
    await importWhole(shop, null, set('wool', ...few('A', 'B', 'C', 'D', 'E')));
    const before = await materials();
    const imports = Array.from({ length: 4 }, () => randomUUID());
    for (let part = 0; part < 10; part += 1) {
      const importId = imports[Math.floor(random() * imports.length)] ?? '';
      const rows = few('A', 'B', 'C', 'D', 'E', 'F', 'G').flatMap((code) =>
        set(`m${Math.floor(random() * 3)}`, code),
      );
      if (rows.length === 0) continue;
      await writePart(shop, { user: ada, importId, part, rows }).throwOnError();
    }
    for (let left = imports.length; left > 0; left -= 1) {
      const next = (await recentImports(shop, ada)).find(({ undo: may }) => may === 'now');
      if (next) await undoAll(shop, ada, next.import_id, 2);
    }
    expect(await materials(), `SEED=${SEED}, round ${round}`).toEqual(before);
  }
});

test('the staff of a shop undo the imports of one another, also of an account that is gone', async () => {
  const first = await importWhole(shop, ada, set('felt', 'A'));
  const second = await importWhole(shop, eve, set('silk', 'A'));
  expect((await undo(shop, ada, second)).error?.code).toBe('PT404');
  expect((await undo(shop, ada, first)).error?.code).toBe('PT409');
  const asStaff = (importId: string) => undoAll(shop, ada, importId, 10_000, true);
  await shop.backend.query('update public.imports set user_id = null where id = $1', [second]);
  expect(await asStaff(second)).toMatchObject({ restored: 1 });
  expect(await asStaff(first)).toMatchObject({ removed: 1 });
});

test('an import that nobody can undo any more does not keep others from undoing theirs', async () => {
  const first = await importWhole(shop, ada, set('felt', 'A', 'B'));
  const second = await importWhole(shop, eve, set('silk', 'A'));
  await shop.backend.query('update public.imports set user_id = null where id = $1', [second]);
  expect(await undoAll(shop, ada, first)).toMatchObject({ removed: 1, kept: 1 });
  expect(await materials()).toEqual({ A: 'silk' });
});

test('of older imports so much is kept as fits, and the page is told of which nothing is', async () => {
  const all: string[] = [];
  for (let i = 0; i < 22; i += 1) all.unshift(await importWhole(shop, ada, set(`m${i}`, 'A')));
  const recent = await recentImports(shop, ada);
  expect(recent.map(({ import_id }) => import_id)).toEqual(all.slice(0, 20));
  expect(recent.map(({ undo: may }) => may)).toEqual(['now', ...Array(19).fill('later')]);
  const logs = () =>
    shop.backend.query('select distinct import_id from public.import_changes order by 1');
  expect(await logs()).toHaveLength(20);
  expect((await undo(shop, ada, all[21] ?? '')).error?.message).toContain('not kept any more');

  // As if the third newest had been of two million products.
  await shop.backend.query('update public.imports set undo_left = 1999998 where id = $1', [all[2]]);
  all.unshift(await importWhole(shop, ada, set('last', 'A')));
  const may = (await recentImports(shop, ada)).map(({ undo: verdict }) => verdict);
  expect(may).toEqual(['now', 'later', 'later', ...Array(17).fill('gone')]);
  // Each part removes one of the logs that are of no use any more.
  for (let i = 0; i < 20; i += 1) await importWhole(shop, ada, set('last', 'A'));
  expect(await logs()).toHaveLength(3);
});
