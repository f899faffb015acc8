/**
 * Stores products' pictures on the device before the user looks at them, while the page is visible and idle:
 * those of the favourites and the cart, then of the first products, then of the category on screen, in the
 * size that cards have here. The service worker loads and stores them.
 */
import { pause } from '../browser/pause.ts';
import { whenIdle } from '../browser/when-idle.ts';
import { connection } from '../db/connection.ts';
import { catalogueStore } from '../db/catalogue-store.ts';
import { cachedPictures, MOST_PICTURE_BYTES, MOST_PICTURES } from '../db/picture-cache.ts';
import { shopperStore } from '../db/shopper-store.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { originalOf } from '../domain/picture-sizes.ts';
import { pictureSources } from '../ui/picture-sources.ts';
import { mayLoadAhead } from './save-data.ts';

/** The pause before the first picture, so that the first screen loads undisturbed. */
const START_MS = 6000;
const LOOK_EVERY_MS = 5000;
/** The pause after several pictures of which none was kept. */
const RETRY_MS = 10_000;
/** A connection that needs longer for one round is busy with other things. */
const ROUND_TIMEOUT_MS = 60_000;
/** The pause before a round in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 100;
const PICTURES_PER_ROUND = 4;
/** After so many pictures the tab checks again which are stored and how much room is left. */
const PICTURES_PER_LOOK = 40;
const FIRST_PRODUCTS = 300;
const PRODUCTS_OF_CATEGORY = 100;
/** With less free room no picture is stored ahead. */
const FREE_BYTES = 100_000_000;
/** Above this only pictures of favourites and cart are stored ahead, so that pictures on screen find room. */
const FILLED_BYTES = 0.9 * MOST_PICTURE_BYTES;

export async function keepPictures(isFirstVisit: boolean): Promise<void> {
  if (!mayLoadAhead(isFirstVisit)) return;
  const { active: worker } = await navigator.serviceWorker.ready;
  if (!worker) return;
  await pause(START_MS);
  /** Addresses that this page has asked for. It asks once, also for a picture that could not be loaded. */
  const asked = new Set<string>();
  /** The catalogue, shopper and address for which no picture was missing. */
  let settled: readonly unknown[] = [];
  for (;;) {
    const inputs = [catalogueStore.snapshot(), shopperStore.snapshot(), location.search];
    if (mayKeepNow() && inputs.some((input, i) => input !== settled[i])) {
      const missing = await missingPictures(asked);
      if (missing.length === 0) settled = inputs;
      else if (await keepAll(missing, worker, asked)) continue;
      else await pause(RETRY_MS);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Asks the worker for pictures, a few at a time. False if the network seems to have failed. */
async function keepAll(
  missing: readonly string[],
  worker: ServiceWorker,
  asked: Set<string>,
): Promise<boolean> {
  for (let i = 0; i < missing.length; i += PICTURES_PER_ROUND) {
    await whenIdle(SAFARI_PAUSE_MS);
    if (!mayKeepNow()) return true;
    const round = missing.slice(i, i + PICTURES_PER_ROUND);
    for (const address of round) asked.add(address);
    // A broken picture mostly fails alone.
    if ((await keep(worker, round)) === 0 && round.length > 1) return false;
  }
  return true;
}

function mayKeepNow(): boolean {
  return document.visibilityState === 'visible' && navigator.onLine && !connection.isFull;
}

/**
 * The addresses of pictures that are not on the device, in the order to keep them. None without room, or before
 * the catalogue is complete.
 *
 * @param known addresses to leave out
 */
async function missingPictures(known: ReadonlySet<string>): Promise<string[]> {
  const { index, isComplete } = catalogueStore.snapshot() ?? {};
  if (!index || !isComplete) return [];
  if ((await freeBytes()) < FREE_BYTES) return [];
  const cached = await cachedPictures();
  const cachedLinks = new Set(cached.map(({ request }) => originalOf(request.url)));
  const bytes = cached.reduce((sum, picture) => sum + picture.bytes, 0);
  const width = widthOnScreen();
  const missing = (links: Iterable<string>) =>
    [...new Set(links)]
      .flatMap((link) => addressOf(link, width) ?? [])
      .filter((address) => !cachedLinks.has(originalOf(address)) && !known.has(address));

  const chosen = missing(chosenPictures(index)).slice(0, MOST_PICTURES);
  const room = bytes < FILLED_BYTES ? MOST_PICTURES - cached.length - chosen.length : 0;
  const others = missing(firstPictures(index)).slice(0, Math.max(0, room));
  return [...new Set([...chosen, ...others])].slice(0, PICTURES_PER_LOOK);
}

/**
 * Infinite where the browser does not say. Pictures do no harm then: on a full device they are deleted before
 * anything that the shopper did.
 */
async function freeBytes(): Promise<number> {
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  const { quota = Infinity, usage = 0 } = (await storage?.estimate?.()) ?? {};
  return quota - usage;
}

/** Links to the pictures of what the shopper chose. */
function* chosenPictures(index: CatalogueIndex): Generator<string> {
  const { favourites = [], cart = [] } = shopperStore.snapshot()?.data ?? {};
  for (const id of [...favourites, ...cart.map(({ productId }) => productId)]) {
    const link = index.byId(id)?.picture;
    if (link) yield link;
  }
}

/** Links to the pictures of the first products, and of those of the category on screen. */
function* firstPictures(index: CatalogueIndex): Generator<string> {
  const category = new URLSearchParams(location.search).get('category');
  const ofCategory = category ? index.find({ category, search: '' }) : [];
  const places = [...Array(FIRST_PRODUCTS).keys(), ...ofCategory.slice(0, PRODUCTS_OF_CATEGORY)];
  for (const place of places) {
    const link = index.at(place)?.picture;
    if (link) yield link;
  }
}

/** The width that the browser has chosen for a card's picture; null if none is on screen. */
function widthOnScreen(): string | null {
  const picture = document.querySelector<HTMLImageElement>('[data-product] img[srcset]');
  return picture?.currentSrc ? new URL(picture.currentSrc).searchParams.get('w') : null;
}

/**
 * The address in `srcSet` of this width (`picture-sizes.ts`), or the one for browsers without `srcset`. Null for
 * a link that `fetch` rejects: one that is no URL, or that has a user name or password.
 */
function addressOf(link: string, width: string | null): string | null {
  const [source] = pictureSources(link, '');
  // `srcSet` lists addresses and widths in turn.
  const words = source?.srcSet?.split(/,? /) ?? [];
  const address = words.find((word) => word.endsWith(`&w=${width}`)) ?? source?.src ?? link;
  if (!URL.canParse(address, location.href)) return null;
  const { href, username, password } = new URL(address, location.href);
  return username || password ? null : href;
}

/** Resolves to the number of pictures that the worker (`sw/pictures.ts`) has kept; 0 when it does not answer in time. */
function keep(worker: ServiceWorker, pictures: readonly string[]): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ROUND_TIMEOUT_MS, 0);
    port1.onmessage = ({ data }: MessageEvent<number>) => {
      clearTimeout(timer);
      port1.close();
      resolve(data);
    };
    worker.postMessage({ pictures }, [port2]);
  });
}
