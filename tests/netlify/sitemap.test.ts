/** What search engines and agents read: the sitemap, robots.txt and llms.txt. */
import { beforeEach, expect, test } from 'vitest';
import { llmsText, robotsText } from '../../netlify/build/crawler-texts.ts';
import { PAGE_PRODUCTS } from '../../netlify/lib/sitemap.ts';
import { stockCodeIn } from '../../src/domain/product-page.ts';
import { stock } from '../supabase/stock.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';

const shop = await openShopForFile({ environment: { URL: 'https://weft.example/' } });

beforeEach(async () => {
  await shop.backend.query('truncate public.products');
  await shop.backend.query('select public.prune_category_names()');
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

const ask = (query: string, url = shop.url) => fetch(`${url}/.netlify/functions/sitemap${query}`);
const listedBy = async (query = '') => addressesIn(await (await ask(query)).text());

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
  const hats = 'https://weft.example/?category=Hats';
  await stock(shop.backend, [{ SKC: 'E', 'Category 2': ' Hats ' }]);
  expect(await listedBy('?categories=1')).toContain(hats);
  await query(`update public.products set "Category 2" = 'Coats' where "SKC" = 'E'`);
  await query('select public.prune_category_names()');
  const listed = await listedBy('?categories=1');
  expect(listed).not.toContain(hats);
  expect(listed).toContain('https://weft.example/?category=Coats');
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

test('a page behind the last is answered with 404, and the CDN keeps that answer', async () => {
  const answer = await ask('?products=2');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('netlify-cdn-cache-control')).toContain('max-age=3600');
});

test('a large shop has several pages of products, of which each begins where the one before ends', async () => {
  await shop.backend.query(
    `insert into public.products ("SKC")
     select 'N' || lpad(i::text, 6, '0') from generate_series(1, $1::int) i`,
    [PAGE_PRODUCTS],
  );
  expect((await listedBy()).map((address) => address.split('?')[1])).toEqual([
    'categories=1',
    'products=1',
    'products=2',
  ]);
  const [first, second] = [await listedBy('?products=1'), await listedBy('?products=2')];
  expect(first).toHaveLength(PAGE_PRODUCTS);
  const addresses = [...first, ...second];
  expect(addresses).toEqual([...new Set(addresses)].toSorted());
  expect(addresses).toHaveLength(PAGE_PRODUCTS + 4); // A to D are in the shop as well
});

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
