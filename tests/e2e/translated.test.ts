/**
 * The whole shop in a page that the browser translates: nothing stops, and every figure is right. Such a page
 * has other text nodes than React made.
 */
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wordsOf } from '../browser/shown.ts';
import { translatePages } from '../browser/translator.ts';
import {
  ada,
  context,
  GARMENTS,
  page,
  pageErrors,
  SHIRT_MINOR,
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

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true });
const status = (words: string) => page.getByRole('status').getByText(words, { exact: true });
/** Waits until the words of an element are these. */
const expectWords = (element: Locator, words: string | RegExp) =>
  expect
    .poll(() => wordsOf(element))
    .toEqual(typeof words === 'string' ? words : expect.stringMatching(words));

test('the catalogue counts what it shows, and the cart adds up and tells what is saved', async () => {
  await ada.logIn();
  await ada.waitForProducts(3);
  const search = page.locator('#header-search');
  await search.fill('zzzz');
  await text('No products found for All matching “zzzz”.').waitFor();
  await search.fill('');
  await ada.waitForProducts(3);

  await ada.add('Linen shirt, size M', 'Sock');
  await ada.cartLink.click();
  const shirt = page.getByRole('listitem', { name: 'Linen shirt, size M' });
  const sum = page.getByRole('region', { name: 'Summary' }).locator('p').first();
  await expectWords(sum, 'Total $57.50');
  await shirt.getByRole('button', { name: 'One more' }).click();
  await expectWords(sum, 'Total $106.00');
  await text('3 items').waitFor();
  await status('Saved').waitFor();
  await ada.goOffline();
  await shirt.getByRole('button', { name: 'One less' }).click();
  await expectWords(sum, 'Total $57.50');
  await status('Will be saved when you’re back online (1)').waitFor();
  await ada.goOnline();
  await status('Saved').waitFor();
  await button('Remove: Linen shirt, size M').click();
  await expectWords(sum, 'Total $9.00');
  await text('1 item').waitFor();
});

test('an order is paid by card, after its address was corrected', async () => {
  await ada.prepareToPay('Linen shirt, size M', 'Sock', 'Sock');
  const summary = page.getByRole('region', { name: 'Order summary' });
  await expectWords(summary, /2 × \$9\.00 \$18\.00 Total \$66\.50 USD$/);
  await page.getByLabel('State').fill('Nowhere');
  await ada.payButton.click();
  await page.getByText('Enter a valid state.').waitFor();
  await page.getByLabel('State').fill('Illinois');
  await expect.poll(() => page.getByText('Enter a valid state.').count()).toBe(0);
  await expectWords(ada.payButton, /^Pay \$66\.50/);
  await ada.pay();
  await page.getByText('Paid by card.', { exact: true }).waitFor();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await expectWords(receipt, /Total \$66\.50 USD Ship to Ada Weaver 1 Mill Lane Chicago, IL 60614/);
  await ada.expectOrders(['paid', SHIRT_MINOR + 2 * SOCK_MINOR]);
  await ada.waitForCartCount(0);
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
