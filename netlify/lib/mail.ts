/**
 * Mails about orders: to the buyer when an order is paid, sent or refunded, and to the operator for each paid order.
 * They wait in the outbox of messages, which holds nothing personal: whom a mail goes to is read when it is sent.
 */
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import { addressLines } from '../../src/domain/address.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { formatPrice, formatTotal } from '../../src/domain/money.ts';
import { isOrderId } from '../../src/domain/order.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { parseSent, sentWords } from '../../src/domain/sent.ts';
import { isLoopback, netlifyVariable, type ReadVariable, required } from './env.ts';
import { escapeMarkup } from './escape.ts';
import type { SendMessage } from './messages.ts';
import type { KeptOrder } from './orders.ts';
import type { Ports } from './ports.ts';

const ADDRESS = v.pipe(v.string(), v.regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address.'));
const PORT = v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a number, such as 587.'));

/** The mail server, which is the auth service's too; null where none is set. @throws NotConfigured */
export function smtpSettings(read: ReadVariable = netlifyVariable) {
  const host = read('SMTP_HOST')?.trim();
  if (!host) return null;
  const isSet = (name: string) => Boolean(read(name)?.trim());
  const from = required(read, 'SMTP_FROM', ADDRESS);
  return {
    host,
    port: isSet('SMTP_PORT') ? Number(required(read, 'SMTP_PORT', PORT)) : 587,
    /** Null for a server that asks for no password. */
    auth: isSet('SMTP_USER')
      ? { user: required(read, 'SMTP_USER'), pass: required(read, 'SMTP_PASSWORD') }
      : null,
    from,
    /** Hears of each paid order. */
    operator: isSet('OPERATOR_EMAIL') ? required(read, 'OPERATOR_EMAIL', ADDRESS) : from,
    storeName: read('VITE_STORE_NAME') || 'Weft',
  };
}

/** How long the mail server has to take a mail: Netlify ends a scheduled function after 30 seconds. */
const MAIL_MS = 8000;

/** Returns a function that mails a message by SMTP. It throws when the server has not taken the mail. */
export function mailSender(
  ports: Pick<Ports, 'call' | 'siteUrl'>,
  { host, port, auth, from, operator, storeName }: NonNullable<ReturnType<typeof smtpSettings>>,
  mailMs = MAIL_MS,
): SendMessage {
  const isHere = isLoopback({ hostname: host });
  const transport = createTransport({
    host,
    port,
    ...(auth && { auth }),
    secure: port === 465,
    // No password and no address goes over the network in plain text.
    requireTLS: port !== 465 && !isHere,
    ignoreTLS: isHere,
    // A connection that took too long is not waited for.
    socketCloseTimeout: 0,
  });
  return async ({ id, kind, detail }) => {
    const p_order = detail['order'];
    // Null where the order was never paid and is forgotten. Its SQL says the type.
    const found = isOrderId(p_order) ? await ports.call('order_as_json', { p_order }) : null;
    const order = found as KeptOrder | null;
    const mail = order && mailOf(kind, detail, order, ports.siteUrl());
    const to = kind === 'order_to_send' ? operator : order?.email;
    // An order of a deleted account may have no address any more, and a parcel may have been taken back.
    if (!mail || !to) return;
    await transport.sendMail({
      from: { name: storeName, address: from },
      to: { name: '', address: to },
      subject: mail.subject,
      text: textOf(mail),
      html: htmlOf(mail),
      textEncoding: 'quoted-printable',
      // A mail that is sent again after a lost answer has the same id, by which programs drop one of the two.
      messageId: `<${kind}.${id}@${from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      // One limit for all, because a server may also answer a byte at a time.
      signal: AbortSignal.timeout(mailMs),
    });
  };
}

/** The one template: a subject, and paragraphs of lines. An address of the web ends its line. */
interface OrderMail {
  readonly subject: string;
  readonly paragraphs: readonly (readonly string[])[];
}

/** What a mail says; null where it is not true any more. */
function mailOf(kind: string, detail: Fields, order: KeptOrder, siteUrl: string): OrderMail | null {
  const number = orderNumber(order.id);
  const lines = order.items.map(({ quantity, title, size, skc, unit_minor: price }) => {
    const name = size === '' ? title : `${title}, ${size}`;
    return `${quantity} × ${name} (${skc}): ${formatPrice(quantity * price)}`;
  });
  const total = `Total: ${formatTotal(order.total_minor)}`;
  const testWords = (who: string) =>
    order.mode === 'sandbox' ? [[`This was a test payment. ${who} charged.`]] : [];
  const end = [...testWords('You weren’t'), [`See all your orders: ${siteUrl}/orders`]];
  const destination = ['Ship to:', ...(order.address ? addressLines(order.address) : [])];
  // A mail may have waited while the order was sent, or while all of its money went back.
  const isToSend = order.sent_at === null && order.refunded_minor < order.received_minor;
  switch (kind) {
    case 'order_paid': {
      // Not “We’ve”: in ASCII a subject needs no encoding.
      const subject = `We received your payment for order ${number}`;
      const next = ['We’ll ship your order to this address and email you when it’s on its way.'];
      const plan = isToSend ? [destination, next] : [];
      const paragraphs = [[`Thank you. ${subject}.`], [...lines, total], ...plan, ...end];
      return { subject, paragraphs };
    }
    case 'order_sent': {
      const sent = parseSent({ ...order });
      if (sent.sentAt === null) return null;
      const follow = sent.trackingUrl === null ? [] : [`Track your package: ${sent.trackingUrl}`];
      const subject = `Your order ${number} is on its way`;
      const news = [`${subject}.`, `${sentWords(sent)}.`, ...follow];
      return { subject, paragraphs: [news, lines, destination, ...end] };
    }
    case 'order_refunded': {
      const [back, all] = ['back_minor', 'refunded_minor'].map((name) => Number(detail[name]));
      const news = [
        `We’ve refunded ${formatPrice(back ?? 0)} for order ${number}.`,
        `In total, we’ve refunded ${formatPrice(all ?? 0)} of ${formatTotal(order.total_minor)}.`,
        'The money will go back to your original payment method. Your bank may take a few days to show it.',
      ];
      return { subject: `A refund for your order ${number}`, paragraphs: [news, ...end] };
    }
    case 'order_to_send': {
      if (!isToSend) return null;
      // Without the address, which stands on the page. An erased order has no name either.
      const buyer = order.address ? [`Customer: ${order.address.full_name}`] : [];
      const page = `Pack and ship it: ${siteUrl}/admin/orders?order=${order.id}`;
      const subject = `Order ${number} was paid: ${formatPrice(order.total_minor)}`;
      return {
        subject,
        paragraphs: [[...buyer, ...lines, total], ...testWords('The customer wasn’t'), [page]],
      };
    }
    default:
      throw new Error(`there is no mail ${kind}`);
  }
}

function textOf({ paragraphs }: OrderMail): string {
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function htmlOf({ subject, paragraphs }: OrderMail): string {
  const markupOf = (line: string) =>
    escapeMarkup(line).replace(/https?:\/\/\S+$/, (href) => `<a href="${href}">${href}</a>`);
  const body = paragraphs.map((lines) => `<p>${lines.map(markupOf).join('<br>\n')}</p>`);
  const head = `<meta charset="utf-8"><title>${escapeMarkup(subject)}</title>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>\n${body.join('\n')}\n</body></html>\n`;
}
