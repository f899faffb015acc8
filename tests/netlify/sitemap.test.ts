/** What search engines and agents read: the sitemap, robots.txt and llms.txt. */
import { beforeEach, expect, test } from 'vitest';
import { llmsText, robotsText } from '../../netlify/build/crawler-texts.ts';
import { DatabaseUnavailable } from '../../netlify/lib/database.ts';
import { NotConfigured } from '../../netlify/lib/env.ts';
import {
  categoriesPage,
  countStockCodes,
  PAGE_ADDRESSES,
  PAGE_CATEGORIES,
  productsPage,
  readCategories,
  readStockCodes,
  sitemapIndex,
} from '../../netlify/lib/sitemap.ts';
import { stockCodeIn } from '../../src/domain/product-page.ts';
import { stock } from '../supabase/stock.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { post } from './import-calls.ts';

const shop = await openShopForFile({ environment: { URL: 'https://weft.example/' } });
const settings = { url: shop.url, secretKey: shop.backend.secretKey };

/** Empties the shop, also of the names of categories that no product has any more. */
async function emptyShop(): Promise<void> {
  await shop.backend.query('truncate public.products');
  await shop.backend.query('select public.prune_category_names()');
}

beforeEach(async () => {
  await emptyShop();
  await stock(shop.backend, [
    { SKC: 'A', 'Category 1': 'Coats', 'Category 2': 'Women' },
    { SKC: 'B', 'Category 1': 'Socks & <tights>', 'Category 4': 'Women' },
    { SKC: 'C', 'Category 3': `Men's "best" ]]>` },
    { SKC: 'D' },
  ]);
});

/** The addresses in a sitemap, without their escapes. */
const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) =>
    loc.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );

const ask = (query = '', url = shop.url) => fetch(`${url}/.netlify/functions/sitemap${query}`);
const listedBy = async (query = '') => addressesIn(await (await ask(query)).text());

test('the sitemap of an empty shop lists the catalogue’s address alone', async () => {
  await emptyShop();
  expect(await listedBy()).toEqual(['https://weft.example/sitemap.xml?categories=1']);
  expect(await listedBy('?categories=1')).toEqual(['https://weft.example/']);
});

test('the sitemap lists every category once, at the shop’s main address, whatever host the request names', async () => {
  const answer = await ask('?categories=1', shop.url.replace('localhost', '127.0.0.1'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  const listed = addressesIn(await answer.text());
  expect(listed).toEqual([
    'https://weft.example/',
    'https://weft.example/?category=Coats',
    'https://weft.example/?category=Men%27s+%22best%22+%5D%5D%3E',
    'https://weft.example/?category=Socks+%26+%3Ctights%3E',
    'https://weft.example/?category=Women',
  ]);
  expect(new URL(listed[3] ?? '').searchParams.get('category')).toBe('Socks & <tights>');
});

test('a category that no product has any more leaves the sitemap at night', async () => {
  const { query } = shop.backend;
  const categories = () => readCategories(settings);
  await stock(shop.backend, [{ SKC: 'E', 'Category 2': ' Hats ' }]);
  expect(await categories()).toContain('Hats');
  await query(`update public.products set "Category 2" = 'Caps' where "SKC" = 'E'`);
  expect(await categories()).toContain('Caps');
  await query('select public.prune_category_names()');
  expect(await categories()).not.toContain('Hats');
  await query(`delete from public.products where "SKC" = 'E'`);
  await query('select public.prune_category_names()');
  expect(await categories()).toEqual(['Coats', `Men's "best" ]]>`, 'Socks & <tights>', 'Women']);
});

test('the sitemap can only be read', async () => {
  const { status } = await post(shop, 'sitemap', null, '<urlset/>');
  expect(status).toBe(405);
});

test('a database that does not answer, or rejects the key, does not look like an empty shop', async () => {
  const unreachable = { url: 'http://127.0.0.1:9', secretKey: 'sb_secret_x' };
  await expect(readCategories(unreachable)).rejects.toThrow(DatabaseUnavailable);
  const withWrongKey = { url: shop.url, secretKey: 'sb_secret_x' };
  await expect(readCategories(withWrongKey)).rejects.toThrow(NotConfigured);
});

test('the index names as many pages as the categories and the products need', () => {
  const index = addressesIn(sitemapIndex('https://weft.example', PAGE_CATEGORIES, 50_000));
  expect(index.map((address) => address.split('?')[1])).toEqual([
    'categories=1',
    'categories=2', // because the first page also has the catalogue's own address
    'products=1',
    'products=2',
    'products=3',
  ]);
  const categories = Array.from({ length: PAGE_CATEGORIES }, (_, i) => `C${i}`);
  const page = (number: number) =>
    addressesIn(categoriesPage('https://w.example', categories, number) ?? '');
  expect(page(1)).toHaveLength(PAGE_CATEGORIES);
  expect(page(2)).toEqual([`https://w.example/?category=C${PAGE_CATEGORIES - 1}`]);
});

test('the sitemap lists every product once, whatever its sizes, and the code can be read from its address', async () => {
  const codes = ['A', 'B', `C & <"'>`, 'D/1?#%', 'Платье ..'];
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, [
    ...codes.map((SKC) => ({ SKC, 'Category 1': 'Coats' })),
    { SKC: 'A', Size: 'M' },
    { SKC: 'A', Size: 'L' },
  ]);
  expect(await listedBy()).toContain('https://weft.example/sitemap.xml?products=1');
  const listed = await listedBy('?products=1');
  expect(listed.map((address) => stockCodeIn(new URL(address).pathname))).toEqual(codes);
});

test.each(['?products=2', '?products=99999', '?categories=2'])(
  'the page %s behind the last is answered with 404, and the CDN keeps that answer',
  async (query) => {
    const answer = await ask(query);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('netlify-cdn-cache-control')).toContain('max-age=3600');
  },
);

test('a page far behind the last is answered without reading the products', async () => {
  const scans = `(select sum(pg_stat_get_xact_numscans(c.oid))::int from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where 'public.products'::regclass in (c.oid, i.indrelid))`;
  /** Reads the stock codes from an offset on, and counts the scans of `products` and its indexes. */
  const scansOf = async (offset: number) => {
    const [row] = await shop.backend.query(
      `with before as materialized (select ${scans} as count),
            codes as materialized (select public.stock_codes($1, 20000) as codes from before)
       select codes, ${scans} - before.count as scanned from before, codes`,
      [offset],
    );
    return row;
  };
  expect(await scansOf(0)).toMatchObject({ scanned: 1 });
  expect(await scansOf(PAGE_ADDRESSES)).toEqual({ codes: [], scanned: 0 });
});

test('a page of the sitemap begins where the one before ends', async () => {
  await shop.backend.query(
    `insert into public.products ("SKC") select 'N' || lpad(i::text, 6, '0') from generate_series(1, 20001) i`,
  );
  const [first, second] = [await readStockCodes(settings, 1), await readStockCodes(settings, 2)];
  expect(first).toHaveLength(PAGE_ADDRESSES);
  expect(second.length).toBeGreaterThan(0);
  const codes = [...first, ...second];
  expect(codes).toEqual([...new Set(codes)].toSorted());
});

test.each(['?products=0', '?products=x', '?categories=1.5', '?products='])(
  'the sitemap has no page %s',
  async (query) => {
    expect((await ask(query)).status).toBe(404);
  },
);

test('robots.txt allows all but the functions, and names the sitemap where the shop has an address', () => {
  expect(robotsText({ siteUrl: '' })).not.toContain('Sitemap');
  const rules = robotsText({ siteUrl: 'https://weft.example' });
  expect(rules).toContain('\nSitemap: https://weft.example/sitemap.xml\n');
  expect(rules.match(/^Disallow: .*$/gm)).toEqual(['Disallow: /.netlify/']);
});

test('robots may fetch resized pictures, whether they apply the first matching rule or the longest', () => {
  const rules = [...robotsText({ siteUrl: '' }).matchAll(/^(Allow|Disallow): (.*)$/gm)];
  const matching = rules.filter(([, , path = '']) =>
    '/.netlify/images?url=%2Fa.jpg'.startsWith(path),
  );
  expect(matching[0]?.[1]).toBe('Allow');
  const [longest] = matching.toSorted(([, , a = ''], [, , b = '']) => b.length - a.length);
  expect(longest?.[1]).toBe('Allow');
});

test('an agent that follows llms.txt gets products', async () => {
  const { url, backend } = shop;
  const { publishableKey } = backend;
  const text = llmsText({ storeName: 'Weft', siteUrl: url, backendUrl: url, publishableKey });
  const address = /^ +GET (.*)$/m.exec(text)?.[1] ?? '';
  const apikey = /^ +apikey: (.*)$/m.exec(text)?.[1] ?? '';
  const answer = await fetch(address, { headers: { apikey } });
  expect(await answer.json()).toContainEqual(
    expect.objectContaining({ SKC: 'A', 'Category 1': 'Coats' }),
  );
});

/** Netlify's limit on the answer of a function. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

/**
 * What the codes are made of, the letter, and their number: one more than a page holds. A code has 58 of these
 * letters and 6 digits. Of a page's 20,000 places it takes one for each 64 bytes, rounded up: 4, 3 and 1.
 */
const LONGEST_CODES = [
  ['with as many bytes as possible', '😀', 5001],
  ['of a script with three bytes a letter', '布', 6668],
  ['of marks that XML escapes', "'", 20_001],
] as const;

test.each(LONGEST_CODES)(
  'a page of the longest codes %s fits into an answer',
  async (_, letter, count) => {
    await shop.backend.query('truncate public.products');
    await shop.backend.query(
      `insert into public.products ("SKC")
     select repeat($1, 58) || lpad(i::text, 6, '0') from generate_series(1, $2::int) i`,
      [letter, count],
    );
    const [first, second] = [await readStockCodes(settings, 1), await readStockCodes(settings, 2)];
    const page = productsPage('https://shop.of-a-rather-long-name.example', first) ?? '';
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_ANSWER_BYTES);
    expect(second).toHaveLength(1);
    expect(new Set([...first, ...second]).size).toBe(count);
    const total = await countStockCodes(settings);
    expect(Math.ceil(total / PAGE_ADDRESSES)).toBe(2);
  },
);
