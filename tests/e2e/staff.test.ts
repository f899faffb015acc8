/** Staff send orders: the list, one order, the packing slip, and what the shopper sees of it. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { waitForReact } from '../browser/observe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { Buyer } from '../supabase/buyer.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import {
  ada,
  GARMENTS,
  line,
  newDevice,
  newStaff,
  page,
  payingShop,
  serviceWorkerFor,
  shop,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

let staff: Page;
beforeEach(async ({ task }) => {
  await shop.backend.query(
    'truncate public.orders, public.payment_reversals, public.messages cascade',
  );
  staff = await newStaff(serviceWorkerFor(task));
});

const open = (query = '') => staff.goto(`${line.url}/admin/orders${query}`);
const row = (id: string) => staff.getByRole('link', { name: orderNumber(id) });
const button = (name: string | RegExp) => staff.getByRole('button', { name });
const facts = () => staff.getByRole('region', { name: 'Order' });
const focused = () => staff.evaluate(() => document.activeElement?.tagName);
const notice = (text: string | RegExp) => staff.getByText(text).first().waitFor();

/**
 * Orders that are paid without a browser, the oldest first. Each has one piece more than the one before, because the
 * shop would ask before the same lines are paid again.
 */
async function paidOrders(count: number, fields: Parameters<Buyer['place']>[1] = {}) {
  const [account] = await shop.backend.query('select id from auth.users where email = $1', [
    ada.email,
  ]);
  const buyer = new Buyer(shop.backend, String(account?.['id']));
  const products = await shop.backend.query(
    'select id from public.products where "Retail Price" > 0',
  );
  const orders = [];
  for (let i = 0; i < count; i += 1) {
    buyer.now = new Date(Date.now() - (count - i) * 60_000);
    const order = await buyer.place(
      { [Number(products[i % products.length]?.['id'])]: i + 1 },
      fields,
    );
    await buyer.openAttempt(order, 'stripe', `cs_${i}`);
    await buyer.applyPayment(order, { reference: `cs_${i}`, captureId: `pi_${i}` });
    orders.push(order);
  }
  return { buyer, orders };
}

const sendMails = () => fetch(`${line.url}/.netlify/functions/messages`, { method: 'POST' });

test(
  'a shopper buys, staff see the order arrive and mark it as sent, and the shopper’s open page says so, also offline',
  { tags: 'worker' },
  async () => {
    await sendMails(); // tells the database that there is a mail server
    await open();
    await staff.getByText('No orders to send.').waitFor();
    await ada.prepareToPay('Sock');
    await ada.pay();
    await staff.bringToFront();
    await staff.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await staff.getByRole('link', { name: /Ada Weaver.*1 item.*\$9\.00/ }).click();
    await facts().getByText('1 Mill Lane').waitFor();
    await staff.getByLabel(/^Carrier/).fill('DHL');
    await staff.getByLabel(/^Tracking link/).fill('https://track.example/7');
    await ada.goto('/orders');
    await page.getByText('Paid', { exact: true }).waitFor();
    await button('Mark as sent').click();
    await page
      .getByText(/^Sent on \w+ \d+ with DHL$/)
      .first()
      .waitFor();
    await page
      .getByRole('listitem', { name: /^Order placed / })
      .locator('summary')
      .click();
    const parcel = page.getByRole('link', { name: 'Track package' });
    expect(await parcel.getAttribute('href')).toBe('https://track.example/7');
    await button('Mark as not sent').waitFor();
    expect(await focused()).toBe('H1');

    await waitForWorker(page);
    await ada.goOffline();
    await page.reload();
    await page
      .getByText(/^Sent on \w+ \d+ with DHL$/)
      .first()
      .waitFor();
    await ada.goOnline();
    await sendMails();
    const mails = shop.backend.mails.filter(({ to }) => to === ada.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^We received your payment for order /),
      expect.stringMatching(/^Your order .* is on its way$/),
    ]);
  },
);

test('staff mark several orders as sent at once, take that back, and save a file of what is left', async () => {
  const { orders } = await paidOrders(3);
  await open();
  await button('Select all').click();
  await staff.getByLabel(`Select ${orderNumber(orders[0]!.id)}`).uncheck();
  await button('Mark 2 as sent').click();
  await notice('2 orders marked as sent.');
  await row(orders[1]!.id).waitFor({ state: 'detached' });
  const downloading = staff.waitForEvent('download');
  await button('Save as CSV').click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toContain(orderNumber(orders[0]!.id));
  expect(file).not.toContain(orderNumber(orders[1]!.id));
  await button('Undo').click();
  await notice('2 orders marked as not sent.');
  await row(orders[1]!.id).waitFor();
});

test('an order that a colleague sent or that was refunded meanwhile is not sent: the page says so, and shows it', async () => {
  const { buyer, orders } = await paidOrders(2);
  await open();
  await button('Select all').click();
  await buyer.applyReversal({ paymentId: 'pi_0', amountMinor: 100 });
  await button('Mark 2 as sent').click();
  await notice(`${orderNumber(orders[0]!.id)} has been refunded. Nothing was changed.`);
  await staff.getByText(/Refunded \$1\.00 of \$48\.50/).waitFor();
  await row(orders[1]!.id).waitFor();
  await button('Mark 2 as sent').click();
  await notice('2 orders marked as sent.');
  await staff.getByText('No orders to send.').waitFor();
  expect(await focused(), 'the button is gone').toBe('H1');
});

test('staff find an order by number, name, email and stock code, and read its payment, its history and today’s price', async () => {
  const { orders } = await paidOrders(2, { email: 'grace@weft.test' });
  await shop.backend.query('update public.products set "Retail Price" = 60 where "SKC" = $1', [
    'A',
  ]);
  await open();
  const field = staff.getByRole('search', { name: 'Orders' }).getByRole('searchbox');
  for (const text of [orderNumber(orders[0]!.id), 'byron', 'grace@weft', 'a']) {
    await field.fill(text);
    await staff.keyboard.press('Enter');
    await staff.waitForURL(/search=/);
    await row(orders[0]!.id).waitFor();
    await staff.getByRole('link', { name: 'Unpaid' }).click();
    await staff.getByText('No orders are waiting for payment.').waitFor();
  }
  await open(`?order=${orders[0]!.id}`);
  await staff.getByText('$48.50 each; now $60.00').waitFor();
  const payment = staff.getByRole('link', { name: 'See or refund the payment in Stripe' });
  expect(await payment.getAttribute('href')).toBe(payingShop.stripe.environment['STRIPE_API_URL']);
  await staff
    .getByRole('region', { name: 'History' })
    .getByText('Placed', { exact: true })
    .waitFor();
});

test('staff read that a payment is disputed before they mark its order as sent', async () => {
  const { buyer, orders } = await paidOrders(1);
  await buyer.applyReversal({ kind: 'dispute', paymentId: 'pi_0', state: 'open' });
  await open();
  await staff.getByText('No orders to send.').waitFor();
  await staff.getByRole('link', { name: 'Needs attention' }).click();
  await row(orders[0]!.id).click();
  await staff.getByText('The customer is disputing this payment.').waitFor();
  await button('Mark as sent').click();
  await notice('1 order marked as sent.');
});

test('an order that needs a person is closed with a note, by keyboard', async () => {
  const { buyer, orders } = await paidOrders(1);
  await buyer.applyPayment(orders[0]!, { reference: 'cs_0', captureId: 'pi_second' });
  await open('?list=person');
  await row(orders[0]!.id).focus();
  await staff.keyboard.press('Enter');
  const note = staff.getByLabel(/^What you found out/);
  await note.focus();
  await staff.keyboard.type('Paid twice; one was sent back.');
  await staff.keyboard.press('Tab');
  await staff.keyboard.press('Enter');
  await notice('1 order reviewed.');
  await staff.getByText(/Reviewed: Paid twice; one was sent back\. \(staff-/).waitFor();
  await note.waitFor({ state: 'detached' });
  expect(await focused()).toBe('H1');
});

test.each([1, 100])(
  'the packing slip of %i lines names no price and prints on one page',
  async (count) => {
    await shop.backend.query(
      `insert into public.products ("SKC", "Size", "Category 1", "Retail Price", ver)
     select 'LINE-' || i, 'M', 'A garment with a rather long name, number ' || i, 10, 0 from generate_series(1, 100) i`,
    );
    const ids = await shop.backend.query(
      `select id from public.products where "SKC" like 'LINE-%' limit $1`,
      [count],
    );
    const { buyer } = await paidOrders(0);
    const order = await buyer.place(Object.fromEntries(ids.map(({ id }) => [String(id), 2])));
    await buyer.openAttempt(order, 'stripe', 'cs_many');
    await buyer.applyPayment(order, { reference: 'cs_many' });
    await open(`?order=${order.id}`);
    await button('Print packing slip').waitFor();
    for (const format of ['A4', 'Letter']) {
      const pdf = (await staff.pdf({ format, preferCSSPageSize: false })).toString('latin1');
      expect([...pdf.matchAll(/\/Type\s*\/Page\b/g)], format).toHaveLength(1);
    }
    await staff.emulateMedia({ media: 'print' });
    const shown = await staff.getByRole('main').innerText();
    expect(shown).toContain(orderNumber(order.id));
    expect(shown).toContain('LINE-');
    expect(shown).not.toContain('$');
    expect(shown).toContain('12 St James’s Square');
  },
);

test(
  'a list that was read is shown when the signal goes, with its age, and nothing is changed; a logout forgets it',
  { tags: 'worker' },
  async () => {
    const { orders } = await paidOrders(1);
    await open();
    await row(orders[0]!.id).waitFor();
    await waitForWorker(staff);
    // The page's own files are kept when it is opened under the worker.
    await staff.reload();
    await row(orders[0]!.id).waitFor();
    line.down();
    await staff.reload();
    await staff
      .getByText(/^You’re offline\. Last updated .* You can’t make changes right now/)
      .waitFor();
    await button('Select all').click();
    expect(await button('Mark 1 as sent').getAttribute('aria-disabled')).toBe('true');
    await row(orders[0]!.id).click();
    await facts().getByText('12 St James’s Square').waitFor();
    line.up();
    await staff.getByRole('banner').locator('button[aria-expanded]').click();
    await staff.getByRole('button', { name: 'Logout' }).click();
    await staff.getByRole('link', { name: 'Login' }).waitFor();
    expect(await storedRows(staff, 'staff')).toEqual([]);
  },
);

test('the account menu leads staff to the orders, and other shoppers see neither the link nor an order', async () => {
  await paidOrders(1);
  await staff.goto(line.url);
  await waitForReact(staff);
  const menu = staff.getByRole('banner').locator('button[aria-expanded]');
  await menu.click();
  await staff.getByRole('link', { name: 'Orders to send' }).click();
  await staff.getByRole('link', { name: /Ada Byron/ }).waitFor();
  await ada.logIn();
  await page.getByRole('banner').locator('button[aria-expanded]').click();
  await page.getByRole('link', { name: 'Admin', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Orders to send' }).count()).toBe(0);
  await ada.goto('/admin/orders');
  await page.getByText('Only accounts with the role "staff" may see orders.').waitFor();
  expect(await page.getByText('Ada Byron').count()).toBe(0);
  const visitor = await (await newDevice()).newPage();
  await visitor.goto(`${line.url}/admin/orders`);
  await visitor.getByText(/Log in as staff/).waitFor();
});

test.each(LOOKS)(
  'axe finds nothing at $width pixels, $colorScheme, in the orders of staff',
  async ({ width, colorScheme }) => {
    await staff.setViewportSize({ width, height: PHONE.height });
    await staff.emulateMedia({ colorScheme });
    await open();
    await staff.getByText('No orders to send.').waitFor();
    await expectAccessible(staff, 'none');
    const { buyer, orders } = await paidOrders(2);
    await buyer.applyPayment(orders[1]!, { reference: 'cs_1', captureId: 'pi_again' });
    await open();
    await row(orders[0]!.id).waitFor();
    await expectAccessible(staff, 'list');
    await row(orders[1]!.id).click();
    await button('Close the review').waitFor();
    await expectAccessible(staff, 'order');
  },
);
