/** Taps while the storage of the device fails or a frozen tab locks it. */
import { beforeEach, expect, test } from 'vitest';
import { openFrozenTab } from '../browser/frozen-tab.ts';
import { ada, context, GARMENTS, line, page, SCARF, SOCK, visitBeforeEach } from './fixture.ts';

/** What the page says when a tap waits for the storage, and when it has been stored. */
const NOT_YET = 'Your change isn’t saved yet.';
const SAVED = 'Your change is saved.';

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

test('a tap beside a tab frozen in a transaction says that it is not saved yet, and then that it is', async () => {
  const frozen = await openFrozenTab(context, line.url);
  await frozen.freeze(['meta', 'outbox']);
  await page.bringToFront();
  await ada.addButton('Sock').click();
  await page.getByText(NOT_YET).waitFor();
  await frozen.close();
  await page.getByText(SAVED).waitFor();
  await ada.waitForCart({ [SOCK]: 1 });
  await ada.waitForCartCount(1);
});
