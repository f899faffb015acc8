/** Staff send an order and the shopper reads so, in every engine. */
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import {
  completePayment,
  email,
  newAccount,
  openShopForFile,
  prepareToPay,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT } from './webkit.ts';

openShopForFile();

describe.each([CHROMIUM, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('staff find what was paid, mark it as sent by keyboard, and the shopper reads so', async () => {
    await prepareToPay();
    await visitor.click('button', /^Pay \$/);
    await completePayment();
    await visitor.logOut();

    await visitor.logIn(await newAccount({ role: 'staff' }), '/admin/orders');
    await visitor.find('link', /Ada Weaver/);
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.click('link', /Ada Weaver/);
    await visitor.type(/^Carrier/, 'DHL');
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.tab.pressEnter();
    await visitor.find('button', 'Mark as not sent');
    expect(await visitor.tab.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await visitor.text()).toMatch(/Sent on \w+ \d+ with DHL/);
    await visitor.logOut();

    await visitor.logIn(email, '/orders');
    await expect.poll(() => visitor.text()).toMatch(/Sent on \w+ \d+ with DHL/);
  });
});
