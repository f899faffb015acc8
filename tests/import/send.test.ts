/** Sending a checked file: parts, retries, tokens, and what the page shows meanwhile. */
import { expect, test } from 'vitest';
import { OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { pack } from '../../src/import/worker/pack.ts';
import { uploader } from '../../src/remote/upload.ts';
import { quickOrFull } from '../full-run.ts';
import { SEED, seeded } from '../random.ts';
import { newDevice, newPage, tabWith, unfinishedIn } from './device.ts';
import { textFile } from './product-files.ts';
import { htmlAnswer, type RequestFault, type ShopInMemory } from './shop-in-memory.ts';

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
const FAULTS: readonly RequestFault[] = ['lost', 'unanswered', 'portal', 'busy', 500, 503, 'token'];

/** Expects that the shop has each product of `FILE` once, and has counted it once. */
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

test('a file is sent in parts, three at once, and changes nothing when it is sent again', async () => {
  const device = newDevice();
  const page = newPage();
  const tab = await tabWith(device, FILE);
  const outcome = await tab.send('ann', page);
  const counts = { processed: STORED, inserted: STORED, updated: 0, unchanged: 0, rejected: 0 };
  expect(outcome).toEqual({ kind: 'done', totals: counts, message: null });
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
  expect(await tab.unfinished('ann'), 'a finished import leaves nothing behind').toBeNull();
  expect(await device.jobs.files.count()).toBe(0);
  expect(await device.jobs.parts.count()).toBe(0);

  const laterTab = await tabWith(device, FILE);
  expect(await laterTab.send('ann', newPage())).toMatchObject({
    totals: { inserted: 0, updated: 0, unchanged: STORED },
  });
});

test('of a file that is overwritten while it is sent, nothing of the new content is sent', async () => {
  const fileOf = (material: string) => {
    const rows = Array.from({ length: 100 * ROWS }, (_, i) => `A${i},M,${material}\n`);
    return textFile(`SKC,Size,Material\n${rows.join('')}`);
  };
  const file = fileOf('old');
  const device = newDevice();
  const { shop } = device;
  const limits = { bytes: 20_000, rows: ROWS };
  const tab = await tabWith(device, file, { sliceBytes: 2000, limits });
  // The browser notices the change when a slice of the file is read, but not in a stream.
  file.stream = () => fileOf('new').stream();
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    if (shop.requests > 0) part.arrayBuffer = () => Promise.reject(new Error('changed'));
    return part;
  };
  expect(await tab.send('ann', newPage())).toEqual({
    kind: 'failed',
    message: 'The file cannot be read any more. It was changed or moved: choose it again.',
  });
  const stored = [...shop.table.values()];
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.every(({ Material }) => Material === 'old')).toBe(true);
});

test('parts are packed, and a part counts once in whichever form it arrives', async () => {
  const device = newDevice();
  const { shop } = device;
  // Every fourth answer is lost, and half-way the shop is rolled back to a build without packed parts.
  shop.nextFault = () => (shop.requests % 4 === 0 ? 'unanswered' : 'none');
  const tab = await tabWith(device, FILE);
  const page = newPage({
    progress: ({ rows }) => {
      if (rows > ROWS / 2) shop.packedRefusal = 400;
    },
  });
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expectStoredOnce(shop);
  expect(shop.packedRequests).toBeGreaterThan(0);
  expect(shop.packedRequests).toBeLessThan(shop.requests);
});

test.each([400, 413, 415] as const)(
  'after an answer of %i to packed parts these and all others go plain, without a pause',
  async (status) => {
    const device = newDevice();
    device.shop.packedRefusal = status;
    // Holds every request until three are under way, the most that are sent at once.
    const allUnderWay = Promise.withResolvers<void>();
    let begun = 0;
    const held: typeof fetch = async (...request) => {
      begun += 1;
      if (begun === 3) allUnderWay.resolve();
      await allUnderWay.promise;
      return device.shop.fetch(...request);
    };
    const tab = await tabWith(device, FILE, { upload: uploader('', held, pack) });
    const page = newPage();
    expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
    expectStoredOnce(device.shop);
    expect(device.shop.packedRequests, 'those that were under way').toBe(3);
    expect([device.pauses, page.waits]).toEqual([[], []]);
  },
);

test('a part whose content is refused in both forms leaves later imports packed', async () => {
  const device = newDevice();
  let isRefusing = true;
  const refusing: typeof fetch = async (...request) =>
    isRefusing ? htmlAnswer('<h1>Refused</h1>', 400) : device.shop.fetch(...request);
  const tab = await tabWith(device, ONE_ROW, { upload: uploader('', refusing, pack) });
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'rejected', status: 400 });
  isRefusing = false;
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expect(device.shop.packedRequests).toBe(1);
});

test('a proxy that answers 413 in HTML to packed parts gets them plain', async () => {
  const device = newDevice();
  const proxied: typeof fetch = async (address, request) => {
    const text = await new Response(request?.body).text();
    return text.startsWith('{"csvGzip"')
      ? htmlAnswer('<h1>Too large</h1>', 413)
      : device.shop.fetch(address, { ...request, body: text });
  };
  const tab = await tabWith(device, FILE, { upload: uploader('', proxied, pack) });
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expectStoredOnce(device.shop);
});

test.each([
  ['cannot pack', null],
  ['stops packing', () => Promise.reject(new Error('the packer stopped'))],
])('a browser that %s sends plain parts', async (_what, packer) => {
  const device = newDevice();
  const tab = await tabWith(device, FILE, { upload: uploader('', device.shop.fetch, packer) });
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expectStoredOnce(device.shop);
  expect(device.shop.packedRequests).toBe(0);
});

test('every part counts exactly once, whatever the network and the server do', async () => {
  console.log(`SEED=${SEED}`);
  for (let run = 0; run < quickOrFull(5, 25); run++) {
    const random = seeded(SEED + run);
    const device = newDevice();
    const { shop } = device;
    shop.nextFault = () =>
      random() < 0.5 ? 'none' : (FAULTS[Math.floor(random() * FAULTS.length)] ?? 'none');
    // An import fails at a 503, and after `MAX_ERRORS` errors for one part. The test resumes it until it succeeds.
    const page = newPage();
    const tab = await tabWith(device, FILE);
    let outcome = await tab.send('ann', page);
    while (outcome.kind !== 'done') {
      expect(outcome.kind).toBe('rejected');
      const unfinished = await tab.unfinished('ann');
      if (!unfinished) {
        // The import failed before anything was stored, so it begins anew.
        outcome = await tab.send('ann', page);
        continue;
      }
      outcome = await tab.resume('ann', unfinished.importId, null, page);
    }
    expect(outcome.totals).toMatchObject({ processed: STORED, rejected: 0 });
    expect(shop.table.size).toBe(STORED);
    expect(page.waits.at(-1) ?? null).toBeNull();
  }
});

test('without a connection the import waits, longer each time, and says so until the connection is back', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => (device.shop.requests <= 8 ? 'lost' : 'none');
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
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
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(device.pauses).toHaveLength(tokenRequests - 1);
  expect(device.shop.requests).toBe(1);
});

test('an expired token is renewed once for all parts under way', async () => {
  const device = newDevice();
  const page = newPage();
  device.shop.expired.add('token 1');
  const tab = await tabWith(device, FILE);
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(page.tokens).toEqual(['token 1', 'token 2']);
  expect(device.pauses).toEqual([]);
  expectStoredOnce(device.shop);
});

test('an import stops when the session has ended, and continues after signing in', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests > 10 ? 'token' : 'none');
  const tab = await tabWith(device, FILE);
  const ended = newPage({ freshToken: async () => SIGN_IN_NEEDED });
  expect(await tab.send('ann', ended)).toEqual({ kind: 'sign-in' });
  const unfinished = await unfinishedIn(tab);
  expect(unfinished).toMatchObject({ fileName: 'products.csv', rowsTotal: STORED, hasFile: true });
  expect(unfinished.rowsSent).toBeGreaterThan(0);

  device.shop.nextFault = () => 'none';
  const signedIn = newPage({ token: async () => ({ ok: true, value: 'after' }) });
  expect(await tab.resume('ann', unfinished.importId, null, signedIn)).toMatchObject({
    kind: 'done',
    totals: { inserted: STORED },
  });
  expectStoredOnce(device.shop);
});

test('a server that rejects a renewed token is asked again later, and the session has not ended', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 4 ? 'token' : 'none');
  const page = newPage();
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(device.pauses, 'none after the first rejection, which only renews the token').toEqual([
    1000, 2000, 4000,
  ]);
});

test('a rejection by the server is shown in its own words, and the part is not sent again', async () => {
  const device = newDevice();
  device.shop.store = () => 'Your account may not import products.';
  const tab = await tabWith(device, FILE);
  expect(await tab.send('ann', newPage())).toEqual({
    kind: 'rejected',
    message: 'Your account may not import products.',
    status: 409,
    answer: { error: 'Your account may not import products.' },
  });
  expect(device.pauses).toEqual([]);
  expect(
    await tab.unfinished('ann'),
    'nothing was stored, so there is nothing to resume',
  ).toBeNull();
});

test.each([
  ['of its own', 500, { status: 500, message: 'The shop is unwell.' }],
  ['in HTML, from its host', 'crashed', { status: 502, message: null, answer: null }],
] as const)('the import fails within a minute of errors %s', async (_kind, answer, rejection) => {
  const device = newDevice();
  const page = newPage();
  device.shop.nextFault = () => answer;
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'rejected', ...rejection });
  expect(page.waits, 'the page names the error, not the connection').toEqual(['error', null]);
  expect(device.shop.requests).toBe(MAX_ERRORS);
  expect(device.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
});

test('the import fails at once at a server that is not set up for imports', async () => {
  const device = newDevice();
  device.shop.nextFault = () => 503;
  const tab = await tabWith(device, ONE_ROW);
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'rejected' });
  expect(device.shop.requests).toBe(1);
});

test('a busy server is asked until it answers', async () => {
  const device = newDevice();
  device.shop.nextFault = () => (device.shop.requests <= 2 * MAX_ERRORS ? 'busy' : 'none');
  const tab = await tabWith(device, ONE_ROW);
  const page = newPage();
  expect(await tab.send('ann', page)).toMatchObject({ kind: 'done' });
  expect(page.waits).toEqual(['busy', null]);
});

test('after an error of the server, parts are sent one at a time', async () => {
  const device = newDevice();
  const { shop } = device;
  let answers = 0;
  shop.nextFault = () => {
    answers += 1;
    if (answers > 3) return 'none';
    // The last of the three parts under way fails now. `mostAtOnce` counts the parts that follow.
    if (answers === 3) shop.mostAtOnce = 0;
    return 500;
  };
  const tab = await tabWith(device, FILE);
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expectStoredOnce(shop);
  expect(shop.mostAtOnce).toBe(1);
});

test('an import waits as long as the server’s retry-after header asks', async () => {
  const device = newDevice();
  let requests = 0;
  const unwell: typeof fetch = async (...request) =>
    ++requests === 1
      ? Response.json({ error: 'later' }, { status: 503, headers: { 'retry-after': '12' } })
      : device.shop.fetch(...request);
  const tab = await tabWith(device, ONE_ROW, { upload: uploader('', unwell, pack) });
  expect(await tab.send('ann', newPage())).toMatchObject({ kind: 'done' });
  expect(device.pauses).toEqual([12_000]);
});

test('a cancelled import ends soon, keeps what was stored and can be resumed', async () => {
  const CANCELLED_AT = 200;
  const device = newDevice();
  const tab = await tabWith(device, FILE);
  const page = newPage({
    progress: ({ rows }) => {
      if (rows > CANCELLED_AT) tab.cancel();
    },
  });
  expect(await tab.send('ann', page)).toEqual({ kind: 'cancelled' });
  const { importId, rowsSent } = await unfinishedIn(tab);
  expect(rowsSent).toBeGreaterThan(CANCELLED_AT);
  expect(rowsSent).toBeLessThan(2 * CANCELLED_AT);
  expect(await tab.resume('ann', importId, null, newPage())).toMatchObject({
    totals: { processed: STORED },
  });
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
  expect(await tab.send('ann', page)).toMatchObject({
    kind: 'done',
    totals: { processed: STORED },
  });
  expect(await tab.unfinished('ann')).toBeNull();
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
  expect(await tab.send('ann', page)).toEqual({ kind: 'cancelled' });
  expect(waits).toEqual(['connection', null]);
});
