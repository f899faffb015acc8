/** A product's page, filters, a tap before the login, and the receipt, each in every engine. */
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import {
  completePayment,
  email,
  openShopForFile,
  prepareToPay,
  serverCart,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT } from './webkit.ts';

const shirt = (Size: string) => ({
  SKC: 'A/1 ö',
  Size,
  'Category 1': 'Linen shirt',
  'Retail Price': 48.5,
  Material: 'Indigo linen',
  'Fabric Composition': '100% linen',
});
openShopForFile(undefined, [
  shirt('M'),
  shirt('L'),
  { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9, Material: 'Ecru cotton' },
]);

/** The titles on the cards, in their order. */
const titles = () =>
  visitor.tab.evaluate<string[]>(
    `[...document.querySelectorAll('article h2')].map((title) => title.textContent)`,
  );

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('a shopper looks closer, chooses a size, adds it, and goes back to where they were', async () => {
    await visitor.logIn(email, '/?q=linen');
    await visitor.waitForProducts(2);
    await visitor.click('link', 'View Linen shirt, Indigo linen, size M');
    await visitor.waitFor('100% linen');
    expect(await visitor.tab.evaluate('location.pathname')).toBe(
      `/product/${encodeURIComponent('A/1 ö')}`,
    );
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.click('radio', 'L');
    await visitor.click('button', 'Add to Cart: Linen shirt, Indigo linen, size L');
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart()).toEqual({ 'A/1 ö': 1 });
    await visitor.tab.evaluate('history.back()');
    await visitor.waitForProducts(2);
    expect(await visitor.tab.evaluate('location.search')).toBe('?q=linen');
  });

  test('a visitor filters, opens addresses that sort or filter, and removes a filter', async () => {
    await visitor.openCatalogue(3);
    await visitor.click('button', /^(Size|Filters)$/);
    await visitor.click('checkbox', /^L/);
    await visitor.waitForProducts(1);
    expect(await visitor.axeFindings()).toEqual([]);
    expect(await visitor.tab.evaluate('location.search')).toBe('?size=L');
    await visitor.goto('/?sort=price-asc');
    await visitor.waitForProducts(3);
    await expect.poll(titles).toEqual(['Sock', 'Linen shirt', 'Linen shirt']);
    await visitor.goto('/?material=Ecru+cotton');
    await visitor.waitForProducts(1);
    await visitor.click('button', /^Remove.*Ecru cotton/);
    await visitor.waitForProducts(3);
  });

  test('what a visitor tapped is in the cart after the login that its alert offers', async () => {
    await visitor.openCatalogue(3);
    await visitor.click('button', /^Add to Cart: Sock/);
    await visitor.waitFor('Please log in to add items to your cart.');
    await visitor.click('link', 'Log in');
    await visitor.typeCredentials(email);
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
  });

  test('after paying by card the cart is empty, there is a receipt, and the order is in the list by the same number', async () => {
    await prepareToPay();
    await visitor.click('button', /^Pay \$/);
    await completePayment();
    await visitor.waitForCartCount(0);
    const number = /Order number\s+(\w{4}-\w{4})/;
    await expect.poll(() => visitor.text()).toMatch(number);
    const [, orderNumber = ''] = number.exec(await visitor.text()) ?? [];
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.goto('/orders');
    await visitor.waitFor(orderNumber);
    expect(await visitor.axeFindings()).toEqual([]);
  });
});
