/**
 * The service worker: the shell from this device, pictures from a capped cache, and what waits to
 * be sent when the platform wakes it. Data never pass through its caches; they live in IndexedDB.
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
import { isPicture, sentPictures } from './pictures.ts';
import { replayOnSync } from './replay.ts';
import { lateFile, isBuilt, keepLastVersion, takeOverOnConsent } from './update.ts';

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

/** About 2 to 8 MB at a few kB to tens of kB each; the oldest go first, and all when space is short. */
const PICTURES = 400;

const entries = self.__WB_MANIFEST;
keepLastVersion(self, entries);
takeOverOnConsent(self);
replayOnSync(self);
cleanupOutdatedCaches();
precacheAndRoute([...entries], { directoryIndex: '', cleanURLs: false });

// Each document is kept with its headers: what the checkout allows is allowed nowhere else.
const checkout = createHandlerBoundToURL('/checkout.html');
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isCheckout(url.pathname),
  checkout,
);
const shell = createHandlerBoundToURL('/index.html');
registerRoute(({ request, url }) => request.mode === 'navigate' && isAppRoute(url.pathname), shell);

// Any other navigation is the host's to answer; without it, our own "not found" stands in.
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
    // Status 0 would be an opaque answer: about 7 MB of quota each, and no way to see a failure.
    new CacheableResponsePlugin({ statuses: [200] }),
    new ExpirationPlugin({ maxEntries: PICTURES, purgeOnQuotaError: true }),
  ],
});
registerRoute(({ request, url }) => isPicture(request, url, self.location.origin), pictures);

// The page of the very first visit was drawn before there was a worker; it sends what it showed.
self.addEventListener('message', (event) => {
  for (const url of sentPictures(event.data, self.location.origin)) {
    const request = new Request(url, { mode: 'cors', credentials: 'omit' });
    event.waitUntil(pictures.handle({ event, request }).catch(() => undefined));
  }
});
