import { beforeEach, expect, test } from 'vitest';
import { MAX_LINE_QUANTITY } from '../../src/domain/cart.ts';
import { axeFindings } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { hold } from '../browser/hold.ts';
import {
  recordTexts,
  recordedTexts,
  recordTextsFromStart,
  waitForReact,
} from '../browser/observe.ts';
import { Shopper } from '../browser/shopper.ts';
import { wordsOf } from '../browser/shown.ts';
import { stock } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  context,
  GARMENTS,
  page,
  payingShop,
  removeProduct,
  reopenPage,
  SCARF,
  SHIRT,
  shop,
  SOCK,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });
beforeEach(() => ada.logIn());

/** A line of the cart page, and its parts. */
const cartLine = (name: string) => page.getByRole('listitem', { name });
const quantityOf = (name: string) => cartLine(name).locator('output').textContent();
const oneLess = (name: string) => cartLine(name).getByRole('button', { name: 'One less' });
const oneMore = (name: string) => cartLine(name).getByRole('button', { name: 'One more' });
const removeButton = (name: string) => cartLine(name).getByRole('button', { name: /Remove/ });
/** What the cart page says about saving, in its second status: "Saved", or how many changes wait. */
const savingState = () => page.getByRole('main').getByRole('status').nth(1).textContent();

/** Writes the server's row directly, as a client without an outbox does. */
async function writeCartRow(skc: string, quantity: number): Promise<void> {
  await shop.backend.query(
    `insert into public.cart_items (user_id, product_id, quantity)
     select u.id, p.id, $3 from auth.users u, public.products p where u.email = $1 and p."SKC" = $2
     on conflict (user_id, product_id) do update set quantity = excluded.quantity`,
    [ada.email, skc, quantity],
  );
}

test('an added product shows in the header, the cart and on the server; adding it again raises the quantity', async () => {
  const words = await recordTexts(page, '[data-added][aria-label$=": Linen shirt, size M"]');
  await ada.addButton('Linen shirt, size M').click();
  // The button says so for a short time only.
  await expect.poll(words).toContain('Added');
  await ada.waitForCartCount(1);
  await ada.addButton('Linen shirt, size M').click();
  await ada.addButton('Scarf').click();
  await ada.waitForCartCount(3);
  await ada.cartLink.click();
  await page.getByText('3 items').waitFor();
  expect(await wordsOf(cartLine('Linen shirt, size M'))).toContain(
    'Line total $97.00 − 2 + × $48.50 each Remove',
  );
  expect(await cartLine('Scarf').getByText('N/A').count()).toBe(1);
  expect(await page.getByText(/^Total/).innerText()).toContain('$97.00');
  await ada.waitForCart({ [SHIRT]: 2, [SCARF]: 1 });
  await expect.poll(savingState).toBe('Saved');
});

test('the shopper changes a quantity, removes a line and clears the cart, and can undo each', async () => {
  await ada.add('Linen shirt, size M', 'Sock');
  await ada.cartLink.click();
  const shirt = 'Linen shirt, size M';
  expect(await oneLess(shirt).isDisabled()).toBe(true);
  await oneMore(shirt).click();
  await expect.poll(() => quantityOf(shirt)).toBe('2');
  await removeButton(shirt).click();
  await cartLine(shirt).waitFor({ state: 'detached' });
  await ada.waitForCart({ [SOCK]: 1 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => quantityOf(shirt)).toBe('2');
  await page.getByRole('button', { name: 'Clear Cart' }).click();
  await page.getByText('Your cart is empty').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await ada.waitForCart({ [SHIRT]: 2, [SOCK]: 1 });
});

test('favourites are stored, shown under the Favourites toggle, and removed again', async () => {
  await ada.heart('Sock').click();
  await expect.poll(() => ada.heart('Sock').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => ada.favourites()).toEqual([SOCK]);
  await page.getByRole('button', { name: 'Favourites', exact: true }).click();
  await expect.poll(() => page.locator('article h2').allTextContents()).toEqual(['Sock']);
  await page.reload();
  await expect.poll(() => page.locator('article h2').allTextContents()).toEqual(['Sock']);
  await ada.heart('Sock').click();
  await page.getByText('No favourites yet. Tap the heart on anything you like.').waitFor();
  await expect.poll(() => ada.favourites()).toEqual([]);
});

test(
  'taps without a signal show at once, survive the end of the page, and reach the server once',
  { tags: 'worker' },
  async () => {
    await waitForWorker(page);
    await ada.goOffline();
    await ada.addButton('Sock').click();
    await ada.addButton('Sock').click();
    await ada.heart('Scarf').click();
    await ada.waitForCartCount(2);
    await expect.poll(() => ada.heart('Scarf').getAttribute('aria-pressed')).toBe('true');
    await reopenPage();
    await ada.goto('/cart');
    await expect.poll(() => quantityOf('Sock')).toBe('2');
    await expect.poll(savingState).toBe('Will be saved when you’re back online (3)');
    expect(await ada.cart()).toEqual({});
    await ada.goOnline();
    await ada.waitForCart({ [SOCK]: 2 });
    await expect.poll(() => ada.favourites()).toEqual([SCARF]);
    await expect.poll(savingState).toBe('Saved');
  },
);

test('the open shop follows a client that writes rows, through realtime', async () => {
  // Otherwise the first socket may be one that this page opens only now.
  await page.goto('about:blank');
  const joined = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framereceived', ({ payload }) =>
        /phx_reply.*"ok"/.test(String(payload)),
      ),
    );
  await ada.goto('/cart');
  await page.getByText('Your cart is empty').waitFor();
  expect(await savingState()).toBe('');
  await joined;
  await writeCartRow(SOCK, 4);
  // Sooner than the page polls, which it does every ten minutes.
  await ada.waitForCartCount(4);
});

test(
  'Add to Cart and the plus stop at 99 of a product, and more is taken down in one tap',
  { tags: 'long' },
  async () => {
    await writeCartRow(SOCK, MAX_LINE_QUANTITY - 1);
    await ada.waitForCartCount(MAX_LINE_QUANTITY - 1);
    await ada.add('Sock');
    await ada.addButton('Sock').click();
    await page.getByText('You can order up to 99 of each product. Not added: Sock.').waitFor();
    await ada.cartLink.click();
    expect(await oneMore('Sock').isDisabled()).toBe(true);
    await ada.waitForCart({ [SOCK]: MAX_LINE_QUANTITY });

    // More than 99 may have been added on two phones without a signal.
    await writeCartRow(SOCK, 150);
    await ada.waitForCartCount(150);
    await page.getByText('You can order up to 99 of each product.').waitFor();
    await cartLine('Sock').getByRole('button', { name: 'Set to 99' }).click();
    await ada.waitForCart({ [SOCK]: MAX_LINE_QUANTITY });
  },
);

test(
  'the cart is not called saved before this device has read it from the server',
  { tags: 'long' },
  async () => {
    await changeDevice({});
    const releasePulls = await hold(context, /\/rpc\/pull/);
    await ada.logIn();
    await ada.goto('/cart');
    await page.getByText('We haven’t loaded your cart on this device yet.').waitFor();
    expect(await savingState()).toBe('');
    releasePulls();
    await page.getByText('Your cart is empty').waitFor();
  },
);

const MERINO_SOCK = {
  SKC: SOCK,
  Size: 'L',
  'Category 1': 'Sock',
  Material: 'Merino',
  'Images link': '/pictures/socks-crew-madder.svg',
  'Retail Price': 9,
};

/** Gives the sock a picture and a material, puts it and a shirt into the cart, and opens the cart page. */
async function openCartWithSockAndShirt(): Promise<void> {
  await removeProduct(SOCK);
  await stock(shop.backend, [MERINO_SOCK]);
  await writeCartRow(SOCK, 2);
  await writeCartRow(SHIRT, 1);
  await ada.goto('/cart');
  await cartLine('Sock, Merino, size L').waitFor();
  await cartLine('Linen shirt, size M').waitFor();
}

test('a product that leaves the shop while the cart is open keeps its name and its picture', async () => {
  await openCartWithSockAndShirt();
  await removeProduct(SOCK);
  await ada.announceOnline();
  await page.getByText('This product is no longer in the shop.').waitFor();
  const sock = cartLine('Sock, Merino, size L');
  expect(await sock.locator('img').getAttribute('src')).toContain(MERINO_SOCK['Images link']);
  expect(await sock.getByRole('link').count()).toBe(0);
  expect(await page.getByText(/^Total/).innerText()).toContain('$48.50');
  expect(await axeFindings(page)).toEqual([]);
});

test('the cart still names what left the shop while the page was closed', async () => {
  await openCartWithSockAndShirt();
  const seen = async () =>
    (await storedRows<{ seen?: readonly object[] }>(page, 'bases'))[0]?.seen?.length;
  await expect.poll(seen).toBe(2);
  await page.close();
  await shop.backend.query('truncate public.products');
  await stock(shop.backend, [{ SKC: 'Z', 'Category 1': 'Cap', 'Retail Price': 5 }]);
  await reopenPage();
  // The reload reads what the visit before it has stored.
  for (const open of [() => ada.goto('/cart'), () => page.reload()]) {
    await open();
    await cartLine('Sock, Merino, size L')
      .getByText('This product is no longer in the shop')
      .waitFor();
  }
});

test('a cart line says that its price has changed or that its product has left the shop', async () => {
  await ada.add('Linen shirt, size M', 'Sock');
  await ada.waitForCart({ [SHIRT]: 1, [SOCK]: 1 });
  await ada.cartLink.click();
  await expect.poll(savingState).toBe('Saved');
  await stock(shop.backend, [{ SKC: SHIRT, Size: 'M', 'Retail Price': 60 }]);
  await removeProduct(SOCK);
  await ada.announceOnline();
  await page.getByText('The price has changed from $48.50 to $60.00 since you added it.').waitFor();
  await page.getByText('This product is no longer in the shop.').waitFor();
  expect(await page.getByText(/^Total/).innerText()).toContain('$60.00');
});

test(
  'the cart says why the server rejected a change, which the shopper can dismiss',
  { tags: 'worker' },
  async () => {
    await waitForWorker(page);
    // From the first answer on, the device stores what the products in the cart look like.
    await expect.poll(() => storedRows(page, 'bases')).toHaveLength(1);
    await ada.goOffline();
    await ada.add('Sock');
    await removeProduct(SOCK);
    await ada.goOnline();
    await ada.goto('/cart');
    const rejected = page.getByRole('region', { name: 'Not saved' });
    await rejected
      .getByText('We couldn’t add Sock to your cart. This product is no longer in the shop.')
      .waitFor();
    await page.getByText('Your cart is empty').waitFor();
    await rejected.getByRole('button', { name: 'Dismiss' }).click();
    await rejected.waitFor({ state: 'detached' });
  },
);

test(
  'a logout hides the shopper’s data and sends nothing; unsaved changes come back with the shopper',
  { tags: 'worker' },
  async () => {
    await waitForWorker(page);
    await ada.heart('Scarf').click();
    await expect.poll(() => ada.favourites()).toEqual([SCARF]);
    await ada.goOffline();
    await ada.add('Sock');
    await ada.logOut();
    await ada.waitForCartCount(0);
    expect(await ada.heart('Scarf').getAttribute('aria-pressed')).toBe('false');
    await ada.goOnline();
    const bob = await Shopper.register(payingShop, context);
    await bob.logIn();
    await bob.add('Scarf');
    await bob.waitForCart({ [SCARF]: 1 });
    expect(await ada.cart()).toEqual({});
    await bob.logOut();
    await ada.logIn();
    await ada.waitForCart({ [SOCK]: 1 });
  },
);

test('quick double taps count: twice on Add to Cart, a heart and the plus', async () => {
  await ada.addButton('Sock').dblclick();
  await ada.waitForCartCount(2);
  await ada.heart('Scarf').dblclick();
  await ada.heart('Linen shirt, size M').click();
  await expect.poll(() => ada.favourites()).toEqual([SHIRT]);
  expect(await ada.heart('Scarf').getAttribute('aria-pressed')).toBe('false');
  await ada.cartLink.click();
  await oneMore('Sock').dblclick();
  await ada.waitForCart({ [SOCK]: 4 });
});

test('a tap on the first frame of a reload counts, and the cart link never shows an empty cart', async () => {
  await ada.addButton('Sock').click();
  await ada.waitForCart({ [SOCK]: 1 });
  await recordTextsFromStart(context, 'header a[href="/cart"]');
  await page.reload();
  await waitForReact(page);
  await page.evaluate(() =>
    document.querySelector<HTMLButtonElement>('[aria-label="Add to Cart: Sock"]')?.click(),
  );
  await ada.waitForCart({ [SOCK]: 2 });
  expect(await recordedTexts(page)).not.toContain('Cart');
});

test('Remove by keyboard moves the focus to the next line, and at last to the heading', async () => {
  await ada.add('Linen shirt, size M', 'Sock');
  await ada.cartLink.click();
  await removeButton('Linen shirt, size M').focus();
  await page.keyboard.press('Enter');
  await cartLine('Linen shirt, size M').waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('Remove: Sock');
  await page.keyboard.press('Enter');
  await page.getByText('Your cart is empty').waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
});
