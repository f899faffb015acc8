/**
 * The build at commit 9b8f53f and this one in turns over one browser profile, as after a deploy and
 * after one that was taken back. Without service workers, so that the test decides which one opens.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { complaintsOf, launchProfile, newProfileFolder } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMIT = '9b8f53f';
const PASSWORD = 'loom-and-thread';

let folder: string;
let shop: TestShop;
let profile: string;
let context: BrowserContext | undefined;
let page: Page;
let email: string;
let shoppers = 0;

const site = () => join(folder, 'site');
const before = () => join(folder, 'before');

vi.setConfig({ testTimeout: 180_000 });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-builds-'));
  buildBefore();
  mkdirSync(site());
  shop = await openTestShop({ siteFolder: site() });
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, [
    { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
    { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
    { SKC: 'C', 'Category 1': 'Scarf' },
  ]);
  shoppers += 1;
  email = `before-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD });
  profile = newProfileFolder();
});
afterEach(async () => {
  await context?.close();
  rmSync(profile, { recursive: true, force: true });
});

/** From the repository's own history. */
function buildBefore(): void {
  const source = join(folder, 'source');
  mkdirSync(source);
  const archive = execFileSync('git', ['archive', COMMIT], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', source], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--mode', 'embedded', '--logLevel', 'error', '--outDir', before()];
  execFileSync(process.execPath, args, {
    cwd: source,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Opens the profile, cold, with this version. Returns what the page complains of. */
async function openWith(version: string): Promise<string[]> {
  await context?.close();
  rmSync(site(), { recursive: true, force: true });
  cpSync(version, site(), { recursive: true });
  context = await launchProfile(profile, { serviceWorkers: 'block' });
  page = context.pages()[0] ?? (await context.newPage());
  return complaintsOf(page);
}

const add = (name: string) => page.getByRole('button', { name: `Add to Cart: ${name}` });
const heart = (name: string) => page.getByRole('button', { name: `Favourite: ${name}` });
const cart = () => page.getByRole('banner').getByRole('link', { name: /^Cart/ });
const lineItem = (name: string) => page.getByRole('listitem', { name });

async function onServer(): Promise<unknown> {
  const lines = await shop.backend.query(
    `select p."SKC" as skc, c.quantity from public.cart_items c
     join public.products p on p.id = c.product_id
     join auth.users u on u.id = c.user_id where u.email = $1`,
    [email],
  );
  const hearts = await shop.backend.query(
    `select p."SKC" as skc from public.favorites f join public.products p on p.id = f.product_id
     join auth.users u on u.id = f.user_id where u.email = $1 order by 1`,
    [email],
  );
  return {
    ...Object.fromEntries(lines.map((row) => [row['skc'], row['quantity']])),
    hearts: hearts.map((row) => row['skc']),
  };
}

test('a phone that the build before has used is opened by this one: nothing is lost, nothing done twice', async () => {
  await openWith(before());
  await logIn(page, shop.url, email, PASSWORD);
  await add('Sock').click();
  await expect.poll(onServer).toEqual({ B: 1, hearts: [] });
  await context?.setOffline(true);
  await add('Scarf').click();
  await expect.poll(() => cart().textContent()).toBe('Cart, 2');
  await shop.backend.query(`delete from public.products where "SKC" = 'C'`);
  await context?.setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await cart().click();
  await page.getByRole('region', { name: 'Not saved' }).waitFor();
  await context?.setOffline(true);
  await lineItem('Sock').getByRole('button', { name: 'One more' }).click();
  await page.getByRole('link', { name: 'Weft' }).click();
  await heart('Linen shirt').click();
  await expect.poll(() => heart('Linen shirt').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => cart().textContent()).toBe('Cart, 2');

  const complaints = await openWith(SITE_FOLDER);
  await page.goto(shop.url);
  await expect.poll(() => cart().textContent()).toBe('Cart, 2');
  await expect.poll(onServer).toEqual({ B: 2, hearts: ['A'] });
  await cart().click();
  await page.getByRole('region', { name: 'Not saved' }).waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('this build is taken back: the one before goes on with what this one has written', async () => {
  await openWith(SITE_FOLDER);
  await logIn(page, shop.url, email, PASSWORD);
  await add('Sock').click();
  await add('Sock').click();
  await add('Scarf').click();
  await expect.poll(onServer).toEqual({ B: 2, C: 1, hearts: [] });
  await cart().click();
  await lineItem('Sock').waitFor();
  await context?.setOffline(true);
  await lineItem('Sock').getByRole('button', { name: 'One less' }).click();
  await lineItem('Scarf').getByRole('button', { name: 'One more' }).click();
  await page.getByRole('link', { name: 'Weft' }).click();
  await add('Linen shirt').click();
  await expect.poll(() => cart().textContent()).toBe('Cart, 4');

  const complaints = await openWith(before());
  await page.goto(shop.url);
  await expect.poll(onServer).toEqual({ A: 1, B: 1, C: 2, hearts: [] });
  await expect.poll(() => cart().textContent()).toBe('Cart, 4');
  await add('Sock').click();
  await expect.poll(onServer).toEqual({ A: 1, B: 2, C: 2, hearts: [] });
  expect(complaints).toEqual([]);
});
