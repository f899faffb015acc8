/** Sending a checked file: parts, retries, tokens, and what the page shows meanwhile. */
import { expect, test } from 'vitest';
import { OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { importCalls } from '../../src/remote/import-calls.ts';
import { newDevice, newPage, tabWith } from './device.ts';
import { textFile } from './product-files.ts';
import type { ShopInMemory } from './shop-in-memory.ts';

const ROWS = 1000;
const FILE = textFile(
  `SKC,Size,Material,Retail Price\n${Array.from(
    { length: ROWS },
    // Row 500 is rejected, row 600 replaces row 599.
    (_, i) => `${i === 500 ? '' : `A${i === 600 ? 599 : i}`},M,Wool “${i}”,${i}.5`,
  ).join('\n')}\n`,
);
const STORED = ROWS - 2;
const ONE_ROW = textFile('SKC\nA\n');
/** An import fails after so many errors for one part. */
const MAX_ERRORS = 6;

/** Expects that the shop has each product of `FILE` once, and has counted it once. */
function expectStoredOnce({ table, parts }: ShopInMemory): void {
  expect(table.size).toBe(STORED);
  expect(table.get('A599 / M')).toMatchObject({ Material: 'Wool “600”', 'Retail Price': '600.50' });
  expect([...parts.values()].reduce((sum, { inserted }) => sum + inserted, 0)).toBe(STORED);
  expect([...parts.values()].every(({ updated, unchanged }) => updated + unchanged === 0)).toBe(
    true,
  );
  expect(new Set([...parts.values()].map(({ totalParts }) => totalParts))).toEqual(
    new Set([parts.size]),
  );
}

test('a file is sent in parts, three at once, and changes nothing when it is sent again', async () => {
  const device = newDevice();
  const page = newPage();
  const tab = await tabWith(device, FILE);
  const outcome = await tab.send(page);
  const counts = { processed: STORED, inserted: STORED, updated: 0, unchanged: 0, rejected: 0 };
  expect(outcome).toEqual({ kind: 'done', totals: counts, message: null, offSale: 0 });
  expectStoredOnce(device.shop);
  expect(device.shop.mostAtOnce).toBe(3);
  expect(page.progresses.at(-1)).toMatchObject({
    rows: STORED,
    totalRows: STORED,
    bytes: FILE.size,
  });
  const rows = page.progresses.map((progress) => progress.rows);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(page.waits).toEqual([]);

  const laterTab = await tabWith(device, FILE);
  expect(await laterTab.send(newPage())).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: STORED },
  });
});

test('a file that is overwritten after its check is sent as it was checked', async () => {
  const file = textFile('SKC,Material\nA,old\n');
  const device = newDevice();
  const tab = await tabWith(device, file);
  file.slice = () => textFile('SKC,Material\nA,new\n').slice();
  expect(await tab.send(newPage())).toMatchObject({ kind: 'done' });
  expect(device.shop.table.get('A / ')).toMatchObject({ Material: 'old' });
});

test('without a connection the import waits, longer each time, and says so until the connection is back', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => (device.shop.requests <= 8 ? 'lost' : 'none');
  const tab = await tabWith(device, ONE_ROW);
  const message = 'Import successful! Processed 1 records.';
  expect(await tab.send(page)).toMatchObject({ kind: 'done', message });
  expect(device.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(page.waits).toEqual(['connection', null]);
});

test('an import whose page gets no token without a connection waits for the connection', async () => {
  const device = newDevice();
  let tokenRequests = 0;
  const page = newPage({
    token: async () => (++tokenRequests < 4 ? OFFLINE : { ok: true, value: 'token 1' }),
  });
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send(page)).toMatchObject({ kind: 'done' });
  expect(device.pauses).toHaveLength(3);
  expect(device.shop.requests).toBe(1);
});

test('an expired token is renewed once for all parts under way', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.expired.add('token 1');
  const tab = await tabWith(device, FILE);
  expect(await tab.send(page)).toMatchObject({ kind: 'done' });
  expect(page.tokens).toEqual(['token 1', 'token 2']);
  expect(device.pauses).toEqual([]);
  expectStoredOnce(device.shop);
});

test('an import stops when the session has ended, and continues after signing in', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests > 10 ? 'token' : 'none');
  const tab = await tabWith(device, FILE);
  const ended = newPage({ freshToken: async () => SIGN_IN_NEEDED });
  expect(await tab.send(ended)).toEqual({ kind: 'sign-in' });
  expect(device.shop.table.size).toBeGreaterThan(0);
  device.shop.nextFault = () => 'none';
  const signedIn = newPage({ token: async () => ({ ok: true, value: 'after' }) });
  expect(await tab.send(signedIn)).toMatchObject({ kind: 'done', totals: { inserted: STORED } });
  expect(signedIn.continued).toHaveLength(1);
  expectStoredOnce(device.shop);
});

test('a server that rejects a renewed token is asked again later, and the session has not ended', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 4 ? 'token' : 'none');
  const page = newPage();
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send(page)).toMatchObject({ kind: 'done' });
  expect(device.pauses, 'none after the first rejection, which only renews the token').toEqual([
    1000, 2000, 4000,
  ]);
});

test('a rejection by the server is shown in its own words, and the part is not sent again', async () => {
  const device = newDevice();
  device.shop.store = () => 'Your account may not import products.';
  const tab = await tabWith(device, FILE);
  expect(await tab.send(newPage())).toEqual({
    kind: 'rejected',
    message: 'Your account may not import products.',
    status: 409,
    answer: { error: 'Your account may not import products.' },
  });
  expect(device.pauses).toEqual([]);
});

test.each([
  ['of its own', 500, { status: 500, message: 'The shop is unwell.' }],
  ['in HTML, from its host', 'crashed', { status: 502, message: null, answer: null }],
] as const)('the import fails within a minute of errors %s', async (_kind, answer, rejection) => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => answer;
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send(page)).toMatchObject({ kind: 'rejected', ...rejection });
  expect(page.waits, 'the page names the error, not the connection').toEqual(['error', null]);
  expect(device.shop.requests).toBe(MAX_ERRORS);
  expect(device.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
});

test('the import fails at once at a server that is not set up for imports', async () => {
  const device = newDevice();
  device.shop.nextFault = () => 503;
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send(newPage())).toMatchObject({ kind: 'rejected' });
  expect(device.shop.requests).toBe(1);
});

test('a busy server is asked until it answers', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 2 * MAX_ERRORS ? 'busy' : 'none');
  const tab = await tabWith(device, ONE_ROW);
  const page = newPage();
  expect(await tab.send(page)).toMatchObject({ kind: 'done' });
  expect(page.waits).toEqual(['busy', null]);
});

test('an import waits as long as the server’s retry-after header asks', async () => {
  const device = newDevice();
  let requests = 0;
  const unwell: typeof fetch = async (...request) =>
    ++requests === 1
      ? Response.json({ error: 'later' }, { status: 503, headers: { 'retry-after': '12' } })
      : device.shop.fetch(...request);
  const tab = await tabWith(device, ONE_ROW, { upload: importCalls('', unwell).upload });
  expect(await tab.send(newPage())).toMatchObject({ kind: 'done' });
  expect(device.pauses).toEqual([12_000]);
});

test('a cancelled import ends soon, keeps what was stored, and another Start sends the rest', async () => {
  const CANCELLED_AT = 200;
  const device = newDevice();
  const tab = await tabWith(device, FILE);
  const page = newPage({
    progress: ({ rows }) => {
      if (rows > CANCELLED_AT) tab.cancel();
    },
  });
  expect(await tab.send(page)).toEqual({ kind: 'cancelled' });
  expect(device.shop.table.size).toBeGreaterThan(CANCELLED_AT);
  expect(device.shop.table.size).toBeLessThan(2 * CANCELLED_AT);
  expect(await tab.send(newPage())).toMatchObject({ totals: { processed: STORED } });
  expectStoredOnce(device.shop);
});

test('an import that is cancelled after the last part was acknowledged is done', async () => {
  const device = newDevice();
  const tab = await tabWith(device, FILE);
  const page = newPage({
    progress: ({ rows }) => {
      if (rows === STORED) tab.cancel();
    },
  });
  expect(await tab.send(page)).toMatchObject({
    kind: 'done',
    totals: { processed: STORED },
  });
});

test('an import that waits for a connection can be cancelled', async () => {
  const device = newDevice();
  device.shop.nextFault = () => 'lost';
  const tab = await tabWith(device, FILE);
  const waits: unknown[] = [];
  const page = newPage({
    waiting(reason) {
      waits.push(reason);
      setTimeout(() => tab.cancel(), 5);
    },
  });
  expect(await tab.send(page)).toEqual({ kind: 'cancelled' });
  expect(waits).toEqual(['connection', null]);
});
