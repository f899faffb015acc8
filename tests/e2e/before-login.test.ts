/** What a visitor taps before logging in: it is done once, after the login that its alert has opened. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { blockStorage } from '../browser/blocked-storage.ts';
import { fewOf } from '../full-run.ts';
import {
  ada,
  changeDevice,
  context,
  GARMENTS,
  page,
  removeProduct,
  SCARF,
  SHIRT,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

const SHIRT_NAME = 'Linen shirt, size M';
const KEY = 'weft-deferred-change';

visitBeforeEach({ products: GARMENTS });

const alert = () => page.getByRole('alert');
const status = () => page.getByRole('status');
const logInLink = () => alert().getByRole('link', { name: 'Log in', exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const path = () => page.evaluate(() => location.pathname + location.search);
/** What this tab has stored of a tap before the login, or null. */
const deferredChange = () => page.evaluate((key) => sessionStorage.getItem(key), KEY);
/** Waits until this tab shows who is signed in. */
const waitForSignIn = () => button(ada.email).waitFor();

/** Taps, and opens the login from the alert. */
async function tapAndOpenLogin(tap: () => Promise<void>): Promise<void> {
  await tap();
  await logInLink().click();
  await button('Log in').waitFor();
}

const tapAdd = () => ada.addButton(SHIRT_NAME).click();
const tapHeart = () => ada.heart('Scarf').click();

/** Expects this cart on the server. Adds a sock and waits for it, because all earlier changes arrive before it. */
async function expectServerCart(expected: Readonly<Record<string, number>>): Promise<void> {
  await ada.goto('/');
  await ada.addButton('Sock').click();
  await ada.waitForCart({ ...expected, [SOCK]: (expected[SOCK] ?? 0) + 1 });
}

test('Add to Cart is done after the login that its alert opens, once, and the shopper is back where they were', async () => {
  await ada.goto('/?q=linen');
  await tapAdd();
  await alert().getByText('Please log in to add items to your cart.', { exact: true }).waitFor();
  await logInLink().focus();
  await page.keyboard.press('Enter');
  await page
    .getByText(`Once you’re logged in, we’ll add this to your cart: ${SHIRT_NAME}.`)
    .waitFor();
  expect(await alert().textContent()).toBe('');
  await page.reload();
  await button('Log in').waitFor();
  await ada.typeCredentials();
  await status().getByText(`Added to cart: ${SHIRT_NAME}.`, { exact: true }).waitFor();
  await ada.waitForCart({ [SHIRT]: 1 });
  expect(await path()).toBe('/?q=linen');
  await expectServerCart({ [SHIRT]: 1 });
});

test(
  'a heart is set and not toggled: what is a favourite already stays one',
  { tags: 'long' },
  async () => {
    await ada.logIn();
    await tapHeart();
    await expect.poll(() => ada.favourites()).toEqual([SCARF]);
    await ada.logOut();
    await ada.goto(`/product/${SCARF}`);
    await tapAndOpenLogin(tapHeart);
    await page
      .getByText('Once you’re logged in, we’ll add this to your favourites: Scarf.')
      .waitFor();
    await ada.typeCredentials();
    await status().getByText('Added to favourites: Scarf.').waitFor();
    await expectServerCart({});
    expect(await ada.favourites()).toEqual([SCARF]);
  },
);

test('a login that was not opened from the alert adds nothing', async () => {
  await ada.openCatalogue(GARMENTS.length);
  await tapHeart();
  await alert().getByText('Please log in to manage favorites.', { exact: true }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await button('Log in').waitFor();
  await ada.typeCredentials();
  await waitForSignIn();
  await expectServerCart({});
  expect(await ada.favourites()).toEqual([]);
});

test('a wrong password, and a login without a network, keep what was tapped', async () => {
  await ada.openCatalogue(GARMENTS.length);
  await tapAndOpenLogin(tapAdd);
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong-1');
  await button('Log in').click();
  await page.getByText('Login Failed').waitFor();
  await ada.goOffline();
  await ada.typePassword();
  await page.getByText('We couldn’t reach the shop.').waitFor();
  await ada.goOnline();
  await ada.typePassword();
  await ada.waitForCart({ [SHIRT]: 1 });
});

test('a logout in another tab drops what was tapped', async () => {
  await ada.openCatalogue(GARMENTS.length);
  await tapAndOpenLogin(tapAdd);
  const ownLogin = await path();
  const other = await ada.inNewPage(context);
  await other.logIn();
  await waitForSignIn();
  await other.logOut();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  expect(await deferredChange()).toBeNull();
  await ada.goto(ownLogin);
  await button('Log in').waitFor();
  await ada.typeCredentials();
  await waitForSignIn();
  await expectServerCart({});
});

test(
  'a product that has left the shop meanwhile is not added, and the shop says so',
  { tags: 'long' },
  async () => {
    await ada.openCatalogue(GARMENTS.length);
    await tapAndOpenLogin(tapAdd);
    await removeProduct(SHIRT);
    const synced = page.waitForResponse(/\/catalogue\/(head|changes)/);
    await page.reload();
    await synced;
    await button('Log in').waitFor();
    await ada.typeCredentials();
    await alert()
      .getByText(`${SHIRT_NAME} is no longer in the shop, so we didn’t add it.`)
      .waitFor();
    await expectServerCart({});
  },
);

test('with all storage blocked, what was tapped is done as long as the page is not reloaded', async () => {
  await context.addInitScript(blockStorage);
  await ada.openCatalogue(GARMENTS.length);
  await tapAndOpenLogin(tapAdd);
  await ada.typeCredentials();
  await ada.waitForCart({ [SHIRT]: 1 });
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing on the alert and on the login that it opens, at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    await ada.openCatalogue(GARMENTS.length);
    await tapAdd();
    await logInLink().waitFor();
    await expectAccessible(page, 'the alert');
    await logInLink().click();
    await page.getByText('Once you’re logged in').waitFor();
    await expectAccessible(page, 'the login');
  },
);
