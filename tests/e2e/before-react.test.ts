/** What is done to a screen that stands there before React does, and what React then makes of it. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { complaintsOf, DESKTOP, PHONE } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { logIn as logInAt } from '../browser/log-in.ts';
import type { TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { fewOf } from '../share.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

const PASSWORD = 'loom-and-thread';
/** React and everything that it draws. */
const SHOP = /\/assets\/first-.*\.js$/;

let shop: TestShop;
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
beforeEach(async () => {
  await shop.backend.query('truncate public.products restart identity');
  await stock(shop.backend, [
    { SKC: 'A', Size: 'S', 'Category 1': 'Jumper', 'Retail Price': 136 },
    { SKC: 'B', Size: 'S', 'Category 1': 'Jumper', 'Retail Price': 99 },
    { SKC: 'C', Size: 'M', 'Category 1': 'Cape', 'Retail Price': 75 },
  ]);
  // Without a worker, so that the test decides when a script arrives.
  context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block' });
  page = await context.newPage();
  complaints = complaintsOf(page);
  shoppers += 1;
  email = `before-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD });
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await context.close();
});

const logIn = () => logInAt(page, shop.url, email, PASSWORD);

const holdReact = () => hold(context, SHOP);

/** Leaves, which keeps the screen, and comes back to where only that stands. */
async function comeBack(): Promise<() => void> {
  await page.goto('about:blank');
  const release = await holdReact();
  await page.goto(shop.url, { waitUntil: 'commit' });
  await page.getByRole('article').first().waitFor();
  return release;
}

const shows = (count: number) => page.getByText(`${count} products`, { exact: true }).waitFor();
const card = (n: number) => page.getByRole('article').nth(n);
const add = (n: number) => card(n).getByRole('button', { name: /^Add/ });
const heart = (n: number) => card(n).getByRole('button', { name: /^Favourite/ });
const search = () => page.locator('#header-search');
const cartLabel = () => page.getByRole('banner').getByRole('link', { name: /^Cart/ }).textContent();
const focused = () =>
  page.evaluate(() => {
    const { activeElement } = document;
    const card = activeElement?.closest<HTMLElement>('[data-product]')?.dataset['product'];
    return [activeElement?.tagName, activeElement?.ariaLabel ?? activeElement?.textContent, card];
  });

async function onServer(table: 'cart_items' | 'favorites'): Promise<unknown[]> {
  const rows = await shop.backend.query(
    `select p."SKC" as skc from public.${table} t
     join public.products p on p.id = t.product_id
     join auth.users u on u.id = t.user_id where u.email = $1 order by 1`,
    [email],
  );
  return rows.map((row) => row['skc']);
}

describe('a tap', () => {
  test('is about the product that was tapped, also where another is called the same', async () => {
    await logIn();
    await shows(3);
    const release = await comeBack();
    await add(1).click();
    await heart(1).click();
    release();
    await expect.poll(() => onServer('cart_items')).toEqual(['B']);
    await expect.poll(() => onServer('favorites')).toEqual(['B']);
    expect(await heart(0).getAttribute('aria-pressed')).toBe('false');
  });

  test('on a heart means what it looked like, though it was not the truth', async () => {
    await logIn();
    await shows(3);
    await heart(0).click();
    await expect.poll(() => onServer('favorites')).toEqual(['A']);
    await page.goto('about:blank');
    // No screen was kept for this width: a stranger's stands there, with empty hearts.
    await page.setViewportSize(PHONE);
    const release = await holdReact();
    await page.goto(shop.url, { waitUntil: 'commit' });
    await heart(0).click();
    await heart(1).click();
    await heart(1).click();
    release();
    await expect.poll(() => onServer('favorites')).toEqual(['A', 'B']);
    expect(await heart(0).getAttribute('aria-pressed')).toBe('true');
  });

  test('that waits for the shop says so within a second, and what became of it after', async () => {
    await logIn();
    await shows(3);
    const release = await comeBack();
    await add(2).click();
    const words = page.getByRole('status').getByText('The shop is still opening.');
    await words.waitFor({ timeout: 1000 });
    release();
    await add(2)
      .and(page.getByRole('button', { name: 'Added: Cape' }))
      .waitFor();
    await words.waitFor({ state: 'detached' });
    await expect.poll(() => onServer('cart_items')).toEqual(['C']);
  });

  test('that is done at once has no other words', async () => {
    await logIn();
    await shows(3);
    const release = await comeBack();
    await page.evaluate(() => {
      new MutationObserver(() => {
        const said = document.querySelector('[role=status] p')?.textContent;
        if (said) document.documentElement.dataset['said'] = said;
      }).observe(document, { childList: true, subtree: true });
    });
    await add(2).click();
    release();
    await page.getByRole('button', { name: 'Added: Cape' }).waitFor();
    await page.waitForTimeout(1000);
    expect(await page.evaluate(() => document.documentElement.dataset['said'])).toBeUndefined();
  });

  test('is done on the screen that one went to right after', async () => {
    await logIn();
    await shows(3);
    const release = await comeBack();
    await add(2).click();
    await page.getByRole('banner').getByRole('link', { name: 'Cart' }).click();
    await page.waitForURL('**/cart');
    release();
    await page.getByRole('main').getByText('Cape').waitFor();
    await expect.poll(() => onServer('cart_items')).toEqual(['C']);
    await page.reload();
    await page.getByRole('main').getByText('Cape').waitFor();
    expect(await cartLabel(), 'not once more').toBe('Cart, 1');
  });
});

describe('the kept screen', () => {
  test('never shows a cart or hearts of before', async () => {
    await logIn();
    await shows(3);
    await page.goto('about:blank');
    await page.goto(`${shop.url}/?q=cape`);
    await page.getByText('1 product', { exact: true }).waitFor();
    await heart(0).click();
    await add(0).click();
    await expect.poll(() => onServer('cart_items')).toEqual(['C']);
    await expect.poll(() => onServer('favorites')).toEqual(['C']);
    await comeBack();
    expect(await page.evaluate(() => localStorage.getItem('first-screen'))).toBeNull();
  });

  test('says nothing of what was passing, and no menu is open in it', async () => {
    await logIn();
    await shows(3);
    await add(0).click();
    await page.getByRole('button', { name: 'Added: Jumper, size S' }).waitFor();
    await expect.poll(cartLabel).toBe('Cart, 1');
    let release = await comeBack();
    expect(await card(0).getByRole('button', { name: 'Add to Cart: Jumper, size S' }).count()).toBe(
      1,
    );
    expect(await page.getByText(/^Added/).count()).toBe(0);
    await add(0).click();
    release();
    await expect.poll(cartLabel).toBe('Cart, 2');

    const toggle = page.getByRole('button', { name: email });
    await toggle.click();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    release = await comeBack();
    expect(await page.getByRole('button', { name: 'Logout' }).isVisible()).toBe(false);
    release();
  });

  test('is not kept of a shopper whom the device cannot keep either', async () => {
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('no', 'InvalidStateError');
      };
    });
    await logIn();
    await shows(3);
    await page.goto('about:blank');
    await page.goto(`${shop.url}/404.html`);
    expect(await page.evaluate(() => localStorage.getItem('first-screen'))).toBeNull();
  });

  test('that cannot be read gives way to what a stranger sees', async () => {
    await context.addInitScript(() => localStorage.setItem('first-screen', '{"html'));
    const release = await holdReact();
    await page.goto(shop.url, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'New Arrivals' }).waitFor();
    await page.getByRole('article').first().waitFor();
    release();
    await shows(3);
  });
});

describe('the focus', () => {
  test('stays on the same thing when React takes over', async () => {
    await logIn();
    await shows(3);
    for (const [focus, found] of [
      [() => add(1).focus(), ['BUTTON', 'Add to Cart: Jumper, size S', '2']],
      [() => heart(2).focus(), ['BUTTON', 'Favourite: Cape, size M', '3']],
      [() => page.getByRole('link', { name: 'Cart' }).focus(), ['A', 'Cart', undefined]],
      [() => page.getByRole('link', { name: 'All', exact: true }).focus(), ['A', 'All', undefined]],
      [
        () => page.getByRole('button', { name: 'All categories' }).focus(),
        ['BUTTON', 'All categories', undefined],
      ],
    ] as const) {
      const release = await comeBack();
      await focus();
      release();
      await page.waitForFunction(() => {
        const root = document.getElementById('root');
        return root && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
      });
      expect(await focused()).toEqual(found);
    }
  });

  test('goes to the heading of the screen that one has gone to, unless one types', async () => {
    await page.goto(shop.url);
    await shows(3);
    await page.getByRole('link', { name: 'Login' }).click();
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
    await expect.poll(focused).toEqual(['H1', 'Sign In to Your Account', undefined]);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toEqual(['H1', 'New Arrivals', undefined]);
    await page.getByRole('link', { name: 'Cart' }).click();
    await expect.poll(focused).toEqual(['H1', 'Shopping Cart', undefined]);
    await page.goBack();
    await expect.poll(focused).toEqual(['H1', 'New Arrivals', undefined]);
    await page.getByRole('link', { name: 'Cart' }).click();
    await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
    await search().fill('cape');
    await search().press('Enter');
    await page.getByText('1 product', { exact: true }).waitFor();
    expect(await search().evaluate((field) => field === document.activeElement)).toBe(true);
  });
});

test('whoever has gone on while a screen arrives keeps the focus, and the tab its name', async () => {
  await page.goto(shop.url);
  await shows(3);
  const release = await hold(context, /\/assets\/page-.*\.js$/);
  await page.getByRole('link', { name: 'Cart' }).click();
  await page.waitForURL('**/cart');
  expect(await page.title()).toBe('New Arrivals · Weft');
  await page.getByRole('link', { name: 'Sign Up' }).focus();
  release();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  await expect.poll(() => page.title()).toBe('Shopping Cart · Weft');
  expect(await focused()).toEqual(['A', 'Sign Up', undefined]);
});

describe('a search', () => {
  test('that is begun on another screen stays there until it is sent', async () => {
    const release = await holdReact();
    await page.goto(`${shop.url}/login?next=%2Fcart`, { waitUntil: 'commit' });
    await search().fill('cap');
    release();
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?next=%2Fcart');
    expect(await search().inputValue()).toBe('cap');
    await search().press('Enter');
    await page.getByText('1 product', { exact: true }).waitFor();
  });

  test('that is sent before React is there finds something', async () => {
    const release = await holdReact();
    await page.goto(`${shop.url}/login`, { waitUntil: 'commit' });
    await search().fill('cape');
    await search().press('Enter');
    await page.waitForURL(`${shop.url}/?q=cape`);
    release();
    await page.getByText('1 product', { exact: true }).waitFor();
  });

  test('that is begun on the catalogue goes on there, wherever the focus went', async () => {
    const release = await comeBack();
    await search().fill('cape');
    await page.keyboard.press('Tab');
    release();
    await page.getByText('1 product', { exact: true }).waitFor();
    expect(await search().inputValue()).toBe('cape');
  });
});

const FIRST_VISITS = [
  [1, '/', '1 product'],
  [0, '/', 'No products found for All.'],
  [2, '/', '2 products'],
  [3, '/?q=zzzz', 'No products found for All matching “zzzz”.'],
  [3, '/?favourites=', 'No products found for Favourites.'],
] as const;

test.each(fewOf(2, FIRST_VISITS))(
  'nothing moves on a first visit with %i products at %s',
  async (count, path, words) => {
    await shop.backend.query('truncate public.products');
    await stock(shop.backend, numbered(count));
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          const moved = list.getEntries() as (PerformanceEntry & { value: number })[];
          shifts.push(...moved.map(({ value }) => value));
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(shop.url + path);
      await page.getByText(words, { exact: true }).waitFor();
      await page.waitForTimeout(300);
      const total = await page.evaluate(() => {
        const { shifts } = globalThis as unknown as { shifts: number[] };
        return shifts.reduce((sum, value) => sum + value, 0);
      });
      expect(total, `${viewport.width} px`).toBeLessThan(0.02);
      await context.close();
      context = await browser.newContext({ viewport, serviceWorkers: 'block' });
      page = await context.newPage();
    }
  },
);

test('what somebody else’s script comes to is not said to be the shop’s', async () => {
  await page.goto(shop.url);
  await shows(3);
  await page.evaluate(async () => {
    const script = document.createElement('script');
    await new Promise((resolve) => {
      script.addEventListener('error', resolve);
      script.src = '/not-there.js';
      document.head.append(script);
    });
  });
  expect(await page.getByText('The shop did not arrive whole.').count()).toBe(0);
  complaints.length = 0; // that there was none is what this is about
});

test('a screen that did not arrive stands in no other’s way, and has a heading', async () => {
  await page.goto(shop.url);
  await shows(3);
  await context.route(/\/assets\/account-.*\.js$/, (route) => route.abort());
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('heading', { level: 1, name: 'Not here yet' }).waitFor();
  await page.getByText('This page did not arrive.').waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Cart' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shopping Cart' }).waitFor();
  complaints.length = 0; // the script that was held back
});

test.each([
  [360, '12-18 months', 75],
  [360, 'One size fits most', 1234.5],
  [320, 'W32 / L34 Long', 136],
  [320, 'X'.repeat(73), 10],
])(
  'a card of a page %i px wide holds its parts, whatever the size is called: %s',
  async (width, size, price) => {
    await page.setViewportSize({ width, height: 800 });
    await stock(shop.backend, [
      { SKC: '0', Size: size, 'Category 1': 'Jumper', 'Retail Price': price },
    ]);
    await page.goto(shop.url);
    await shows(4);
    const wider = await card(0).evaluate((article) => {
      const { right } = article.getBoundingClientRect();
      return [...article.querySelectorAll('*')]
        .filter((part) => !part.closest('svg, .visually-hidden'))
        .filter((part) => part.getBoundingClientRect().right > right + 0.5)
        .map((part) => part.outerHTML);
    });
    expect(wider).toEqual([]);
  },
);

test.each(fewOf(1, [160, 195]))(
  'at %i px, a phone at 200 % zoom, nothing is wider than the page',
  async (width) => {
    await page.setViewportSize({ width, height: 400 });
    for (const path of ['/', '/login', '/register', '/cart', '/forgot-password']) {
      await page.goto(shop.url + path);
      await page.getByRole('contentinfo').waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, path).toBe(width);
    }
    await logIn();
    for (const path of ['/', '/cart', '/orders', '/admin/import']) {
      await page.goto(shop.url + path);
      await page.getByRole('contentinfo').waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${path}, signed in`).toBe(width);
    }
  },
);
