import type { Browser, BrowserContext, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../share.ts';
import { DESKTOP, waitForWorker } from '../browser/browser.ts';
import { buildSite } from '../build-once.ts';
import { openPayingShop, type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const SUCCESS = 'Payment Successful! Thank you for your order.';
const CARD_FAILED = 'Something went wrong. Please try again.';
const PAYPAL_FAILED = 'PayPal payment failed. Please try again.';

let home: PayingShop;
let browser: Browser;
let context: BrowserContext;
let ada: Shopper;

beforeAll(async () => {
  home = await cleanShop();
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  await restock(home);
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  ada = await Shopper.come(home, context);
});
afterEach(async () => {
  home.line.up();
  expect(ada.complaints).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
});

/** Answers one of the shop's functions in its place. */
async function answering(name: string, answer: (route: Route) => Promise<void>): Promise<void> {
  await context.route(`**/.netlify/functions/${name}`, answer);
}

const says = (text: string | RegExp) =>
  ada.page.getByRole('main').getByRole('status').filter({ hasText: text }).first().waitFor();

/** Pays for a sock and goes to Your Orders. */
async function payForSock(): Promise<void> {
  await ada.readyToPay('Sock');
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  await ada.page.getByRole('link', { name: 'Your Orders' }).click();
}

/** The session has ended on the server's word, as the phone remembers it. */
async function endSession(): Promise<void> {
  await ada.page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const work = db.transaction(['meta', 'session'], 'readwrite');
    work.objectStore('session').clear();
    const read = work.objectStore('meta').get('shopper');
    read.onsuccess = () => {
      work.objectStore('meta').put({ ...(read.result as object), session: 'ended' });
    };
    await new Promise<void>((resolve) => {
      work.oncomplete = () => resolve();
    });
    db.close();
  });
  await ada.page.reload();
}

test('a wrong address is said beside its fields, by the rules of the country', async () => {
  await ada.logIn();
  await ada.add('Sock');
  await ada.goto('/checkout');
  await ada.payButton.click();
  const focused = () => ada.page.evaluate(() => document.activeElement?.getAttribute('name'));
  expect(await focused()).toBe('full_name');
  for (const text of [
    'Enter the full name.',
    'Enter the address.',
    'Enter the city.',
    'Enter the state.',
    'Enter the ZIP code.',
  ]) {
    await ada.page.getByText(text, { exact: true }).waitFor();
  }
  await ada.fillAddress();
  await ada.page.getByLabel('ZIP code').fill('6061');
  await ada.payButton.click();
  await ada.page.getByText('This is not a ZIP code like 60614.').waitFor();
  expect(await focused()).toBe('postal_code');
  await ada.page.getByLabel('Country').selectOption('CA');
  expect(await ada.page.getByText('This is not a').count()).toBe(0);
  await ada.page.getByLabel('Province').fill('Ontario');
  await ada.page.getByLabel('Postal code').fill('m5v2t6');
  await ada.page.getByLabel('Country').selectOption('GB');
  await ada.page.getByLabel('County').fill('Kent');
  await ada.page.getByLabel('Postcode').fill('ct1 2eh');
  const attributes = await ada.page
    .getByLabel('Postcode')
    .evaluate((input: HTMLInputElement) => [input.name, input.autocomplete, input.required]);
  expect(attributes).toEqual(['postal_code', 'shipping postal-code', true]);
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  await ada.page.getByRole('link', { name: 'Your Orders' }).click();
  await ada.page.getByText('Chicago, Kent CT1 2EH').waitFor();
  expect(await ada.orders()).toEqual([['paid', 900]]);
});

test(
  'offline the page opens, says why paying waits and keeps what is typed; then it can be paid',
  { tags: 'worker' },
  async () => {
    await ada.logIn();
    await ada.add('Sock');
    // What is not saved keeps one from paying, and with other words.
    await ada.goto('/cart');
    await ada.page.getByText('Saved', { exact: true }).waitFor();
    await ada.goto('/checkout');
    await waitForWorker(ada.page);
    home.line.down();
    await context.setOffline(true);
    await ada.page.reload();
    await says('Paying needs a connection, and there is none now.');
    await ada.fillAddress();
    await ada.payButton.click();
    await ada.notice(CARD_FAILED).waitFor();
    await says('Failed to create checkout session. The shop did not answer.');
    await ada.page.reload();
    expect(await ada.page.getByLabel('ZIP code').inputValue()).toBe('60614');
    // Changed without a signal: paying waits until the shop has it.
    await ada.goto('/');
    await ada.add('Scarf');
    await ada.goto('/cart');
    await ada.page.getByRole('button', { name: 'Remove: Scarf' }).click();
    await ada.page.getByRole('link', { name: 'Proceed to Checkout' }).click();
    await ada.payButton.waitFor();
    home.line.up();
    await context.setOffline(false);
    await ada.payButton.click();
    await ada.provider('Pay').click();
    await ada.heading(SUCCESS).waitFor();
    expect(await ada.orders()).toEqual([['paid', 900]]);

    await ada.page.getByRole('link', { name: 'Your Orders' }).click();
    await ada.page.getByText('Paid', { exact: true }).waitFor();
    home.line.down();
    await context.setOffline(true);
    await ada.page.reload();
    await ada.page.getByText('Paid', { exact: true }).waitFor();
    await ada.page.getByText('1 Mill Lane').waitFor();
    await says('No connection: these are your orders as this device last saw them.');
  },
);

test('after a logout this tab remembers nothing that names an order', async () => {
  await ada.readyToPay('Sock');
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  // The tab stores where each page was scrolled to when it leaves it.
  await ada.page.reload();
  await ada.heading(SUCCESS).waitFor();
  const order = new URL(ada.page.url()).searchParams.get('session_id') ?? '';
  expect(order).toMatch(/^cs_/);
  await ada.page.getByRole('banner').getByRole('button').click();
  await ada.page.getByRole('button', { name: 'Logout' }).click();
  await ada.page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await ada.goto('/');
  const kept = await ada.page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(kept).not.toContain(order);
});

test('the orders of one shopper leave the device at logout, and the next one never sees them', async () => {
  await payForSock();
  await ada.page.getByText('Paid', { exact: true }).waitFor();
  await ada.page.getByRole('banner').getByRole('button').click();
  await ada.page.getByRole('button', { name: 'Logout' }).click();
  await ada.page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  const kept = await ada.page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const counts = ['orders', 'drafts', 'running'].map(
      (store) =>
        new Promise<number>((resolve) => {
          const request = db.transaction(store).objectStore(store).count();
          request.onsuccess = () => resolve(request.result);
        }),
    );
    return Promise.all(counts);
  });
  expect(kept).toEqual([0, 0, 0]);
  await ada.goto('/orders');
  await ada.page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor();

  const bob = await Shopper.come(home, context);
  await bob.logIn();
  await bob.goto('/orders');
  await bob.page.getByText('You have not ordered anything yet.').waitFor();
  await bob.goto('/checkout');
  await bob.heading('Shopping Cart').waitFor();
  expect(bob.page.url()).toMatch(/\/cart$/);
});

test(
  'orders stay readable when the phone’s storage gives out under them',
  { tags: 'long' },
  async () => {
    await payForSock();
    await ada.page.getByText('Paid', { exact: true }).waitFor();
    await ada.page.evaluate(() => {
      const { get } = IDBObjectStore.prototype;
      const seen: string[] = [];
      const faults = { count: 0 };
      Object.assign(globalThis, { seen, faults });
      const look = () => seen.push(document.querySelector('main')?.textContent ?? '');
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
      IDBObjectStore.prototype.get = function (key) {
        if (this.name === 'orders') {
          faults.count += 1;
          throw new DOMException('lost', 'UnknownError');
        }
        return get.call(this, key);
      };
      // The orders are asked for and written again, and so read again.
      window.dispatchEvent(new Event('online'));
    });
    await ada.page.waitForFunction(
      () => (globalThis as unknown as { faults: { count: number } }).faults.count > 1,
    );
    const seen = await ada.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    expect(seen.filter((text) => !text.includes('1 Mill Lane'))).toEqual([]);
    await ada.page.getByText('Paid', { exact: true }).waitFor();
  },
);

test.each(['UnknownError', 'AbortError', 'InvalidStateError'])(
  'orders whose first read fails with %s are read again',
  async (name) => {
    await context.addInitScript((errorName) => {
      const { get } = IDBObjectStore.prototype;
      let isFirst = true;
      IDBObjectStore.prototype.get = function (key) {
        if (this.name !== 'orders' || !isFirst) return get.call(this, key);
        isFirst = false;
        throw new DOMException('lost', errorName);
      };
    }, name);
    await ada.logIn();
    await ada.goto('/orders');
    await ada.page.getByText('You have not ordered anything yet.').waitFor();
  },
);

test('whoever signs in after a logout in another tab is shown no order of the last shopper', async () => {
  await payForSock();
  await ada.page.getByText('1 Mill Lane').waitFor();
  await ada.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const look = () => seen.push(document.body.innerText);
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  });
  const bob = await Shopper.come(home, context);
  await bob.goto('/');
  await bob.page.getByRole('button', { name: ada.email }).click();
  await bob.page.getByRole('button', { name: 'Logout' }).click();
  await bob.page.getByRole('link', { name: 'Login' }).waitFor();
  await bob.logIn();
  await ada.page.getByRole('button', { name: bob.email }).waitFor();
  await ada.page.getByText('You have not ordered anything yet.').waitFor();
  const seen = await ada.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  const ofBob = seen.filter((text) => text.includes(bob.email));
  expect(ofBob).not.toEqual([]);
  expect(ofBob.filter((text) => text.includes('1 Mill Lane'))).toEqual([]);
});

test('a price that changed before paying is told with the difference, and asked about', async () => {
  await ada.readyToPay('Linen shirt, size M', 'Sock');
  await expect.poll(() => ada.cart()).toEqual({ A: 1, B: 1 });
  // The page does not hear of it.
  await context.route('**/rest/v1/**', (route) => route.abort());
  await stock(home.shop.backend, [{ SKC: 'A', Size: 'M', 'Retail Price': 60 }]);
  await ada.payButton.click();
  await says(
    'The total has changed: it was $57.50, now it is $69.00. Nothing was charged. Press Pay to order at the new total.',
  );
  await ada.page.getByText('Linen shirt, size M: it was $48.50, now it is $60.00.').waitFor();
  expect(await ada.orders()).toEqual([]);
  expect(await ada.payButton.textContent()).toBe('Pay $69.00 by card');
  await ada.payButton.click();
  await ada.page.getByRole('heading', { name: 'Pay $69.00' }).waitFor();
  expect(await ada.orders()).toEqual([['pending', 6900]]);
});

test('what cannot be ordered is named: no price, too many, gone', async () => {
  await ada.readyToPay('Sock', 'Scarf');
  await ada.payButton.click();
  await says('The cart cannot be ordered as it is.');
  await ada.page.getByText('Scarf has no price at the moment and cannot be ordered.').waitFor();
  await home.shop.backend.query(
    `update public.cart_items set quantity = 120 where user_id = (select id from auth.users where email = $1)`,
    [ada.email],
  );
  await home.shop.backend.query(`delete from public.products where "SKC" = 'C'`);
  await ada.page.reload();
  await ada.page.getByText('120 × $9.00').waitFor();
  await ada.page.getByText('This product').waitFor();
  await ada.payButton.click();
  await ada.page
    .getByText('One order holds at most 99 of Sock, and there are 120 in the cart.')
    .waitFor();
  await ada.page
    .getByText('A product in the cart has left the shop. Remove it to order the rest.')
    .waitFor();
  await ada.page.getByRole('link', { name: 'Look at the cart' }).click();
  await ada.heading('Shopping Cart').waitFor();
});

test('a product that leaves right before paying is named by the shop', async () => {
  await ada.readyToPay('Sock', 'Linen shirt, size M');
  await expect.poll(() => ada.cart()).toEqual({ A: 1, B: 1 });
  await context.route('**/rest/v1/**', (route) => route.abort());
  await home.shop.backend.query(`delete from public.products where "SKC" = 'B'`);
  await ada.payButton.click();
  await says('Not everything in the cart can be ordered.');
  await ada.page.getByText('Sock has left the shop. Remove it to order the rest.').waitFor();
  expect(await ada.orders()).toEqual([]);
});

test('a lost answer and a page of somebody else: pressed again it is the same order', async () => {
  await ada.readyToPay();
  let times = 0;
  await answering('create-checkout-session', async (route) => {
    times += 1;
    if (times === 1) {
      await route.fetch();
      await route.abort();
    } else if (times === 2) {
      await route.fulfill({ contentType: 'text/html', body: '<h1>Log in to the hotel</h1>' });
    } else {
      await route.continue();
    }
  });
  for (let press = 1; press <= 2; press++) {
    await ada.payButton.click();
    await ada.notice(CARD_FAILED).waitFor();
    await says('Failed to create checkout session. The shop did not answer.');
    await ada.page.getByRole('button', { name: 'Close this message' }).click();
  }
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});

test('the page goes to nobody’s payment page but Stripe’s', async () => {
  await ada.readyToPay();
  await answering('create-checkout-session', (route) =>
    route.fulfill({ json: { sessionId: 'cs_1', url: 'https://checkout.stripe.com.example/pay' } }),
  );
  await ada.payButton.click();
  await ada
    .notice('Stripe error: the address of the payment page is not one of Stripe’s.')
    .waitFor();
  expect(ada.page.url()).toMatch(/\/checkout$/);
});

test('a page that is shown again as it was left can be paid from, also where nothing can be stored', async () => {
  await ada.readyToPay();
  await ada.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await context.route(/\/c\/pay\//, (route) => route.fulfill({ status: 204 }));
  await ada.payButton.click();
  await ada.page.getByRole('button', { name: 'Processing...' }).waitFor();
  await ada.page.waitForRequest(/\/c\/pay\//).catch(() => undefined);
  await ada.page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await ada.payButton.waitFor();
  await context.unroute(/\/c\/pay\//);
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});

test('the words for a card and for PayPal when the shop refuses', async () => {
  await ada.readyToPay();
  await answering('create-checkout-session', (route) =>
    route.fulfill({ status: 503, json: { error: 'The payment service cannot be reached.' } }),
  );
  await ada.payButton.click();
  await ada.notice(CARD_FAILED).waitFor();
  await says('The payment service cannot be reached.');
  await ada.choosePayPal();
  await answering('create-paypal-order', (route) => route.fulfill({ status: 500, json: {} }));
  await ada.payButton.click();
  await ada.notice(PAYPAL_FAILED).waitFor();
  await says('Failed to create PayPal order');
});

test(
  'the words for PayPal when the money does not come, or nobody knows',
  { tags: 'long' },
  async () => {
    await ada.readyToPay();
    await ada.choosePayPal();
    await answering('capture-paypal-order', (route) =>
      route.fulfill({ json: { status: 'DECLINED', storeOrderId: '' } }),
    );
    await ada.payButton.click();
    await ada.provider('Pay').click();
    await ada.notice('Payment was not completed.').waitFor();
    await says('PayPal did not make this payment. Nothing was charged.');
    await context.unroute('**/.netlify/functions/capture-paypal-order');

    await ada.page.getByLabel('City').fill('Springfield');
    let times = 0;
    await answering('capture-paypal-order', async (route) => {
      times += 1;
      await route.abort();
    });
    await ada.payButton.click();
    await ada.provider('Pay').click();
    await ada.notice('Payment capture failed.').waitFor();
    expect(times).toBe(3);
    await says('It is not known whether PayPal took the money.');
    await ada.page.getByRole('link', { name: 'See what became of it' }).click();
    await ada.heading('Not Paid Yet').waitFor();
    expect(await ada.cart()).toEqual({ A: 1 });
    expect(await ada.orders()).toEqual([
      ['pending', 4850],
      ['pending', 4850],
    ]);
  },
);

test('PayPal: money of which the answer was lost is found, and no failure is told', async () => {
  await ada.readyToPay();
  await ada.choosePayPal();
  await answering('capture-paypal-order', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.page.getByRole('alert').textContent()).toBe('');
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});

test('without PayPal’s script it says so, and loads it when asked again', async () => {
  await ada.readyToPay();
  await context.route('**/local/paypal/sdk.js', (route) => route.abort());
  await ada.page.getByLabel('Pay with PayPal').check();
  await ada.notice('Could not load PayPal. Please try again.').waitFor();
  await context.unroute('**/local/paypal/sdk.js');
  await ada.page.getByRole('button', { name: 'Load PayPal again' }).click();
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
});

test('whoever is not signed in is told so, and finds what was typed after signing in', async () => {
  await ada.goto('/checkout');
  await ada.notice('You must be logged in to checkout.').waitFor();
  await ada.heading('Shopping Cart').waitFor();
  // The cart is another document than the checkout; what was said there holds here too.
  await ada.notice('You must be logged in to checkout.').waitFor({ timeout: 3000 });
  await ada.readyToPay();
  await expect.poll(() => ada.cart()).toEqual({ A: 1 });
  await endSession();
  await ada.payButton.click();
  await ada.notice('You must be logged in to checkout.').waitFor();
  await ada.page.getByRole('button', { name: 'Close this message' }).click();
  await ada.choosePayPal();
  await ada.payButton.click();
  await ada.notice('You must be logged in.').waitFor();
  await ada.page.getByRole('button', { name: 'Sign in' }).click();
  await ada.page.getByLabel('Password', { exact: true }).fill('loom-and-thread');
  await ada.page.keyboard.press('Enter');
  await ada.heading('Checkout').waitFor();
  expect(await ada.page.getByLabel('Full name').inputValue()).toBe('Ada Weaver');
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
});

test('the success page without an order says the words and clears the cart; with one it tells the truth', async () => {
  await ada.logIn();
  await ada.add('Sock');
  await ada.goto('/checkout/success');
  await ada.heading(SUCCESS).waitFor();
  await expect.poll(() => ada.cart()).toEqual({});
  await ada.page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => ada.cart()).toEqual({ B: 1 });
  await ada.goto(`/checkout/success?order=${crypto.randomUUID()}`);
  await ada.heading('Order Not Found').waitFor();
  await ada.goto('/checkout/success?session_id=cs_test_somebody_elses');
  await ada.heading('Order Not Found').waitFor();
  expect(await ada.cart()).toEqual({ B: 1 });

  await ada.goto('/checkout');
  await ada.fillAddress();
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  const [order] = await home.shop.backend.query(
    'select o.id from public.orders o join auth.users u on u.id = o.user_id where u.email = $1',
    [ada.email],
  );
  const id = String(order?.['id']);
  await ada.goto(`/checkout/success?order=${id}`);
  await ada.heading('Not Paid Yet').waitFor();
  const bob = await Shopper.come(home, await browser.newContext(workerFor()));
  await bob.logIn();
  await bob.goto(`/checkout/success?order=${id}`);
  await bob.heading('Order Not Found').waitFor();
});

test('exactly the same cart again is another order, once that was said', async () => {
  await ada.readyToPay('Sock');
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  const session = ada.page.url().split('/').at(-1) ?? '';
  await ada.page.close();
  expect(home.stripe.pay(session)).toBe(true);
  await expect.poll(() => ada.orders()).toEqual([['paid', 900]]);
  const later = await ada.also(context);
  await later.goto('/cart');
  await later.page.getByText('Your cart is empty').waitFor();
  await later.goto('/');
  await later.add('Sock');
  await later.goto('/checkout');
  await later.payButton.click();
  await later.page.getByText('You have paid for exactly this already. Pay again?').waitFor();
  expect(await ada.orders()).toEqual([['paid', 900]]);
  await later.page.getByRole('button', { name: 'Pay again' }).click();
  await later.provider('Pay').click();
  await later.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([
    ['paid', 900],
    ['paid', 900],
  ]);
  // After a success page that was seen, nothing needs to be said.
  await expect.poll(() => later.count()).toBe(0);
  await later.goto('/');
  await later.add('Sock');
  await later.goto('/checkout');
  await later.payButton.click();
  await later.provider('Pay').waitFor();
  expect(later.complaints).toEqual([]);
});

test.each(fewOf(1, LOOKS))(
  'the screens are sound for everybody, at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await ada.readyToPay();
    await ada.page.setViewportSize({ width, height: 800 });
    await ada.page.emulateMedia({ colorScheme });
    await ada.goto('/checkout');
    await ada.payButton.waitFor();
    expect(await axeFindings(ada.page)).toEqual([]);
    await ada.page.getByLabel('ZIP code').fill('');
    await ada.payButton.click();
    await ada.page.getByText('Enter the ZIP code.').waitFor();
    await ada.choosePayPal();
    expect(await axeFindings(ada.page)).toEqual([]);
    expect(await overflow()).toBe(0);
    await ada.page.getByLabel('ZIP code').fill('60614');
    await ada.payButton.click();
    await ada.provider('Cancel').click();
    await says('You left PayPal without paying.');
    expect(await axeFindings(ada.page)).toEqual([]);
    await ada.goto('/orders');
    await ada.page
      .getByRole('listitem', { name: /^Order of/ })
      .first()
      .waitFor();
    expect(await axeFindings(ada.page)).toEqual([]);
    expect(await overflow()).toBe(0);
    await ada.goto(`/checkout/success?order=${crypto.randomUUID()}`);
    await ada.heading('Order Not Found').waitFor();
    expect(await axeFindings(ada.page)).toEqual([]);
    expect(await overflow()).toBe(0);
  },
);

function overflow(): Promise<number> {
  return ada.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

test(
  'with keys Stripe.js and PayPal’s own SDK are asked for; neither is in the way of a card',
  { tags: 'long' },
  async () => {
    await using folder = await temporaryFolder();
    await buildSite(folder.path, {
      VITE_STRIPE_PUBLISHABLE_KEY: 'pk_test_canary',
      VITE_PAYPAL_CLIENT_ID: 'canary',
      PAYPAL_ENVIRONMENT: 'sandbox',
    });
    const keyed = await openPayingShop(folder.path);
    try {
      await restock(keyed);
      const asked = new Set<string>();
      const away = await browser.newContext(workerFor());
      await away.route(/\.(stripe|paypal)\.com\//, async (route) => {
        asked.add(new URL(route.request().url()).host);
        await route.abort();
      });
      const bob = await Shopper.come(keyed, away);
      await bob.logIn();
      await bob.add('Sock');
      expect([...asked]).toEqual([]);
      await bob.goto('/checkout');
      await bob.fillAddress();
      await expect.poll(() => [...asked]).toEqual(['js.stripe.com']);
      await bob.page.getByLabel('Pay with PayPal').check();
      await bob.notice('Could not load PayPal. Please try again.').waitFor();
      expect([...asked]).toEqual(['js.stripe.com', 'www.sandbox.paypal.com']);
      expect(bob.complaints.join()).toContain('failed to load');
      await bob.page.getByLabel('Pay with Card (Stripe)').check();
      await bob.payButton.click();
      await bob.provider('Pay').click();
      await bob.heading(SUCCESS).waitFor();
      await away.close();
    } finally {
      await keyed.close();
    }
  },
);
