/** Products that are off sale: hidden in a file, or missing in a file that is the whole range. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { changesSince, newestVersion } from './changes.ts';
import { columnOf } from './column.ts';
import { endRange, importWhole, storedProducts, undoAll, writePart } from './parts.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
beforeEach(() => shop.backend.query('truncate public.products'));

const rowsOf = (...codes: string[]): ImportRow[] =>
  codes.map((SKC) => ({ SKC, 'Retail Price': '5.00', 'Category 1': `of ${SKC}` }));
const onSale = async () => (await storedProducts(shop)).map((row) => row['SKC']);
const letters = 'ABCDEFGHIJKLMNOPQRST'.split('');

/** Imports a file that is the whole range, in one part. */
async function importRange(rows: readonly ImportRow[], options = {}): Promise<string> {
  const importId = randomUUID();
  const part = { user: ada.id, importId, totalParts: 1, isRange: true, rows, ...options };
  await writePart(shop, part).throwOnError();
  return importId;
}

test('a product off sale keeps its id, phones get it as a removal, and nobody can see or buy it', async () => {
  await importWhole(shop, null, rowsOf('A', 'B'));
  const [id] = await columnOf(shop.backend, `select id from public.products where "SKC" = 'A'`);
  await ada.client.from('cart_items').insert({ user_id: ada.id, product_id: id, quantity: 1 });
  const ver = await newestVersion(shop);
  const hiding = { user: ada.id, importId: randomUUID(), rows: [], totalParts: 1 };
  await writePart(shop, { ...hiding, hidden: [['A', '']] }).throwOnError();
  const changes = await changesSince(shop, ver);
  expect([changes.products, changes.deleted]).toEqual([[], [id]]);
  const server = clientOf(shop, shop.backend.secretKey);
  const page = (await server.rpc('catalogue_page', {}).throwOnError()).data as {
    readonly products: readonly (readonly unknown[])[];
  };
  expect(page.products.map(([, skc]) => skc)).toEqual(['B']);
  expect((await clientOf(shop).from('products').select('SKC').throwOnError()).data).toEqual([
    { SKC: 'B' },
  ]);
  const added = await eve.client
    .from('cart_items')
    .insert({ user_id: eve.id, product_id: id, quantity: 1 });
  expect(added.error?.code).toBe(SQLSTATE.foreignKeyViolation);
  const [lines] = await columnOf(
    shop.backend,
    'select public.priced_lines(jsonb_build_array(jsonb_build_array($1::bigint, 1)), $2) as lines',
    [id, '[]'],
  );
  expect(lines).toMatchObject([{ reason: 'gone' }]);
  const [codes] = await columnOf(shop.backend, 'select public.stock_codes(0, 9)');
  expect(codes).toEqual(['B']);

  const whileOff = await newestVersion(shop);
  await importWhole(shop, ada.id, rowsOf('A'));
  const back = await changesSince(shop, whileOff);
  expect(back.products.map(([product, skc]) => [product, skc])).toEqual([[id, 'A']]);
});

test('products that the whole range lacks go off sale, and the undo brings them back under their ids', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const ids = await columnOf(shop.backend, 'select id from public.products order by id');
  const importId = await importRange([...rowsOf(...letters.slice(2)), { SKC: 'new', Size: '' }]);
  expect((await endRange(shop, ada.id, importId)).data).toEqual({ leaving: 2, of: 21, done: true });
  expect(await onSale()).toEqual([...letters.slice(2), 'new']);
  expect((await endRange(shop, ada.id, importId)).data, 'once more').toMatchObject({ done: true });
  expect(await undoAll(shop, ada.id, importId)).toMatchObject({ removed: 1, restored: 2, kept: 0 });
  expect(await onSale()).toEqual(letters);
  expect(await columnOf(shop.backend, 'select id from public.products order by id')).toEqual(ids);
});

test('rejected and skipped rows stay on sale, with all their sizes where no size could be read', async () => {
  await importWhole(shop, null, [
    ...rowsOf('A', 'B'),
    { SKC: 'C', Size: 'S' },
    { SKC: 'C', Size: 'M' },
    { SKC: 'D', Size: 'S' },
    { SKC: 'D', Size: 'M' },
  ]);
  const kept = [
    ['B', ''],
    ['C', null],
    ['D', 'S'],
  ] as const;
  const importId = await importRange(rowsOf('A'), { kept });
  expect((await endRange(shop, ada.id, importId, 1)).data).toMatchObject({
    leaving: 1,
    done: true,
  });
  expect(await onSale()).toEqual(['A', 'B', 'C', 'C', 'D']);
});

test('taking more than a tenth off sale needs a second yes, which names just that number of products', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const importId = await importRange(rowsOf(...letters.slice(3)));
  for (const confirmed of [null, 2, 4]) {
    expect((await endRange(shop, ada.id, importId, confirmed)).data).toEqual({
      leaving: 3,
      of: 20,
      done: false,
    });
  }
  expect(await onSale()).toEqual(letters);
  expect((await endRange(shop, ada.id, importId, 3)).data).toMatchObject({ done: true });
  expect(await onSale()).toEqual(letters.slice(3));
});

test('what a person or another import has changed since the import began stays on sale', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const importId = randomUUID();
  const send = (part: number, rows: readonly ImportRow[]) =>
    writePart(shop, {
      user: ada.id,
      importId,
      part,
      totalParts: 2,
      isRange: true,
      rows,
    }).throwOnError();
  await send(0, rowsOf(...letters.slice(3)));
  expect((await endRange(shop, ada.id, importId)).error?.code).toBe(SQLSTATE.conflict);
  await shop.backend.query(`update public.products set "Material" = 'x' where "SKC" = 'A'`);
  await importWhole(shop, eve.id, [{ SKC: 'B', Material: 'y' }]);
  await send(1, [{ SKC: 'new' }]);
  expect((await endRange(shop, eve.id, importId)).error?.code).toBe(SQLSTATE.notFound);
  expect((await endRange(shop, ada.id, importId)).data).toMatchObject({ leaving: 1, done: true });
  expect(await onSale()).toEqual(['A', 'B', ...letters.slice(3), 'new']);
});

test('an import that is not of the whole range takes nothing off sale', async () => {
  await importWhole(shop, null, rowsOf('A', 'B'));
  const importId = await importWhole(shop, ada.id, rowsOf('A'));
  expect((await endRange(shop, ada.id, importId, 1)).error?.code).toBe(SQLSTATE.notFound);
  expect(await onSale()).toEqual(['A', 'B']);
});

test('a range is ended once, and not after its undo; what another import sells again meanwhile stays on sale', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const importId = await importRange(rowsOf(...letters.slice(1)));
  const both = await Promise.all([
    endRange(shop, ada.id, importId),
    endRange(shop, ada.id, importId),
  ]);
  expect(both.map(({ data }) => (data as { leaving: number }).leaving)).toEqual([1, 1]);
  await importWhole(shop, eve.id, rowsOf('A'));
  expect((await endRange(shop, ada.id, importId)).data).toMatchObject({ done: true });
  expect(await onSale(), 'Eve sells it again').toEqual(letters);

  const undone = await importRange([
    { SKC: 'B', Material: 'silk' },
    ...rowsOf(...letters.slice(2)),
  ]);
  await undoAll(shop, ada.id, undone);
  expect((await endRange(shop, ada.id, undone)).error?.code).toBe(SQLSTATE.conflict);
  expect(await onSale()).toEqual(letters);
});

test('an undo leaves alone what was put on sale again after the range had ended', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const importId = await importRange(rowsOf(...letters.slice(2)));
  await endRange(shop, ada.id, importId);
  await shop.backend.query(`update public.products set off_sale = false where "SKC" = 'A'`);
  expect(await undoAll(shop, ada.id, importId)).toMatchObject({ restored: 1, kept: 1 });
  expect(await onSale()).toEqual(letters);
});

test('a range whose last answer was lost goes on when the file is chosen again', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const fileDigest = 'a'.repeat(64);
  const importId = await importRange(rowsOf(...letters.slice(1)), { fileDigest });
  const find = async () =>
    (
      await columnOf(shop.backend, `select public.unfinished_import($1, $2)`, [ada.id, fileDigest])
    )[0];
  expect(await find()).toMatchObject({ import_id: importId });
  await endRange(shop, ada.id, importId);
  expect(await find()).toBeNull();
});

test('the keys of a range that was never ended are forgotten after a week, and then it takes nothing off sale', async () => {
  await importWhole(shop, null, rowsOf(...letters));
  const importId = await importRange(rowsOf(...letters.slice(1)));
  const prune = `select public.prune_import_keys(now())`;
  expect(await columnOf(shop.backend, prune)).toEqual([0]);
  await shop.backend.query(
    `update public.imports set started_at = now() - interval '8 days' where id = $1`,
    [importId],
  );
  expect(await columnOf(shop.backend, prune)).toEqual([1]);
  const keys = 'select count(*)::int from public.import_keys where import_id = $1';
  expect(await columnOf(shop.backend, keys, [importId])).toEqual([0]);
  expect((await endRange(shop, ada.id, importId)).error?.code).toBe(SQLSTATE.notFound);
  expect(await onSale()).toEqual(letters);
});
