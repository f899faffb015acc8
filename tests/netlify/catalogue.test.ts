/** The catalogue as the site’s function and the CDN answer it, over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Cdn } from '../../netlify/local/cdn.ts';
import { fieldsOf } from '../../src/domain/fields.ts';
import { rowsIn } from '../../src/domain/product-columns.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { upload } from './function-calls.ts';

let nowMs = 0;
const cdn = new Cdn({ now: () => nowMs });
const shop = await openShopForFile({ cdn });
const { token } = await addShopper(shop, 'importer');

beforeEach(async () => {
  // By now the CDN has dropped every answer that can change.
  nowMs += 3_600_000;
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, numbered(60));
});

async function get(path: string) {
  const answer = await fetch(`${shop.url}/catalogue/${path}`);
  const body: unknown = await answer.json();
  const { status, headers } = answer;
  return { status, headers, fields: fieldsOf(body), from: headers.get('cache-status') };
}

/** The newest version as addresses name it, from the database itself. */
async function newest(): Promise<string> {
  const [row] = await shop.backend.query('select public.catalogue_head() as head');
  const { ver, stamp } = fieldsOf(row?.['head']);
  return `${String(ver)}.${String(stamp)}`;
}

const codesIn = (columns: unknown) => rowsIn(columns)?.map(([, skc]) => skc);

test('the head is small; the CDN keeps it for 15 s, and sends it for 45 s more while it asks again; no browser keeps it', async () => {
  const first = await get('head');
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(
    first.headers.get('netlify-cdn-cache-control'),
    'the CDN takes its own headers off',
  ).toBeNull();
  expect(JSON.stringify(first.fields).length).toBeLessThan(300);
  await stock(shop.backend, numbered(1, 99));
  nowMs += 14_000;
  expect(await get('head')).toMatchObject({ fields: first.fields, from: '"Netlify Edge"; hit' });
  nowMs += 2000;
  expect(await get('head'), 'while the CDN asks again').toMatchObject({ fields: first.fields });
  const renewed = await get('head');
  expect(Number(renewed.fields['ver'])).toBeGreaterThan(Number(first.fields['ver']));
  nowMs += 61_000;
  expect((await get('head')).from).toBe('"Netlify Edge"; fwd=miss');
});

test('a version is read page by page, and each page is asked of the database once', async () => {
  const at = await newest();
  const first = await get(`page/${at}`);
  expect(first.fields['more']).toBe(true);
  expect(codesIn(first.fields['columns'])).toHaveLength(48);
  const last = rowsIn(first.fields['columns'])?.at(-1);
  const key = new URLSearchParams({ skc: String(last?.[1]), id: String(last?.[0]) });
  const rest = await get(`page/${at}?${key}`);
  expect(rest.fields['more']).toBe(false);
  expect(codesIn(rest.fields['columns'])).toEqual(
    numbered(60)
      .slice(48)
      .map(({ SKC }) => SKC),
  );
  await stock(shop.backend, numbered(1, 99));
  expect(await get(`page/${at}?${key}`), 'kept, though the version is gone').toMatchObject({
    status: 200,
    from: '"Netlify Edge"; hit',
  });
});

test('a version that is not the newest any more is 410, and no failure is kept', async () => {
  const at = await newest();
  await stock(shop.backend, numbered(1, 99));
  for (let asked = 0; asked < 2; asked += 1) {
    expect(await get(`page/${at}`)).toMatchObject({
      status: 410,
      from: '"Netlify Edge"; fwd=miss',
    });
  }
});

test('changes between two versions leave out what changed later', async () => {
  const before = await newest();
  await stock(shop.backend, numbered(2, 99));
  const between = await newest();
  await stock(shop.backend, numbered(1, 98));
  const answer = await get(`changes/${before}/${between}`);
  expect(codesIn(answer.fields['columns'])).toEqual(['S-000001']);
  // The stamp is that of the version when the rows were read.
  const [ver] = between.split('.');
  const [, stamp] = (await newest()).split('.');
  expect([String(answer.fields['ver']), answer.fields['stamp']]).toEqual([ver, stamp]);
  expect((await get(`changes/${before}/${between}`)).from).toBe('"Netlify Edge"; hit');
  const uncached = await get(`changes/${before}`);
  expect(codesIn(uncached.fields['columns'])).toHaveLength(2);
  expect((await get(`changes/${before}`)).from).toBe('"Netlify Edge"; fwd=miss');
});

test('a version that a restore has taken away is 410 where the CDN keeps answers, and unknown where it keeps none', async () => {
  const [ver] = (await newest()).split('.');
  const gone = `${ver}.${randomUUID()}`;
  expect((await get(`changes/${gone}/${await newest()}`)).status).toBe(410);
  expect((await get(`changes/${await newest()}/${gone}`)).status).toBe(410);
  const { status, fields } = await get(`changes/${gone}`);
  expect([status, fields['known'], codesIn(fields['columns'])]).toEqual([200, false, []]);
});

test('the first page needs no version, and can begin at a stock code', async () => {
  expect(codesIn((await get('page')).fields['columns'])).toHaveLength(48);
  const { fields } = await get('page?skc=S-000050');
  expect(codesIn(fields['columns'])?.[0]).toBe('S-000050');
});

test.each(['heads', 'page/1', `changes/1.${randomUUID()}/x`, 'page?skc=A&id=x'])(
  'the address %s is not of the catalogue',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('the end of an import is seen at once, though the head was kept just before', async () => {
  const before = await get('head');
  const csv = 'SKC,Retail Price\nS-000001,123.00\n';
  expect((await upload(shop, token, { csv })).status).toBe(200);
  expect((await get('head')).fields['ver']).not.toBe(before.fields['ver']);
});
