import { expect, test } from 'vitest';
import { OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { SEED, seeded } from '../random.ts';
import { checkFile, type Device, newDevice, newPage, type TestPage } from './device.ts';
import { textFile } from './product-files.ts';
import { ShopInMemory, type RequestFault } from './shop-in-memory.ts';

const ROWS = 1000;
const FILE = textFile(
  `SKC,Size,Material,Retail Price\n${Array.from(
    { length: ROWS },
    // Row 500 is refused, row 600 replaces row 599.
    (_, i) => `${i === 500 ? '' : `A${i === 600 ? 599 : i}`},M,Wool “${i}”,${i}.5`,
  ).join('\n')}\n`,
);
const STORED = ROWS - 2;

async function checked(device: Device, file = FILE) {
  const tab = device.openTab();
  const outcome = await checkFile(tab, file);
  expect(outcome.kind).toBe('checked');
  return tab;
}

function expectStoredOnce({ table, parts }: ShopInMemory): void {
  expect(table.size).toBe(STORED);
  expect(table.get('A599 / M')).toMatchObject({ Material: 'Wool “600”', 'Retail Price': '600.50' });
  expect([...parts.values()].reduce((sum, { inserted }) => sum + inserted, 0)).toBe(STORED);
  expect([...parts.values()].every(({ updated, unchanged }) => updated + unchanged === 0)).toBe(
    true,
  );
  const last = [...parts.values()].find(({ totalParts }) => totalParts !== undefined);
  expect(last?.totalParts).toBe(parts.size);
}

test('a file is sent in parts, three at once, and the counts add up', async () => {
  const device = newDevice();
  const page = newPage();
  const tab = await checked(device);
  const outcome = await tab.send('ann', page);
  const counts = { processed: STORED, inserted: STORED, updated: 0, unchanged: 0, rejected: 0 };
  expect(outcome).toEqual({ kind: 'done', totals: counts, message: null });
  expectStoredOnce(device.shop);
  expect(device.shop.mostAtOnce).toBe(3);
  expect(page.seen.at(-1)).toMatchObject({ rows: STORED, totalRows: STORED, bytes: FILE.size });
  const rows = page.seen.map((progress) => progress.rows);
  expect(rows).toEqual(rows.toSorted((a, b) => a - b));
  expect(page.waits).toEqual([]);
  expect(await tab.unfinished('ann'), 'a finished import leaves nothing behind').toBeNull();
  expect(await device.jobs.files.count()).toBe(0);
  expect(await device.jobs.parts.count()).toBe(0);

  const again = await checked(device);
  expect(await again.send('ann', newPage())).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: STORED },
  });
});

test('an import of one part says what the shop says', async () => {
  const tab = await checked(newDevice(), textFile('SKC\nA\nB\n'));
  expect(await tab.send('ann', newPage())).toMatchObject({
    message: 'Import successful! Processed 2 records.',
  });
});

test('whatever the line does, every part counts exactly once', async () => {
  console.log(`SEED=${SEED}`);
  for (let run = 0; run < 25; run++) {
    const random = seeded(SEED + run);
    const shop = new ShopInMemory();
    const bad: readonly RequestFault[] = [
      'lost',
      'unanswered',
      'portal',
      'busy',
      500,
      503,
      'token',
    ];
    shop.nextFault = () =>
      random() < 0.5 ? 'none' : (bad[Math.floor(random() * bad.length)] ?? 'none');
    const device = newDevice(shop);
    // A busy shop is asked again for a minute or two: here until it answers.
    const page = newPage();
    const tab = await checked(device);
    let outcome = await tab.send('ann', page);
    while (outcome.kind !== 'done') {
      expect(outcome.kind).toBe('rejected');
      const left = await tab.unfinished('ann');
      if (!left) {
        // Rejected before anything was stored: begun anew.
        outcome = await tab.send('ann', page);
        continue;
      }
      outcome = await tab.resume('ann', left.importId, null, page);
    }
    expect(outcome.totals).toMatchObject({ processed: STORED, rejected: 0 });
    expect(shop.table.size).toBe(STORED);
    expect(page.waits.at(-1) ?? null).toBeNull();
  }
});

test('without a line it waits, longer each time, and says so until the line is back', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => (device.shop.requests <= 8 ? 'lost' : 'none');
  const tab = await checked(device, textFile('SKC\nA\n'));
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(device.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(page.waits).toEqual(['connection', null]);
});

test('a page that cannot get a token for want of a line waits for it', async () => {
  const device = newDevice();
  let asked = 0;
  const page = newPage({
    token: async () => (++asked < 4 ? OFFLINE : { ok: true, value: 'token 1' }),
  });
  const tab = await checked(device, textFile('SKC\nA\n'));
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(device.pauses).toHaveLength(3);
  expect(device.shop.requests).toBe(1);
});

test('a token that has expired is renewed once for all parts under way', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.expired.add('token 1');
  const tab = await checked(device);
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(page.tokens).toEqual(['token 1', 'token 2']);
  expect(device.pauses).toEqual([]);
  expectStoredOnce(device.shop);
});

test('a session that is over stops the import, which goes on after signing in', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests > 10 ? 'token' : 'none');
  const tab = await checked(device);
  const ended = newPage({ freshToken: async () => SIGN_IN_NEEDED });
  expect(await tab.send('ann', ended)).toEqual({ kind: 'sign-in' });
  const left = await tab.unfinished('ann');
  expect(left).toMatchObject({ fileName: 'products.csv', rowsTotal: STORED, hasFile: true });
  expect(left?.rowsSent).toBeGreaterThan(0);

  device.shop.nextFault = () => 'none';
  const signedIn = newPage({ token: async () => ({ ok: true, value: 'after' }) });
  expect(await tab.resume('ann', left?.importId ?? '', null, signedIn)).toMatchObject({
    kind: 'done',
    totals: { inserted: STORED },
  });
  expectStoredOnce(device.shop);
});

test('a shop that rejects a token just renewed is unwell: the session is not over', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 4 ? 'token' : 'none');
  const page = newPage();
  const tab = await checked(device, textFile('SKC\nA\n'));
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(device.pauses).toEqual([1000, 2000, 4000]);
});

test('the shop’s no is passed on in its own words, and is not asked for again', async () => {
  const device = newDevice();
  device.shop.store = () => 'Your account may not import products.';
  const tab = await checked(device);
  expect(await tab.send('ann', newPage())).toEqual({
    kind: 'rejected',
    message: 'Your account may not import products.',
  });
  expect(device.pauses).toEqual([]);
  expect(await tab.unfinished('ann'), 'nothing was stored: nothing to go on with').toBeNull();
});

test.each([
  ['of its own', 500, 'The shop is unwell.'],
  ['in HTML, from its host', 'crashed', null],
] as const)('the import fails within a minute of errors %s', async (_kind, answer, message) => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => answer;
  const tab = await checked(device, textFile('SKC\nA\n'));
  expect(await tab.send('ann', page)).toEqual({ kind: 'rejected', message });
  expect(page.waits, 'the page names the error, not the connection').toEqual(['error', null]);
  expect(device.shop.requests).toBe(6);
  expect(device.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
});

test('the import fails at once in a shop that is not set up for it', async () => {
  const device = newDevice();
  device.shop.nextFault = () => 503;
  const tab = await checked(device, textFile('SKC\nA\n'));
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'rejected' });
  expect(device.shop.requests).toBe(1);
});

test('a shop that has too much to do is asked as long as it takes', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 12 ? 'busy' : 'none');
  const tab = await checked(device, textFile('SKC\nA\n'));
  const page = newPage();
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(page.waits).toEqual(['busy', null]);
});

test('once the shop has answered with an error, parts go one at a time', async () => {
  const device = newDevice();
  const { shop } = device;
  let errors = 0;
  shop.nextFault = () => {
    errors += 1;
    if (errors > 3) return 'none';
    // The three that were under way have all failed: from here on it counts.
    if (errors === 3) shop.mostAtOnce = 0;
    return 500;
  };
  const tab = await checked(device);
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expectStoredOnce(shop);
  expect(shop.mostAtOnce).toBe(1);
});

test('a shop that asks for patience is given it', async () => {
  const device = newDevice();
  let requests = 0;
  const upload = device.shop.fetch;
  const tab = device.openTab({
    upload: (await import('../../src/remote/upload.ts')).uploader('', async (...request) =>
      ++requests === 1
        ? Response.json({ error: 'later' }, { status: 503, headers: { 'retry-after': '12' } })
        : upload(...request),
    ),
  });
  await checkFile(tab, textFile('SKC\nA\n'));
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expect(device.pauses).toEqual([12_000]);
});

test('a cancelled import ends soon, keeps what was stored and can be gone on with', async () => {
  const device = newDevice();
  const tab = await checked(device);
  const page: TestPage = newPage({
    progress: ({ rows }) => {
      if (rows > 200) tab.cancel();
    },
  });
  expect(await tab.send('ann', page)).toEqual({ kind: 'cancelled' });
  const left = await tab.unfinished('ann');
  expect(left?.rowsSent).toBeGreaterThan(200);
  expect(left?.rowsSent).toBeLessThan(400);
  expect(await tab.resume('ann', left?.importId ?? '', null, newPage())).toMatchObject({
    totals: { processed: STORED },
  });
  expectStoredOnce(device.shop);
});

test('cancelling while it waits for a line ends it as well', async () => {
  const device = newDevice();
  device.shop.nextFault = () => 'lost';
  const tab = await checked(device);
  const waits: unknown[] = [];
  const page = newPage({
    waiting(reason) {
      waits.push(reason);
      setTimeout(() => tab.cancel(), 5);
    },
  });
  expect(await tab.send('ann', page)).toEqual({ kind: 'cancelled' });
  expect(waits).toEqual(['connection', null]);
});
