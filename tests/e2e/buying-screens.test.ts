/** How cart, checkout, receipt and orders are composed at each width, in light and dark. */
import type { Locator } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { orderNumber } from '../../src/domain/order-number.ts';
import { expectAccessible } from '../browser/axe.ts';
import { SUCCESS } from '../browser/shopper.ts';
import { boxOf, wordsOf } from '../browser/shown.ts';
import { quickOrFull } from '../full-run.ts';
import type { StockRow } from '../supabase/stock.ts';
import { ada, line, page, removeProduct, shop, visitBeforeEach } from './fixture.ts';

/** Phones, a laptop at 200 % zoom, a laptop, and a wide screen. */
const SIZES = [
  { width: 320, height: 700 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
  { width: 1440, height: 900 },
  { width: 2200, height: 1200 },
];
/** From this width on the sum stands beside the lines. */
const TWO_COLUMNS = 960;

const SHIRT = {
  Size: 'M',
  'Category 1': 'Oxford shirt',
  Material: 'Indigo linen',
  'Images link': '/pictures/shirt-oxford-woad.svg',
  'Retail Price': 5544,
};
/** Two shirts that differ only in their stock code, and three other products. */
const PRODUCTS: readonly StockRow[] = [
  { SKC: 'A', ...SHIRT },
  { SKC: 'B', ...SHIRT },
  { SKC: 'C', ...SHIRT, Size: 'L', 'Retail Price': 80 },
  { SKC: 'D', ...SHIRT, Material: 'Ecru oxford', 'Retail Price': 90 },
  { SKC: 'E', ...SHIRT, 'Category 1': 'Long coat', Material: 'Iron wool', 'Retail Price': 395 },
];
const TOTAL = '$11,653.00';

visitBeforeEach({ products: PRODUCTS });
beforeEach(async () => {
  await shop.backend.query(
    `insert into public.cart_items (user_id, product_id, quantity)
     select u.id, p.id, 1 from auth.users u, public.products p where u.email = $1 order by p."SKC"`,
    [ada.email],
  );
  await ada.logIn();
  await ada.waitForCartCount(PRODUCTS.length);
});

type Size = (typeof SIZES)[number];

/**
 * Shows the page at all sizes and expects that axe finds nothing. Calls `check` at each size. A full run shows each
 * size light and dark, a quick run only one size dark.
 */
async function expectAtAllSizes(state: string, check: (size: Size) => Promise<void>) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of quickOrFull(
      [size.width === 390 ? 'dark' : 'light'] as const,
      ['light', 'dark'] as const,
    )) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${state}, ${size.width} pixels, ${colorScheme}`);
    }
    await check(size);
  }
}

/** Expects the same room on both sides of an element. */
async function expectCentred(element: Locator): Promise<void> {
  const { x, right } = await boxOf(element);
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  expect(Math.abs(x - (width - right))).toBeLessThanOrEqual(1);
}

const region = (name: string) => page.getByRole('region', { name, exact: true });

test(
  'the cart has lines with their sums, and the total stays in view beside or below them',
  { tags: 'long' },
  async () => {
    await ada.goto('/cart');
    const lines = page.getByRole('main').getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(PRODUCTS.length);
    await page.getByRole('button', { name: 'One more' }).nth(2).click();
    await expect.poll(() => wordsOf(lines.nth(2))).toContain('Line total $160.00');
    expect(await wordsOf(lines.nth(2))).toMatch(
      /^Oxford shirt Size L Indigo linen Line total \$160\.00 − 2 \+ × \$80\.00 each Remove$/,
    );
    // Two shirts differ only in their stock codes, so those are in the names.
    const name = 'Oxford shirt, Indigo linen, size M, B';
    await page.getByRole('button', { name: `Remove: ${name}`, exact: true }).waitFor();
    await page.getByRole('link', { name: `View ${name}`, exact: true }).waitFor();
    await page.getByRole('group', { name: `Quantity of ${name}`, exact: true }).waitFor();
    const summary = region('Summary');
    expect(await wordsOf(summary)).toContain('Total $11,733.00');
    await expectAtAllSizes('the cart', async ({ width, height }) => {
      const list = await boxOf(page.getByRole('main').getByRole('list'));
      const sum = await boxOf(lines.first().getByText('$5,544.00').first());
      expect(Math.abs(sum.right - list.right)).toBeLessThanOrEqual(1);
      await page.evaluate(() => scrollTo(0, 0));
      const { x, bottom } = await boxOf(summary);
      if (width >= TWO_COLUMNS) expect(x).toBeGreaterThan(list.right);
      else expect(Math.abs(bottom - height)).toBeLessThanOrEqual(1);
      await lines.last().scrollIntoViewIfNeeded();
      const button = await boxOf(page.getByRole('link', { name: 'Proceed to Checkout' }));
      expect(button.y).toBeGreaterThan(0);
      expect(button.bottom).toBeLessThanOrEqual(height);
    });
  },
);

test(
  'the checkout has the address beside the order, or before it on a phone, and then the button',
  { tags: 'long' },
  async () => {
    await ada.openCheckout();
    const address = page.getByRole('group', { name: 'Shipping address' });
    const summary = region('Order summary');
    expect(await wordsOf(summary.getByRole('listitem').nth(3))).toBe(
      'Oxford shirt Size M Ecru oxford 1 × $90.00 $90.00',
    );
    expect(await wordsOf(summary)).toContain(`Total ${TOTAL}`);
    expect(await ada.payButton.textContent()).toBe(`Pay ${TOTAL} by card`);
    await expectAtAllSizes('the checkout', async ({ width }) => {
      const [form, order, button] = await Promise.all([address, summary, ada.payButton].map(boxOf));
      expect(button?.y).toBeGreaterThan(order?.bottom ?? 0);
      if (width >= TWO_COLUMNS) expect(order?.x).toBeGreaterThan(form?.right ?? 0);
      else expect(order?.y).toBeGreaterThan(form?.bottom ?? 0);
      // All headings have the left edge of the wordmark.
      const [heading, wordmark] = await Promise.all(
        [
          page.getByRole('heading', { level: 1 }),
          page.getByRole('banner').getByRole('link').first(),
        ].map(boxOf),
      );
      expect(heading?.x).toBeCloseTo(wordmark?.x ?? 0, 0);
    });
  },
);

test('the receipt says what was bought, for how much, where it goes and what happens next, and has the number of the order', async () => {
  await ada.openCheckout();
  await ada.choosePayPal();
  await ada.pay();
  const receipt = region('Receipt');
  await receipt.waitFor();
  const [order] = await shop.backend.query('select id from public.orders');
  const number = orderNumber(String(order?.['id']));
  const words = await wordsOf(receipt);
  expect(words).toContain(`Order number ${number}`);
  expect(words).toContain('Long coat Size M Iron wool 1 × $395.00 $395.00');
  expect(words).toContain(`Total ${TOTAL}`);
  expect(words).toContain('Ship to Ada Weaver 1 Mill Lane Chicago, IL 60614 United States');
  expect(await receipt.locator('img').count()).toBe(PRODUCTS.length);
  await page.getByText('Paid with PayPal.').waitFor();
  await page.getByRole('heading', { name: 'What happens next' }).waitFor();
  await expectAtAllSizes('the receipt', async ({ width }) => {
    const [title, paper] = await Promise.all([ada.heading(SUCCESS), receipt].map(boxOf));
    if (width >= TWO_COLUMNS) expect(paper?.x).toBeGreaterThan(title?.right ?? 0);
    else expect(paper?.y).toBeGreaterThan(title?.bottom ?? 0);
  });

  await page.getByRole('link', { name: 'Your Orders' }).click();
  await page.getByRole('listitem', { name: number }).waitFor();
});

test('an order is one row without an address, which opens by keyboard; ordering again leaves out what has left the shop', async () => {
  await ada.openCheckout();
  await ada.pay();
  await ada.goto('/orders');
  const order = page.getByRole('listitem', { name: /^Order placed / });
  expect(await wordsOf(order)).toMatch(
    /^\w+ \d+, \d{4} Order number \w{4}-\w{4} Paid \+2 more \$11,653\.00 USD$/,
  );
  expect(await order.locator('summary img').count()).toBe(3);
  const band = page.getByText('Test payments only. You won’t be charged.');
  await expectAtAllSizes('the orders', async () => {
    const [above, below] = await Promise.all([band, order].map(boxOf));
    expect([above?.x, above?.right]).toEqual([below?.x, below?.right]);
    const wordmark = await boxOf(page.getByRole('banner').getByRole('link').first());
    expect(below?.x).toBeCloseTo(wordmark.x, 0);
  });
  await order.locator('summary').focus();
  await page.keyboard.press('Enter');
  await order.getByText('Ada Weaver').waitFor();
  await expectAtAllSizes('an open order', async () => undefined);
  const names = await order
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.ariaLabel));
  expect(new Set(names).size).toBe(PRODUCTS.length);

  // The product's page shows when the phone has learnt that the product is gone.
  await removeProduct('E');
  await ada.announceOnline();
  await ada.goto('/product/E');
  await ada.heading('This product isn’t available').waitFor();
  await ada.goto('/orders');
  await order.locator('summary').click();
  line.down(); // the cart needs no network
  await order.getByRole('button', { name: 'Order again' }).click();
  await page.getByText('No longer in the shop: Long coat, Iron wool, size M.').waitFor();
  line.up();
  await ada.waitForCart({ A: 1, B: 1, C: 1, D: 1 });
});

test(
  'without a cart and without orders there is a drawing, a sentence and one way on',
  { tags: 'long' },
  async () => {
    await shop.backend.query('delete from public.cart_items');
    for (const [path, sentence] of [
      ['/cart', 'Your cart is empty'],
      ['/orders', 'You haven’t ordered anything yet.'],
    ] as const) {
      await ada.goto(path);
      await page.getByText(sentence).waitFor();
      const main = page.getByRole('main');
      expect(await wordsOf(main)).toMatch(new RegExp(`^[\\w ]+ ${sentence} Continue shopping$`));
      expect(await main.locator('svg').count()).toBe(1);
      expect(await main.getByRole('link').count()).toBe(1);
      await expectAtAllSizes(path, () => expectCentred(main.locator('svg')));
    }
  },
);
