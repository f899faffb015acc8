/** Products by hand: who may change them, what is rejected, and what an import meanwhile or an undo does. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { changesSince, newestVersion } from '../supabase/changes.ts';
import { clientOf } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { stock } from '../supabase/stock.ts';
import { askImports, get, post, upload } from './function-calls.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const { token: pat } = await addShopper(shop, 'pat', 'staff');
const { token: kim } = await addShopper(shop, 'kim', 'staff');
const ROWS = ['S', 'M'].map((Size) => ({
  SKC: 'TEE',
  Size,
  'Category 1': 'Tee',
  'Retail Price': 45,
  Material: 'Cotton',
}));
beforeEach(async () => {
  await shop.backend.query(
    'truncate public.products, public.imports, public.import_changes cascade',
  );
  await stock(shop.backend, ROWS);
});

interface Row {
  readonly SKC: string;
  readonly Size: string;
  readonly ver: number;
  readonly off_sale: boolean;
  readonly 'Retail Price': number | null;
}

/** The products that the page of staff shows. */
const read = async (query: string) => {
  const { status, body } = await get(shop, `staff-products?${query}`, pat);
  expect(status).toBe(200);
  return body['products'] as readonly Row[];
};
const tee = () => read('code=TEE');
const pricesNow = async () => (await tee()).map((row) => row['Retail Price']);
/** Which versions of these rows the page shows. */
const seenOf = (rows: readonly Row[]) => rows.map(({ SKC, Size, ver }) => [SKC, Size, ver]);
/** Sends a change of products, by default as Pat. */
const ask = (fields: object, token: string | null = pat) =>
  post(shop, 'change-products', token, { importId: randomUUID(), values: {}, ...fields });

test('a price of all sizes is changed, phones hear of it, the history names it, and its person takes it back', async () => {
  const ver = await newestVersion(shop);
  const importId = randomUUID();
  const change = { importId, seen: seenOf(await tee()), values: { 'Retail Price': '$50' } };
  const counts = { inserted: 0, updated: 2, unchanged: 0, rejected: 0, off_sale: 0 };
  expect(await ask(change)).toEqual({ status: 200, body: counts });
  // Sent again after a lost answer.
  expect(await ask(change)).toEqual({ status: 200, body: counts });
  expect((await changesSince(shop, ver)).products.map((row) => row[8])).toEqual([50, 50]);
  expect((await askImports(shop, pat)).body['last']).toMatchObject({
    import_id: importId,
    file_name: 'TEE',
    is_by_hand: true,
    state: 'finished',
    undo: 'now',
  });
  expect((await ask({ undo: importId }, kim)).status).toBe(404);
  expect(await ask({ undo: importId })).toMatchObject({ status: 200, body: { restored: 2 } });
  expect(await pricesNow()).toEqual([45, 45]);
});

test('of two people who change the same product the later one is told, and nothing of the request is stored', async () => {
  const seen = seenOf(await tee());
  expect((await ask({ seen: [seen[1]], values: { 'Retail Price': '40' } }, kim)).status).toBe(200);
  expect(await ask({ seen, values: { 'Retail Price': '50' } })).toEqual({
    status: 409,
    body: { error: 'Someone has changed this product since you opened it. Nothing was saved.' },
  });
  expect((await pricesNow()).toSorted((a, b) => Number(a) - Number(b))).toEqual([40, 45]);
  expect((await ask({ seen: seenOf(await tee()), values: { Material: 'Linen' } })).status).toBe(
    200,
  );
});

test('a size is taken off sale and put back under its id, and is listed while it is off sale', async () => {
  const [small] = await tee();
  const ids = await shop.backend.query('select id from public.products order by id');
  expect((await ask({ seen: seenOf([small!]), offSale: true })).body).toMatchObject({
    off_sale: 1,
  });
  expect(await read('search=')).toMatchObject([{ SKC: 'TEE', Size: 'S', off_sale: true }]);
  expect(await read('search=COTT')).toHaveLength(1);
  expect(await read('search=cotton,%20TEE')).toHaveLength(1);
  expect(await read('search=silk%20tee')).toEqual([]);
  const [now] = await read('search=');
  expect((await ask({ seen: seenOf([now!]) })).body).toMatchObject({ inserted: 1 });
  expect((await tee()).map(({ off_sale }) => off_sale)).toEqual([false, false]);
  expect(await shop.backend.query('select id from public.products order by id')).toEqual(ids);
});

test('a size is added once', async () => {
  const seen = [['TEE', ' L ', null]];
  const values = { 'Category 1': 'Tee', 'Retail Price': '45' };
  expect((await ask({ seen, values })).body).toMatchObject({ inserted: 1 });
  expect((await tee()).map(({ Size }) => Size)).toEqual(['S', 'M', 'L']);
  expect((await ask({ seen, values })).status).toBe(409);
});

test('after a price was corrected by hand the last file can still be undone, and the corrected price stays', async () => {
  const file = await upload(shop, ada.token, {
    csv: 'SKC,Size,Retail Price\nTEE,S,1\nTEE,M,1\n',
    fileName: 'wrong.csv',
  });
  const [small] = await tee();
  await ask({ seen: seenOf([small!]), values: { 'Retail Price': '47' } });
  const { body } = await askImports(shop, ada.token);
  expect(body['earlier']).toMatchObject([{ file_name: 'wrong.csv', undo: 'now' }]);
  const undone = await post(shop, 'undo-import', ada.token, { importId: file.body['import_id'] });
  expect(undone.body).toMatchObject({ restored: 1, kept: 1 });
  expect(await pricesNow()).toEqual([47, 45]);
});

test.each([
  ['Retail Price', 'cheap', 'We can’t read this price as one amount.'],
  ['Retail Price', '1000000', 'Enter a price up to $999,999.99.'],
  ['Material', 'a\u0007b', 'This text has a character that can’t be displayed.'],
  ['Images link', 'http://pictures.example/a.jpg', 'Start the picture link with https://'],
] as const)(
  '%s “%s” is rejected with a sentence, and nothing is stored',
  async (column, text, sentence) => {
    const before = await tee();
    const { status, body } = await ask({
      seen: seenOf(before),
      values: { [column]: text, 'Category 2': 'New' },
    });
    expect(status).toBe(422);
    expect(body['column']).toBe(column);
    expect(body['error']).toContain(sentence);
    expect(await tee()).toEqual(before);
  },
);

test('a request that names no product, products of two stock codes or another column is rejected', async () => {
  const [small] = seenOf(await tee());
  for (const fields of [
    { seen: [] },
    { seen: [small, ['OTHER', '', 1]] },
    { seen: [['TEE', 'XL', null]], offSale: true },
    { seen: [small], values: { ver: '1' } },
    { seen: [small], values: { Material: 7 } },
  ]) {
    expect((await ask(fields)).status, JSON.stringify(fields)).toBe(400);
  }
  expect((await ask({ seen: [['GONE', '', 5]] })).status).toBe(409);
  expect((await get(shop, 'staff-products?code=a%00b', pat)).status).toBe(400);
});

test('nobody without the role of staff reads or changes products, also where everybody may import', async () => {
  const { token: other } = await addShopper(shop, 'importer', 'importer');
  const seen = seenOf(await tee());
  for (const [token, status] of [
    [ada.token, 403],
    [other, 403],
    [null, 401],
  ] as const) {
    expect((await get(shop, 'staff-products?code=TEE', token)).status).toBe(status);
    const asked = await ask({ seen, values: { 'Retail Price': '1' }, role: 'staff' }, token);
    expect(asked.status).toBe(status);
    if (status === 403) {
      expect(asked.body['error']).toBe('Only accounts with the role "staff" may change products.');
    }
  }
  const args = { p_search: '', p_limit: 9 };
  for (const client of [clientOf(shop), ada.client]) {
    for (const { error } of [
      await client.rpc('products_of', { p_skc: 'TEE' }),
      await client.rpc('products_off_sale', args),
    ]) {
      expect(error?.code).toBe('42501');
    }
  }
  expect(await pricesNow()).toEqual([45, 45]);
});
