/** After one visit the first 300 products have their pictures without the server, in every engine. */
import { describe, expect, test } from 'vitest';
import { numbered } from '../supabase/stock.ts';
import { callOf } from './engine.ts';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import { openShopForFile, payingShop, visitBeforeEach, visitor } from './visit.ts';
import { WEBKIT } from './webkit.ts';

const PRODUCTS = 330;
/** The index of a product whose picture is not kept. */
const LAST = PRODUCTS - 1;
const linkOf = (i: number) => `/pictures/none.svg?n=${i}`;
const FIRST_LINKS = Array.from({ length: 300 }, (_, i) => linkOf(i));

openShopForFile(
  undefined,
  numbered(PRODUCTS).map((row, i) => ({ ...row, 'Images link': linkOf(i) })),
);

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('after one visit the first 300 products have pictures without the server', async () => {
    await visitor.openCatalogue(PRODUCTS);
    await visitor.waitForWorker();
    // A browser that cannot say whether its user saves data keeps the pictures only from the second visit on.
    const canTell = '"saveData" in (navigator.connection ?? {})';
    if (!(await visitor.tab.evaluate<boolean>(canTell))) await visitor.openCatalogue(PRODUCTS);
    const missing = () => visitor.tab.evaluate<number>(callOf(countNotKept, FIRST_LINKS));
    await expect.poll(missing, { timeout: 120_000 }).toBe(0);

    payingShop.line.down();
    await visitor.openCatalogue(PRODUCTS);
    expect(await visitor.tab.evaluate(callOf(linksThatFail, FIRST_LINKS))).toEqual([]);
    const shown = () => visitor.tab.evaluate<string[]>(callOf(linksOnScreen));
    await expect.poll(shown).toContain(linkOf(0));
    // What was not kept yet looks different from a product without a picture.
    await visitor.goto(`/?q=tee+000${LAST}`); // its stock code is S-000329
    await visitor.waitForProducts(1);
    await expect.poll(shown).toEqual(['/pictures/later.svg']);
    payingShop.line.up();
    await visitor.tab.evaluate('window.dispatchEvent(new Event("online"))');
    await expect.poll(shown).toEqual([linkOf(LAST)]);
  });
});

/** Runs in the page: how many of the links the service worker does not keep. */
async function countNotKept(links: readonly string[]): Promise<number> {
  const requests = await (await caches.open('pictures')).keys();
  const stored = new Set(requests.map(({ url }) => url));
  return links.filter((link) => !stored.has(location.origin + link)).length;
}

/** Runs in the page: the links whose picture cannot be loaded. */
async function linksThatFail(links: readonly string[]): Promise<string[]> {
  const outcomes = await Promise.all(
    links.map(
      (link) =>
        new Promise<string | null>((resolve) => {
          const picture = new Image();
          picture.onload = () => resolve(null);
          picture.onerror = () => resolve(link);
          picture.src = link;
        }),
    ),
  );
  return outcomes.filter((link) => link !== null);
}

/** Runs in the page: the links of the pictures that the cards show. */
function linksOnScreen(): (string | null)[] {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('article img')];
  return pictures
    .filter(({ naturalWidth }) => naturalWidth > 0)
    .map((picture) => picture.getAttribute('src'));
}
