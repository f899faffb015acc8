/**
 * The build at commit 9b8f53f and this one, one after the other over one browser profile: what a phone
 * meets after a deploy, and after a rollback. Without service workers, so that the test decides which
 * build opens.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { collectPageErrors, launchProfile, newProfileFolder } from '../browser/browser.ts';
import { openPayingShop, type PayingShop } from '../browser/paying-shop.ts';
import { Shopper } from '../browser/shopper.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { GARMENTS, SCARF } from '../e2e/fixture.ts';
import { stock } from '../supabase/stock.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMIT = '9b8f53f';

let folder: string;
let home: PayingShop;
let profile: string;
let context: BrowserContext | undefined;
let ada: Shopper;
let page: Page;

/** The folder that the shop serves, and the folder with the build before. */
const site = () => join(folder, 'site');
const buildBeforeFolder = () => join(folder, 'before');

vi.setConfig({ testTimeout: 180_000 });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-builds-'));
  buildBefore();
  mkdirSync(site());
  home = await openPayingShop(site());
});
afterAll(async () => {
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await home.shop.backend.query('truncate public.products');
  await stock(home.shop.backend, GARMENTS);
  profile = newProfileFolder();
});
afterEach(async () => {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
});

/** Builds the shop of that commit from the repository's own history. */
function buildBefore(): void {
  const source = join(folder, 'source');
  mkdirSync(source);
  const archive = execFileSync('git', ['archive', COMMIT], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', source], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const build = ['build', '--mode', 'embedded', '--logLevel', 'error'];
  execFileSync(process.execPath, [vite, ...build, '--outDir', buildBeforeFolder()], {
    cwd: source,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // That build had its redirects in netlify.toml, which the test's host does not read. Those of this build
  // serve both, because both have the same pages.
  cpSync(join(SITE_FOLDER, '_redirects'), join(buildBeforeFolder(), '_redirects'));
}

/** Closes the browser, and opens its profile with the build in this folder. Returns its context. */
async function openWith(build: string): Promise<BrowserContext> {
  await context?.close();
  rmSync(site(), { recursive: true, force: true });
  cpSync(build, site(), { recursive: true });
  context = await launchProfile(profile, { serviceWorkers: 'block' });
  return context;
}

/** A new shopper logs in to this build. */
async function logInTo(build: string): Promise<void> {
  ada = await Shopper.register(home, await openWith(build));
  ({ page } = ada);
  await ada.logIn();
}

/** The same shopper opens this build later. Returns what the page prints as errors. */
async function returnTo(build: string): Promise<string[]> {
  ada = await ada.inNewPage(await openWith(build));
  ({ page } = ada);
  const errors = collectPageErrors(page);
  await ada.goto('/');
  return errors;
}

const lineItem = (name: string) => page.getByRole('listitem', { name });

test('this build works on a phone that the build before has used: no change is lost or done twice', async () => {
  await logInTo(buildBeforeFolder());
  await ada.addButton('Sock').click();
  await ada.waitForCart({ B: 1 });
  await context?.setOffline(true);
  await ada.add('Scarf');
  // The server rejects the change, because the scarf has left the shop before it arrives.
  await home.shop.backend.query(`delete from public.products where "SKC" = '${SCARF}'`);
  await context?.setOffline(false);
  await ada.announceOnline();
  await ada.cartLink.click();
  await page.getByRole('region', { name: 'Not saved' }).waitFor();
  await context?.setOffline(true);
  await lineItem('Sock').getByRole('button', { name: 'One more' }).click();
  await page.getByRole('link', { name: 'Weft' }).click();
  await ada.heart('Linen shirt, size M').click();
  await expect
    .poll(() => ada.heart('Linen shirt, size M').getAttribute('aria-pressed'))
    .toBe('true');
  await ada.waitForCartCount(2);

  const errors = await returnTo(SITE_FOLDER);
  await ada.waitForCartCount(2);
  await ada.waitForCart({ B: 2 });
  await expect.poll(() => ada.favourites()).toEqual(['A']);
  await ada.cartLink.click();
  await page.getByRole('region', { name: 'Not saved' }).waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('the build before, deployed again by a rollback, continues with what this one has written', async () => {
  await logInTo(SITE_FOLDER);
  await ada.add('Sock', 'Sock', 'Scarf');
  await ada.waitForCart({ B: 2, C: 1 });
  await ada.cartLink.click();
  await lineItem('Sock').waitFor();
  await context?.setOffline(true);
  await lineItem('Sock').getByRole('button', { name: 'One less' }).click();
  await lineItem('Scarf').getByRole('button', { name: 'One more' }).click();
  await page.getByRole('link', { name: 'Weft' }).click();
  await ada.add('Linen shirt, size M');

  const errors = await returnTo(buildBeforeFolder());
  await ada.waitForCart({ A: 1, B: 1, C: 2 });
  await ada.waitForCartCount(4);
  await ada.addButton('Sock').click();
  await ada.waitForCart({ A: 1, B: 2, C: 2 });
  expect(errors).toEqual([]);
});
