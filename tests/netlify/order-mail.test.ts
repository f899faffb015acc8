/** Mails about orders, through a real mail server: to the buyer and the operator, at least once. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { NotConfigured } from '../../netlify/lib/env.ts';
import { mailSender, smtpSettings } from '../../netlify/lib/mail.ts';
import { sendMessages, type SendMessage } from '../../netlify/lib/messages.ts';
import { type MailServer, openMailServer } from '../../netlify/local/mail-server.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { HOME } from '../supabase/buyer.ts';
import { columnOf } from '../supabase/column.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, user, products } = await openBackendSelling({ COAT: 129.5 });
let shop: InProcessShop;
/** What the mail server has taken. */
let received: { readonly to: string; readonly subject: string; readonly text: string }[] = [];
/** What the mail server answers: undefined leaves the answer to the server, with null it never answers. */
let misbehave: (command: string) => string | null | undefined;
const server: MailServer = await openMailServer(
  (mail) => void received.push(mail),
  (command) => misbehave(command),
);
afterAll(() => server.close());

beforeEach(async () => {
  shop = new InProcessShop(backend, user);
  // The database notes the time of a message by its own clock.
  shop.buyer.now = new Date();
  received = [];
  misbehave = () => undefined;
  await backend.query('truncate public.mail_setup');
  await shop.ports.call('use_mail', { p_on: true });
});

const settings = (variables: Readonly<Record<string, string>> = {}) =>
  smtpSettings(
    (name) => ({ ...server.environment, OPERATOR_EMAIL: 'ops@weft.test', ...variables })[name],
  );
/** @param mailMs how long the mail server has for a mail */
function sender(mailMs?: number): SendMessage {
  const smtp = settings();
  if (smtp === null) throw new Error('no mail server is set');
  return mailSender(shop.ports, smtp, mailMs);
}
const sendMails = (send = sender()) => sendMessages(shop.ports, send, 'mail');

async function pay() {
  const order = await shop.buyer.place({ [products.COAT]: 2 });
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, {});
  return order;
}
const markAsSent = (id: string, carrier: string | null = null, tracking: string | null = null) =>
  shop.ports.call('mark_orders', {
    p_is_sent: true,
    p_orders: JSON.stringify([{ id, refunded_minor: 0 }]),
    p_carrier: carrier,
    p_tracking_url: tracking,
    p_by: user,
    p_now: shop.buyer.now.toISOString(),
  });
const mailsTo = (address: string) => received.filter((mail) => mail.to === address);

test('the buyer reads what was bought, for how much, where it goes and what happens next; the operator that it is to be sent', async () => {
  const order = await pay();
  await sendMails();
  await sendMails();
  const number = orderNumber(order.id);
  const [mail, ...others] = mailsTo('ada@weft.test');
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`We received your payment for order ${number}`);
  for (const part of [
    '2 × Untitled (COAT): $259.00',
    'Total: $259.00 USD',
    `Ship to:\n${HOME.full_name}\n${HOME.address_line1}\nChicago, IL 60614\nUnited States`,
    'We’ll ship your order to this address',
    'This was a test payment. You weren’t charged.',
    'http://localhost:4173/orders',
  ]) {
    expect(mail?.text).toContain(part);
  }
  const [toOperator] = mailsTo('ops@weft.test');
  expect(toOperator?.subject).toBe(`Order ${number} was paid: $259.00`);
  expect(toOperator?.text).toContain(`/admin/orders?order=${order.id}`);
  expect(toOperator?.text).toContain(`Customer: ${HOME.full_name}`);
  expect(toOperator?.text).toContain('The customer wasn’t charged.');
  expect(toOperator?.text, 'the page says where it goes').not.toContain(HOME.address_line1);
  expect(received).toHaveLength(2);
});

test('the buyer hears once that the order is on its way, with the carrier, and once of each refund', async () => {
  const order = await pay();
  await sendMails();
  received = [];
  await markAsSent(order.id, 'DHL', 'https://track.example/1?a=b&c');
  await shop.buyer.applyReversal({ amountMinor: 100 });
  await shop.buyer.applyReversal({ amountMinor: 100 });
  await sendMails();
  await sendMails();
  const [sent, refund, ...others] = mailsTo('ada@weft.test');
  expect(others).toEqual([]);
  expect(sent?.subject).toBe(`Your order ${orderNumber(order.id)} is on its way`);
  expect(sent?.text).toMatch(/Sent on \w+ \d+ with DHL\./);
  expect(sent?.text).toContain('https://track.example/1?a=b&c');
  expect(refund?.text).toContain(`We’ve refunded $1.00 for order ${orderNumber(order.id)}`);
});

test('a mail that waited while all the money went back promises no parcel, and the operator is not asked to send it', async () => {
  const order = await pay();
  await shop.buyer.applyReversal({ amountMinor: order.total_minor });
  await sendMails();
  expect(mailsTo('ops@weft.test')).toEqual([]);
  const [mail, refund] = mailsTo('ada@weft.test');
  expect(mail?.text).toContain('Total: $259.00 USD');
  expect(mail?.text).not.toMatch(/Ship to|We’ll ship/);
  expect(refund?.text).toContain('We’ve refunded $259.00 for order');
});

test('a mail that waited while the order was sent leaves the news of the parcel to the next one', async () => {
  const order = await pay();
  await markAsSent(order.id);
  await sendMails();
  expect(mailsTo('ops@weft.test')).toEqual([]);
  expect(mailsTo('ada@weft.test').map(({ text }) => text.includes('We’ll ship'))).toEqual([
    false,
    false,
  ]);
});

test('no mail announces an order that was marked as not sent before the mail went', async () => {
  const order = await pay();
  await sendMails();
  received = [];
  await markAsSent(order.id);
  // The sender has the message already when staff takes the order back.
  const send = sender();
  await sendMails(async (message) => {
    const seen = { id: order.id, refunded_minor: 0, sent_at: shop.buyer.now.toISOString() };
    const orders = JSON.stringify([seen]);
    await backend.query('select public.mark_orders($1, false, null, null, $2, now())', [
      orders,
      user,
    ]);
    await send(message);
  });
  expect(received).toEqual([]);
});

test('a buyer whose order was erased meanwhile gets no mail, and nothing waits for one', async () => {
  const order = await pay();
  await backend.query('select public.erase_order($1)', [order.id]);
  await sendMails();
  expect(mailsTo('')).toEqual([]);
  expect(mailsTo('ada@weft.test')).toEqual([]);
  const waiting = `select kind from public.messages where channel = 'mail' and sent_at is null`;
  expect(await columnOf(backend, waiting)).toEqual([]);
});

describe('a mail server that', () => {
  test.each([
    ['refuses', (command: string) => (command === 'RCPT' ? '550 nobody here' : undefined)],
    ['hangs in the middle', (command: string) => (command === 'DATA' ? null : undefined)],
  ])(
    '%s delays neither the payment nor the operator’s messages, and gets the mail later',
    async (_, fault) => {
      misbehave = fault;
      await pay();
      const toOperator: string[] = [];
      await Promise.all([
        sendMails(sender(500)),
        sendMessages(shop.ports, async ({ kind }) => void toOperator.push(kind)),
      ]);
      expect(toOperator).toEqual(['paid']);
      expect(received).toEqual([]);
      expect(shop.log).toHaveLength(2);
      misbehave = () => undefined;
      await sendMails();
      expect(received, 'a pause follows each failure').toEqual([]);
      shop.buyer.waitMinutes(5);
      await sendMails();
      expect(received).toHaveLength(2);
    },
  );

  test('is away for a day makes the shop give a mail up, with a line for the operator', async () => {
    misbehave = () => '421 not now';
    const order = await pay();
    await sendMails();
    shop.buyer.waitMinutes(24 * 60 + 1);
    await sendMails();
    misbehave = () => undefined;
    shop.buyer.waitMinutes(24 * 60);
    await sendMails();
    expect(received).toEqual([]);
    const told = `select detail ->> 'mail' from public.messages where kind = 'mail_given_up' order by 1`;
    expect(await columnOf(backend, told)).toEqual(['order_paid', 'order_to_send']);
    const lines: string[] = [];
    await sendMessages({ ...shop.ports, log: (line) => lines.push(line) }, async (message) => {
      if (message.kind === 'mail_given_up') lines.push(JSON.stringify(message.detail));
    });
    expect(lines.join()).toContain(order.id);
  });
});

describe('the settings of mail', () => {
  test('are those of the auth service; without a host no mail is queued', () => {
    expect(settings({ SMTP_HOST: ' ' })).toBeNull();
    expect(
      settings({ SMTP_USER: 'u', SMTP_PASSWORD: 'p', SMTP_PORT: '', OPERATOR_EMAIL: '' }),
    ).toMatchObject({
      port: 587,
      auth: { user: 'u', pass: 'p' },
      operator: 'shop@weft.test',
    });
  });

  test.each([
    ['SMTP_FROM', 'nobody'],
    ['SMTP_PORT', 'smtp'],
    ['OPERATOR_EMAIL', 'a b@c'],
    ['SMTP_USER', 'a user without a password'],
  ])('that are wrong are named: %s', (name, value) => {
    expect(() => settings({ [name]: value })).toThrow(NotConfigured);
  });

  test('never send a password in plain text: a server elsewhere without TLS is refused', async () => {
    const smtp = { ...settings()!, host: '0.0.0.0', auth: { user: 'u', pass: 'p' } };
    const order = await pay();
    const message = {
      id: 1,
      kind: 'order_paid',
      key: 'x',
      detail: { order: order.id },
      at: '',
      is_last_try: false,
    };
    await expect(mailSender(shop.ports, smtp)(message)).rejects.toThrow(/TLS|SSL/);
    expect(received).toEqual([]);
  });
});
