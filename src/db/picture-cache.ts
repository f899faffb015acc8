/**
 * The cache of products' pictures. The service worker fills it with the pictures that pages show, and
 * with those that `pwa/keep-pictures.ts` asks for ahead. No cart and no order depends on it, so it is
 * the first to go when the device is full.
 */
export const PICTURE_CACHE = 'pictures';
/** The cache holds at most so many pictures and bytes; the oldest are deleted first. */
export const MOST_PICTURES = 400;
export const MOST_PICTURE_BYTES = 20_000_000;

export interface CachedPicture {
  readonly request: Request;
  readonly bytes: number;
}

/** All pictures, the oldest first: storing a picture again makes it the newest. */
export async function cachedPictures(): Promise<CachedPicture[]> {
  const cache = await caches.open(PICTURE_CACHE);
  return Promise.all(
    (await cache.keys()).map(async (request) => ({
      request,
      bytes: await sizeOf(await cache.match(request)),
    })),
  );
}

/** In bytes. The `content-length` of a compressed response is less than what the device stores. */
async function sizeOf(response: Response | undefined): Promise<number> {
  if (!response) return 0;
  const { headers } = response;
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  return length === null ? (await response.blob()).size : Number(length);
}

/** Deletes the oldest pictures above the limits. */
export async function trimPictures(): Promise<void> {
  const cache = await caches.open(PICTURE_CACHE);
  let count = 0;
  let bytes = 0;
  for (const picture of (await cachedPictures()).reverse()) {
    count += 1;
    bytes += picture.bytes;
    if (count > MOST_PICTURES || bytes > MOST_PICTURE_BYTES) await cache.delete(picture.request);
  }
}

/** Deletes all pictures, to free space. True if there were any. */
export async function dropPictures(): Promise<boolean> {
  try {
    return await caches.delete(PICTURE_CACHE);
  } catch {
    return false; // no caches: an old browser, a page that is not secure, storage that is blocked
  }
}
