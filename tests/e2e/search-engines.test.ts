/** What search engines and previews of links read of the shop. */
import { expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import { ada, page, visitBeforeEach } from './fixture.ts';

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
    const meta = (name: string) =>
      document.querySelector<HTMLMetaElement>(`meta[${name}]`)?.content;
    return {
      title: document.title,
      sharedTitle: meta('property="og:title"'),
      sharedDescription: meta('property="og:description"'),
      robots: meta('name=robots'),
      canonical: document
        .querySelector<HTMLLinkElement>('link[rel=canonical]')
        ?.href.replace(location.origin, ''),
    };
  });

test('title, description and address for search engines change with each page that the shopper opens', async () => {
  await ada.goto('/');
  await page.getByRole('link', { name: 'Men', exact: true }).click();
  await expect.poll(head).toMatchObject({
    canonical: '/?category=Men',
    title: 'Men · Weft',
    sharedTitle: 'Men · Weft',
    sharedDescription: expect.stringMatching(/^Men:/),
    robots: 'index',
  });
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect.poll(head).toMatchObject({ canonical: '/cart', title: 'Shopping Cart · Weft' });
  await ada.goto('/orders');
  await expect.poll(head).toMatchObject({ canonical: '/orders', robots: 'noindex' });
});
