import { beforeEach, expect, test } from 'vitest';
import { openFrozenTab } from '../browser/frozen-tab.ts';
import type { Shopper } from '../browser/shopper.ts';
import { ada, context, GARMENTS, line, page, reopenPage, visitBeforeEach } from './fixture.ts';

const WAITING = 'Waiting for this device’s storage. What you tapped is kept.';

visitBeforeEach({ products: GARMENTS });
beforeEach(() => ada.logIn());

/** Aborts the next write to the outbox in flight. */
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

/** Freezes another tab in a transaction over these stores. Returns what closes that tab. */
async function freezeTabWithin(stores: readonly string[]): Promise<() => Promise<void>> {
  const tab = await openFrozenTab(context, line.url);
  await tab.freeze(stores);
  return tab.close;
}

/** Opens the catalogue where no stored first screen fits, so that its products come from the database. */
async function openAtOtherWidth(): Promise<Shopper> {
  const late = await ada.inNewPage(context);
  await late.page.setViewportSize({ width: 800, height: 700 });
  await late.goto('/');
  return late;
}

test('taps whose writes are aborted once are stored and saved, and the shop goes on storing on the phone', async () => {
  await abortNextWrite();
  await ada.add('Sock');
  await abortNextWrite();
  await ada.heart('Scarf').click();
  await expect.poll(() => ada.heart('Scarf').getAttribute('aria-pressed')).toBe('true');
  await ada.cartBecomes({ B: 1 });
  expect(await page.getByText('This browser is not keeping').count()).toBe(0);
});

test('a tap is stored on the phone once a storage that has failed for a while works again', async () => {
  await page.evaluate(() => {
    const { objectStore } = IDBTransaction.prototype;
    const { open } = IDBFactory.prototype;
    const fail = () => {
      throw new DOMException('lost', 'UnknownError');
    };
    IDBTransaction.prototype.objectStore = fail;
    IDBFactory.prototype.open = fail;
    Object.assign(globalThis, {
      heal: () => {
        IDBTransaction.prototype.objectStore = objectStore;
        IDBFactory.prototype.open = open;
      },
    });
  });
  await ada.heart('Scarf').click();
  await page.getByText('This browser is not keeping').waitFor();
  await context.setOffline(true);
  await ada.add('Sock');
  await page.evaluate(() => (globalThis as unknown as { heal: () => void }).heal());
  await page.getByText('This browser is not keeping').waitFor({ state: 'detached' });
  await page.close();
  await context.setOffline(false);
  await reopenPage();
  await ada.goto('/');
  await ada.cartBecomes({ B: 1 });
});

test('a tap beside a tab frozen in a transaction says that it waits, and is saved when that tab ends', async () => {
  const closeFrozenTab = await freezeTabWithin(['meta', 'outbox']);
  await page.bringToFront();
  await ada.addButton('Sock').click();
  await page.getByText(WAITING).waitFor({ timeout: 5000 });
  await closeFrozenTab();
  await ada.cartBecomes({ B: 1 });
  await ada.seesInCart(1);
  expect(await page.evaluate(() => localStorage.getItem('weft-late-changes'))).toBeNull();
});

test('a tap in a tab that is opened and closed beside a frozen tab is not lost', async () => {
  await ada.addButton('Scarf').click();
  await ada.cartBecomes({ C: 1 });
  const closeFrozenTab = await freezeTabWithin(['meta', 'outbox']);
  const late = await openAtOtherWidth();
  await late.addButton('Sock').click();
  await late.page.getByText(WAITING).waitFor();
  await late.page.close();
  await closeFrozenTab();
  await reopenPage();
  await ada.goto('/');
  await ada.cartBecomes({ B: 1, C: 1 });
});

test('the products come from the network while a frozen tab locks the stored ones', async () => {
  const closeFrozenTab = await freezeTabWithin(['meta', 'outbox', 'chunks']);
  const late = await openAtOtherWidth();
  await late.page.getByText('3 products').waitFor();
  await closeFrozenTab();
  await late.seesInCart(0);
  await late.addButton('Sock').click();
  await ada.cartBecomes({ B: 1 });
});

test('a visitor can remove the unsaved changes of an account that has logged out, after a question', async () => {
  await context.setOffline(true);
  await ada.add('Sock', 'Scarf');
  await ada.logOut();
  await context.setOffline(false);
  await ada.goto('/cart');
  const unsaved = page.getByRole('region', { name: 'Waiting for a sign-in' });
  await unsaved.getByText('2 changes of an account').waitFor();
  await unsaved.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog', { name: 'Remove 2 changes?' });
  await question.getByRole('button', { name: 'Keep' }).click();
  await unsaved.getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('button', { name: 'Remove 2 changes' }).click();
  await unsaved.waitFor({ state: 'detached' });
  await ada.logIn();
  expect(await ada.cart()).toEqual({});
});
