/** How a new version of the shop replaces the old one in open tabs. */
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { newServedSite } from '../browser/deploy.ts';
import { openPayingShop } from '../browser/paying-shop.ts';
import {
  ada,
  changeDevice,
  context,
  GARMENTS,
  line,
  page,
  pageErrors,
  payingShop,
  SHIRT,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

/** The shop is named Weft in the first build, and Warp in the build that replaces it. */
const site = newServedSite();

visitBeforeEach({
  products: GARMENTS,
  serviceWorkers: 'allow',
  async open() {
    await site.build('Warp');
    site.deploy();
    return openPayingShop(site.path);
  },
});
beforeEach(() => site.deploy());
afterAll(async () => {
  await payingShop.close();
  site.remove();
});

/** The name of the shop in the header, from which a test knows the build. */
const wordmark = (on = page) => on.getByRole('banner').getByRole('link').first().textContent();
/** The notice that offers a new version. */
const offer = (on = page) => on.getByRole('status').getByText('A new version is ready.');
const updateButton = (on = page) => on.getByRole('button', { name: 'Update', exact: true });
const closeOffer = () => page.getByRole('button', { name: 'Close this message' }).click();

/** Makes the browser check for a new service worker, as it does at a visit. */
async function fetchNewVersion(on: Page): Promise<void> {
  await on.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
}

/** A busy machine installs a version within this time. */
const INSTALL_MS = 60_000;

/** Deploys the build of this name and waits until the page offers it. */
async function deployAndWaitForOffer(name: string, on = page): Promise<void> {
  site.deploy(name);
  await fetchNewVersion(on);
  await offer(on).waitFor({ timeout: INSTALL_MS });
}

/** Opens this path and waits until React has drawn the page. */
async function openAt(path: string, on: Page): Promise<void> {
  await on.goto(line.url + path);
  await on.getByRole('heading', { level: 1 }).waitFor();
  // The catalogue's heading is already in the page's markup.
  if (path === '/') await on.getByText(/^\d+ products?$/).waitFor();
}

/** Opens the catalogue, and once more when its service worker is ready to serve it. */
async function openCatalogue(): Promise<void> {
  await openAt('/', page);
  await waitForWorker(page);
  await openAt('/', page);
}

/** On a busy machine three tabs open the new version within this time. */
const THREE_TABS_MS = 120_000;

test(
  'a new version runs in every tab after consent, and nothing that was typed or tapped is lost',
  { timeout: THREE_TABS_MS },
  async () => {
    await ada.logIn();
    await waitForWorker(page);
    await ada.add('Linen shirt, size M');
    await ada.waitForCart({ [SHIRT]: 1 });

    await ada.goto('/checkout');
    await page.getByLabel('Full name').fill('Ada Weaver');
    await page.getByLabel('City').fill('Chica');
    const catalogueTab = await ada.inNewPage(context);
    await openAt('/', catalogueTab.page);
    const formTab = await context.newPage();
    await openAt('/forgot-password', formTab);
    const email = formTab.getByLabel('Email');
    await email.fill('ada@weft');
    await email.blur();
    await context.route('**/rest/v1/rpc/push*', (route) => route.abort());
    await catalogueTab.addButton('Sock').click();
    await catalogueTab.waitForCartCount(2);
    expect(await ada.cart()).toEqual({ [SHIRT]: 1 });

    await deployAndWaitForOffer('Warp', catalogueTab.page);
    expect(await axeFindings(catalogueTab.page)).toEqual([]);
    expect(await wordmark(catalogueTab.page), 'nothing happens before consent').toBe('Weft');
    await updateButton(catalogueTab.page).click();
    await expect.poll(() => wordmark(catalogueTab.page)).toBe('Warp');
    await catalogueTab.waitForCartCount(2);

    // Tabs in which the shopper types keep running the old version, although the host no longer has it.
    await page.getByLabel('City').pressSequentially('go');
    expect(await wordmark()).toBe('Weft');
    expect(await wordmark(formTab)).toBe('Weft');
    expect(await email.inputValue()).toBe('ada@weft');
    const oldScripts = await formTab.evaluate(async () => {
      const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
      return Promise.all(
        scripts.map(async ({ src }) => [(await fetch(src, { cache: 'no-store' })).status, src]),
      );
    });
    expect(oldScripts.length).toBeGreaterThan(0);
    for (const [status, src] of oldScripts) expect(status, String(src)).toBe(200);
    await formTab.getByRole('main').getByRole('button').click();

    await page.getByLabel('City').blur();
    await expect.poll(() => wordmark()).toBe('Warp');
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Weaver');
    expect(await page.getByLabel('City').inputValue()).toBe('Chicago');
    await email.fill('');
    await email.blur();
    await expect.poll(() => wordmark(formTab)).toBe('Warp');

    await context.unroute('**/rest/v1/rpc/push*');
    await catalogueTab.announceOnline();
    await ada.waitForCart({ [SHIRT]: 1, [SOCK]: 1 });
  },
);

test(
  'a new version that the shopper does not accept runs once all tabs are closed',
  { tags: 'long' },
  async () => {
    await openCatalogue();
    await deployAndWaitForOffer('Warp');
    await page.reload();
    expect(await wordmark(), 'a reload keeps the whole old version').toBe('Weft');
    // The browser takes a moment to see that no tab uses the old version any more, and that its worker
    // has no work left. A tab that opens again within that moment keeps the old version.
    const reopen = async () => {
      await page.goto('about:blank');
      await page.waitForTimeout(1000);
      await ada.goto('/');
      return wordmark();
    };
    await expect.poll(reopen, { timeout: 45_000, interval: 1 }).toBe('Warp');
  },
);

test(
  'an update that the shopper puts off is offered again at the next visit',
  { tags: 'long' },
  async () => {
    await openCatalogue();
    await deployAndWaitForOffer('Warp');
    await closeOffer();
    expect(await offer().count()).toBe(0);
    await page.reload();
    expect(await wordmark()).toBe('Weft');
    await offer().waitFor();
    await updateButton().click();
    await expect.poll(() => wordmark()).toBe('Warp');
  },
);

test('without a service worker, a screen whose script a deploy has removed offers Try again, which works', async () => {
  await changeDevice({ serviceWorkers: 'block' });
  await openAt('/', page);
  site.deploy('Warp');
  await page.getByRole('link', { name: 'Login', exact: true }).click();
  await page.getByText('Check your connection, then try again.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Sign In to Your Account' }).waitFor();
  expect(await wordmark()).toBe('Warp');
  pageErrors.length = 0; // the browser reports the missing script
});

test(
  'an open tab checks for a new version when the shopper returns to it, at most once an hour',
  { tags: 'long' },
  async () => {
    await openCatalogue();
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitForWorker(page);
    await page.clock.runFor(1000); // the shop's start waits for a timer
    site.deploy('Warp');
    const lookAtTab = () =>
      page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const hasNewVersion = () =>
      page.evaluate(async () => {
        const { installing, waiting } = await navigator.serviceWorker.ready;
        return installing !== null || waiting !== null;
      });
    await lookAtTab();
    await page.waitForTimeout(500);
    expect(await hasNewVersion()).toBe(false);
    await page.clock.fastForward('01:01:00');
    await lookAtTab();
    await expect.poll(hasNewVersion).toBe(true);
  },
);
