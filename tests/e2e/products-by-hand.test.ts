/** Staff change products by hand: price, picture, sizes, off sale, and what a shopper sees of it. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { boxOf, isFocused } from '../browser/shown.ts';
import { ada, line, newStaff, page, shop, visitBeforeEach } from './fixture.ts';

const TEE = { SKC: 'TEE-1', 'Category 1': 'Tee', Material: 'Cotton', 'Retail Price': 45 };
const PICTURE = '/pictures/none.svg';
visitBeforeEach({
  products: [
    { ...TEE, Size: 'S', 'Images link': PICTURE },
    { ...TEE, Size: 'M', 'Images link': PICTURE },
    { SKC: 'TEE-2', Size: 'S', 'Category 1': 'Tee', Material: 'Linen', 'Images link': PICTURE },
    { SKC: 'ZOO', 'Category 1': 'Sock', 'Retail Price': 9 },
  ],
});

let staff: Page;
beforeEach(async () => {
  staff = await newStaff({ serviceWorkers: 'block' });
});

const open = (query = '', on = staff) => on.goto(`${line.url}/admin/products${query}`);
const button = (name: string | RegExp, on = staff) => on.getByRole('button', { name });
const price = (on = staff) => on.getByLabel('Price in dollars');
const notice = (text: string, on = staff) => on.getByText(text, { exact: true }).first().waitFor();
/** The person comes back to an open page, which then asks for news at once. */
const comeBack = (to: Page) =>
  to.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
const stored = (columns: string) =>
  shop.backend.query(`select ${columns} from public.products where "SKC" = 'TEE-1' order by id`);

test('staff find a product and correct its price for all sizes, the shopper’s open page shows it, and Undo takes it back', async () => {
  await ada.goto('/product/TEE-1');
  await page.getByText('$45.00').first().waitFor();
  await staff.getByRole('banner').locator('button[aria-expanded]').click();
  await staff.getByRole('link', { name: 'Products', exact: true }).click();
  await staff.getByRole('search', { name: 'Products' }).getByRole('searchbox').fill('tee cotton');
  await staff.keyboard.press('Enter');
  await staff.getByRole('link', { name: /Tee, Cotton.*TEE-1.*S, M.*\$45\.00/ }).click();
  await price().fill('50');
  await button('Save for all 2 sizes').click();
  await notice('Saved for all 2 sizes.');
  await comeBack(page);
  await page.getByText('$50.00').first().waitFor();
  await button('Undo').click();
  await notice('Undone.');
  await expect.poll(() => price().inputValue()).toBe('45.00');
  expect(await stored('"Retail Price"')).toEqual([{ 'Retail Price': 45 }, { 'Retail Price': 45 }]);
  await staff.goto(`${line.url}/admin/import`);
  await staff.getByText('TEE-1').first().waitFor();
  await staff.getByText(/edited by you/).waitFor();
});

test('of two people at once the later one reads what has changed, and decides', async () => {
  const colleague = await newStaff();
  for (const each of [staff, colleague]) {
    await open('?product=TEE-1', each);
    await price(each).waitFor();
  }
  await price().fill('50');
  await staff.getByLabel('Material').fill('Jersey');
  await price(colleague).fill('48');
  await button(/^Save/, colleague).click();
  await notice('Saved for all 2 sizes.', colleague);
  await button(/^Save/).click();
  await notice('Someone has changed this product since you opened it. Nothing was saved.');
  await staff
    .getByText('Price in dollars changed from “45.00” to “48.00”: Size S, Size M.', { exact: true })
    .waitFor();
  expect(await button(/^Save/).getAttribute('aria-disabled')).toBe('true');
  await button('Keep what I typed').click();
  await button(/^Save/).click();
  await notice('Saved for all 2 sizes.');
  const mine = { 'Retail Price': 50, Material: 'Jersey' };
  expect(await stored('"Retail Price", "Material"')).toEqual([mine, mine]);
  // Who has typed nothing sees the new values in the fields.
  await comeBack(colleague);
  await expect.poll(() => price(colleague).inputValue()).toBe('50.00');
});

test('one size has a price of its own, and a size is added with the values of another, by keyboard', async () => {
  await open('?product=TEE-1');
  await staff.getByRole('radio', { name: 'Size M' }).focus();
  await staff.keyboard.press('Space');
  await price().focus();
  await staff.keyboard.press('ControlOrMeta+a');
  await staff.keyboard.type('47,5');
  await staff.keyboard.press('Enter');
  await notice('Saved for size M.');
  // The form takes nothing until the page has read what was saved.
  await staff.getByRole('button', { name: 'Add', exact: true, disabled: false }).waitFor();
  await staff.getByLabel(/^Add a size/).focus();
  await staff.keyboard.type('L');
  await staff.keyboard.press('Enter');
  await notice('Size L was added.');
  expect(await stored('"Size", "Retail Price", "Material"')).toEqual([
    { Size: 'S', 'Retail Price': 45, Material: 'Cotton' },
    { Size: 'M', 'Retail Price': 47.5, Material: 'Cotton' },
    { Size: 'L', 'Retail Price': 45, Material: 'Cotton' },
  ]);
  await staff.getByRole('radio', { name: 'All sizes' }).check();
  await expect.poll(() => price().getAttribute('placeholder')).toBe('Varies by size: 45.00, 47.50');
});

test('a picture that does not load is shown as such before it is stored, and a value that cannot be stored beside its field', async () => {
  const broken = `${line.url}/pictures/nothing-here.svg`;
  await open('?product=TEE-1');
  await staff.getByLabel('Picture link').fill('/pictures/nothing-here.svg');
  await button(/^Save/).click();
  await staff.getByText(/^We couldn’t load this picture/).waitFor();
  expect((await stored('"Images link" as link'))[0]).toEqual({ link: PICTURE });
  await staff.getByLabel('Picture link').fill(broken);
  await button(/^Save/).click();
  await staff.getByText('Start the picture link with https://').first().waitFor();
  await staff.getByLabel('Picture link').fill('/icons/icon.svg');
  await price().fill('0.001');
  await button(/^Save/).click();
  await staff.getByText(/^The price has more than two decimals/).waitFor();
  expect(await isFocused(price())).toBe(true);
  await price().fill('');
  await staff.getByText('This can’t be ordered without a price.').waitFor();
  await price().fill('1');
  await button(/^Save/).click();
  await notice('Saved for all 2 sizes.');
  expect((await stored('"Images link" as link'))[0]).toEqual({ link: '/icons/icon.svg' });
});

test('a product that is sold out says so in an open cart, before the address, on its page and among the favourites, until it is back', async () => {
  await ada.logIn();
  await ada.goto('/product/TEE-1?size=M');
  await page.getByRole('button', { name: /Add to Cart/ }).click();
  await page.getByRole('button', { name: /^Favourite: Tee/ }).click();
  await expect.poll(() => ada.cart()).toEqual({ 'TEE-1': 1 });
  await expect.poll(() => ada.favourites()).toHaveLength(1);
  await open('?product=TEE-1');
  await button('Hide size M').click();
  await notice('Size M: hidden.');
  await comeBack(page);
  await page.getByText(/^Size M is/).waitFor();
  await ada.goto('/cart');
  await button('Hide size S').click();
  await notice('Size S: hidden.');
  await staff.getByText(/^This product is hidden/).waitFor();
  await page.getByText(/is no longer in the shop/).waitFor();
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  const box = page.getByRole('alert').filter({ hasText: 'Some items can’t be ordered' });
  await box.getByText('Tee, Cotton, size M is no longer in the shop.').waitFor();
  expect((await boxOf(box)).bottom).toBeLessThan((await boxOf(page.getByLabel('Full name'))).y);
  await ada.goto('/product/TEE-1');
  await comeBack(page);
  await page.getByText('Tee, Cotton isn’t available.').waitFor();
  await page.getByRole('link', { name: 'View Tee, Linen, size S' }).first().waitFor();
  await ada.goto('/?favourites=');
  const gone = page.getByRole('region', { name: 'No longer available' });
  await gone.getByRole('link', { name: 'Tee, Cotton, size M' }).waitFor();

  await open('?list=off-sale');
  await staff.getByRole('link', { name: /TEE-1/ }).click();
  await button('Put all 2 sizes back in the shop').click();
  await price().waitFor();
  await comeBack(page);
  await page.getByRole('article', { name: /^Tee, Cotton/ }).waitFor();
  await gone.waitFor({ state: 'detached' });
});

test('the lists show what has no price or no picture, and a category', async () => {
  await open('?list=price');
  await staff.getByRole('link', { name: /TEE-2.*No price/ }).waitFor();
  const links = () => staff.locator('.staff-lines').getByRole('link').count();
  expect(await links()).toBe(1);
  await staff.getByRole('link', { name: 'No picture' }).click();
  await staff.getByRole('link', { name: /ZOO/ }).waitFor();
  expect(await links()).toBe(1);
  await staff.getByRole('link', { name: 'In the shop' }).click();
  await staff.getByRole('link', { name: 'Tee', exact: true }).click();
  await staff.getByRole('link', { name: /TEE-2/ }).waitFor();
  expect(await links()).toBe(2);
});

test('a shopper sees neither the link nor what is hidden, and offline nothing is changed', async () => {
  await ada.logIn();
  await page.getByRole('banner').locator('button[aria-expanded]').click();
  await page.getByRole('link', { name: 'Admin', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Products', exact: true }).count()).toBe(0);
  await ada.goto('/admin/products?list=off-sale');
  await page.getByText('Only accounts with the role "staff" may change products.').waitFor();
  await open('?product=TEE-1');
  await price().fill('50');
  line.down();
  await button(/^Save/).click();
  await notice('We couldn’t reach the shop. Try again. Nothing will be saved twice.');
  line.up();
  await comeBack(staff);
  await expect.poll(() => button(/^Save/).getAttribute('aria-disabled')).toBe('false');
  await button(/^Save/).click();
  await notice('Saved for all 2 sizes.');
});

test.each(LOOKS)(
  'axe finds nothing at $width pixels, $colorScheme, in the products of staff',
  async ({ width, colorScheme }) => {
    await staff.setViewportSize({ width, height: PHONE.height });
    await staff.emulateMedia({ colorScheme });
    await open();
    await staff.getByRole('link', { name: /TEE-1/ }).waitFor();
    await expectAccessible(staff, 'list');
    await staff.getByRole('link', { name: /TEE-1/ }).click();
    await price().fill('x');
    await button(/^Save/).click();
    await staff.getByText(/can’t read this price/).waitFor();
    await expectAccessible(staff, 'product');
    await button('Hide size M').click();
    await notice('Size M: hidden.');
    await staff.getByText(/^This product has changed/).waitFor();
    await expectAccessible(staff, 'changed');
  },
);
