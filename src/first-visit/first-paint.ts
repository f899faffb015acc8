// First of all, for it says which layer of styles goes before which.
import '../ui/base.css';
import { stampProducts } from '../catalogue/stamp.ts';
import { productOf } from '../domain/product.ts';
import { firstRows } from './first-rows.ts';
import '../pwa/install-prompt.ts';
import { noteTaps } from './taps.ts';

declare global {
  interface Window {
    /** Says that a part of the shop did not arrive, and offers another attempt. */
    readonly sayNotArrived: () => void;
  }
}

/**
 * The small part of the shop that comes first. On a first visit it shows the first products in the
 * markup that `index.html` holds, and asks for the shop itself when their pictures are there, so
 * that nothing competes with what is seen; on any other at once.
 */
async function paintFirst(): Promise<void> {
  const rows = await firstRows;
  const place = document.querySelector('#root [data-skeleton]');
  const markup = document.querySelector<HTMLTemplateElement>('template#first-products');
  const list = markup?.content.firstElementChild?.cloneNode(true);
  if (!rows || rows.length === 0 || !place || !(list instanceof HTMLElement)) return;
  place.replaceWith(list);
  stampProducts(list, rows.map(productOf));
  const pictures = list.querySelectorAll<HTMLImageElement>('img[loading=eager]');
  await Promise.allSettled([...pictures].map((each) => each.decode()));
  await painted(list);
}

/** When something of it is on the screen, as far as the browser tells. */
function painted(list: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    if (PerformanceObserver.supportedEntryTypes.includes('largest-contentful-paint')) {
      new PerformanceObserver((entries, observer) => {
        const paints = entries.getEntries() as LargestContentfulPaint[]; // the type asked for
        if (!paints.some(({ element }) => list.contains(element))) return;
        observer.disconnect();
        resolve();
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    } else {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    }
  });
}

/** Longer than pictures take on a thin line; a line that brings none must not hold up the rest. */
const PATIENCE_MS = 2000;

async function start(): Promise<void> {
  noteTaps();
  if (window.firstPage) {
    const late = new Promise((resolve) => {
      setTimeout(resolve, PATIENCE_MS);
    });
    // The shop draws the products itself if this goes wrong.
    await Promise.race([paintFirst().catch(() => undefined), late]);
  }
  try {
    await import('../main.tsx');
  } catch {
    window.sayNotArrived();
  }
}

void start();
