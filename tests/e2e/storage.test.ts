/** Taps while the storage of the device fails or a frozen tab locks it. */
import { beforeEach, expect, test } from 'vitest';
import { openFrozenTab } from '../browser/frozen-tab.ts';
import type { Shopper } from '../browser/shopper.ts';
import {
  ada,
  context,
  GARMENTS,
  line,
  page,
  reopenPage,
  SCARF,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

/** What the page says when a tap waits for the storage, and when it has been stored. */
const NOT_YET = 'Your change isn’t saved yet.';
const SAVED = 'Your change is saved.';

visitBeforeEach({ products: GARMENTS });
beforeEach(() => ada.logIn());

/** Makes the page abort the transaction of its next write to the outbox. */
function abortNextWrite(): Promise<void> {
  return page.evaluate(() => {
    const { add } = IDBObjectStore.prototype;
    let isAborted = false;
    IDBObjectStore.prototype.add = function (...args) {
      const request = add.apply(this, args);
      if (this.name === 'outbox' && !isAborted) {
        isAborted = true;
        this.transaction.abort();
      }
      return request;
    };
  });
}

/** Freezes another tab in a transaction over these stores. Returns a function that closes that tab. */
async function freezeTabWithin(stores: readonly string[]): Promise<() => Promise<void>> {
  const tab = await openFrozenTab(context, line.url);
  await tab.freeze(stores);
  return tab.close;
}

/** Opens the catalogue in a new tab at a width without a stored first screen, so that the tab reads the database. */
async function openAtOtherWidth(): Promise<Shopper> {
  const inNewTab = await ada.inNewPage(context);
  await inNewTab.page.setViewportSize({ width: 800, height: 700 });
  await inNewTab.goto('/');
  return inNewTab;
}

test('a tap whose write is aborted once is stored and saved all the same, and no warning appears', async () => {
  await abortNextWrite();
  await ada.add('Sock');
  await abortNextWrite();
  await ada.heart('Scarf').click();
  await expect.poll(() => ada.heart('Scarf').getAttribute('aria-pressed')).toBe('true');
  await ada.waitForCart({ [SOCK]: 1 });
  expect(await page.getByText(/This browser can’t keep|storage is full/).count()).toBe(0);
  // A screen reader announces the warning only if its live region was there before it.
  expect(await page.locator('header + [role=status]').count()).toBe(1);
});

test('a tap made while the phone’s storage fails is not confirmed, and nothing that was is missing after a reload', async () => {
  await ada.add('Sock');
  await ada.waitForCart({ [SOCK]: 1 });
  await page.evaluate(() => {
    const { objectStore } = IDBTransaction.prototype;
    const { open } = IDBFactory.prototype;
    const throwError = () => {
      throw new DOMException('lost', 'UnknownError');
    };
    IDBTransaction.prototype.objectStore = throwError;
    IDBFactory.prototype.open = throwError;
    Object.assign(globalThis, {
      repairStorage: () => {
        IDBTransaction.prototype.objectStore = objectStore;
        IDBFactory.prototype.open = open;
      },
    });
  });
  await ada.addButton('Scarf').click();
  await page.getByText('We couldn’t save this on your device.').waitFor();
  await ada.waitForCartCount(1);
  await page.evaluate(() =>
    (globalThis as unknown as { repairStorage: () => void }).repairStorage(),
  );
  await ada.addButton('Scarf').click();
  await ada.waitForCart({ [SOCK]: 1, [SCARF]: 1 });
  await page.reload();
  await ada.waitForCartCount(2);
});

test('a tap beside a tab frozen in a transaction says that it is not saved yet, and then that it is', async () => {
  const closeFrozenTab = await freezeTabWithin(['meta', 'outbox']);
  await page.bringToFront();
  await ada.addButton('Sock').click();
  await page.getByText(NOT_YET).waitFor();
  await closeFrozenTab();
  await page.getByText(SAVED).waitFor();
  await ada.waitForCart({ [SOCK]: 1 });
  await ada.waitForCartCount(1);
});

test(
  'a tap in a tab that is opened and closed beside a frozen tab is not lost',
  { tags: 'long' },
  async () => {
    await ada.addButton('Scarf').click();
    await ada.waitForCart({ [SCARF]: 1 });
    const closeFrozenTab = await freezeTabWithin(['meta', 'outbox']);
    const inNewTab = await openAtOtherWidth();
    await inNewTab.addButton('Sock').click();
    await inNewTab.page.getByText(NOT_YET).waitFor();
    await inNewTab.page.close({ runBeforeUnload: true });
    await closeFrozenTab();
    await reopenPage();
    await ada.goto('/');
    await ada.waitForCart({ [SOCK]: 1, [SCARF]: 1 });
  },
);

test(
  'the products appear when a tab that locks the stored ones ends',
  { tags: 'long' },
  async () => {
    const closeFrozenTab = await freezeTabWithin(['meta', 'outbox', 'chunks']);
    const inNewTab = await openAtOtherWidth();
    await inNewTab.page.getByText('Loading products...').waitFor();
    await closeFrozenTab();
    await inNewTab.page.getByText('3 products').waitFor();
    await inNewTab.addButton('Sock').click();
    await ada.waitForCart({ [SOCK]: 1 });
  },
);
