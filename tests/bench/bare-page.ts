/**
 * The smallest page that shows products: the baseline for the bench of the shop's start.
 *
 * An inline script reads the rows of 24 cards from IndexedDB and shows them. The rows are the shop's own markup, with
 * the same stylesheet, fonts and pictures; as in the shop only the first row's pictures are loaded eagerly. A small
 * service worker precaches all of it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PHONE } from '../browser/browser.ts';

/** The page's address, and the scope of its service worker. */
export const BARE_PATH = '/bare/';
const CARDS = 24;
/** So high that the shop's grid draws all the cards. */
const HEIGHT = 6000;

/**
 * Writes the page and its worker into a built site, with the cards of the shop that `page` shows. Then it visits the
 * page, so that the worker is installed.
 */
export async function installBarePage(page: Page, site: string, url: string): Promise<void> {
  await page.setViewportSize({ ...PHONE, height: HEIGHT });
  await page.locator(`[aria-posinset="${CARDS}"]`).waitFor();
  const { grid, pictures } = await page.evaluate(storeRows, CARDS);
  await page.setViewportSize(PHONE);
  const assets = readdirSync(join(site, 'assets')).filter((name) => /\.(css|woff2)$/.test(name));
  const files = [...assets.map((name) => `/assets/${name}`), ...pictures];
  const stylesheets = /<link rel="stylesheet"[^>]*>/g;
  const links = readFileSync(join(site, 'index.html'), 'utf8').match(stylesheets) ?? [];
  if (links.length === 0) throw new Error('the shop has no stylesheet');
  mkdirSync(join(site, BARE_PATH), { recursive: true });
  writeFileSync(join(site, BARE_PATH, 'index.html'), pageOf(links.join(''), grid));
  writeFileSync(join(site, BARE_PATH, 'sw.js'), workerOf([BARE_PATH, ...files]));

  await page.goto(url + BARE_PATH);
  await page.evaluate(async (scope) => {
    const { installing } = await navigator.serviceWorker.register(`${scope}sw.js`);
    await new Promise<void>((resolve, reject) => {
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'activated') resolve();
        if (installing.state === 'redundant')
          reject(new Error('the bare worker was not installed'));
      });
    });
  }, BARE_PATH);
}

/**
 * Runs in the shop's page: writes the rows of the first cards into the database that the bare page reads. Returns the
 * grid without them, and the addresses of their pictures.
 */
async function storeRows(cards: number): Promise<{ grid: string; pictures: string[] }> {
  const grid = document.querySelector<HTMLElement>('[role="list"]:has([data-row])')!;
  const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]')].filter((row) =>
    row.querySelector('[aria-posinset]'),
  );
  const columns = Number(grid.style.getPropertyValue('--columns'));
  const shown = rows.slice(0, cards / columns);
  grid.querySelector('[elementtiming]')?.removeAttribute('elementtiming'); // set by `watchFirstPaint`
  await new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('bare', 1);
    opening.onerror = () => reject(opening.error!);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('rows', { autoIncrement: true });
    opening.onsuccess = () => {
      const writing = opening.result.transaction('rows', 'readwrite');
      for (const { outerHTML } of shown) writing.objectStore('rows').put(outerHTML);
      writing.onerror = () => reject(writing.error!);
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });
  const emptyGrid = grid.cloneNode() as HTMLElement;
  emptyGrid.style.height = `${shown[0]!.offsetHeight * shown.length}px`; // the grid is not empty
  const images = shown.flatMap((row) => [...row.querySelectorAll('img')]);
  return {
    grid: emptyGrid.outerHTML,
    pictures: [...new Set(images.map(({ src }) => new URL(src).pathname))],
  };
}

/** The document of the bare page. @param links the shop's stylesheets */
function pageOf(links: string, grid: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Bare</title>
    ${links}
  </head>
  <body>
    <div id="root">${grid}</div>
    <script>
      const opening = indexedDB.open('bare', 1);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('rows').objectStore('rows').getAll();
        reading.onsuccess = () => {
          document.querySelector('[role=list]').innerHTML = reading.result.join('');
        };
      };
    </script>
  </body>
</html>
`;
}

/** The service worker, which precaches these files. */
function workerOf(files: readonly string[]): string {
  return `
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open('bare').then((cache) => cache.addAll(${JSON.stringify(files)})));
});
self.addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request, { cacheName: 'bare', ignoreSearch: true }).then((cached) => cached ?? fetch(event.request)));
});
`;
}
