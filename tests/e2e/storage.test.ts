/** Taps while the storage of the device fails or a frozen tab locks it. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { ada, context, GARMENTS, line, page, SCARF, SOCK, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS });
beforeEach(() => ada.logIn());

test('a tap made while the phone’s storage fails is not confirmed, and all that was confirmed is there after a reload', async () => {
  await ada.add('Sock');
  await ada.waitForCart({ [SOCK]: 1 });
  // A screen reader announces a warning only if its live region was there before.
  expect(await page.locator('header + [role=status]').count()).toBe(1);
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

/** Opens another tab, which is paused in the middle of a transaction, as an operating system freezes tabs. */
async function openFrozenTab(): Promise<Page> {
  const tab = await context.newPage();
  // A page of the shop's origin that does not run the shop's code.
  await tab.goto(`${line.url}/robots.txt`);
  await tab.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft-shop');
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction(['meta', 'outbox'], 'readwrite').objectStore('meta');
    await new Promise<void>((resolve) => {
      const keepOpen = () => {
        store.get('nothing').onsuccess = () => {
          resolve();
          keepOpen();
        };
      };
      keepOpen();
    });
  });
  // By the debugger, because a tab in Chromium's life cycle state "frozen" goes on with its transaction.
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Debugger.enable');
  const paused = new Promise((resolve) => {
    devtools.once('Debugger.paused', resolve);
  });
  await devtools.send('Debugger.pause');
  await paused;
  return tab;
}

test('a tap beside a tab frozen in a transaction says that it is not saved yet, and then that it is', async () => {
  const frozen = await openFrozenTab();
  await page.bringToFront();
  await ada.addButton('Sock').click();
  await page.getByText('Your change isn’t saved yet.').waitFor();
  await frozen.close();
  await page.getByText('Your change is saved.').waitFor();
  await ada.waitForCart({ [SOCK]: 1 });
});
