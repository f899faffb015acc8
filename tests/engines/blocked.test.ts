/** The shop in a browser that may store nothing, in every engine. */
import { describe, expect, test } from 'vitest';
import { SUCCESS } from '../browser/shopper.ts';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import {
  addSock,
  email,
  logIn,
  openShopForFile,
  orderStates,
  serverCart,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT_WITH_PROFILE } from './webkit-with-profile.ts';

/** The cart at the server after `addSock`: the stock code of the sock is B. */
const ONE_SOCK = { B: 1 };
/** What the page says when it keeps nothing. */
const NOT_KEEPING = 'This browser can’t save anything';

openShopForFile();

describe.each([CHROMIUM, FIREFOX, WEBKIT_WITH_PROFILE])('in $name', (engine) => {
  visitBeforeEach(engine, 'blocked');

  test('with all storage blocked the shop opens, says that it keeps nothing, and sells', async () => {
    await visitor.openCatalogue(3);
    await visitor.waitFor(NOT_KEEPING);
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.type('Search products', 'sock', 'searchbox');
    await visitor.waitForProducts(1);
    await logIn();
    await addSock();
    await expect.poll(() => serverCart()).toEqual(ONE_SOCK);
    await visitor.click('link', 'Cart, 1');
    await visitor.find('heading', 'Shopping Cart');
    await visitor.waitFor(NOT_KEEPING);
    await visitor.click('link', 'Proceed to Checkout');
    await visitor.fillAddress();
    await visitor.click('button', /^Pay \$/);
    await visitor.click('button', 'Pay');
    await expect.poll(() => orderStates()).toEqual(['paid']);
    // The session was in the memory of the document that the payment page replaced.
    await visitor.click('link', 'Log in');
    await visitor.typeCredentials(email);
    await visitor.find('heading', SUCCESS);
    expect(await serverCart()).toEqual({});
  });
});
