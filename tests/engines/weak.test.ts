/** A weak phone says what it is doing, and does nothing twice for an impatient user. */
import { describe, expect, test } from 'vitest';
import { WEAK_PHONE } from './puppeteer.ts';
import {
  completePayment,
  logIn,
  openShopForFile,
  prepareToPay,
  serverCart,
  visitBeforeEach,
  visitor,
} from './visit.ts';

openShopForFile();

describe('on a weak phone', () => {
  visitBeforeEach(WEAK_PHONE);

  test('each of five quick taps counts at once, and reaches the server once', async () => {
    await logIn();
    const button = await visitor.find('button', 'Add to Cart: Sock');
    for (let tap = 0; tap < 5; tap++) await button.click();
    await visitor.waitForCartCount(5);
    await visitor.click('link', /^Cart/);
    await visitor.waitFor('Shopping Cart');
    await expect.poll(() => serverCart()).toEqual({ B: 5 });
    await visitor.waitFor('Saved');
    await visitor.waitForCartCount(5);
  });

  test('a payment that is pressed twice says that it is under way, and is one order', async () => {
    await prepareToPay();
    const pay = await visitor.find('button', /^Pay \$/);
    await pay.click();
    await pay.click();
    await visitor.waitFor('Processing...');
    await completePayment(); // expects one order
    await visitor.waitForCartCount(0);
  });
});
