/** The functions for staff: who may see and send orders, and what they answer. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerStaff, paymentHref } from '../../netlify/lib/staff.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { signToken } from '../account/jwt.ts';
import { recordsOf } from '../csv/text.ts';
import { Buyer, HOME } from '../supabase/buyer.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { get, post } from './function-calls.ts';
import { expectAnswer, openShopOverHttpForFile } from './shop-over-http.ts';
import { openHostWith } from './start-host.ts';

const shop = await openShopOverHttpForFile();
const { token: staff } = await addShopper(shop, 'pat', 'staff');
let buyer: Buyer;
const log: string[] = [];
beforeEach(() => {
  buyer = new Buyer(shop.backend, shop.ada.id);
  log.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...words) => void log.push(words.join(' ')));
});
afterEach(() => void vi.restoreAllMocks());

let payments = 0;
async function paid(fields: Parameters<Buyer['place']>[1] = {}, pieces = 1) {
  payments += 1;
  const order = await buyer.place({ [shop.products['COAT'] ?? 0]: pieces }, fields);
  await buyer.openAttempt(order, 'stripe', `cs_${payments}`);
  await buyer.applyPayment(order, { reference: `cs_${payments}`, captureId: `pi_${payments}` });
  return order;
}

const named = (...orders: readonly { readonly id: string }[]) =>
  orders.map(({ id }) => ({ id, refunded_minor: 0, sent_at: null }));
const change = (fields: object) => shop.post('change-orders', fields, staff);
const send = (...orders: readonly { readonly id: string }[]) =>
  change({ change: 'send', orders: named(...orders) });
const idsIn = async (query: string) => {
  const { body } = await shop.get(`staff-orders?${query}`, staff);
  return (body['orders'] as readonly { id: string }[]).map(({ id }) => id);
};

describe('orders are not shown to, or changed by', () => {
  const requestsAbout = (order: { readonly id: string }) => ({
    reads: [
      'staff-orders',
      `staff-orders?order=${order.id}`,
      'staff-orders?csv',
      'staff-orders?search=ada',
    ],
    changes: ['send', 'unsend', 'close'].map((kind) => ({
      change: kind,
      orders: named(order),
      note: 'x',
    })),
  });

  test('a shopper, also of the order itself and where everybody may import, nor somebody without a token', async () => {
    const order = await paid();
    const { reads, changes } = requestsAbout(order);
    await using host = await openHostWith(shop, { IMPORT_ROLE: '*' });
    await shop.expectNothingDone(async () => {
      for (const [token, status] of [
        [shop.ada.token, 403],
        [shop.eve.token, 403],
        [null, 401],
      ] as const) {
        for (const path of reads) expect((await get(host, path, token)).status, path).toBe(status);
        for (const body of changes) {
          expect((await post(host, 'change-orders', token, body)).status).toBe(status);
        }
      }
    });
  });

  test('somebody who has written the role into a token, into their own metadata or into the request', async () => {
    const claims = { sub: shop.eve.id, role: 'authenticated', aud: 'authenticated' };
    const exp = Math.floor(Date.now() / 1000) + 600;
    const withRole = { ...claims, exp, app_metadata: { role: 'staff' } };
    const forged = signToken(withRole, 'another secret, of 32 bytes or more');
    expect((await shop.get('staff-orders', forged)).status).toBe(401);
    // The shop itself has signed this token, and yet only the auth server says who has a role.
    const signed = signToken(withRole, shop.backend.jwtSecret);
    expect([401, 403]).toContain((await shop.get('staff-orders', signed)).status);
    await shop.eve.client.auth.updateUser({ data: { role: 'staff' } });
    expect((await shop.get('staff-orders?role=staff', shop.eve.token)).status).toBe(403);
    const { token: other } = await addShopper(shop, 'importer', 'importer');
    expect(await shop.get('staff-orders', other)).toMatchObject({
      status: 403,
      body: { error: 'Only accounts with the role "staff" may see orders.' },
    });
  });

  test.each([
    ['', 'STAFF_ROLE isn’t set. Set it to your staff’s role, and deploy again.'],
    [' * ', 'STAFF_ROLE can’t be *. Set it to your staff’s role, and deploy again.'],
  ])('anybody while STAFF_ROLE is %j, which the answer says', async (role, error) => {
    await using host = await openHostWith(shop, { STAFF_ROLE: role, IMPORT_ROLE: '*' });
    const { reads, changes } = requestsAbout(await paid());
    for (const path of reads) {
      expect(await get(host, path, staff)).toEqual({
        status: 503,
        body: { error, code: 'not-configured' },
      });
    }
    for (const body of changes)
      expect((await post(host, 'change-orders', staff, body)).status).toBe(503);
    expect(log.join()).toContain('STAFF_ROLE');
  });
});

test('staff see paid orders in their lists, send them, take that back, and close a review with a note', async () => {
  const [first, second] = [await paid(), await paid({}, 2)];
  expect(await idsIn('')).toEqual([first.id, second.id].toSorted());
  expect(await idsIn(`search=${orderNumber(first.id)}`)).toEqual([first.id]);
  const sent = {
    change: 'send',
    orders: named(first),
    carrier: ' DHL\u2028Express\u202e\u0007 ',
    tracking_url: 'https://track.example/1',
  };
  const { status, body } = await change(sent);
  expect(status).toBe(200);
  expect(await idsIn('list=sent')).toEqual([first.id]);
  expect(await shop.get(`staff-orders?order=${first.id}`, staff)).toMatchObject({
    status: 200,
    body: {
      order: {
        carrier: 'DHL Express',
        tracking_url: 'https://track.example/1',
        email: 'ada@weft.test',
      },
    },
  });
  const [seen] = named(first);
  const unsend = (sent_at: unknown) => change({ change: 'unsend', orders: [{ ...seen, sent_at }] });
  await expectAnswer(unsend('2026-11-21T12:00:00.000Z'), 409, 'orders-changed');
  expect((await unsend(body['at'])).status).toBe(200);
  expect(await idsIn('list=sent')).toEqual([]);

  const wrong = await buyer.place({ [shop.products['COAT'] ?? 0]: 3 });
  await buyer.openAttempt(wrong, 'stripe', 'cs_wrong');
  await buyer.applyPayment(wrong, { reference: 'cs_wrong', captureId: 'pi_wrong', amountMinor: 1 });
  expect(await idsIn('list=person')).toEqual([wrong.id]);
  const close = { change: 'close', orders: named(wrong), outcome: 'cancelled', note: 'Sent back.' };
  expect((await change(close)).status).toBe(200);
  await expectAnswer(change(close), 409, 'nothing-to-review');
  expect(await buyer.state(wrong)).toBe('cancelled');
});

test.each([
  [{ change: 'delete' }, /can’t be changed that way/],
  [{ orders: [{ id: 'x', refunded_minor: 0, sent_at: null }] }, /1 to 100 orders/],
  [{ orders: [{ id: randomUUID(), refunded_minor: 0, sent_at: 'now' }] }, /1 to 100 orders/],
  [{ carrier: 'x'.repeat(61) }, /carrier/],
  [{ tracking_url: 'javascript:alert(1)' }, /https:/],
  [{ change: 'close', outcome: 'paid', note: ' ' }, /note/],
  [{ change: 'close', outcome: 'expired', note: 'x' }, /no such outcome/],
])('a change with %j is refused with a sentence, and nothing is done', async (fields, sentence) => {
  const order = await paid();
  await shop.expectNothingDone(async () => {
    const answer = await change({ change: 'send', orders: named(order), ...fields });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(sentence) } });
  });
});

test.each([
  ['list=all', /no such list/],
  [`search=${'x'.repeat(201)}`, /no such list/],
  ['after=x', /That page doesn’t exist/],
  [`after=2026-02-31T00:00:00%2B00:00~${randomUUID()}`, /That page doesn’t exist/],
])('a request for %s is refused with a sentence', async (query, sentence) => {
  const answer = await shop.get(`staff-orders?${query}`, staff);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(sentence) } });
});

test.each(['%00', randomUUID()])('an order %j is not found', async (id) => {
  await expectAnswer(shop.get(`staff-orders?order=${id}`, staff), 404, 'order-unknown');
});

test('the file of what is to be sent has a row for each line, and no cell that a spreadsheet would run', async () => {
  const order = await paid({ address: { ...HOME, full_name: '=1+1', city: 'a,b' } });
  await send(await paid({}, 2));
  const { body } = await shop.get('staff-orders?csv', staff);
  const [headings, row, ...others] = recordsOf([String(body['csv']).replace('\ufeff', '')]).rows;
  expect(headings?.slice(0, 4)).toEqual(['order', 'email', 'full_name', 'address_line1']);
  expect(row?.[0]).toBe(orderNumber(order.id));
  expect(row).toContain("'=1+1");
  expect(row?.slice(-4)).toEqual(['1', 'COAT', '', 'Untitled']);
  expect(others).toEqual([]);
});

test.each([
  [1000, false],
  [1001, true],
])(
  'the file of %i orders to send says whether there are more than it holds: %s',
  async (count, hasMore) => {
    const order = { id: randomUUID(), email: 'ada@weft.test', address: HOME };
    const items = [{ quantity: 1, skc: 'COAT', size: 'M', title: 'Coat' }];
    const call = async (_: string, args: Readonly<Record<string, unknown>>) =>
      Array.from({ length: Math.min(count, Number(args['p_limit'])) }, () => ({ ...order, items }));
    const ports = { call, now: () => new Date() };
    const answer = Object(await answerStaff(ports, new URLSearchParams('csv')));
    expect(answer.hasMore).toBe(hasMore);
    expect(String(answer.csv).trim().split('\n')).toHaveLength(1 + 1000);
  },
);

test.each([
  ['stripe', 'live', {}, 'https://dashboard.stripe.com/payments/pi_1'],
  ['stripe', 'sandbox', {}, 'https://dashboard.stripe.com/test/payments/pi_1'],
  ['paypal', 'sandbox', {}, 'https://www.sandbox.paypal.com/activity/payment/pi_1'],
  ['stripe', 'sandbox', { STRIPE_API_URL: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
] as const)(
  'a payment by %s (%s) is shown and refunded at its provider',
  (provider, mode, variables, href) => {
    const read = (name: string) => (variables as Readonly<Record<string, string>>)[name];
    expect(paymentHref({ provider, id: 'pi_1' }, mode, read)).toBe(href);
  },
);
