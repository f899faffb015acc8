/**
 * Serves products' pictures from a capped cache, and fills it. Without a network another size of the same
 * picture may answer.
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response';
import { registerQuotaErrorCallback } from 'workbox-core';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, StaleWhileRevalidate } from 'workbox-strategies';
import { dropPictures, PICTURE_CACHE, trimPictures } from '../src/db/picture-cache.ts';
import { fieldsOf } from '../src/domain/fields.ts';
import { originalOf, RESIZER } from '../src/domain/picture-sizes.ts';

/** The pictures stored within this time are trimmed together. */
const TRIM_MS = 1000;

export function servePictures(worker: ServiceWorkerGlobalScope): void {
  const { origin } = worker.location;
  const options = {
    cacheName: PICTURE_CACHE,
    // The image CDN's answers vary by `Accept`, and the browser can show any format that it was sent before.
    matchOptions: { ignoreVary: true },
    plugins: [
      // Not status 0: an opaque response takes about 7 MB of quota and hides a failure.
      new CacheableResponsePlugin({ statuses: [200] }),
      { cacheDidUpdate: trimSoon },
    ],
  };
  const forScreen = new StaleWhileRevalidate({
    ...options,
    plugins: [...options.plugins, { handlerDidError: ({ request }) => otherSize(request) }],
  });
  registerRoute(({ request, url }) => mayCachePicture(request, url, origin), forScreen);
  registerQuotaErrorCallback(dropPictures);

  const forLater = new CacheFirst(options);
  worker.addEventListener('message', (event) => {
    const pictures = sentPictures(event.data, origin);
    // Answers with the number of pictures that are kept now.
    const work = Promise.all(pictures.map((url) => keep(url, event))).then((kept) =>
      event.ports[0]?.postMessage(kept.filter(Boolean).length),
    );
    event.waitUntil(work);
  });

  async function keep(url: string, event: ExtendableEvent): Promise<boolean> {
    const request = new Request(url, {
      mode: 'cors',
      credentials: 'omit',
      priority: 'low',
      // Every browser that runs this worker shows WebP; some show no AVIF.
      headers: { accept: 'image/webp,image/*,*/*;q=0.8' },
    });
    const [answer, stored] = forLater.handleAll({ event, request });
    try {
      await stored;
      return (await answer).ok;
    } catch {
      return false;
    }
  }
}

let isTrimPlanned = false;

/** Nothing awaits the timer: if the browser stops the worker first, the next stored picture starts it again. */
async function trimSoon(): Promise<void> {
  if (isTrimPlanned) return;
  isTrimPlanned = true;
  setTimeout(() => {
    isTrimPlanned = false;
    void trimPictures().catch(() => undefined);
  }, TRIM_MS);
}

/** Another size of a picture that is not cached and cannot be loaded. */
async function otherSize(request: Request): Promise<Response | undefined> {
  const cache = await caches.open(PICTURE_CACHE);
  const original = originalOf(request.url);
  const others = (await cache.keys()).filter(({ url }) => originalOf(url) === original);
  const widest = others.toSorted((a, b) => widthOf(b.url) - widthOf(a.url))[0];
  return widest && cache.match(widest);
}

/** The width in device pixels; 0 for a picture in its original size. */
const widthOf = (address: string) => Number(new URL(address).searchParams.get('w'));

/** Whether the worker may cache a picture: the shop's own, or another site's requested with CORS. */
function mayCachePicture(request: Request, url: URL, origin: string): boolean {
  if (request.destination !== 'image') return false;
  return url.origin === origin ? isOurPicture(url) : request.mode === 'cors';
}

/** The addresses in the message by which a page names pictures to keep (`src/pwa/keep-pictures.ts`). */
function sentPictures(message: unknown, origin: string): string[] {
  const { pictures } = fieldsOf(message);
  if (!Array.isArray(pictures)) return [];
  return pictures.filter((link): link is string => {
    if (typeof link !== 'string' || !URL.canParse(link)) return false;
    const url = new URL(link);
    return url.origin === origin ? isOurPicture(url) : /^https?:$/.test(url.protocol);
  });
}

function isOurPicture(url: URL): boolean {
  return url.pathname.startsWith('/pictures/') || url.pathname === RESIZER;
}
