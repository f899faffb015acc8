/** The import of a tab, without a screen: the real import run and worker. */
import { beforeEach, expect, test } from 'vitest';
import { keepMatch, knownMatches } from '../../src/import/matches.ts';
import type { CheckOutcome } from '../../src/import/protocol.ts';
import { createImportRun } from '../../src/import/import-run.ts';
import { newDevice, newPage } from './device.ts';
import { plugInStorage } from '../page-storage.ts';
import { textFile } from './product-files.ts';

beforeEach(() => void plugInStorage('localStorage'));
// Node has no window; the import run listens there for `beforeunload` while it sends.
Object.defineProperty(globalThis, 'window', { configurable: true, value: new EventTarget() });

/** Two columns hold prices. By the headings, `RRP` is the price. */
const PRICES = textFile(
  'Item code,RRP,Wholesale,Category,Image\nA,129.50,60.00,Coat,/a.jpg\nB,129.50,60.00,Coat,/a.jpg\n',
);
function openRun() {
  const device = newDevice();
  const tab = device.openTab();
  /** Each check waits for this promise. */
  let beforeCheck: Promise<unknown> = Promise.resolve();
  const run = createImportRun({
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
  const waitForCheck = () => expect.poll(() => run.snapshot().step.kind).toBe('checked');
  return {
    device,
    run,
    waitForCheck,
    /** Chooses a file, and waits until it has been checked. */
    choose(file: File) {
      run.choose(file);
      return waitForCheck();
    },
    /** Reads the file by another column of prices, and waits until it has been checked again. */
    readWholesale() {
      run.readAs({ columns: { 'Retail Price': 2 }, headerLine: 1, delimiter: ',' });
      return waitForCheck();
    },
    /** Resolves when the import has ended in this way. */
    waitForOutcome: (kind: 'done' | 'cancelled') =>
      expect
        .poll(() => {
          const { step, failure } = run.snapshot();
          return failure?.kind ?? step.kind;
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
      const { finding } = run.snapshot();
      return finding.kind === 'checked' ? finding.check.table.origin : null;
    },
  };
}

test('what a user matches is remembered for the next file with these headings, until it is matched anew', async () => {
  const { choose, readWholesale, origin } = openRun();
  await choose(PRICES);
  await readWholesale();
  // `Wholesale` is the last of the headings in alphabetical order, by which a match names them.
  expect(knownMatches('ada').map(({ columns }) => columns['Retail Price'])).toEqual([4]);
  await choose(PRICES);
  expect(origin()).toEqual(knownMatches('ada')[0]);
});

test('a file that is read by the user’s own match is sent at once', async () => {
  const { run, prices, choose, readWholesale, waitForOutcome } = openRun();
  await choose(PRICES);
  await readWholesale();
  run.choose(PRICES);
  run.start();
  await waitForOutcome('done');
  expect(prices()).toEqual(['60.00', '60.00']);
});

test('headings of the shop’s own are neither remembered nor matched by memory', async () => {
  const { run, waitForCheck, origin } = openRun();
  keepMatch('ada', {
    headings: ['Material', 'Retail Price', 'SKC'],
    columns: { SKC: 0, 'Retail Price': 1 },
    at: 5,
  });
  run.choose(textFile('SKC,Retail Price,Material\nA,5,wool\n'));
  await waitForCheck();
  expect(origin()).toBe('headings');
  run.readAs({ columns: { Material: null }, headerLine: 1, delimiter: ',' });
  await waitForCheck();
  expect(knownMatches('ada').map(({ at }) => at)).toEqual([5]);
});

test('rows that are mended after an import are imported alone', async () => {
  const { device, run, waitForCheck, waitForOutcome } = openRun();
  const row = (code: string, price: string) => `${code},${price},Coat,/a.jpg\n`;
  const rows = [row('A', '7'), row('B', 'each'), row('C', 'each'), row('D', '8')];
  run.choose(textFile(`SKC,Retail Price,Category 1,Images link\n${rows.join('')}`));
  await waitForCheck();
  const { reading } = await run.worker.rejectedRows();
  run.start();
  expect(run.snapshot().step).toEqual({ kind: 'checked', concern: 'doubts' });
  run.answer(true);
  await waitForOutcome('done');
  run.mend({ reading, cellsByLine: new Map([[3, ['B', '5', 'Coat', '/a.jpg']]]) });
  await waitForOutcome('done');
  expect(run.snapshot().step).toMatchObject({ outcome: { totals: { processed: 1, inserted: 1 } } });
  expect(device.shop.table.get('B / ')).toMatchObject({ 'Retail Price': '5.00' });
});

test('an import that is cancelled before the worker has begun it sends nothing, and its file stays chosen', async () => {
  const { run, prices, choose, waitForOutcome } = openRun();
  await choose(PRICES);
  run.start();
  run.cancel();
  await waitForOutcome('cancelled');
  expect(prices()).toEqual([]);
  expect(run.snapshot().file).toBe(PRICES);
});

test('a file that is being sent is not read in another way before it has arrived', async () => {
  const { run, prices, choose, waitForOutcome } = openRun();
  await choose(PRICES);
  run.start();
  run.readAs({ columns: { 'Retail Price': 2 }, headerLine: 1, delimiter: ',' });
  await waitForOutcome('done');
  expect(prices()).toEqual(['129.50', '129.50']);
});

test('Cancel before a check has ended takes Start back, and the file and its reading stay', async () => {
  const { run, choose, holdChecks, waitForCheck, prices } = openRun();
  await choose(PRICES);
  const release = holdChecks();
  run.readAs({ decimalMark: '.' });
  run.start();
  run.answer(false);
  release();
  await waitForCheck();
  expect(run.snapshot()).toMatchObject({
    file: PRICES,
    step: { kind: 'checked', concern: null },
    failure: { kind: 'declined' },
  });
  expect(prices()).toEqual([]);
});
