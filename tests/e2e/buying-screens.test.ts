/** What cart, receipt and orders say and how they are read, at each width, in light and dark. */
import { beforeEach, expect, test } from 'vitest';
import { orderNumber } from '../../src/domain/order-number.ts';
import { expectAccessible } from '../browser/axe.ts';
import { boxOf, wordsOf } from '../browser/shown.ts';
import { quickOrFull } from '../full-run.ts';
import type { StockRow } from '../supabase/stock.ts';
import { ada, line, page, removeProduct, shop, visitBeforeEach } from './fixture.ts';

/** Phones, a laptop at 200 % zoom, and a laptop. */
const SIZES = [
  { width: 320, height: 700 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
  { width: 1440, height: 900 },
];
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

/**
 * Shows the page at all sizes and expects that axe finds nothing. A full run shows each size light and dark, a quick run
 * only one size dark.
 */
async function expectAccessibleAtAllSizes(state: string) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of quickOrFull(
      [size.width === 390 ? 'dark' : 'light'] as const,
      ['light', 'dark'] as const,
    )) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${state}, ${size.width} pixels, ${colorScheme}`);
    }
  }
}

const region = (name: string) => page.getByRole('region', { name, exact: true });

test(
  'the cart tells shirts apart by their stock codes, and the way to pay stays in view',
  { tags: 'long' },
  async () => {
    await ada.goto('/cart');
    const lines = page.getByRole('main').getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(PRODUCTS.length);
    // Two shirts differ only in their stock codes, so those are in the names.
    const name = 'Oxford shirt, Indigo linen, size M, B';
    await page.getByRole('button', { name: `Remove: ${name}`, exact: true }).waitFor();
    await page.getByRole('link', { name: `View ${name}`, exact: true }).waitFor();
    await page.getByRole('group', { name: `Quantity of ${name}`, exact: true }).waitFor();
    await expectAccessibleAtAllSizes('the cart');
    for (const { width, height } of SIZES) {
      await page.setViewportSize({ width, height });
      for (const line of [lines.first(), lines.last()]) {
        await line.scrollIntoViewIfNeeded();
        const { y, bottom } = await boxOf(page.getByRole('link', { name: 'Proceed to Checkout' }));
        expect(y).toBeGreaterThan(0);
        expect(bottom).toBeLessThanOrEqual(height);
      }
    }
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
  await page.getByText('Paid with PayPal.').waitFor();
  await page.getByRole('heading', { name: 'What happens next' }).waitFor();
  await expectAccessibleAtAllSizes('the receipt');
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
  await expectAccessibleAtAllSizes('the orders');
  await order.locator('summary').focus();
  await page.keyboard.press('Enter');
  await order.getByText('Ada Weaver').waitFor();
  await expectAccessibleAtAllSizes('an open order');
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
