/** The service worker sends changes when the platform says that the network is back. */
import { beforeEach, expect, test } from 'vitest';
import { REPLAY_TAG } from '../../src/domain/worker-messages.ts';
import { waitForWorker } from '../browser/browser.ts';
import { ada, context, GARMENTS, line, page, SOCK, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, serviceWorkers: 'allow' });
beforeEach(async () => {
  await ada.logIn();
  await waitForWorker(page);
});

/** Dispatches the sync event to the shop's service worker, as the platform does when the network is back. */
async function dispatchSync(): Promise<void> {
  // The developer tools of another page: the shop's own may be closed.
  const devtools = await context.newCDPSession(await context.newPage());
  const idOfShopWorker = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, scopeURL } of registrations) {
        if (scopeURL.startsWith(line.url)) resolve(registrationId);
      }
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: line.url,
    registrationId: await idOfShopWorker,
    tag: REPLAY_TAG,
    lastChance: false,
  });
}

test('a tap without a connection registers a background sync, and so does leaving while it still waits', async () => {
  // The platform may dispatch the event at once and delete the tag, so the test records the calls themselves.
  await page.addInitScript(() => {
    const { prototype } = (globalThis as unknown as { SyncManager: { prototype: SyncManager } })
      .SyncManager;
    const register = prototype.register;
    prototype.register = function (this: SyncManager, tag: string) {
      const { dataset } = document.documentElement;
      dataset['registeredTags'] = `${dataset['registeredTags'] ?? ''} ${tag}`.trim();
      return register.call(this, tag);
    };
    interface SyncManager {
      register(tag: string): Promise<void>;
    }
  });
  await page.reload();
  await waitForWorker(page);
  const registeredTags = () =>
    page.evaluate(() => document.documentElement.dataset['registeredTags']);
  expect(await registeredTags()).toBeUndefined();
  line.down();
  await ada.add('Sock');
  await expect.poll(registeredTags).toBe(REPLAY_TAG);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(registeredTags).toBe(`${REPLAY_TAG} ${REPLAY_TAG}`);
});

test('a tap without a signal reaches the server once though the shop was closed, and the next visit shows it saved', async () => {
  line.down();
  await ada.add('Sock');
  await page.close();
  line.up();
  expect(await ada.cart()).toEqual({});
  await dispatchSync();
  await ada.waitForCart({ [SOCK]: 1 });
  await dispatchSync(); // a second event must send nothing again

  const nextVisit = await ada.inNewPage(context);
  await nextVisit.goto('/cart');
  await nextVisit.page.getByRole('main').getByText('Saved').waitFor();
  expect(await nextVisit.cartCount()).toBe(1);
  expect(await ada.cart()).toEqual({ [SOCK]: 1 });
});
