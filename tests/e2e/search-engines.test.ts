/** What search engines, previews of links and other programs read of the shop. */
import { expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import { ada, page, shop, visitBeforeEach } from './fixture.ts';

visitBeforeEach({
  viewport: PHONE,
  products: [
    { SKC: 'A', 'Category 1': 'Linen shirt', 'Category 2': 'Men', 'Retail Price': 48.5 },
    { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
  ],
});

/** What the document's head says to search engines and to apps that show a preview of a link. */
const head = () =>
  page.evaluate(() => {
    const metas = (name: string) =>
      [...document.querySelectorAll<HTMLMetaElement>(`meta[name="${name}"]`)].map(
        ({ content }) => content,
      );
    const openGraph = (name: string) =>
      document.querySelector<HTMLMetaElement>(`meta[property="og:${name}"]`)?.content;
    return {
      titles: document.head.querySelectorAll('title').length,
      title: document.title,
      descriptions: metas('description'),
      shared: openGraph('description'),
      sharedTitle: openGraph('title'),
      sharedAddress: openGraph('url')?.replace(location.origin, ''),
      robots: metas('robots'),
      canonical: [...document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]')].map(
        ({ href }) => href.replace(location.origin, ''),
      ),
    };
  });

test('title, description and address for search engines change with each page that the shopper opens', async () => {
  await ada.goto('/');
  await page.getByRole('article').first().waitFor();
  await expect.poll(async () => (await head()).canonical).toEqual(['/']);
  const first = await head();
  expect(first).toMatchObject({ title: 'New Arrivals · Weft', robots: ['index'] });
  expect(first).toMatchObject({ titles: 1, sharedTitle: first.title, sharedAddress: '/' });
  expect(first.descriptions).toEqual([first.shared]);

  await page.getByRole('link', { name: 'Men', exact: true }).click();
  await expect.poll(async () => (await head()).canonical).toEqual(['/?category=Men']);
  await page.getByRole('searchbox').last().fill('linen');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('linen');
  expect(await head()).toMatchObject({
    canonical: ['/?category=Men'],
    sharedAddress: '/?category=Men',
    titles: 1,
    title: 'Men · Weft',
    sharedTitle: 'Men · Weft',
  });

  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect.poll(async () => (await head()).title).toBe('Shopping Cart · Weft');
  const cart = await head();
  expect(cart).toMatchObject({ canonical: ['/cart'], robots: ['index'] });
  expect(cart.descriptions).toEqual([cart.shared]);
  expect(cart.descriptions).not.toEqual(first.descriptions);
  await ada.goto('/orders');
  await expect.poll(async () => (await head()).robots).toEqual(['noindex']);
});

test('programs find robots.txt and llms.txt, and status 404 where there is nothing', async () => {
  const answers = await Promise.all(
    ['/robots.txt', '/llms.txt', '/.well-known/ai-catalog.json'].map(async (path) => {
      const answer = await fetch(shop.url + path);
      return [answer.status, answer.headers.get('content-type')];
    }),
  );
  expect(answers).toEqual([
    [200, 'text/plain; charset=utf-8'],
    [200, 'text/plain; charset=utf-8'],
    [404, 'text/html; charset=utf-8'],
  ]);
});
