/** How phones follow the catalogue: the changes since a version, in pages. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { columnOf } from './column.ts';
import {
  changesSince,
  codesIn,
  forgetDeletions,
  importCodes,
  importProducts,
  newestVersion,
} from './changes.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';

const shop = await openShopForFile();
beforeEach(() => shop.backend.query('truncate public.products'));

const addProducts = (...codes: string[]) => importCodes(shop, ...codes);
const removeProduct = (skc: string) =>
  shop.backend.query(`delete from public.products where "SKC" = $1`, [skc]);
/** The most changes in one answer. */
const MAX_CHANGES = 1000;

describe('a phone that follows the catalogue', () => {
  test('receives new and changed products in the order in which they changed', async () => {
    const start = await newestVersion(shop);
    await addProducts('A', 'B', 'C');
    await importProducts(shop, [{ SKC: 'A', 'Retail Price': '19.9' }]);
    const changes = await changesSince(shop, start);
    expect(codesIn(changes)).toEqual(['B', 'C', 'A']);
    expect(changes.ver).toBe(await newestVersion(shop));
  });

  test('receives deletions, and a product that was deleted and added again as a new one', async () => {
    await addProducts('A', 'B');
    const start = await newestVersion(shop);
    const before = await columnOf(shop.backend, `select id from public.products where "SKC" = 'A'`);
    await removeProduct('A');
    await addProducts('A');
    const changes = await changesSince(shop, start);
    expect(changes.deleted).toEqual(before);
    expect(codesIn(changes)).toEqual(['A']);
    expect(changes.products[0]?.[0]).not.toBe(before[0]);
  });

  test('reads small pages until there is no more, and misses nothing', async () => {
    const start = await newestVersion(shop);
    await addProducts('A', 'B', 'C', 'D');
    await removeProduct('B');
    await addProducts('E');
    await removeProduct('D');
    const size = 2;
    const seen: string[] = [];
    let deletionCount = 0;
    let since = start;
    for (let more = true; more;) {
      const page = await changesSince(shop, since, size);
      expect(page.products.length + page.deleted.length).toBeLessThanOrEqual(size);
      seen.push(...codesIn(page));
      deletionCount += page.deleted.length;
      ({ ver: since, more } = page);
    }
    expect(seen).toEqual(['A', 'C', 'E']);
    expect(deletionCount).toBe(['B', 'D'].length);
    expect(since).toBe(await newestVersion(shop));
  });

  test('gets at most 1,000 changes at once, whatever it asks for', async () => {
    const start = await newestVersion(shop);
    await addProducts(...Array.from({ length: MAX_CHANGES + 1 }, (_, i) => `P${i}`));
    const page = await changesSince(shop, start, 5 * MAX_CHANGES);
    expect(page.products).toHaveLength(MAX_CHANGES);
    expect(page.more).toBe(true);
    const lastPage = await changesSince(shop, page.ver);
    expect(lastPage).toMatchObject({ more: false, ver: await newestVersion(shop) });
    expect(lastPage.products).toHaveLength(1);
  });

  test('is told to load everything again when the whole catalogue was emptied at once', async () => {
    await addProducts('A');
    const before = await changesSince(shop, null);
    await shop.backend.query('truncate public.products restart identity');
    await addProducts('B');
    const after = await changesSince(shop, before.ver);
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.min_ver).toBeGreaterThan(before.ver);
    expect(after.products).toEqual([]);
    expect(codesIn(await changesSince(shop, after.min_ver))).toEqual(['B']);
  });

  test('is told to load everything again when the server no longer knows the deletions that it missed', async () => {
    await addProducts('A', 'B', 'C');
    const { ver: longAgo } = await changesSince(shop, null);
    await removeProduct('A');
    const { ver: lately } = await changesSince(shop, null);
    await forgetDeletions(shop);
    await removeProduct('B');
    const answerToOld = await changesSince(shop, longAgo);
    expect(answerToOld.min_ver).toBeGreaterThan(longAgo);
    expect(answerToOld.deleted).toEqual([]);
    const answerToRecent = await changesSince(shop, lately);
    expect(answerToRecent.min_ver).toBeLessThanOrEqual(lately);
    expect(answerToRecent.deleted).toHaveLength(1);
  });

  test('is told to load everything again when a restore from a backup has taken its version away', async () => {
    await addProducts('A');
    const { ver, stamp } = await changesSince(shop, null);
    await addProducts('B');
    const answerTo = (since: number, itsStamp: string | null) =>
      changesSince(shop, since, undefined, itsStamp);
    expect(await answerTo(ver, stamp)).toMatchObject({ known: true, products: [{}] });
    // After the restore the version has another stamp, or does not exist yet.
    for (const answer of [await answerTo(ver, randomUUID()), await answerTo(ver + 1000, stamp)])
      expect(answer).toMatchObject({ known: false, products: [], deleted: [] });
    expect(await answerTo(ver, null), 'a phone without a stamp').toMatchObject({ known: true });
  });
});

describe('the versions', () => {
  test('never go back, even when the newest product is deleted and forgotten, and keep their stamp', async () => {
    await addProducts('A');
    await removeProduct('A');
    const { ver, stamp } = await changesSince(shop, null);
    await forgetDeletions(shop);
    expect(await newestVersion(shop)).toBe(ver);
    expect(await changesSince(shop, ver, undefined, stamp)).toMatchObject({ known: true });
  });

  test('are chosen by the database, not by a writer, and so are ids', async () => {
    const ver = await newestVersion(shop);
    const server = clientOf(shop, shop.backend.secretKey);
    await server.from('products').insert({ SKC: 'A', ver: 1 });
    expect(await newestVersion(shop)).toBeGreaterThan(ver);
    await addProducts('B');
    await expect(
      shop.backend.query(
        `insert into public.products (id, "SKC", ver) overriding system value values (1, 'C', 0)`,
      ),
    ).rejects.toThrow('given by the database');
    await expect(
      shop.backend.query(`update public.products set id = default where "SKC" = 'B'`),
    ).rejects.toThrow('keeps its id');
  });
});
