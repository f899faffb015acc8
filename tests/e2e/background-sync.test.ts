import type { CDPSession } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { waitForWorker } from '../browser/browser.ts';
import { expireSession, storedRows } from '../browser/device-store.ts';
import { ada, context, GARMENTS, line, page, visitBeforeEach } from './fixture.ts';

const TAG = 'weft-outbox';

visitBeforeEach({ products: GARMENTS, serviceWorkers: 'allow' });
beforeEach(async () => {
  await ada.logIn();
  await waitForWorker(page);
});

/** The developer tools of another page, which can send the shop's service worker events. */
async function openDevtools(): Promise<{ devtools: CDPSession; registrationId: string }> {
  const devtools = await context.newCDPSession(await context.newPage());
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, scopeURL } of registrations) {
        if (scopeURL.startsWith(line.url)) resolve(registrationId);
      }
    });
  });
  await devtools.send('ServiceWorker.enable');
  return { devtools, registrationId: await found };
}

/** Does what the platform does when the network is back. */
async function dispatchSync(): Promise<void> {
  const { devtools, registrationId } = await openDevtools();
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: line.url,
    registrationId,
    tag: TAG,
    lastChance: false,
  });
}

test('a tap without a connection asks the platform to send it later', async () => {
  // The platform may use a tag up at once, so what counts is that it was asked.
  await page.addInitScript(() => {
    const { prototype } = (globalThis as unknown as { SyncManager: { prototype: SyncManager } })
      .SyncManager;
    const register = prototype.register;
    prototype.register = function (this: SyncManager, tag: string) {
      document.documentElement.dataset['asked'] = tag;
      return register.call(this, tag);
    };
    interface SyncManager {
      register(tag: string): Promise<void>;
    }
  });
  await page.reload();
  await waitForWorker(page);
  const asked = () => page.evaluate(() => document.documentElement.dataset['asked']);
  expect(await asked()).toBeUndefined();
  line.down();
  await ada.add('Sock');
  await expect.poll(asked).toBe(TAG);
});

test('a tap in a tunnel reaches the server once though the shop was closed, and the next visit knows it', async () => {
  line.down();
  await ada.add('Sock');
  await page.close();
  line.up();
  expect(await ada.cart()).toEqual({});
  await dispatchSync();
  await ada.cartBecomes({ B: 1 });
  await dispatchSync();

  const again = await ada.inNewPage(context);
  await again.goto('/cart');
  await again.page.getByRole('main').getByText('Saved').waitFor();
  expect(await again.count()).toBe(1);
  expect(await ada.cart()).toEqual({ B: 1 });
});

test('the worker lets an open page of the shop send the changes', async () => {
  await context.route('**/rest/v1/rpc/push*', (route) => route.abort());
  await ada.add('Sock');
  // Until the page's own attempts are far apart.
  await page.waitForTimeout(3000);
  let asked = 0;
  await context.unroute('**/rest/v1/rpc/push*');
  page.on('request', (request) => {
    if (request.url().includes('rpc/push')) asked += 1;
  });
  await dispatchSync();
  await ada.cartBecomes({ B: 1 });
  expect(asked).toBeGreaterThan(0);
});

test('the worker sends nothing with an expired token, and does not renew it', async () => {
  line.down();
  await ada.add('Sock');
  // This page does not run the shop, which would renew the session.
  await ada.goto('/404.html');
  await expireSession(page);
  const expired = await storedRows(page, 'session');
  await page.close();
  line.up();
  await dispatchSync();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await ada.cart()).toEqual({});
  const again = await ada.inNewPage(context);
  await again.goto('/404.html');
  expect(await storedRows(again.page, 'session')).toEqual(expired);
});
