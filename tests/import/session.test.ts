/** The import of a tab, without a screen: the real session and worker. */
import { afterEach, expect, test, vi } from 'vitest';
import type { RememberedMatch } from '../../src/csv/remembered.ts';
import { keepShared, knownMatches } from '../../src/import/matches.ts';
import type { CheckOutcome } from '../../src/import/protocol.ts';
import type { ImportJob } from '../../src/db/import-jobs.ts';
import { createImportSession } from '../../src/import/session.ts';
import { noticeStore } from '../../src/ui/notices.ts';
import { newDevice, newPage } from './device.ts';
import { freshLocalStorage } from '../local-storage.ts';
import { textFile } from './product-files.ts';

freshLocalStorage();
// Node has no window; the session listens there for `beforeunload` while it sends.
Object.defineProperty(globalThis, 'window', { configurable: true, value: new EventTarget() });

/** Two columns hold prices. By the headings, `RRP` is the price. */
const PRICES = textFile(
  'Item code,RRP,Wholesale,Category,Image\nA,129.50,60.00,Coat,/a.jpg\nB,129.50,60.00,Coat,/a.jpg\n',
);
/** Sorted, as a match is remembered. */
const PRICES_HEADINGS = ['Category', 'Image', 'Item code', 'RRP', 'Wholesale'];

/** A match that another user made. Its columns count the sorted headings, from 0. */
const colleaguesMatch = (headings: readonly string[], columns: RememberedMatch['columns']) => ({
  headings,
  columns,
  rulesOff: [],
  by: null,
  at: 5,
});
/** A colleague takes the wholesale price. */
const WHOLESALE = colleaguesMatch(PRICES_HEADINGS, { SKC: 2, 'Retail Price': 4 });
/** The table of a check that was read by that match. */
const WHOLESALE_TABLE = { origin: { by: null, at: WHOLESALE.at } };

afterEach(() => vi.unstubAllGlobals());

function openSession(rights: { mayImport: boolean } = { mayImport: true }) {
  const device = newDevice();
  const tab = device.openTab();
  /** Each check waits for this promise. */
  let beforeCheck: Promise<unknown> = Promise.resolve();
  const session = createImportSession({
    uid: 'ada',
    worker: {
      ...tab,
      async check(...args): Promise<CheckOutcome> {
        await beforeCheck;
        return tab.check(...args);
      },
      close: () => undefined,
    },
    tokens: { accessToken: newPage().token, refreshNow: newPage().freshToken },
    onSent: () => undefined,
    mayImport: () => rights.mayImport,
    shareMatch: () => undefined,
    waitForSync: async () => undefined,
  });
  /** Resolves when the file has been checked. */
  const waitForCheck = () => expect.poll(() => session.snapshot().check.kind).toBe('checked');
  return {
    device,
    session,
    waitForCheck,
    /** Chooses a file, and waits until it has been checked. */
    choose(file: File) {
      session.choose(file);
      return waitForCheck();
    },
    /** Reads the file by another column of prices, and waits until it has been checked again. */
    readWholesale() {
      session.readAs({ columns: { 'Retail Price': 2 }, headerLine: 1, delimiter: ',' });
      return waitForCheck();
    },
    /** The shop answers with this match of another member of staff. */
    learn(match: RememberedMatch) {
      keepShared('ada', [match]);
      session.onOverview();
    },
    /** Resolves when the import has ended in this way. */
    waitForOutcome: (kind: 'done' | 'unseen-match' | 'cancelled') =>
      expect.poll(() => session.snapshot().outcome?.kind).toBe(kind),
    /** Keeps checks from going on until the returned function is called. */
    holdChecks() {
      const { promise, resolve } = Promise.withResolvers<void>();
      beforeCheck = promise;
      return resolve;
    },
    prices: () => [...device.shop.table.values()].map((row) => row['Retail Price']),
    origin() {
      const { check } = session.snapshot();
      return check.kind === 'checked' ? check.check.table.origin : null;
    },
  };
}

test('what a user matches is kept only once it is known that they may import', async () => {
  const rights = { mayImport: false };
  const { session, choose, readWholesale } = openSession(rights);
  await choose(PRICES);
  await readWholesale();
  const known = () => knownMatches('ada', Date.now()).map(({ columns }) => columns['Retail Price']);
  expect(known()).toEqual([]);
  // Meanwhile the match serves this tab.
  await choose(PRICES);
  expect(session.snapshot()).toMatchObject({
    check: { check: { table: { origin: { by: 'ada' } } } },
  });
  expect(known()).toEqual([]);
  rights.mayImport = true;
  session.onOverview();
  expect(known()).toEqual([4]);
});

test('a match that comes after the check is offered, and Start sends what the user has seen', async () => {
  const { session, prices, choose, learn, waitForOutcome } = openSession();
  await choose(PRICES);
  learn(WHOLESALE);
  expect(session.snapshot()).toMatchObject({
    check: { kind: 'checked', check: { table: { origin: 'headings' } } },
    laterMatch: WHOLESALE,
  });
  session.start();
  await waitForOutcome('done');
  expect(prices()).toEqual(['129.50', '129.50']);
});

test('an offered match is taken when the user says so, and Start waits until its check is seen', async () => {
  const { session, holdChecks, prices, choose, learn, waitForOutcome } = openSession();
  await choose(PRICES);
  learn(WHOLESALE);
  const release = holdChecks();
  session.readAs({ remembered: [WHOLESALE] });
  session.start();
  release();
  await waitForOutcome('unseen-match');
  expect(session.snapshot()).toMatchObject({
    laterMatch: null,
    check: { check: { table: WHOLESALE_TABLE } },
  });
  expect(prices()).toEqual([]);
  session.start();
  await waitForOutcome('done');
  expect(prices()).toEqual(['60.00', '60.00']);
});

test('a match that comes while the file is first checked is used, but not sent unseen', async () => {
  const { session, waitForCheck, holdChecks, prices, learn, waitForOutcome } = openSession();
  const release = holdChecks();
  session.choose(PRICES);
  learn(WHOLESALE);
  release();
  await expect
    .poll(() => session.snapshot())
    .toMatchObject({ check: { check: { table: WHOLESALE_TABLE } } });
  // Chosen again, so that the user presses Start before the check ends.
  session.choose(PRICES);
  session.start();
  await waitForOutcome('unseen-match');
  await waitForCheck();
  expect(prices()).toEqual([]);
});

test('a match that comes while the page asks about columns answers that question', async () => {
  const { session, waitForCheck, learn } = openSession();
  session.choose(textFile('Code of ours,Cost\nA,5\n'));
  await expect.poll(() => session.snapshot().check.kind).toBe('ask-columns');
  learn(colleaguesMatch(['Code of ours', 'Cost'], { SKC: 0, 'Retail Price': 1 }));
  await waitForCheck();
});

test('a file that is read by the user’s own match is sent at once', async () => {
  const { session, prices, choose, readWholesale, waitForOutcome } = openSession();
  await choose(PRICES);
  await readWholesale();
  session.choose(PRICES);
  session.start();
  await waitForOutcome('done');
  expect(prices()).toEqual(['60.00', '60.00']);
});

test('a match that comes after rows were mended is not offered, because it would drop them', async () => {
  const { session, waitForCheck, choose, learn } = openSession();
  const faulty = textFile('Item code,RRP,Cost\nA,10.00,5\nC,each,5\n');
  await choose(faulty);
  const { reading } = await session.worker.refusedRows();
  session.mend({ reading, cellsByLine: new Map([[3, ['C', '9.00', '5']]]) });
  await waitForCheck();
  const later = {
    ...WHOLESALE,
    headings: ['Cost', 'Item code', 'RRP'],
    columns: { SKC: 1, 'Retail Price': 0 },
  };
  learn(later);
  expect(session.snapshot()).toMatchObject({ laterMatch: null, check: { check: { rejected: 0 } } });
});

test('headings of the shop’s own are neither remembered nor matched by memory', async () => {
  const { session, waitForCheck, origin } = openSession();
  keepShared('ada', [
    colleaguesMatch(['Material', 'Retail Price', 'SKC'], { SKC: 0, 'Retail Price': 1 }),
  ]);
  session.choose(textFile('SKC,Retail Price,Material\nA,5,wool\n'));
  await waitForCheck();
  session.onOverview();
  expect([origin(), session.snapshot().laterMatch]).toEqual(['headings', null]);
  session.readAs({ columns: { Material: null }, headerLine: 1, delimiter: ',' });
  await waitForCheck();
  expect(knownMatches('ada', Date.now()).map(({ by }) => by)).toEqual([null]);
});

test('mended rows that later rows replace are named, and where no other mended row is left nothing is imported', async () => {
  const { device, session, waitForCheck, waitForOutcome } = openSession();
  session.choose(
    textFile('SKC,Retail Price,Category 1,Images link\nA,each,Coat,/a.jpg\nA,7,Coat,/a.jpg\n'),
  );
  await waitForCheck();
  const { reading, rows } = await session.worker.refusedRows();
  session.start();
  await expect.poll(() => session.snapshot().run.kind).toBe('asking');
  session.answer(true);
  await waitForOutcome('done');
  const { requests } = device.shop;
  session.mend({
    reading,
    cellsByLine: new Map([[rows[0]?.line ?? 0, ['A', '5', 'Coat', '/a.jpg']]]),
  });
  await expect
    .poll(() => noticeStore.snapshot()?.text)
    .toMatch(/^Left out: 1 mended row of products that the file names again further down\./);
  expect([session.snapshot().file, device.shop.requests]).toEqual([null, requests]);
});

test('an import that is cancelled before the worker has begun it sends nothing, and its file stays chosen', async () => {
  const { session, prices, choose, waitForOutcome } = openSession();
  await choose(PRICES);
  session.start();
  session.cancel();
  await waitForOutcome('cancelled');
  expect(prices()).toEqual([]);
  expect(session.snapshot().file).toBe(PRICES);
});

test('Forget leaves an import alone that another tab has resumed meanwhile, and says that it runs', async () => {
  const { device, session } = openSession();
  const unfinished = { importId: 'import-1', uid: 'ada' } as ImportJob;
  await device.jobs.jobs.put(unfinished);
  const otherTab = holdImportLock();
  await session.forget(unfinished.importId);
  expect(await device.jobs.jobs.count()).toBe(1);
  await expect.poll(() => session.snapshot().isElsewhere).toBe(true);
  otherTab.release();
  await expect.poll(() => session.snapshot().isElsewhere).toBe(false);
  await session.forget(unfinished.importId);
  expect(await device.jobs.jobs.count()).toBe(0);
});

test('Cancel before a check has ended takes Start back, and the file and its reading stay', async () => {
  const { session, choose, holdChecks, waitForCheck, prices } = openSession();
  await choose(PRICES);
  const release = holdChecks();
  session.readAs({ decimalMark: '.' });
  session.start();
  session.answer(false);
  release();
  await waitForCheck();
  expect(session.snapshot()).toMatchObject({
    file: PRICES,
    run: { kind: 'idle' },
    outcome: { kind: 'declined' },
  });
  expect(prices()).toEqual([]);
});

/** Lets another tab hold the lock of imports; Node has no Web Locks. */
function holdImportLock() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = true;
  const locks = {
    async request(_name: string, { ifAvailable = false }, task: (lock: object | null) => unknown) {
      if (isHeld && ifAvailable) return task(null);
      if (isHeld) await promise;
      return task({});
    },
    query: async () => ({ held: isHeld ? [{ name: 'weft-import' }] : [] }),
  };
  vi.stubGlobal('navigator', { locks });
  return {
    release() {
      isHeld = false;
      resolve();
    },
  };
}
