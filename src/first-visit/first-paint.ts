/**
 * The small script that runs before the shop's other scripts. Where `index.html` has asked for the first
 * products (`firstPage`), as on a first visit, this script draws them into the markup, or waits for the product
 * or the stored screen that the document shows. It loads the shop after their pictures, so that nothing competes
 * with them. On any other visit it loads the shop at once.
 */

// The first import, because base.css sets the order of the style layers.
import '../ui/base.css';
import { setPicture, fillFirstCards } from '../catalogue/first-cards.ts';
import { PRODUCT_SIZES } from '../catalogue/columns.ts';
import { productOf } from '../domain/product.ts';
import { firstRows } from './first-rows.ts';
import '../pwa/install-prompt.ts';
import { noteTaps } from './taps.ts';

declare global {
  interface Window {
    /** Shows that a script of the shop could not be loaded, with a button to try again. */
    readonly sayNotArrived: () => void;
  }
}

/**
 * Draws the first products, except over the stored screen (keep-first-screen.ts) of a browser that has lost its
 * worker. Then waits for the pictures that the window shows.
 */
async function paintProducts(): Promise<void> {
  const list = document.querySelector('#root [data-row]')?.parentElement ?? (await drawProducts());
  if (!list) return;
  const pictures = list.querySelectorAll<HTMLImageElement>('img[loading=eager]');
  await Promise.allSettled([...pictures].map((picture) => picture.decode()));
  await whenPainted(list);
}

/** Draws the first products in place of the skeleton, and returns their list; null if there are none. */
async function drawProducts(): Promise<HTMLElement | null> {
  const rows = await firstRows;
  const skeleton = document.querySelector('#root [data-skeleton]');
  const markup = document.querySelector<HTMLTemplateElement>('template#first-products');
  const list = markup?.content.firstElementChild?.cloneNode(true);
  if (!rows || rows.length === 0 || !skeleton || !(list instanceof HTMLElement)) return null;
  skeleton.replaceWith(list);
  fillFirstCards(list, rows.map(productOf));
  return list;
}

/**
 * Waits for the picture of the product that the document shows. If the document shows no product, only requests
 * the picture, so that it is on its way when React draws the product.
 */
async function paintShownProduct(): Promise<void> {
  const shown = document.querySelector<HTMLImageElement>('#root [data-arriving] img');
  if (!shown) {
    void requestPicture();
    return;
  }
  await shown.decode();
  await whenPainted(shown);
}

async function requestPicture(): Promise<void> {
  const [row] = (await firstRows) ?? [];
  const isEager = true;
  if (row) setPicture(new Image(), productOf(row).picture, PRODUCT_SIZES, isEager);
}

/** A loaded picture is painted within this time. After a tap, or for a plain colour, browsers report no paint. */
const PAINT_MS = 300;

/** Resolves when the browser reports a painted picture in `area`. Its text, reported earlier, does not count. */
function whenPainted(area: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_MS);
    if (PerformanceObserver.supportedEntryTypes.includes('largest-contentful-paint')) {
      new PerformanceObserver((entries, observer) => {
        const paints = entries.getEntries() as LargestContentfulPaint[]; // the type asked for
        if (!paints.some(({ element, url }) => url !== '' && area.contains(element))) return;
        observer.disconnect();
        resolve();
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    } else {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    }
  });
}

/** The shop loads after this time at the latest; pictures load faster even on a slow connection. */
const PATIENCE_MS = 2000;

async function start(): Promise<void> {
  noteTaps();
  if (window.firstPage) {
    const paint = location.pathname === '/' ? paintProducts : paintShownProduct;
    const late = new Promise((resolve) => {
      setTimeout(resolve, PATIENCE_MS);
    });
    // If this fails, the shop draws the products itself.
    await Promise.race([paint().catch(() => undefined), late]);
  }
  try {
    await import('../main.tsx');
  } catch {
    window.sayNotArrived();
  }
}

void start();
