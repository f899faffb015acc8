/**
 * The service worker: the shell from this device, pictures from a capped cache, nothing else.
 *
 * A new version waits until no tab of the old one is open (no `skipWaiting`): a page never meets
 * the chunks of another build. Data never passes through here; it lives in IndexedDB.
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
import { isAppRoute } from '../src/domain/routes.ts';
import { isPicture, sentPictures } from './pictures.ts';

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

/** About 2 to 8 MB at a few kB to tens of kB each; the oldest go first, and all when space is short. */
const PICTURES = 400;

cleanupOutdatedCaches();
precacheAndRoute([...self.__WB_MANIFEST], { directoryIndex: '', cleanURLs: false });

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
