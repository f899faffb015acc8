import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { complaintsOf, DESKTOP } from '../browser/browser.ts';
import { openFrozenTab } from '../browser/frozen-tab.ts';
import { logIn as logInAt } from '../browser/log-in.ts';
import type { TestShop } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const PASSWORD = 'loom-and-thread';
const WAITING = 'Waiting for this device’s storage. What you tapped is kept.';

let shop: TestShop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let email: string;
let shoppers = 0;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  await stock(shop.backend, [
    { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
    { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
    { SKC: 'C', 'Category 1': 'Scarf' },
  ]);
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  page = await context.newPage();
  complaints = complaintsOf(page);
  email = await newShopper();
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await context.close();
});

async function newShopper(): Promise<string> {
  shoppers += 1;
  const address = `phone-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email: address, password: PASSWORD });
  return address;
}

const logIn = (as = email, on = page) => logInAt(on, shop.url, as, PASSWORD);
const add = (name: string, on = page) => on.getByRole('button', { name: `Add to Cart: ${name}` });
const heart = (name: string, on = page) => on.getByRole('button', { name: `Favourite: ${name}` });
const cartLabel =
  (on = page) =>
  () =>
    on.getByRole('banner').getByRole('link', { name: /^Cart/ }).textContent();

async function cartOnServer(of = email): Promise<Record<string, number>> {
  const rows = await shop.backend.query(
    `select p."SKC" as skc, c.quantity from public.cart_items c
     join public.products p on p.id = c.product_id
     join auth.users u on u.id = c.user_id where u.email = $1`,
    [of],
  );
  return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
}

/** Each of the next writes to the outbox is aborted in flight. */
function abortWrites(on: Page, times: number): Promise<void> {
  return on.evaluate((count) => {
    const { add } = IDBObjectStore.prototype;
    let left = count;
    IDBObjectStore.prototype.add = function (...args) {
      const request = add.apply(this, args);
      if (this.name === 'outbox' && left > 0) {
        left -= 1;
        this.transaction.abort();
      }
      return request;
    };
  }, times);
}

/** Returns what ends it. */
async function freezeWithin(stores: readonly string[]): Promise<() => Promise<void>> {
  const frozen = await openFrozenTab(context, shop.url);
  await frozen.freeze(stores);
  return frozen.close;
}

test('taps whose writes are aborted once are kept and saved; the phone is not given up', async () => {
  await logIn();
  await abortWrites(page, 1);
  await add('Sock').click();
  await expect.poll(cartLabel()).toBe('Cart, 1');
  await abortWrites(page, 1);
  await heart('Scarf').click();
  await expect.poll(() => heart('Scarf').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
  expect(await page.getByText('This browser is not keeping').count()).toBe(0);
});

test('a storage that fails for a while: what was tapped meanwhile is on the phone once it answers', async () => {
  await logIn();
  await page.evaluate(() => {
    const { objectStore } = IDBTransaction.prototype;
    const { open } = IDBFactory.prototype;
    const fail = () => {
      throw new DOMException('lost', 'UnknownError');
    };
    IDBTransaction.prototype.objectStore = fail;
    IDBFactory.prototype.open = fail;
    Object.assign(globalThis, {
      heal: () => {
        IDBTransaction.prototype.objectStore = objectStore;
        IDBFactory.prototype.open = open;
      },
    });
  });
  await heart('Scarf').click();
  await page.getByText('This browser is not keeping').waitFor();
  await context.setOffline(true);
  await add('Sock').click();
  await expect.poll(cartLabel()).toBe('Cart, 1');
  await page.evaluate(() => (globalThis as unknown as { heal: () => void }).heal());
  await page.getByText('This browser is not keeping').waitFor({ state: 'detached' });
  await page.close();
  await context.setOffline(false);
  page = await context.newPage();
  await page.goto(shop.url);
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
});

test('a tab frozen in the middle of a transaction: a tap in another says so, and is done when it ends', async () => {
  await logIn();
  const end = await freezeWithin(['meta', 'outbox']);
  await page.bringToFront();
  await add('Sock').click();
  await page.getByText(WAITING).waitFor({ timeout: 5000 });
  await end();
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
  await expect.poll(cartLabel()).toBe('Cart, 1');
  expect(await page.evaluate(() => localStorage.getItem('weft-late-changes'))).toBeNull();
});

test('a shop opened beside a frozen tab shows its products, and a tap in it is not lost though it is closed', async () => {
  await logIn();
  await add('Scarf').click();
  await expect.poll(() => cartOnServer()).toEqual({ C: 1 });
  const end = await freezeWithin(['meta', 'outbox']);
  const late = await context.newPage();
  // Another width: the kept screen does not hold, and the products come from the database.
  await late.setViewportSize({ width: 800, height: 700 });
  await late.goto(shop.url);
  await add('Sock', late).click();
  await late.getByText(WAITING).waitFor();
  await late.close();
  await end();
  await page.close();
  page = await context.newPage();
  await page.goto(shop.url);
  await expect.poll(() => cartOnServer()).toEqual({ B: 1, C: 1 });
});

test('a frozen tab that holds the products back too: they come from the network', async () => {
  await logIn();
  const end = await freezeWithin(['meta', 'outbox', 'chunks']);
  const late = await context.newPage();
  await late.setViewportSize({ width: 800, height: 700 });
  await late.goto(shop.url);
  await late.getByText('3 products').waitFor();
  await end();
  await expect.poll(cartLabel(late)).toBe('Cart');
  await add('Sock', late).click();
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
});

test('what waits for an account that does not come back can be removed, after a question that names it', async () => {
  await logIn();
  await context.setOffline(true);
  await add('Sock').click();
  await add('Scarf').click();
  await expect.poll(cartLabel()).toBe('Cart, 2');
  await page.getByRole('banner').getByRole('button').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Log ?out/i })
    .click();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await context.setOffline(false);
  await page.goto(`${shop.url}/cart`);
  const left = page.getByRole('region', { name: 'Waiting for a sign-in' });
  await left.getByText('2 changes of an account').waitFor();
  await left.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog', { name: 'Remove 2 changes?' });
  await question.getByRole('button', { name: 'Keep' }).click();
  await left.getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('button', { name: 'Remove 2 changes' }).click();
  await left.waitFor({ state: 'detached' });
  await logIn();
  expect(await cartOnServer()).toEqual({});
});
