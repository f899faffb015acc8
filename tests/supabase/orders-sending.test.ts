/** Staff find orders, mark them as sent and take that back; mails about orders are queued. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { callOrders } from '../../netlify/lib/orders.ts';
import type { Reversal } from '../../netlify/lib/provider.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { addBuyer, Buyer, expectRejected, HOME } from './buyer.ts';
import { columnOf } from './column.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, sell } from './shoppers.ts';

const shop = await openShopForFile();
const { backend } = shop;
const ada = await addShopper(shop, 'ada');
const staff = await backend.addAccount({ email: 'pat@weft.test', password: 'secret-1' });
const { COAT: coat, HAT: hat } = await sell(shop, { COAT: 129.5, HAT: 20 });
let buyer: Buyer;
beforeEach(async () => {
  await backend.query(
    'truncate public.orders, public.payment_reversals, public.messages, public.mail_setup cascade',
  );
  await sell(shop, { COAT: 129.5, HAT: 20 });
  buyer = new Buyer(backend, ada.id);
});

let lastReference = 0;
/** An order that is paid; each by a payment of its own. */
async function paid(lines: Readonly<Record<number, number>> = { [coat]: 1 }, of = buyer) {
  lastReference += 1;
  const reference = `cs_${lastReference}`;
  const order = await of.placeAndOpen(lines, 'stripe', reference);
  await of.applyPayment(order, { reference, captureId: `pi_${lastReference}` });
  return { ...order, captureId: `pi_${lastReference}` };
}

type Named = { readonly id: string };
const now = () => buyer.now.toISOString();
/** Marks orders as sent, or takes that back. @param seen what the page of staff shows of each order */
const mark = (
  isSent: boolean,
  orders: readonly Named[],
  seen: { readonly refunded_minor: number; readonly sent_at: string | null },
  carrier: string | null = null,
) =>
  callOrders(buyer.call, 'mark_orders', {
    p_is_sent: isSent,
    p_orders: JSON.stringify(orders.map(({ id }) => ({ id, ...seen }))),
    p_carrier: carrier,
    p_tracking_url: null,
    p_by: staff,
    p_now: now(),
  });
const send = (orders: readonly Named[], { refunded = 0, carrier = null as string | null } = {}) =>
  mark(true, orders, { refunded_minor: refunded, sent_at: null }, carrier);
/** @param sentAt the marking that is taken back */
const unsend = (orders: readonly Named[], sentAt = now()) =>
  mark(false, orders, { refunded_minor: 0, sent_at: sentAt });

type Row = Readonly<Record<string, unknown>> & Named;
/** A page of a list of staff. @param by the time that orders the list */
const list = (name: string, after: Row | null = null, limit = 50, by = 'created_at') =>
  buyer.call('staff_orders', {
    p_list: name,
    p_after_at: after?.[by] ?? null,
    p_after: after?.id ?? null,
    p_limit: limit,
  }) as Promise<Row[]>;
const find = async (text: string) => {
  const args = { p_text: text, p_after_at: null, p_after: null, p_limit: 50 };
  return ((await buyer.call('find_orders', args)) as Row[]).map(({ id }) => id);
};
const idsIn = async (name: string) => (await list(name)).map(({ id }) => id);
const version = () =>
  columnOf(backend, 'select ver from public.sync_user where user_id = $1', [ada.id]);
const mails = () =>
  columnOf(backend, `select kind from public.messages where channel = 'mail' order by id`);

describe('marking orders as sent', () => {
  test('says when, by whom and with which carrier, and the shopper’s phones hear of it', async () => {
    const orders = [await paid(), await paid({ [hat]: 1 })];
    const [before] = await version();
    await send(orders, { carrier: 'DHL' });
    expect(Number((await version())[0])).toBeGreaterThan(Number(before));
    const [row] = await list('sent');
    expect(row).toMatchObject({ carrier: 'DHL', state: 'paid' });
    const order = await buyer.call('staff_order', { p_order: orders[0]?.id });
    expect(order).toMatchObject({
      history: expect.arrayContaining([
        expect.objectContaining({
          kind: 'sent',
          by: 'pat@weft.test',
          detail: { carrier: 'DHL', by: staff },
        }),
      ]),
    });
    expect(await idsIn('to-send')).toEqual([]);
  });

  test('takes back only the marking that staff saw, not one that a colleague has made since', async () => {
    const order = await paid();
    await send([order]);
    const first = now();
    await unsend([order]);
    buyer.waitMinutes(1);
    await send([order]);
    const { sentence } = await expectRejected(unsend([order], first), 'orders-changed');
    expect(sentence).toContain('was marked as sent again by someone else');
    expect(await idsIn('sent')).toEqual([order.id]);
  });

  test('marks all or none: one that a colleague has sent meanwhile is named', async () => {
    const orders = [await paid(), await paid({ [hat]: 1 })];
    await send(orders.slice(0, 1));
    const { sentence } = await expectRejected(send(orders), 'orders-changed');
    expect(sentence).toBe(
      `${orderNumber(orders[0]!.id)} is already marked as sent. Nothing was changed.`,
    );
    expect(await idsIn('to-send')).toEqual([orders[1]?.id]);
  });

  test('refuses an order that was refunded meanwhile, until staff have seen the refund', async () => {
    const order = await paid();
    await buyer.applyReversal({ paymentId: order.captureId, amountMinor: 100 });
    const { sentence } = await expectRejected(send([order]), 'orders-changed');
    expect(sentence).toContain('has been refunded');
    await send([order], { refunded: 100 });
    expect(await idsIn('sent')).toEqual([order.id]);
  });

  test('refuses an order that is not paid, and one that does not exist', async () => {
    const open = await buyer.place({ [coat]: 1 });
    const { sentence } = await expectRejected(send([open]), 'orders-changed');
    expect(sentence).toContain('isn’t paid');
    await expectRejected(send([{ id: randomUUID() }]), 'orders-changed');
    await expectRejected(unsend([await paid()]), 'orders-changed');
  });

  test('works for an order whose account was deleted, and forgets the parcel’s address with the buyer’s', async () => {
    const leaver = await addBuyer(backend, 'leaver');
    const order = await paid({ [coat]: 1 }, leaver);
    await leaver.erase();
    await backend.query(
      `update public.orders set sent_at = $1, tracking_url = 'https://a.example/1'`,
      [now()],
    );
    await backend.query('select public.erase_order($1)', [order.id]);
    const [row] = await list('sent');
    expect(row).toMatchObject({ id: order.id, address: null, tracking_url: null });
    await unsend([order]);
  });
});

describe('the lists of staff', () => {
  test('each order is where staff look for it: to send, sent, open, or with a person', async () => {
    const open = await buyer.place({ [hat]: 3 });
    buyer.waitMinutes(1);
    const [first, second, refunded] = [
      await paid(),
      await paid({ [hat]: 1 }),
      await paid({ [hat]: 2 }),
    ];
    await buyer.applyReversal({ paymentId: refunded.captureId, amountMinor: 4000 });
    const wrong = await buyer.placeAndOpen({ [coat]: 2 }, 'stripe', 'cs_wrong');
    await buyer.applyPayment(wrong, {
      reference: 'cs_wrong',
      captureId: 'pi_wrong',
      amountMinor: 1,
    });
    await send([second]);
    buyer.waitMinutes(1);
    const disputed = await paid({ [hat]: 4 });
    const dispute = (state: Reversal['state']) => {
      buyer.waitMinutes(1);
      const payment = { paymentId: disputed.captureId, amountMinor: 8000 };
      return buyer.applyReversal({ kind: 'dispute', id: 'du_1', state, ...payment });
    };
    await dispute('open');
    expect(await idsIn('to-send')).toEqual([first.id]);
    expect(await idsIn('sent')).toEqual([second.id]);
    expect(await idsIn('open')).toEqual([open.id]);
    const [oldest = null] = await list('person', null, 1);
    const nextPage = await list('person', oldest);
    expect([oldest, ...nextPage].map((row) => row?.id)).toEqual([wrong.id, disputed.id]);
    await dispute('won');
    expect(new Set(await idsIn('to-send'))).toEqual(new Set([first.id, disputed.id]));
    await dispute('lost');
    expect(await idsIn('person')).toEqual([wrong.id]);
    await buyer.closeReview(wrong, 'paid');
    expect(new Set(await idsIn('to-send'))).toEqual(new Set([first.id, wrong.id]));
  });

  test('the next page begins behind the last order, also among orders of one moment', async () => {
    const orders = [];
    for (let i = 0; i < 5; i += 1) orders.push(await paid({ [hat]: i + 1 }));
    const pages = [];
    let last: Row | null = null;
    for (;;) {
      const page: Row[] = await list('to-send', last, 2, 'paid_at');
      if (page.length === 0) break;
      pages.push(...page.map(({ id }) => id));
      last = page.at(-1) ?? null;
    }
    expect(pages).toEqual(orders.map(({ id }) => id).toSorted());
    await send(orders);
    const [newest] = await list('sent', null, 1);
    const rest = await list('sent', newest, 50, 'sent_at');
    expect([newest, ...rest].map((row) => row?.id)).toEqual(pages.toReversed());
  });

  test.each([
    ['its number', (id: string) => orderNumber(id)],
    [
      'its number in small letters without the line',
      (id: string) => orderNumber(id).toLowerCase().replace('-', ''),
    ],
    ['its id', (id: string) => id],
    ['the beginning of a name', () => 'byr ada'],
    ['an email', () => ' ADA@weft.test '],
    ['a stock code', () => 'coat'],
  ])('an order is found by %s', async (_, text) => {
    const order = await paid();
    const eve = await addBuyer(backend, `eve-${randomUUID()}`);
    const address = { ...HOME, full_name: 'Eve' };
    await eve.place({ [hat]: 1 }, { email: 'eve@weft.test', address });
    expect(await find(text(order.id))).toEqual([order.id]);
  });

  test.each(["O'Neil' | \\", '', '!&|():*'])(
    'a search for %j finds nothing, and breaks nothing',
    async (text) => {
      await paid();
      expect(await find(text)).toEqual([]);
    },
  );

  test('staff read today’s prices, the payment and what went back beside the order', async () => {
    const order = await paid({ [coat]: 1, [hat]: 1 });
    await buyer.applyReversal({ paymentId: order.captureId, amountMinor: 100 });
    await backend.query(`update public.products set "Retail Price" = 25 where "SKC" = 'HAT'`);
    await backend.query(`update public.products set off_sale = true where "SKC" = 'COAT'`);
    expect(await buyer.call('staff_order', { p_order: order.id })).toMatchObject({
      id: order.id,
      today: { [coat]: null, [hat]: 2500 },
      payments: [{ provider: 'stripe', id: order.captureId, amount_minor: 14_950 }],
      history: [{ kind: 'placed' }, { kind: 'moved' }, { kind: 'refunded' }],
    });
    expect(await buyer.call('staff_order', { p_order: randomUUID() })).toBeNull();
  });
});

describe('a mail is queued', () => {
  const useMail = (on: boolean) => buyer.call('use_mail', { p_on: on });

  test('for each order that is paid, sent or refunded, in the same transaction, once', async () => {
    await useMail(true);
    const order = await paid();
    await buyer.applyReversal({ paymentId: order.captureId });
    await buyer.applyReversal({ paymentId: order.captureId });
    await send([order], { refunded: 100 });
    expect(await mails()).toEqual(['order_paid', 'order_to_send', 'order_refunded', 'order_sent']);
    await backend.query('begin');
    await paid({ [hat]: 1 });
    await backend.query('rollback');
    expect(await mails()).toHaveLength(4);
  });

  test('not while the shop has no mail server; those that wait when it loses it are dropped', async () => {
    await paid();
    expect(await mails()).toEqual([]);
    await useMail(true);
    await useMail(true);
    await paid({ [hat]: 1 });
    await useMail(false);
    expect(await mails()).toEqual([]);
  });

  test('and goes no more when the order is taken back before it was sent; sent again, the buyer hears again', async () => {
    await useMail(true);
    const order = await paid();
    await send([order]);
    await unsend([order]);
    expect(await mails()).toEqual(['order_paid', 'order_to_send']);
    buyer.waitMinutes(1);
    await send([order]);
    await backend.query(`update public.messages set sent_at = now()`);
    await unsend([order]);
    buyer.waitMinutes(1);
    await send([order]);
    expect(await mails()).toEqual(['order_paid', 'order_to_send', 'order_sent', 'order_sent']);
  });
});
