/** The import of a tab, without a screen: the real session and worker. */
import { expect, test } from 'vitest';
import { keepMatch, knownMatches } from '../../src/import/matches.ts';
import type { CheckOutcome } from '../../src/import/protocol.ts';
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
function openSession() {
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
    waitForSync: async () => undefined,
  });
  /** Resolves when the file has been checked. */
  const waitForCheck = () => expect.poll(() => session.snapshot().step.kind).toBe('checked');
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
    /** Resolves when the import has ended in this way. */
    waitForOutcome: (kind: 'done' | 'cancelled') =>
      expect
        .poll(() => {
          const { step, refusal } = session.snapshot();
          return refusal?.kind ?? step.kind;
        })
        .toBe(kind),
    /** Keeps checks from going on until the returned function is called. */
    holdChecks() {
      const { promise, resolve } = Promise.withResolvers<void>();
      beforeCheck = promise;
      return resolve;
    },
    prices: () => [...device.shop.table.values()].map((row) => row['Retail Price']),
    origin() {
      const { finding } = session.snapshot();
      return finding.kind === 'checked' ? finding.check.table.origin : null;
    },
  };
}

test('what a user matches is remembered for the next file with these headings, until it is matched anew', async () => {
  const { choose, readWholesale, origin } = openSession();
  await choose(PRICES);
  await readWholesale();
  expect(knownMatches('ada').map(({ columns }) => columns['Retail Price'])).toEqual([4]);
  await choose(PRICES);
  expect(origin()).toEqual(knownMatches('ada')[0]);
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

test('headings of the shop’s own are neither remembered nor matched by memory', async () => {
  const { session, waitForCheck, origin } = openSession();
  keepMatch('ada', {
    headings: ['Material', 'Retail Price', 'SKC'],
    columns: { SKC: 0, 'Retail Price': 1 },
    at: 5,
  });
  session.choose(textFile('SKC,Retail Price,Material\nA,5,wool\n'));
  await waitForCheck();
  expect(origin()).toBe('headings');
  session.readAs({ columns: { Material: null }, headerLine: 1, delimiter: ',' });
  await waitForCheck();
  expect(knownMatches('ada').map(({ at }) => at)).toEqual([5]);
});

test('mended rows that later rows replace are named, and where no other mended row is left nothing is imported', async () => {
  const { device, session, waitForCheck, waitForOutcome } = openSession();
  session.choose(
    textFile('SKC,Retail Price,Category 1,Images link\nA,each,Coat,/a.jpg\nA,7,Coat,/a.jpg\n'),
  );
  await waitForCheck();
  const { reading, rows } = await session.worker.refusedRows();
  session.start();
  expect(session.snapshot().step).toEqual({ kind: 'checked', about: 'doubts' });
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

test('a file that is being sent is not read in another way before it has arrived', async () => {
  const { session, prices, choose, waitForOutcome } = openSession();
  await choose(PRICES);
  session.start();
  session.readAs({ columns: { 'Retail Price': 2 }, headerLine: 1, delimiter: ',' });
  await waitForOutcome('done');
  expect(prices()).toEqual(['129.50', '129.50']);
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
    step: { kind: 'checked', about: null },
    refusal: { kind: 'declined' },
  });
  expect(prices()).toEqual([]);
});
