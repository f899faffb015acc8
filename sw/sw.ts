/**
 * The service worker. It serves the shell from this device and pictures from a capped cache, and sends
 * waiting changes when the platform wakes it. Data never pass through its caches; they are in IndexedDB.
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response';
import { ExpirationPlugin } from 'workbox-expiration';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  matchPrecache,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { StaleWhileRevalidate } from 'workbox-strategies';
import { isAppRoute, isCheckout } from '../src/domain/routes.ts';
import { mayCachePicture, sentPictures } from './pictures.ts';
import { replayOnSync } from './replay.ts';
import { lateFile, isBuilt, keepLastVersion, takeOverOnConsent } from './update.ts';

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

/** About 2 to 8 MB, a few to tens of kB each. The oldest are deleted first, all when space is short. */
const PICTURES = 400;

const entries = self.__WB_MANIFEST;
keepLastVersion(self, entries);
takeOverOnConsent(self);
replayOnSync(self);
cleanupOutdatedCaches();
precacheAndRoute([...entries], { directoryIndex: '', cleanURLs: false });

// The cache keeps each document with its headers, so only the checkout allows the providers' scripts.
const checkout = createHandlerBoundToURL('/checkout.html');
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isCheckout(url.pathname),
  checkout,
);
const shell = createHandlerBoundToURL('/index.html');
registerRoute(({ request, url }) => request.mode === 'navigate' && isAppRoute(url.pathname), shell);

// The host answers any other navigation; offline, the shop's own "not found" page does.
registerRoute(
  ({ request }) => request.mode === 'navigate',
  async ({ request }) => {
    try {
      return await fetch(request);
    } catch {
      return (await matchPrecache('/404.html')) ?? Response.error();
    }
  },
);

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && isBuilt(url),
  ({ request }) => lateFile(request),
);

const pictures = new StaleWhileRevalidate({
  cacheName: 'pictures',
  plugins: [
    // Not status 0: an opaque response takes about 7 MB of quota and hides a failure.
    new CacheableResponsePlugin({ statuses: [200] }),
    new ExpirationPlugin({ maxEntries: PICTURES, purgeOnQuotaError: true }),
  ],
});
registerRoute(({ request, url }) => mayCachePicture(request, url, self.location.origin), pictures);

// On the very first visit the page loads pictures before the worker runs, and sends their addresses.
self.addEventListener('message', (event) => {
  for (const url of sentPictures(event.data, self.location.origin)) {
    const request = new Request(url, { mode: 'cors', credentials: 'omit' });
    event.waitUntil(pictures.handle({ event, request }).catch(() => undefined));
  }
});
