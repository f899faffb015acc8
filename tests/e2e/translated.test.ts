/**
 * The whole shop in a page that the browser translates: nothing stops, and every figure is right. Such a page
 * has other text nodes than React made.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseFile } from '../browser/csv-file.ts';
import { PASSWORD, SUCCESS } from '../browser/shopper.ts';
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
import { checkHeading, openImport, readCheck, startButton } from './import-page.ts';

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
  await button('Share this view').waitFor();
  await button('All categories').click();
  await button('Fewer categories').waitFor();
  await page.getByRole('region', { name: 'Garment' }).waitFor();
  await button('Fewer categories').click();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await ada.waitForProducts(3);

  await button('Size').click();
  await page.getByRole('checkbox', { name: 'M 1' }).check();
  await ada.waitForProducts(1);
  await button('Size 1 chosen').click();
  await button('Price').click();
  await page.getByRole('checkbox', { name: /^Under/ }).check();
  await text('No products found for All.').waitFor();
  await page.getByRole('link', { name: /^Size M 1 product$/ }).click();
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

test('a product changes its size, its price and its button', async () => {
  await shop.backend.query(`select public.import_products($1::jsonb)`, [
    JSON.stringify([{ SKC: SHIRT, Size: 'XL', 'Category 1': 'Linen shirt', 'Retail Price': 51 }]),
  ]);
  await ada.logIn();
  await ada.waitForProducts(4);
  await page.getByRole('link', { name: 'Look at Linen shirt, size M' }).click();
  await ada.heading('Linen shirt').waitFor();
  await main().getByText('$48.50', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'M', exact: true }).press('ArrowRight');
  await main().getByText('$51.00', { exact: true }).waitFor();
  await main()
    .getByRole('button', { name: /^Add to Cart/ })
    .click();
  await main()
    .getByRole('button', { name: /^Added:/ })
    .click();
  await expectWords(main().getByRole('button', { name: /^Added 2:/ }), 'Added 2');
  await expectWords(main().getByRole('button', { name: /^Add to Cart:/ }), 'Add to Cart');
  await ada.waitForCartCount(2);
  await ada.goto('/product/none');
  await main().getByText('We don’t have “none”.').waitFor();
  await main().getByText('Here’s everything else.').waitFor();
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
  await expectWords(shirt, /Together \$97\.00 .*− 2 \+ × \$48\.50 each/);
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
  await ada.goto('/cart');
  await main()
    .getByText(/^Your payment for these items is still being confirmed/)
    .waitFor();
  await page.goBack();
  await ada.heading('Your Payment Is Being Confirmed').waitFor();
  payingShop.stripe.settle(session);
  await ada.heading(SUCCESS).waitFor();
  await page.getByText('Paid by card.', { exact: true }).waitFor();
});

test('an order is paid with PayPal', async () => {
  await ada.prepareToPayWithPayPal();
  await page.getByLabel('Pay with Card (Stripe)').check();
  await expectWords(ada.payButton, /^Pay \$48\.50.* by card$/);
  await ada.choosePayPal();
  await expectWords(ada.payButton, /^Pay \$48\.50.* with PayPal$/);
  await ada.pay();
  await page.getByText('Paid with PayPal.', { exact: true }).waitFor();
  await ada.expectOrders(['paid', SHIRT_MINOR]);
});

test('orders are shown without a network and again with one, and a cancelled one is ordered again', async () => {
  await ada.prepareToPay('Linen shirt, size M');
  await ada.goToPayment();
  await ada.goto('/orders');
  const order = page.getByRole('listitem', { name: /^Order of / });
  await order.getByText('Waiting for payment').waitFor();
  await expectWords(order.locator('summary'), /Waiting for payment \$48\.50 USD$/);
  const offline = text('You’re offline. Your latest orders may be missing.');
  await ada.goOffline();
  await ada.announceOnline();
  await offline.waitFor();
  await ada.goOnline();
  await offline.waitFor({ state: 'detached' });
  await page.getByText(/^Offline since/).waitFor({ state: 'detached' });
  await shop.backend.query(`select cancel_order(id, now()) from orders where state = 'pending'`);
  await ada.announceOnline();
  await text('1 unpaid order').click();
  await order.getByText('Cancelled').waitFor();
  await order.locator('summary').click();
  await expectWords(order, /1 × \$48\.50 \$48\.50 Total \$48\.50/);
  await ada.goto('/cart');
  await button('Clear Cart').click();
  await ada.waitForCart({});
  await page.goBack();
  await text('1 unpaid order').click();
  await order.locator('summary').click();
  await button(/^Order again/).click();
  await text('Added to your cart at today’s prices.').waitFor();
  await ada.waitForCartCount(1);
});

test('the account’s forms say what is wrong, and its dialogs open', async () => {
  await ada.goto('/register');
  await button('Sign Up').click();
  await page.locator('.fault').first().waitFor();
  await page.getByLabel('Email').fill('ben@weft.test');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Show password').click();
  await button('Hide password').click();
  await button('Sign Up').click();
  await page.getByText(/^Registration successful!/).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page of the link before has a field of the same name.
  await button('Send me a link').waitFor();
  await page.getByLabel('Email').fill(ada.email);
  await button('Send me a link').click();
  await text(
    `Check your email. If ${ada.email} has an account, we’ve sent a link there. It can be used once.`,
  ).waitFor();
  await page.getByRole('link', { name: 'Back to log in' }).click();
  await button('Log in').waitFor();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await button('Log in').click();
  await page.getByRole('heading', { name: 'Login Failed' }).waitFor();
  await context.setOffline(true);
  await text('You’re offline, so you can’t log in yet. We’ll keep what you type.').waitFor();
  await context.setOffline(false);
  await ada.typePassword();
  await ada.waitForProducts(3);

  const toggle = page.getByRole('banner').locator('button[aria-expanded]');
  await toggle.click();
  await button('Export my data').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await ada.goOffline();
  await ada.add('Sock');
  await toggle.click();
  await button('Logout').click();
  await expectWords(
    page.getByRole('dialog').locator('p, div > span').first(),
    /^1 change isn’t saved yet\./,
  );
  await button('Stay logged in').click();
  await ada.goOnline();
  await ada.waitForCart({ B: 1 });
  await ada.logOut();
  await text('You’re logged out.').waitFor();
});

test('a file is checked, read otherwise, mended, imported, and the import is undone', async () => {
  await shop.backend.query('truncate public.imports, public.import_changes cascade');
  await openImport();
  await chooseFile(page, [
    'SKC,Size,Retail Price,Material,Notes',
    'N,M,1,wool,x',
    ',M,2,silk,x',
    'O,M,-3,silk,x',
    'A,M,50.00,linen,x',
  ]);
  await expect.poll(readCheck).toMatchObject({ Rows: '4', New: '1', Changed: '1', Rejected: '2' });
  await main().getByText('Compared with the 3 products on this device.').waitFor();
  const columns = page.getByRole('group').filter({ hasText: 'Row with the headings' });
  await expectWords(columns.locator('summary').first(), /4 read, 1 left out$/);
  await columns.locator('summary').first().click();
  await page.getByLabel('Material', { exact: true }).selectOption('Not in this file');
  await expectWords(columns.locator('summary').first(), /3 read, 2 left out$/);
  await page.getByLabel('Material', { exact: true }).selectOption('Material (wool)');
  await expectWords(columns.locator('summary').first(), /4 read, 1 left out$/);
  await checkHeading().waitFor();
  await text('How the file is read').click();
  await page.getByLabel('Decimal mark').selectOption({ label: 'Comma (12,50)' });
  await expect.poll(() => text('Reading…').count()).toBe(0);
  await page.getByLabel('Decimal mark').selectOption({ index: 0 });

  await button('Fix these rows').click();
  await page.getByRole('textbox', { name: 'SKC, line 3', exact: true }).fill('P');
  const row = page.getByRole('row').filter({ has: page.getByLabel('SKC, line 3') });
  await row.getByText('Mended.', { exact: true }).waitFor();
  const price = page.getByRole('textbox', { name: 'Retail Price, line 4', exact: true });
  await price.fill('3,x');
  await page.getByText('We can’t read this price as one amount.').first().waitFor();
  await button('Apply 1 fixed row').waitFor();
  await price.fill('3.50');
  await button('Apply 2 fixed rows').click();
  await expect.poll(readCheck).toMatchObject({ New: '3', Changed: '1', Rejected: '0' });
  await startButton().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import all 4 rows' }).click();
  await text('Import successful! Processed 4 records.').waitFor();
  const last = page.getByRole('region', { name: 'Last import' });
  await last.getByText('4 rows read: 3 new, 1 changed, 0 unchanged.').waitFor();
  await expectWords(last.locator('p').first(), /^products\.csv by you, /);

  await last.getByRole('button', { name: 'Undo', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/^Undo removes the 3 products it added/)
    .waitFor();
  await button('Undo the import').click();
  await last.getByText('Undone: 3 products removed, 1 product restored.').waitFor();
  await expectWords(last.locator('p').first(), /\(undone\)$/);
});

test('a screen whose nodes were moved is drawn anew once, and then offers the same screen again', async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M', 'Sock', 'Scarf');
  await ada.cartLink.click();
  /** As an extension does that draws something around a line. */
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
  await ada.heading('This page has stopped').waitFor();
  await button('Open this page again').click();
  await ada.heading('Shopping Cart').waitFor();
  await text('1 item').waitFor();
  expect(pageErrors.splice(0).join()).toContain('NotFoundError');
});
