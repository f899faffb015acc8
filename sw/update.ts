/**
 * One version after another.
 *
 * A new version waits until a page says that the shopper agrees, or the last tab is closed. Tabs
 * that cannot be loaded anew at that moment, because somebody types in them, go on with the old
 * one: its scripts are kept for them. A built file is named by its content, so no page ever gets
 * another version's.
 */
import { cacheNames } from 'workbox-core';
import type { PrecacheEntry } from 'workbox-precaching';
import { CONSENT } from '../src/domain/worker-messages.ts';

const LATE_FILES = 'late-files';

/** Lets the waiting version take over when a page asks for it. */
export function takeOverOnConsent(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('message', (event) => {
    if (event.data === CONSENT) event.waitUntil(worker.skipWaiting());
  });
}

/**
 * Keeps the built files of the version before that this one no longer has. To be called before
 * Workbox is given the entries, whose activation deletes them.
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
  const present = await caches.open(cacheNames.precache);
  const old = (await present.keys()).filter(({ url }) => isBuilt(new URL(url)) && !own.has(url));
  if (old.length === 0) return;
  await caches.delete(LATE_FILES);
  const kept = await caches.open(LATE_FILES);
  for (const request of old) {
    const answer = await present.match(request);
    if (answer) await kept.put(request, answer);
  }
}

/** Whether the build has made and named the file. */
export function isBuilt(url: URL): boolean {
  return url.pathname.startsWith('/assets/');
}

/**
 * A built file that was not there when this version was installed: one of the version before, or one
 * that few need. It is kept from the first time on.
 */
export async function lateFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: LATE_FILES, ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(LATE_FILES);
    // A full device: it is asked for again the next time.
    await cache.put(request, answer.clone()).catch(() => undefined);
  }
  return answer;
}
