/** A price behind a CDN that keeps old answers: its two edges answer in turns, and a purge reaches the first only. */
import { expect, test } from 'vitest';
import { Cdn } from '../../netlify/local/cdn.ts';
import { openPayingShop } from '../browser/paying-shop.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { stock } from '../supabase/stock.ts';
import { ada, GARMENTS, line, newStaff, page, shop, SOCK, visitBeforeEach } from './fixture.ts';

/** The CDN's clock. */
let nowMs = Date.parse('2026-05-12T12:00:00Z');
const cdn = new Cdn({ now: () => nowMs, edges: 2, losesPurges: true });
visitBeforeEach({ products: GARMENTS, open: () => openPayingShop(SITE_FOLDER, cdn) });

const sellSockFor = (dollars: number) =>
  stock(shop.backend, [{ SKC: SOCK, 'Category 1': 'Sock', 'Retail Price': dollars }]);

/** Opens the catalogue, and has both edges keep its version. */
async function openCatalogue(): Promise<void> {
  await ada.openCatalogue(GARMENTS.length);
  await page.waitForLoadState('networkidle');
  for (const _edge of [1, 2]) await page.request.get(`${line.url}/catalogue/head`);
}

/** The open page asks which version is the newest. */
async function askAgain(): Promise<void> {
  const answer = page.waitForResponse(/\/catalogue\/head/);
  await ada.announceOnline();
  await (await answer).finished();
}

/** The page asks until it shows this price: the edges answer in turns. */
const waitForPrice = (price: string) =>
  expect
    .poll(
      async () => {
        await ada.announceOnline();
        return page.getByText(price).isVisible();
      },
      { timeout: 60_000 },
    )
    .toBe(true);

test('a price is on an open phone once the edges’ answers are a minute old, and after a reload too', async () => {
  await openCatalogue();
  await sellSockFor(10);
  for (const _edge of [1, 2]) await askAgain();
  expect(await page.getByText('$9.00').isVisible()).toBe(true);
  nowMs += 60_000;
  await waitForPrice('$10.00');
  await page.reload();
  await page.getByText('$10.00').waitFor();
});

test('whoever changes a price sees it in the shop at once, whatever the edges keep', async () => {
  const staff = await newStaff();
  await staff.goto(`${line.url}/admin/products?product=${SOCK}`);
  await staff.getByLabel('Price in dollars').fill('12');
  await staff.getByRole('button', { name: /^Save/ }).click();
  await staff.getByText('Saved').first().waitFor();
  await staff.goto(line.url);
  await staff.getByText('$12.00').waitFor();
});
