/** The embedded backend: its keys, its limits, and how it answers requests that are wrong or too large. */
import { describe, expect, test } from 'vitest';
import { importProducts } from './changes.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';

/** The most rows of an answer, as a hosted project sets it for PostgREST. */
const MAX_ROWS = 1000;

const shop = await openShopForFile();

const fetchProducts = (headers: Record<string, string>) =>
  fetch(`${shop.url}/rest/v1/products?select=id`, { headers });

describe('the keys', () => {
  test('a request without a key or with a wrong one is rejected, even from this machine', async () => {
    expect((await fetchProducts({})).status).toBe(401);
    expect((await fetchProducts({ apikey: 'sb_publishable_wrong' })).status).toBe(401);
  });

  test('the secret key is rejected when a browser sends it', async () => {
    const apikey = shop.backend.secretKey;
    expect((await fetchProducts({ apikey })).status).toBe(200);
    expect((await fetchProducts({ apikey, 'user-agent': 'Mozilla/5.0' })).status).toBe(401);
  });
});

test('a request reads at most 1,000 rows, even when it asks for more', async () => {
  await importProducts(
    shop,
    Array.from({ length: MAX_ROWS + 100 }, (_, i) => ({ SKC: `P${i}` })),
  );
  const products = () => clientOf(shop).from('products').select('id');
  for (const query of [products(), products().limit(MAX_ROWS + 100)])
    expect((await query).data).toHaveLength(MAX_ROWS);
  expect((await products().range(MAX_ROWS, MAX_ROWS + 99)).data).toHaveLength(100);
});

test('of requests at the same moment, those of the server and those of visitors never get each other’s rights', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const { publishableKey, secretKey } = shop.backend;
      const request = new Request('http://localhost/rest/v1/rpc/import_products', {
        method: 'POST',
        headers: {
          apikey: i % 2 === 0 ? secretKey : publishableKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ p_rows: [{ SKC: `SAME-${i}` }] }),
      });
      return (await shop.backend.fetch(request, null)).status;
    }),
  );
  expect(statuses).toEqual(statuses.map((_, i) => (i % 2 === 0 ? 200 : 401)));
});
