/** A shopper exports their data and deletes their account. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../browser/axe.ts';
import { storedRows } from '../browser/device-store.ts';
import { hold } from '../browser/hold.ts';
import { recordTexts } from '../browser/observe.ts';
import { PASSWORD } from '../browser/shopper.ts';
import { isFocused } from '../browser/shown.ts';
import {
  ada,
  context,
  GARMENTS,
  newDevice,
  page,
  payingShop,
  SHIRT,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: { width: 320, height: 700 } });
beforeEach(() => ada.logIn());

const menu = () => page.getByRole('banner').getByRole('button', { name: /@|Account/ });

/** Opens a dialog of the account menu. */
async function openFromMenu(name: string) {
  await menu().click();
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  await expectAccessible(page);
  return dialog;
}

/** How many accounts the shop has for this shopper's email. */
const accountCount = async () =>
  (await payingShop.shop.backend.query('select from auth.users where email = $1', [ada.email]))
    .length;

test('a dialog that is closed gives the focus back to the menu', async () => {
  await openFromMenu('Delete my account');
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(menu())).toBe(true);
});

test('a shopper gets a file with all that the shop has about them', { tags: 'long' }, async () => {
  await ada.add('Sock');
  await ada.openCheckout();
  await ada.pay();
  await ada.goto('/');
  await ada.add('Linen shirt, size M');
  await ada.waitForCart({ [SHIRT]: 1 });
  const dialog = await openFromMenu('Export my data');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('weft-my-data.json');
  const copy: unknown = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(copy).toMatchObject({
    account: { email: ada.email },
    cart: [{ skc: SHIRT, quantity: 1 }],
    orders: [{ state: 'paid', address: { full_name: 'Ada Weaver' }, items: [{ skc: SOCK }] }],
  });
});

test('deleting an account needs its password, and the shopper’s other phone removes its data', async () => {
  const other = await newDevice();
  const phone = await ada.inNewPage(other);
  await phone.logIn();
  await ada.add('Sock');
  await ada.waitForCart({ [SOCK]: 1 });
  // The other phone may learn of the deletion long before this test looks, and a notice goes after 8 s.
  const notices = await recordTexts(phone.page, '[role=status] p span');

  const dialog = await openFromMenu('Delete my account');
  const password = dialog.getByLabel('Password', { exact: true });
  await password.fill('not-my-password');
  await page.keyboard.press('Enter');
  await dialog.getByText('That password isn’t right.').waitFor();
  await expectAccessible(page);
  expect(await accountCount()).toBe(1);
  await password.fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText(/^Your account was deleted/).waitFor();
  await page.getByRole('link', { name: 'Sign Up' }).waitFor();
  expect([await accountCount(), await ada.cartCount()]).toEqual([0, 0]);

  // The other phone pulls from the server.
  await phone.announceOnline();
  await expect
    .poll(notices)
    .toContain('Your account was deleted. We’ve removed its data from this device.');
  await phone.page.getByRole('link', { name: 'Sign Up' }).waitFor();
  for (const store of ['session', 'bases', 'orders']) {
    expect(await storedRows(phone.page, store), store).toEqual([]);
  }
});

test('without a network the dialogs say that they need one, and nothing is deleted', async () => {
  // Opens a dialog once, because this page has no service worker to store the script of the dialogs.
  await menu().click();
  await page.getByRole('button', { name: 'Export my data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await context.setOffline(true);
  const dialog = await openFromMenu('Delete my account');
  await dialog.getByText(/^You’re offline, so you can’t delete your account/).waitFor();
  await page.keyboard.press('Escape');
  const other = await openFromMenu('Export my data');
  await other.getByText(/^You’re offline, so you can’t export your data/).waitFor();
  expect(await accountCount()).toBe(1);
});

test('a deletion under way cannot be cancelled, and the dialog stays until the shop has answered', async () => {
  const release = await hold(context, /delete-account/);
  const dialog = await openFromMenu('Delete my account');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByText('Deleting...').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true });
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  release();
  await page.getByText(/^Your account was deleted/).waitFor();
});
