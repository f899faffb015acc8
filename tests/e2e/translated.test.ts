/**
 * The whole shop in a page that the browser translates: nothing stops, and every figure is right. Such a page
 * has other text nodes than React made.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SUCCESS } from '../browser/shopper.ts';
import { wordsOf } from '../browser/shown.ts';
import { translatePages } from '../browser/translator.ts';
import {
  ada,
  context,
  GARMENTS,
  page,
  pageErrors,
  payingShop,
  removeProduct,
  SCARF,
  SHIRT,
  SHIRT_MINOR,
  shop,
  SOCK_MINOR,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

let unseenTexts: readonly string[] = [];
beforeEach(async () => {
  unseenTexts = await translatePages(context);
});
afterEach(async () => {
  const isTranslated = await page.evaluate(() => document.querySelector('h1 > font > font'));
  expect(isTranslated, 'the last page was translated').not.toBeNull();
  expect(unseenTexts).toEqual([]);
});

const main = () => page.getByRole('main');
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true });
const status = (words: string) => page.getByRole('status').getByText(words, { exact: true });
/** Waits until the words of an element are these. */
const expectWords = (element: ReturnType<typeof main>, words: string | RegExp) =>
  expect
    .poll(() => wordsOf(element))
    .toEqual(typeof words === 'string' ? words : expect.stringMatching(words));

test('the catalogue is searched, filtered and sorted, and counts what it shows', async () => {
  await ada.logIn();
  await ada.waitForProducts(3);
  const search = page.locator('#header-search');
  await search.fill('zzzz');
  await text('No products found for All matching “zzzz”.').waitFor();
  await main().getByRole('link', { name: 'Show all products' }).click();
  await ada.waitForProducts(3);
  await search.fill('sock');
  await ada.waitForProducts(1);
  await search.fill('');
  await ada.waitForProducts(3);

  await page.getByRole('link', { name: 'Sock', exact: true }).click();
  await ada.waitForProducts(1);
  await button('All categories').click();
  await button('Fewer categories').waitFor();
  await button('Fewer categories').click();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await ada.waitForProducts(3);

  await button('Size').click();
  await page.getByRole('checkbox', { name: 'M 1' }).check();
  await ada.waitForProducts(1);
  await button('Size 1 selected').click();
  await button('Price').click();
  await page.getByRole('checkbox', { name: /^Under/ }).check();
  await text('No products found for All.').waitFor();
  await page.getByRole('checkbox', { name: /^Under/ }).uncheck();
  await page.keyboard.press('Escape');
  await ada.waitForProducts(1);
  await button('Clear all').click();
  await ada.waitForProducts(3);
  await page.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Price, low to high' });
  const titles = page.getByRole('article').getByRole('heading');
  await expect.poll(() => titles.allInnerTexts()).toEqual(['Sock', 'Linen shirt', 'Scarf']);

  await ada.heart('Sock').click();
  await button('Favourites').click();
  await ada.waitForProducts(1);
  await ada.heart('Sock').click();
  await text('No favourites yet. Tap the heart on anything you like.').waitFor();
  await page.getByRole('link', { name: 'Show all products' }).click();
  await ada.waitForProducts(3);
  await removeProduct(SCARF);
  await ada.announceOnline();
  await ada.waitForProducts(2);
});

test('the cart counts, adds up, and tells what is saved', async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M', 'Sock');
  await ada.cartLink.click();
  const shirt = page.getByRole('listitem', { name: 'Linen shirt, size M' });
  const sum = page.getByRole('region', { name: 'Summary' }).locator('p').first();
  await expectWords(sum, 'Total $57.50');
  await shirt.getByRole('button', { name: 'One more' }).click();
  await expectWords(sum, 'Total $106.00');
  await text('3 items').waitFor();
  await expectWords(shirt, /Line total \$97\.00 .*− 2 \+ × \$48\.50 each/);
  await status('Saved').waitFor();
  await ada.goOffline();
  await shirt.getByRole('button', { name: 'One less' }).click();
  await expectWords(sum, 'Total $57.50');
  await status('Will be saved when you’re back online (1)').waitFor();
  await page.getByText(/^Offline since .* 1 change not saved yet\.$/).waitFor();
  await shirt.getByRole('button', { name: 'One more' }).click();
  await page.getByText(/^Offline since .* 2 changes not saved yet\.$/).waitFor();
  await ada.goOnline();
  await status('Saved').waitFor();
  await expectWords(sum, 'Total $106.00');

  await button('Remove: Linen shirt, size M').click();
  await text('Removed Linen shirt, size M.').waitFor();
  await expectWords(sum, 'Total $9.00');
  await text('1 item').waitFor();
  await button('Undo').click();
  await expectWords(sum, 'Total $106.00');
  await ada.waitForCartCount(3);
  await shop.backend.query(`update public.products set "Retail Price" = 50 where "SKC" = 'A'`);
  await ada.announceOnline();
  await text('The price has changed from $48.50 to $50.00 since you added it.').waitFor();
  await removeProduct(SHIRT);
  await ada.announceOnline();
  await shirt.getByText(/^This product is no longer in the shop/).waitFor();
  await expectWords(sum, 'Total $9.00');
  await button('Clear Cart').click();
  await text('Your cart is empty').waitFor();
  await text('Cart cleared.').waitFor();
});

test('an order is paid by card, after its address was corrected', async () => {
  await ada.prepareToPay('Linen shirt, size M', 'Sock', 'Sock');
  const summary = page.getByRole('region', { name: 'Order summary' });
  await expectWords(summary, /2 × \$9\.00 \$18\.00 Total \$66\.50 USD$/);
  await page.getByLabel('State').fill('Nowhere');
  await ada.payButton.click();
  await page.getByText('Enter a valid state.').waitFor();
  await page.getByLabel('Country').selectOption('Canada');
  await page.getByLabel('Province').waitFor();
  await page.getByLabel('Country').selectOption('United States');
  await page.getByLabel('State').fill('Illinois');
  await expect.poll(() => page.getByText('Enter a valid state.').count()).toBe(0);
  await expectWords(ada.payButton, /^Pay \$66\.50/);
  await ada.payButton.click();
  await ada.paymentButton('Pay with a card that is declined').click();
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.getByText('You came back without paying.').waitFor();
  await ada.pay();
  await page.getByText('Paid by card.', { exact: true }).waitFor();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await expectWords(receipt, /Total \$66\.50 USD Ship to Ada Weaver 1 Mill Lane Chicago, IL 60614/);
  await ada.expectOrders(['paid', SHIRT_MINOR + 2 * SOCK_MINOR]);
  await ada.waitForCartCount(0);
});

test('a payment that takes days is confirmed while the page is open', async () => {
  await ada.prepareToPay();
  const session = await ada.payLater();
  await main()
    .getByText(/is still being confirmed/)
    .waitFor();
  payingShop.stripe.settle(session);
  await ada.heading(SUCCESS).waitFor();
  await page.getByText('Paid by card.', { exact: true }).waitFor();
});

test('a screen whose nodes were moved is drawn anew once, and then offers the same screen again', async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M', 'Sock', 'Scarf');
  await ada.cartLink.click();
  /** Moves a line of the cart into a new element, as an extension may. */
  const moveLine = (name: string) =>
    page.getByRole('listitem', { name }).evaluate((line) => {
      const box = document.createElement('div');
      line.replaceWith(box);
      box.append(line);
    });
  await moveLine('Linen shirt');
  await button('Remove: Linen shirt, size M').click();
  await text('2 items').waitFor();
  await expect.poll(() => page.getByRole('listitem', { name: 'Linen shirt' }).count()).toBe(0);
  await moveLine('Sock');
  await button('Remove: Sock').click();
  await ada.heading('This page stopped working').waitFor();
  await button('Open this page again').click();
  await ada.heading('Shopping Cart').waitFor();
  await text('1 item').waitFor();
  expect(pageErrors.splice(0).join()).toContain('NotFoundError');
});
