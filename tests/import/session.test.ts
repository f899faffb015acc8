/** The import of a tab, without a screen: the real session and worker. */
import { expect, test } from 'vitest';
import { knownMatches } from '../../src/import/matches.ts';
import type { CheckOutcome } from '../../src/import/protocol.ts';
import { createImportSession } from '../../src/import/session.ts';
import { newDevice, newPage } from './device.ts';
import { freshLocalStorage } from '../local-storage.ts';
import { textFile } from './product-files.ts';

freshLocalStorage();
// Node has none; the session asks it to hold the tab while it sends.
Object.defineProperty(globalThis, 'window', { configurable: true, value: new EventTarget() });

/** Two columns that hold prices: by the headings it is the second. */
const PRICES = textFile('Item code,RRP,Wholesale\nA,129.50,60.00\nB,129.50,60.00\n');
function openSession(rights: { mayImport: boolean } = { mayImport: true }) {
  const device = newDevice();
  const tab = device.openTab();
  /** Checks wait for this. */
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
  return {
    device,
    session,
    /** Resolves when the file has been checked. */
    checked: () => expect.poll(() => session.snapshot().check.kind).toBe('checked'),
    /** Keeps checks from going on until the returned function is called. */
    hold() {
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
  const { session, checked } = openSession(rights);
  session.choose(PRICES);
  await checked();
  session.readAs({ columns: { 'Retail Price': 2 }, headerLine: 1, delimiter: ',' });
  await checked();
  const known = () => knownMatches('ada', Date.now()).map(({ columns }) => columns['Retail Price']);
  expect(known()).toEqual([]);
  // Meanwhile it serves this tab.
  session.choose(PRICES);
  await checked();
  expect(session.snapshot()).toMatchObject({
    check: { check: { table: { origin: { by: 'ada' } } } },
  });
  expect(known()).toEqual([]);
  rights.mayImport = true;
  session.recall();
  expect(known()).toEqual([2]);
});
