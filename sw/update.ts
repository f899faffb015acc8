/**
 * Replaces one version of the shop by the next.
 *
 * A new version waits until a page says that the user agrees, or until the last tab is closed. A tab
 * that cannot reload at that moment, because the user types in it, goes on with the old version, whose
 * scripts the worker keeps for it. The name of a built file contains a hash of its content, so no page
 * ever gets another version's file.
 */
import { cacheNames } from 'workbox-core';
import type { PrecacheEntry } from 'workbox-precaching';
import { dropPictures } from '../src/db/picture-cache.ts';
import { CONSENT } from '../src/domain/worker-messages.ts';

/** The cache of files that are not precached: the last version's, and seldom needed ones of this version. */
const LATE_FILES = 'late-files';

/** Lets the waiting version take over when a page asks for it. */
export function takeOverOnConsent(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('message', (event) => {
    if (event.data === CONSENT) event.waitUntil(worker.skipWaiting());
  });
}

/**
 * While this version is installed, copies the built files of the last version that this version no longer has:
 * Workbox deletes them when this version is activated.
 */
export function keepLastVersion(
  worker: ServiceWorkerGlobalScope,
  entries: readonly (PrecacheEntry | string)[],
): void {
  const own = new Set(
    entries.map((entry) => {
      const url = typeof entry === 'string' ? entry : entry.url;
      return new URL(url, worker.location.href).href;
    }),
  );
  worker.addEventListener('install', (event) => event.waitUntil(keep(own)));
}

async function keep(own: ReadonlySet<string>): Promise<void> {
  const precache = await caches.open(cacheNames.precache);
  const old = (await precache.keys()).filter(({ url }) => isBuilt(new URL(url)) && !own.has(url));
  if (old.length === 0) return;
  // Deletes what the last version kept: files of still older versions, and seldom needed ones.
  await caches.delete(LATE_FILES);
  const lateFiles = await caches.open(LATE_FILES);
  for (const request of old) {
    const answer = await precache.match(request);
    if (!answer) continue;
    const put = () => lateFiles.put(request, answer.clone());
    // On a full device the pictures go. If that is not enough, the new version comes without this old file.
    await put()
      .catch(async () => (await dropPictures()) && put())
      .catch(() => undefined);
  }
}

/** Whether this is a file that the build has made and named. */
export function isBuilt(url: URL): boolean {
  return url.pathname.startsWith('/assets/');
}

/**
 * Serves a built file that was not installed with this version: a file of the last version, or one that
 * few users need. The worker caches it after the first download.
 */
export async function lateFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: LATE_FILES, ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(LATE_FILES);
    // On a full device the worker downloads it again the next time.
    await cache.put(request, answer.clone()).catch(() => undefined);
  }
  return answer;
}
