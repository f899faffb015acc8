/** Requests by which an attacker would set prices or undo the imports of others; what is reported to the operator. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openShopOverHttp, openShopOverHttpForFile } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();
const log: string[] = [];
beforeEach(() => {
  log.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...words) => void log.push(words.join(' ')));
});
afterEach(() => void vi.restoreAllMocks());

/** The stock code and the price of each product, sorted by the code. */
const prices = () =>
  shop.backend.query(
    'select "SKC" as skc, "Retail Price"::text as price from public.products order by 1',
  );
const CHEAP = 'SKC,Retail Price\nCOAT,0.50\n';

test('where real money is paid, a stranger sets no price until the shop says who may import', async () => {
  const live = await openShopOverHttp({ environment: { STRIPE_SECRET_KEY: 'sk_live_abc' } });
  await live.restock();
  await live.expectNothingDone(async () => {
    expect((await live.post('upload-csv', { csv: CHEAP })).status).toBe(503);
  });
  expect(log.join()).toContain('IMPORT_ROLE is not set');
  await live.close();
});

test('an import is not undone by a stranger, with or without another import after it', async () => {
  const importId = randomUUID();
  const dear = 'SKC,Retail Price\nCOAT,150\n';
  await shop.post('upload-csv', { csv: dear, importId }, shop.ada.token);
  const [coat, sock] = await prices();
  expect((await shop.post('undo-import', { importId }, shop.eve.token)).status).toBe(404);
  await shop.post('upload-csv', { csv: 'SKC\nSCARF\n' }, shop.eve.token);
  expect((await shop.post('undo-import', { importId }, shop.eve.token)).status).toBe(404);
  expect(await prices()).toEqual([coat, { skc: 'SCARF', price: null }, sock]);
});

test('a small upload that unpacks to very much is refused before it is unpacked whole', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from(CHEAP), Buffer.alloc(200_000_000, 'A')]));
  expect(bomb.length).toBeLessThan(250_000);
  // The end is cut off: a server that unpacked the whole upload would find it broken and answer 400.
  const csvGzip = bomb.subarray(0, -20).toString('base64');
  const before = await prices();
  expect(await shop.post('upload-csv', { csvGzip })).toMatchObject({
    status: 413,
    body: { error: 'Unpacked, csvGzip is larger than 6144 kB.' },
  });
  expect(await prices()).toEqual(before);
});
