/** Two phones of one shopper and one of another, in every engine: who hears of a change, and how soon. */
import { describe, expect, test } from 'vitest';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import {
  addSock,
  email,
  logIn,
  newAccount,
  newPhone,
  openShopForFile,
  payingShop,
  visitBeforeEach,
} from './visit.ts';
import type { Visitor } from './visitor.ts';
import { WEBKIT } from './webkit.ts';

const PRODUCTS = 3;
/** Within this time after the server has a tap, the shopper's other phone shows it. */
const SOON = { timeout: 2000, interval: 50 };

openShopForFile();

/** Logs in on another phone. Resolves when it has pulled twice: at its start, and after it has joined realtime. */
async function logInOn(phone: Visitor, address: string): Promise<void> {
  await phone.logIn(address);
  await phone.waitForProducts(PRODUCTS);
  await expect.poll(() => pullsOf(phone)).toBeGreaterThanOrEqual(2);
}

/** How often the phone has asked for its shopper's data since it opened this page. */
const pullsOf = ({ tab }: Visitor) =>
  tab.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('rpc/pull')).length`,
  );

const cartLabelOf = ({ tab }: Visitor) =>
  tab.evaluate<string>(`document.querySelector('header a[href="/cart"]')?.textContent ?? ''`);

/** The server's version of the shopper's data. */
async function versionOf(address: string): Promise<number> {
  const [row] = await payingShop.shop.backend.query(
    'select ver from public.sync_user s join auth.users u on u.id = s.user_id where u.email = $1',
    [address],
  );
  return Number(row?.['ver'] ?? 0);
}

describe.each([CHROMIUM, FIREFOX, WEBKIT])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('a tap on one phone is on the shopper’s other one within two seconds, and another shopper’s hears nothing', async () => {
    await logIn();
    const second = await newPhone();
    await logInOn(second, email);
    const ben = await newPhone();
    await logInOn(ben, await newAccount());
    const bensPulls = await pullsOf(ben);
    await addSock();
    await expect.poll(() => versionOf(email)).toBe(1);
    await expect.poll(() => cartLabelOf(second), SOON).toBe('Cart, 1');
    expect(await pullsOf(ben)).toBe(bensPulls);
  });
});
