/**
 * Phones after the catalogue was restored from a backup. The server then counts versions from an older one
 * again. The random stamp of a version shows whether a phone's version was lost in the restore.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Changes } from './changes.ts';
import { changesSince, codesIn, forgetDeletions, importCodes, importProducts } from './changes.ts';
import { columnOf } from './column.ts';
import { backUp, restore } from './restore.ts';
import { openShopForFile } from './shop-for-file.ts';

const shop = await openShopForFile();
beforeEach(async () => {
  await shop.backend.query('truncate public.products');
  await addProducts('A', 'B', 'C');
});

const addProducts = (...codes: string[]) => importCodes(shop, ...codes);
const setPrice = (skc: string, price: string) =>
  importProducts(shop, [{ SKC: skc, 'Retail Price': price }]);
/** Asks for changes as a phone does that has an earlier answer. */
const changesAfter = ({ ver, stamp }: Changes) => changesSince(shop, ver, undefined, stamp);
/** The versions that have a stamp. The server recognises a version by its stamp after a restore. */
const stampedVersions = () =>
  columnOf(shop.backend, 'select ver::int from public.catalogue_stamps order by ver');

describe('after the catalogue was restored from a backup', () => {
  test('a phone loads it again, though changes have brought the version back to the phone’s', async () => {
    const lostChanges = 2;
    await backUp(shop.backend);
    for (let i = 0; i < lostChanges; i += 1) await setPrice('A', `${100 + i}`);
    const phone = await changesSince(shop, null);
    await restore(shop.backend);
    for (let i = 0; i < lostChanges; i += 1) await setPrice('B', `${300 + i}`);
    const answer = await changesAfter(phone);
    expect(answer).toMatchObject({ known: false, ver: phone.ver, more: false });
    expect([answer.products, answer.deleted]).toEqual([[], []]);
    expect(answer.stamp).not.toBe(phone.stamp);
    expect(await changesAfter(answer)).toMatchObject({ known: true });
  });

  test('a phone with a version of the backup receives only the changes since', async () => {
    const phone = await changesSince(shop, null);
    await backUp(shop.backend);
    await addProducts('D');
    await restore(shop.backend);
    await addProducts('E');
    const answer = await changesAfter(phone);
    expect(answer.known).toBe(true);
    expect(codesIn(answer)).toEqual(['E']);
  });
});

describe('the stamps', () => {
  test('of old versions are removed, and the newest one stays', async () => {
    const longAgo = await changesSince(shop, null);
    await shop.backend.query(`delete from public.products where "SKC" = 'A'`);
    await addProducts('D');
    const phone = await changesSince(shop, null);
    await forgetDeletions(shop);
    expect(await stampedVersions()).toEqual([phone.ver]);
    expect(await changesAfter(phone)).toMatchObject({ known: true, products: [] });
    expect(await changesAfter(longAgo)).toMatchObject({ known: false, products: [] });
    await forgetDeletions(shop);
    expect(await changesAfter(phone)).toMatchObject({ known: true });
  });

  test('show the server that a version is not its own; a phone that sends no stamp is believed', async () => {
    const { ver, stamp } = await changesSince(shop, null);
    expect((await changesSince(shop, ver + 1000, 10, stamp)).known).toBe(false);
    expect((await changesSince(shop, ver, 10, crypto.randomUUID())).known).toBe(false);
    expect((await changesSince(shop, ver, 10, null)).known).toBe(true);
  });
});

test('the stamp of a version is found in the index, however many there are', async () => {
  await shop.backend.query(
    'insert into public.catalogue_stamps (ver) select -i from generate_series(1, 20000) i',
  );
  await shop.backend.query('analyze public.catalogue_stamps');
  const plan = await shop.backend.query(
    'explain select stamp from public.catalogue_stamps where ver >= -5 order by ver limit 1',
  );
  expect(JSON.stringify(plan)).toContain('Index Scan using catalogue_stamps_pkey');
});
