/**
 * The service worker. It serves the shell from this device and pictures from a capped cache, and sends
 * waiting changes when the platform wakes it. Data never pass through its caches; they are in IndexedDB.
 */
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  matchPrecache,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { isAppRoute, isCheckout } from '../src/domain/routes.ts';
import { servePictures } from './pictures.ts';
import { replayOnSync } from './replay.ts';
import { lateFile, isBuilt, keepLastVersion, takeOverOnConsent } from './update.ts';

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

const entries = self.__WB_MANIFEST;
keepLastVersion(self, entries);
takeOverOnConsent(self);
replayOnSync(self);
cleanupOutdatedCaches();
// By these options no address of a page leads to a precached document: the routes below choose the document.
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

// Built files that this version has not installed: those of the last version, and those that few visits need.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && isBuilt(url),
  ({ request }) => lateFile(request),
);

servePictures(self);
