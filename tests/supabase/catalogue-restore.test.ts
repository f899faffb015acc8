import { beforeEach, describe, expect, test } from 'vitest';
import type { Changes } from './changes.ts';
import { changesSince, importCodes, importRows, skcs } from './changes.ts';
import { backUp, restore } from './restore.ts';
import { openShopForFile } from './shop-for-file.ts';

const shop = await openShopForFile();
beforeEach(async () => {
  await shop.backend.query('truncate public.products');
  await sell('A', 'B', 'C');
});

const sell = (...codes: string[]) => importCodes(shop, ...codes);
const price = (skc: string, value: string) =>
  importRows(shop, [{ SKC: skc, 'Retail Price': value }]);
/** What a phone asks that holds an earlier answer. */
const after = ({ ver, stamp }: Changes, limit?: number) => changesSince(shop, ver, limit, stamp);
const stamps = async () =>
  (
    await shop.backend.query('select ver::int as ver from public.catalogue_stamps order by ver')
  ).map(({ ver }) => Number(ver));

describe('after the catalogue was restored from its backup', () => {
  test.each([1, 2, 5])(
    'a phone loads it afresh, though %i changes have brought the version to the number that it holds',
    async (lost) => {
      await backUp(shop.backend);
      for (let i = 0; i < lost; i += 1) await price('A', `${111 + i}`);
      const held = await changesSince(shop, null);
      await restore(shop.backend);
      for (let i = 0; i < lost; i += 1) await price('B', `${335 + i}`);
      const answer = await after(held);
      expect(answer).toMatchObject({ known: false, ver: held.ver, more: false });
      expect([answer.products, answer.deleted]).toEqual([[], []]);
      expect(answer.stamp).not.toBe(held.stamp);
      expect(await after(answer)).toMatchObject({ known: true });
    },
  );

  test('the same holds for a version in the middle of a statement that was lost', async () => {
    const start = await changesSince(shop, null);
    await backUp(shop.backend);
    await sell('D', 'E', 'F', 'G');
    const held = await after(start, 2);
    expect(held).toMatchObject({ known: true, more: true });
    expect((await after(held)).known).toBe(true);
    await restore(shop.backend);
    await sell('H');
    await sell('I', 'J', 'K', 'L');
    expect((await after(held)).known).toBe(false);
  });

  test('the same holds while the version is still below the one that the phone holds', async () => {
    await backUp(shop.backend);
    await sell('D', 'E');
    const held = await changesSince(shop, null);
    await restore(shop.backend);
    expect(await after(held)).toMatchObject({ known: false, products: [] });
  });

  test('a phone that held a version of the backup follows the changes as ever', async () => {
    const held = await changesSince(shop, null);
    await backUp(shop.backend);
    await sell('D');
    await restore(shop.backend);
    await sell('E');
    const answer = await after(held);
    expect(answer.known).toBe(true);
    expect(skcs(answer)).toEqual(['E']);
  });
});

describe('the stamps', () => {
  test('are one for each statement that wrote something, at its last version', async () => {
    const before = await stamps();
    const { ver } = await changesSince(shop, null);
    await sell('D', 'E', 'F');
    await importRows(shop, [{ SKC: 'D' }]);
    await shop.backend.query(`delete from public.products where "SKC" in ('A', 'B')`);
    await shop.backend.query(`delete from public.products where "SKC" = 'nothing'`);
    expect(await stamps()).toEqual([...before, ver + 3, ver + 5]);
  });

  test('follow a phone through all its pages', async () => {
    let held = await changesSince(shop, null);
    await sell('D', 'E', 'F');
    await sell('G');
    await shop.backend.query(`delete from public.products where "SKC" in ('A', 'E')`);
    const seen: string[] = [];
    do {
      held = await after(held, 1);
      expect(held.known).toBe(true);
      seen.push(...skcs(held), ...held.deleted.map(String));
    } while (held.more);
    expect(seen).toHaveLength(5);
  });

  test('are emptied when the whole catalogue is emptied at once', async () => {
    await shop.backend.query('truncate public.products');
    const { min_ver, ver, stamp } = await changesSince(shop, null);
    expect(await stamps()).toEqual([min_ver]);
    expect((await changesSince(shop, ver, 10, stamp)).known).toBe(true);
  });

  test('of versions too old to be brought up to date are forgotten, and a current phone notices nothing', async () => {
    const longAgo = await changesSince(shop, null);
    await shop.backend.query(`delete from public.products where "SKC" = 'A'`);
    await sell('D');
    const held = await changesSince(shop, null);
    await shop.backend.query(`select public.purge_product_deletions('2100-01-01')`);
    expect(await stamps()).toEqual([held.ver]);
    expect(await after(held)).toMatchObject({ known: true, products: [] });
    expect(await after(longAgo)).toMatchObject({ known: false, products: [] });
    await shop.backend.query(`select public.purge_product_deletions('2100-01-01')`);
    expect(await after(held)).toMatchObject({ known: true });
  });

  test('a version or stamp that the server does not know is answered as unknown', async () => {
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
