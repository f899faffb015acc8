/** The shop's journeys with real clicks and keys, each in every engine. */
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import {
  addSock,
  completePayment,
  email,
  logIn,
  newAccount,
  newVisitor,
  openShopForFile,
  prepareToPay,
  serverCart,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT } from './webkit.ts';

openShopForFile();

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('a visitor browses, searches and filters, and axe finds nothing', async () => {
    await visitor.openCatalogue(3);
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.type('Search products', 'sock', 'searchbox');
    await visitor.waitForProducts(1);
    await visitor.goto('/?category=Scarf');
    await visitor.waitForProducts(1);
    expect(await visitor.text(), 'the price of the shirt').not.toContain('$48.50');
    await visitor.click('link', 'All');
    await visitor.waitForProducts(3);
    for (const route of ['/login', '/register', '/cart', '/orders']) {
      await visitor.goto(route);
      await visitor.find('heading', /./);
      expect(await visitor.axeFindings(), route).toEqual([]);
    }
  });

  test('two tabs show the same cart', async () => {
    await logIn();
    const other = await newVisitor();
    await other.openCatalogue(3);
    await visitor.click('button', 'Add to Cart: Sock');
    await other.waitForCartCount(1);
    await other.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(2);
    await expect.poll(() => serverCart()).toEqual({ B: 2 });
  });

  test('the next shopper on the phone sees nothing of the last, and each cart comes back', async () => {
    const ben = await newAccount();
    await logIn();
    await addSock();
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
    await visitor.logOut();
    await visitor.waitForCartCount(0);
    await visitor.logIn(ben);
    await visitor.waitForProducts(3);
    await visitor.waitForCartCount(0);
    await visitor.click('button', /^Add to Cart: Linen shirt/);
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart(ben)).toEqual({ A: 1 });
    await visitor.logOut();
    await visitor.logIn(email);
    await visitor.waitForCartCount(1);
    expect(await serverCart()).toEqual({ B: 1 });
  });

  test('a shopper pays with PayPal', async () => {
    await prepareToPay();
    await visitor.click('radio', 'Pay with PayPal');
    await visitor.click('button', /^Pay \$.* with PayPal$/);
    await completePayment();
  });
});
