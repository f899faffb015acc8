/**
 * The smallest page that shows products: the baseline for the bench of the shop's start.
 *
 * An inline script reads 24 products from IndexedDB and writes their cards as markup. The markup is
 * copied from the shop's page with the products' values replaced, and uses the same stylesheet, fonts
 * and pictures; as in the shop only the first row's pictures are loaded eagerly. A small service
 * worker precaches all of it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The page's address, and the scope of its service worker. */
export const BARE_PATH = '/bare/';
/** How many products the page shows. */
export const BARE_PRODUCTS = 24;

interface Template {
  /** A card's markup, with `{title}`, `{name}`, `{price}` and so on in place of the product's values. */
  readonly card: string;
  /** The values of the pictures' attribute `loading`. In `card` it is `{loading}`. */
  readonly loading: { readonly firstRow: string; readonly otherRows: string };
  readonly gridClass: string;
  readonly rowClass: string;
  readonly columns: number;
  readonly rowHeight: number;
}

/**
 * Writes the page and its worker into a built site, modelled on the shop that `page` shows. Then it
 * stores the products and visits the page, so that the worker is installed.
 */
export async function installBarePage(
  page: Page,
  site: string,
  url: string,
  products: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const template = await page.evaluate(readTemplate);
  const assets = readdirSync(join(site, 'assets')).filter((name) => /\.(css|woff2)$/.test(name));
  const files = [
    ...assets.map((name) => `/assets/${name}`),
    ...new Set(products.map((product) => product['Images link'])),
  ].filter((file) => file !== null);
  const stylesheets = /<link rel="stylesheet"[^>]*>/g;
  const links = readFileSync(join(site, 'index.html'), 'utf8').match(stylesheets) ?? [];
  if (links.length === 0) throw new Error('the shop has no stylesheet');
  mkdirSync(join(site, BARE_PATH), { recursive: true });
  writeFileSync(join(site, BARE_PATH, 'index.html'), pageOf(template, links.join('')));
  writeFileSync(join(site, BARE_PATH, 'sw.js'), workerOf([BARE_PATH, ...files]));

  // Before the visit, because the bare page would create an empty database.
  await page.evaluate(storeProducts, products);
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

/** Runs in the shop's page. */
function readTemplate(): Template {
  const grid = document.querySelector<HTMLElement>('[role="list"]:has([data-row])')!;
  const row = grid.querySelector<HTMLElement>('[data-row]')!;
  const cards = [...grid.querySelectorAll<HTMLElement>('[role="listitem"]')];
  /** The size, where the product has one, and the price. */
  const sizeAndPrice = (item: HTMLElement) => [...item.querySelectorAll('article p > span')];
  const hasSize = (item: HTMLElement) => sizeAndPrice(item).length > 1;
  // A card without a size would make a template without `{size}`.
  const card = (cards.find(hasSize) ?? cards[0])!.cloneNode(true) as HTMLElement;
  const loadingOf = (item: HTMLElement) => item.querySelector('img')!.loading;
  const title = card.querySelector('h2')!;
  const price = sizeAndPrice(card).at(-1)!;
  const size = sizeAndPrice(card).at(-2);
  const name = card.querySelector('article')!.getAttribute('aria-label')!;
  for (const element of card.querySelectorAll('[aria-label]')) {
    const label = element.getAttribute('aria-label')!.replace(name, '{name}');
    element.setAttribute('aria-label', label);
  }
  title.textContent = '{title}';
  title.removeAttribute('elementtiming'); // set by `watchFirstPaint`
  if (size) size.lastChild!.textContent = '{size}';
  price.textContent = '{price}';
  card.querySelector('img')!.setAttribute('src', '{picture}');
  card.querySelector('img')!.setAttribute('loading', '{loading}');
  return {
    card: card.outerHTML,
    loading: { firstRow: loadingOf(cards[0]!), otherRows: loadingOf(cards.at(-1)!) }, // the grid is not empty
    gridClass: grid.className,
    rowClass: row.className,
    columns: Number(grid.style.getPropertyValue('--columns')),
    rowHeight: row.offsetHeight,
  };
}

/** Runs in a page: writes the products into the database that the bare page reads. */
async function storeProducts(products: readonly object[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('bare', 1);
    opening.onerror = () => reject(opening.error!);
    opening.onupgradeneeded = () => opening.result.createObjectStore('products', { keyPath: 'id' });
    opening.onsuccess = () => {
      const writing = opening.result.transaction('products', 'readwrite');
      for (const product of products) writing.objectStore('products').put(product);
      writing.onerror = () => reject(writing.error!);
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  });
}

/** The document of the bare page. @param links the shop's stylesheets */
function pageOf(template: Template, links: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>Bare</title>
    ${links}
  </head>
  <body>
    <div id="root"></div>
    <script>
      const { card, loading, gridClass, rowClass, columns, rowHeight } = ${JSON.stringify(template)};
      const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
      function cardOf(product, index) {
        const title = product['Category 1'] ?? 'Untitled';
        const price = product['Retail Price'];
        const values = {
          title,
          name: product.Size === '' ? title : title + ', size ' + product.Size,
          size: product.Size,
          price: price === null ? 'N/A' : '$' + price.toFixed(2),
          picture: product['Images link'] ?? '/pictures/none.svg',
          loading: index < columns ? loading.firstRow : loading.otherRows,
        };
        return card.replace(/\\{(\\w+)\\}/g, (_, name) => escapeHtml(values[name]));
      }
      const opening = indexedDB.open('bare', 1);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('products').objectStore('products').getAll(null, ${BARE_PRODUCTS});
        reading.onsuccess = () => {
          const cards = reading.result.map(cardOf);
          const rows = Math.ceil(cards.length / columns);
          let html = '<div role="list" class="' + gridClass + '" style="height: ' + rows * rowHeight +
            'px; --columns: ' + columns + '">';
          for (let row = 0; row < rows; row++) {
            html += '<div class="' + rowClass + '" style="transform: translateY(' + row * rowHeight + 'px)">' +
              cards.slice(row * columns, (row + 1) * columns).join('') + '</div>';
          }
          document.getElementById('root').innerHTML = html + '</div>';
        };
      };
    </script>
  </body>
</html>
`;
}

/** The service worker, which precaches these files. */
function workerOf(files: readonly unknown[]): string {
  return `
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open('bare').then((cache) => cache.addAll(${JSON.stringify(files)})));
});
self.addEventListener('fetch', (event) => {
  event.respondWith(caches.match(event.request, { cacheName: 'bare', ignoreSearch: true }).then((cached) => cached ?? fetch(event.request)));
});
`;
}
