import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../share.ts';
import { complaintsOf, DESKTOP, PHONE, waitForWorker } from '../browser/browser.ts';
import { logIn as logInAt } from '../browser/log-in.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import type { TestShop } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const PASSWORD = 'loom-and-thread';

let shop: TestShop;
let line: Line;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let email: string;
let shoppers = 0;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, [
    { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
    { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
    { SKC: 'C', 'Category 1': 'Scarf' },
  ]);
  line = await openLine(shop.url);
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  page = await context.newPage();
  complaints = complaintsOf(page);
  email = await newShopper();
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
  await line.close();
});

async function newShopper(): Promise<string> {
  shoppers += 1;
  const address = `shopper-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email: address, password: PASSWORD });
  return address;
}

const logIn = (as = email, on = page) => logInAt(on, line.url, as, PASSWORD);

const add = (name: string, on = page) => on.getByRole('button', { name: `Add to Cart: ${name}` });
const heart = (name: string, on = page) => on.getByRole('button', { name: `Favourite: ${name}` });
const cartLink = (on = page) => on.getByRole('banner').getByRole('link', { name: /^Cart/ });
const cartLabel =
  (on = page) =>
  () =>
    cartLink(on).textContent();
const lineItem = (name: string, on = page) => on.getByRole('listitem', { name });
const savingLine = (on = page) => on.getByRole('main').getByRole('status').nth(1);

/** The server's rows: what was bought how often, by stock code. */
async function cartOnServer(of = email): Promise<Record<string, number>> {
  const rows = await shop.backend.query(
    `select p."SKC" as skc, c.quantity from public.cart_items c
     join public.products p on p.id = c.product_id
     join auth.users u on u.id = c.user_id where u.email = $1`,
    [of],
  );
  return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
}

/** What a plain client does that knows nothing of changes. */
async function writeRow(skc: string, quantity: number): Promise<void> {
  await shop.backend.query(
    `insert into public.cart_items (user_id, product_id, quantity)
     select u.id, p.id, $3 from auth.users u, public.products p where u.email = $1 and p."SKC" = $2
     on conflict (user_id, product_id) do update set quantity = excluded.quantity`,
    [email, skc, quantity],
  );
}

async function favouritesOnServer(of = email): Promise<unknown[]> {
  const rows = await shop.backend.query(
    `select p."SKC" as skc from public.favorites f join public.products p on p.id = f.product_id
     join auth.users u on u.id = f.user_id where u.email = $1 order by 1`,
    [of],
  );
  return rows.map((row) => row['skc']);
}

test('an added product is in the header, in the cart and on the server, and again raises the quantity', async () => {
  await logIn();
  await add('Linen shirt, size M').click();
  const added = page.getByRole('button', { name: 'Added: Linen shirt, size M' });
  await added.waitFor();
  expect(await added.textContent()).toBe('Added');
  await expect.poll(cartLabel()).toBe('Cart, 1');
  await add('Linen shirt, size M').click();
  await add('Scarf').click();
  await expect.poll(cartLabel()).toBe('Cart, 3');
  await cartLink().click();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  expect(await page.title()).toBe('Shopping Cart · Weft');
  await page.getByText('3 items').waitFor();
  const shirt = lineItem('Linen shirt, size M');
  expect(await shirt.getByText('$48.50').count()).toBe(1);
  expect(await shirt.locator('output').textContent()).toBe('2');
  expect(await shirt.getByRole('button', { name: /Remove/ }).textContent()).toBe('Remove');
  expect(await lineItem('Scarf').getByText('N/A').count()).toBe(1);
  expect(await page.getByText('Total').innerText()).toContain('$97.00');
  expect(await page.getByRole('link', { name: 'Proceed to Checkout' }).count()).toBe(1);
  await expect.poll(() => cartOnServer()).toEqual({ A: 2, C: 1 });
  await expect.poll(() => savingLine().textContent()).toBe('Saved');
});

test('quantities change, lines and carts go, and each can be taken back', async () => {
  await logIn();
  await add('Linen shirt, size M').click();
  await add('Sock').click();
  await expect.poll(cartLabel()).toBe('Cart, 2');
  await cartLink().click();
  const shirt = lineItem('Linen shirt, size M');
  expect(await shirt.getByRole('button', { name: 'One less' }).isDisabled()).toBe(true);
  await shirt.getByRole('button', { name: 'One more' }).click();
  await expect.poll(() => shirt.locator('output').textContent()).toBe('2');
  await shirt.getByRole('button', { name: /Remove/ }).click();
  await shirt.waitFor({ state: 'detached' });
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => shirt.locator('output').textContent()).toBe('2');
  await page.getByRole('button', { name: 'Clear Cart' }).click();
  await page.getByText('Your cart is empty').waitFor();
  expect(await page.getByRole('link', { name: 'Continue shopping' }).getAttribute('href')).toBe(
    '/',
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cartOnServer()).toEqual({ A: 2, B: 1 });
});

test('hearts are kept, shown under the Favourites chip, and taken back', async () => {
  await logIn();
  await heart('Sock').click();
  await expect.poll(() => heart('Sock').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => favouritesOnServer()).toEqual(['B']);
  await page.getByRole('link', { name: 'Favourites' }).click();
  await expect.poll(() => page.locator('article h2').allTextContents()).toEqual(['Sock']);
  await page.reload();
  await expect.poll(() => page.locator('article h2').allTextContents()).toEqual(['Sock']);
  await heart('Sock').click();
  await page.getByText('No products found for Favourites.').waitFor();
  await expect.poll(() => favouritesOnServer()).toEqual([]);
});

test(
  'what is tapped without a signal is shown at once, survives the browser, and arrives once',
  { tags: 'worker' },
  async () => {
    await logIn();
    await waitForWorker(page);
    line.down();
    await context.setOffline(true);
    await add('Sock').click();
    await add('Sock').click();
    await heart('Scarf').click();
    await expect.poll(cartLabel()).toBe('Cart, 2');
    await expect.poll(() => heart('Scarf').getAttribute('aria-pressed')).toBe('true');
    await page.close();
    page = await context.newPage();
    await page.goto(`${line.url}/cart`);
    await expect.poll(() => lineItem('Sock').locator('output').textContent()).toBe('2');
    await expect.poll(() => savingLine().textContent()).toBe('Waiting for a connection (3)');
    expect(await cartOnServer()).toEqual({});
    line.up();
    await context.setOffline(false);
    await expect.poll(() => cartOnServer(), { timeout: 10_000 }).toEqual({ B: 2 });
    await expect.poll(() => favouritesOnServer()).toEqual(['C']);
    await expect.poll(() => savingLine().textContent()).toBe('Saved');
  },
);

test('two phones of one shopper add the same product: the cart holds two, and each follows the other', async () => {
  await logIn();
  const other = await browser.newContext({ viewport: PHONE, ...workerFor() });
  const phone = await other.newPage();
  await logIn(email, phone);
  await Promise.all([add('Sock').click(), add('Sock', phone).click()]);
  await expect.poll(() => cartOnServer()).toEqual({ B: 2 });
  await expect.poll(cartLabel()).toBe('Cart, 2');
  await expect.poll(cartLabel(phone)).toBe('Cart, 2');
});

test('a plain client that writes rows is followed by the open shop, through the doorbell', async () => {
  await logIn();
  await page.goto(`${line.url}/cart`);
  await page.getByText('Your cart is empty').waitFor();
  await expect.poll(() => savingLine().textContent()).toBe('Saved');
  await page.waitForTimeout(1500);
  await writeRow('B', 4);
  await expect.poll(cartLabel(), { timeout: 8000 }).toBe('Cart, 4');
});

test('99 of a product is the most: Add to Cart and the plus stop there and say so', async () => {
  await logIn();
  await writeRow('B', 98);
  await expect.poll(cartLabel(), { timeout: 8000 }).toBe('Cart, 98');
  await add('Sock').click();
  await expect.poll(cartLabel()).toBe('Cart, 99');
  await add('Sock').click();
  const notice = page.getByText('Sock was not added: at most 99 of a product can be ordered.');
  await notice.waitFor();
  await add('Linen shirt, size M').click();
  await expect.poll(cartLabel()).toBe('Cart, 100');
  await cartLink().click();
  const sock = lineItem('Sock');
  const more = sock.getByRole('button', { name: 'One more' });
  expect(await more.isDisabled()).toBe(true);
  await more.click({ force: true });
  await sock.getByRole('button', { name: 'One less' }).click();
  await expect.poll(() => cartOnServer()).toEqual({ A: 1, B: 98 });
});

test('more than 99, added on two phones without a signal, are kept, explained, and taken down in one tap', async () => {
  await logIn();
  const other = await browser.newContext({ viewport: PHONE, ...workerFor() });
  const phone = await other.newPage();
  await logIn(email, phone);
  await writeRow('B', 98);
  await expect.poll(cartLabel(), { timeout: 8000 }).toBe('Cart, 98');
  await expect.poll(cartLabel(phone), { timeout: 8000 }).toBe('Cart, 98');
  line.down();
  for (const own of [context, other]) await own.setOffline(true);
  for (const on of [page, phone]) {
    await add('Sock', on).click();
    await expect.poll(cartLabel(on)).toBe('Cart, 99');
  }
  line.up();
  for (const own of [context, other]) await own.setOffline(false);
  await expect.poll(() => cartOnServer(), { timeout: 10_000 }).toEqual({ B: 100 });
  await expect.poll(cartLabel()).toBe('Cart, 100');
  await cartLink().click();
  await page.getByText('At most 99 of a product can be ordered.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const sock = lineItem('Sock');
  expect(await sock.getByRole('button', { name: 'One more' }).isDisabled()).toBe(true);
  await writeRow('B', 150);
  await expect.poll(cartLabel(), { timeout: 8000 }).toBe('Cart, 150');
  await sock.getByRole('button', { name: 'Only 99' }).click();
  await expect.poll(() => cartOnServer()).toEqual({ B: 99 });
  await page.getByText('At most 99 of a product').waitFor({ state: 'detached' });
});

test('a price that changed and a product that left are said on the line', async () => {
  await logIn();
  await add('Linen shirt, size M').click();
  await add('Sock').click();
  await expect.poll(() => cartOnServer()).toEqual({ A: 1, B: 1 });
  await cartLink().click();
  await expect.poll(() => savingLine().textContent()).toBe('Saved');
  await stock(shop.backend, [{ SKC: 'A', Size: 'M', 'Retail Price': 60 }]);
  await shop.backend.query(`delete from public.products where "SKC" = 'B'`);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page
    .getByText('The price has changed: it was $48.50 when you added it, now it is $60.00.')
    .waitFor();
  await page.getByText('This product has left the shop and cannot be ordered.').waitFor();
  expect(await page.getByText('Total').innerText()).toContain('$60.00');
});

test(
  'what the shop cannot take is said with its reason, and can be asked for again or dismissed',
  { tags: 'worker' },
  async () => {
    await logIn();
    await waitForWorker(page);
    await context.setOffline(true);
    line.down();
    await add('Sock').click();
    await expect.poll(cartLabel()).toBe('Cart, 1');
    await shop.backend.query(`delete from public.products where "SKC" = 'B'`);
    line.up();
    await context.setOffline(false);
    await page.goto(`${line.url}/cart`);
    const refused = page.getByRole('region', { name: 'Not saved' });
    await refused.getByText('This product is no longer in the shop.').waitFor();
    await page.getByText('Your cart is empty').waitFor();
    await refused.getByRole('button', { name: 'Dismiss' }).click();
    await refused.waitFor({ state: 'detached' });
  },
);

test(
  'after a logout nothing of the shopper is seen or sent, and unsaved changes come back with them',
  { tags: 'worker' },
  async () => {
    await logIn();
    await waitForWorker(page);
    await heart('Scarf').click();
    await expect.poll(() => favouritesOnServer()).toEqual(['C']);
    line.down();
    await context.setOffline(true);
    await add('Sock').click();
    await expect.poll(cartLabel()).toBe('Cart, 1');
    await page.getByRole('banner').getByRole('button').click();
    await page.getByRole('button', { name: 'Logout' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toMatch(/\d changes? (is|are) not saved/);
    await dialog.getByRole('button', { name: /Log ?out/i }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    expect(await cartLabel()()).toBe('Cart');
    expect(await heart('Scarf').getAttribute('aria-pressed')).toBe('false');
    await add('Sock').click();
    await page.getByText('Please log in to add items to your cart.').waitFor();

    line.up();
    await context.setOffline(false);
    const second = await newShopper();
    await logIn(second);
    await expect.poll(cartLabel()).toBe('Cart');
    await add('Scarf').click();
    await expect.poll(() => cartOnServer(second)).toEqual({ C: 1 });
    expect(await cartOnServer()).toEqual({});
    await page.getByRole('banner').getByRole('button').click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    await logIn();
    await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
    await expect.poll(cartLabel()).toBe('Cart, 1');
    expect(await cartOnServer(second)).toEqual({ C: 1 });
  },
);

test('a tap that the phone cannot keep is not confirmed, and says so', async () => {
  await logIn();
  await page.evaluate(() => {
    const add = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...args) {
      if (this.name === 'outbox') throw new DOMException('full', 'QuotaExceededError');
      return add.apply(this, args);
    };
  });
  await add('Sock').click();
  await page.getByText('This could not be saved on your phone').waitFor();
  expect(await add('Sock').textContent()).toBe('Add to Cart');
  expect(await cartOnServer()).toEqual({});
});

test('two quick taps are two: on the plus, on a heart, on the button that asks again', async () => {
  await logIn();
  await add('Sock').dblclick();
  await expect.poll(cartLabel()).toBe('Cart, 2');
  await heart('Scarf').dblclick();
  await heart('Linen shirt, size M').click();
  await expect.poll(() => favouritesOnServer()).toEqual(['A']);
  expect(await heart('Scarf').getAttribute('aria-pressed')).toBe('false');
  await cartLink().click();
  await lineItem('Sock').getByRole('button', { name: 'One more' }).dblclick();
  await expect.poll(() => cartOnServer()).toEqual({ B: 4 });

  await shop.backend.query(`delete from public.products where "SKC" = 'C'`);
  await page.goto(line.url);
  await add('Linen shirt, size M').waitFor();
  await page.evaluate(async () => {
    // A refused change as the sync would have parked it.
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const read = <T>(store: string, key?: string) =>
      new Promise<T>((resolve) => {
        const from = db.transaction(store).objectStore(store);
        const request = key === undefined ? from.getAll() : from.get(key);
        request.onsuccess = () => resolve(request.result as T);
      });
    const { uid } = await read<{ uid: string }>('meta', 'shopper');
    const [{ cart } = { cart: [] }] = await read<{ cart: { productId: number }[] }[]>('bases');
    const change = { kind: 'cart.add', args: { productId: cart[0]?.productId, by: 1 } };
    await new Promise<void>((resolve) => {
      const put = db.transaction('refused', 'readwrite').objectStore('refused');
      put.put({ id: 'parked', uid, message: 'Not now.', change });
      put.transaction.oncomplete = () => resolve();
    });
    db.close();
  });
  await page.goto(`${line.url}/cart`);
  await page.getByRole('button', { name: 'Try again' }).dblclick();
  await expect.poll(() => cartOnServer()).toEqual({ B: 5 });
});

test('a tap on the very first frame counts, and nothing flickers before it', async () => {
  await logIn();
  await add('Sock').click();
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
  await context.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const text = document.querySelector('header a[href="/cart"]')?.textContent;
      if (text && seen.at(-1) !== text) seen.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.reload();
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
  await page.evaluate(() =>
    document.querySelector<HTMLButtonElement>('[aria-label="Add to Cart: Sock"]')?.click(),
  );
  await expect.poll(() => cartOnServer()).toEqual({ B: 2 });
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect(seen).not.toContain('Cart');
});

test('a logout holds after the phone’s storage gave out', async () => {
  await logIn();
  await add('Sock').click();
  await expect.poll(() => cartOnServer()).toEqual({ B: 1 });
  await page.evaluate(() => {
    for (const method of ['put', 'add'] as const) {
      IDBObjectStore.prototype[method] = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    }
  });
  await add('Sock').click();
  await page.getByText('This browser is not keeping the shop on this device').waitFor();
  await page.getByRole('banner').getByRole('button').click();
  await page.getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('dialog');
  const login = page.getByRole('banner').getByRole('link', { name: 'Login' });
  await login.or(dialog).first().waitFor();
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: /Log ?out/i }).click();
  await login.waitFor();
  await page.getByText('You are logged out.').waitFor();
  await page.reload();
  await login.waitFor();
  expect(await cartLabel()()).toBe('Cart');
});

test('after Remove by keyboard the focus is on the next line, and Undo waits', async () => {
  await logIn();
  await add('Linen shirt, size M').click();
  await add('Sock').click();
  await expect.poll(cartLabel()).toBe('Cart, 2');
  await cartLink().click();
  await lineItem('Linen shirt, size M')
    .getByRole('button', { name: /Remove/ })
    .focus();
  await page.keyboard.press('Enter');
  await lineItem('Linen shirt, size M').waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('Remove: Sock');
  await page.keyboard.press('Enter');
  await page.getByText('Your cart is empty').waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
});

test('nobody signed in: the cart says it is empty and how to get back to one’s own', async () => {
  await page.goto(`${line.url}/cart`);
  await page.getByText('Your cart is empty').waitFor();
  expect(await page.getByRole('link', { name: 'Continue shopping' }).count()).toBe(1);
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing in the cart, filled and empty, at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    const own = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      ...workerFor(),
    });
    const tab = await own.newPage();
    await logIn(email, tab);
    await tab.goto(`${line.url}/cart`);
    await tab.getByText('Your cart is empty').waitFor();
    expect(await axeFindings(tab)).toEqual([]);
    await tab.goto(line.url);
    await add('Linen shirt, size M', tab).click();
    await expect.poll(cartLabel(tab)).toMatch(/Cart, \d/);
    await cartLink(tab).click();
    await tab.getByText('Total').waitFor();
    expect(await axeFindings(tab)).toEqual([]);
    const overflow = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(overflow).toBe(false);
    await own.close();
  },
);
