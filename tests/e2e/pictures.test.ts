/** Pictures without a network: which of them the worker stores, and what replaces the others. */
import { expect, test } from 'vitest';
import { waitForWorker } from '../browser/browser.ts';
import { cachedPictures } from '../browser/device-store.ts';
import { MOST_PICTURE_BYTES } from '../../src/db/picture-cache.ts';
import { numbered } from '../supabase/stock.ts';
import { ada, page, reopenPage, restock, visitBeforeEach } from './fixture.ts';

visitBeforeEach();

const linkOf = (i: number) => `/pictures/none.svg?n=${i}`;
const pictured = (count: number) =>
  numbered(count).map((row, i) => ({ ...row, 'Images link': linkOf(i) }));

/** The links whose pictures this page cannot load. */
const linksThatFail = (links: readonly string[]) =>
  page.evaluate(async (all) => {
    const outcomes = await Promise.allSettled(
      all.map((link) => {
        const picture = new Image();
        picture.src = link;
        return picture.decode();
      }),
    );
    return all.filter((_, i) => outcomes[i]?.status === 'rejected');
  }, links);

/** The indexes of the products whose pictures are on the device, the oldest picture first. */
const storedIndexes = async () =>
  (await cachedPictures(page)).map((url) => Number(url.split('n=')[1]));

test(
  'after one visit the chosen products and those of a category have pictures without a network',
  { tags: ['worker', 'long'] },
  async () => {
    const rows = pictured(700);
    await restock(rows.map((row, i) => (i < 600 ? row : { ...row, 'Category 2': 'Late' })));
    await ada.logIn();
    await ada.openCatalogue(700);
    await waitForWorker(page);
    await page.locator('#header-search').fill('tee 00059');
    await ada.heart('Tee, size 598').click();
    await ada.addButton('Tee, size 599').click();
    await page.locator('#header-search').fill('');
    // The device also stores the pictures of the first 300 products, and in all 400.
    await expect.poll(storedIndexes, { timeout: 60_000 }).toEqual(expect.arrayContaining([299]));
    await page.getByRole('link', { name: 'Late', exact: true }).click();
    const late = Array.from({ length: 80 }, (_, i) => 600 + i);
    await expect.poll(storedIndexes, { timeout: 60_000 }).toEqual(expect.arrayContaining(late));

    await ada.goOffline();
    await reopenPage();
    await ada.openCatalogue(700);
    expect(await linksThatFail([598, 599, ...late].map(linkOf))).toEqual([]);
  },
);

test(
  'links that cannot be requested, or lead to no picture, do not keep other pictures from being stored',
  { tags: ['worker', 'long'] },
  async () => {
    const wrong = [
      'https://staff:secret@a.example/x.jpg',
      'https://staff@a.example',
      'http://[',
      // As many as the tab asks the worker for at once.
      ...[1, 2, 3, 4].map((n) => `/pictures/gone-${n}.svg`),
    ];
    await restock(pictured(60).map((row, i) => ({ ...row, 'Images link': wrong[i] ?? linkOf(i) })));
    await ada.openCatalogue(60);
    await waitForWorker(page);
    await expect.poll(storedIndexes, { timeout: 30_000 }).toContain(59);
  },
);

test(
  'the oldest pictures go when all together take too much space',
  { tags: 'worker' },
  async () => {
    await restock(pictured(1));
    await ada.openCatalogue(1);
    await waitForWorker(page);
    await expect.poll(storedIndexes).toEqual([0]);
    await page.evaluate(async (bytes) => {
      const cache = await caches.open('pictures');
      for (const n of [1, 2, 3]) {
        await cache.put(`/pictures/none.svg?n=${n}`, new Response(new Uint8Array(bytes)));
      }
    }, MOST_PICTURE_BYTES / 3);
    // Shown again, the first picture is stored again, as the newest.
    await page.reload();
    await expect.poll(storedIndexes).toEqual([2, 3, 0]);
  },
);

test(
  'without a network the cart shows the picture in the size that the catalogue’s card has stored',
  { tags: 'worker' },
  async () => {
    const link = '/icons/icon-512.png';
    await restock([{ SKC: 'A', 'Category 1': 'Scarf', 'Retail Price': 5, 'Images link': link }]);
    await ada.logIn();
    await ada.openCatalogue(1);
    await waitForWorker(page);
    await ada.addButton('Scarf').click();
    await ada.waitForCartCount(1);
    const storedWidths = async () => (await cachedPictures(page)).map((url) => url.split('&w=')[1]);
    await expect.poll(storedWidths).toHaveLength(1);
    await ada.goOffline();
    await reopenPage();
    await ada.goto('/cart');
    const picture = page.getByRole('main').locator('img');
    const shown = () =>
      picture.evaluate(({ currentSrc, naturalWidth }: HTMLImageElement) =>
        naturalWidth > 0 ? currentSrc : null,
      );
    await expect.poll(shown).toContain(encodeURIComponent(link));
    // The cart asks for a smaller picture, which is not stored: the worker has answered with the card's.
    expect(await storedWidths()).not.toContain((await shown())?.split('&w=')[1]);
  },
);
