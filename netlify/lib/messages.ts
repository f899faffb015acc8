/**
 * Sends messages to the operator of the shop: each paid order, and what a person must look at. The database writes
 * a message into the table `messages` in the transaction of its event. From there it goes to a chat of Slack or
 * Discord, or to any webhook that takes JSON. A message is sent at least once, or given up after a day. Mails about
 * orders (mail.ts) wait in the same table.
 */
import { formatPrice } from '../../src/domain/money.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { isOrderId } from '../../src/domain/order.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import type { Ports } from './ports.ts';

export interface Message {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  /** Ids, sums and states; nothing personal. */
  readonly detail: Fields;
  /** When the message was written, as the database writes a time. */
  readonly at: string;
  /** Whether it is a day old, so that it is not tried again. */
  readonly is_last_try: boolean;
}

/** Sends a message. @throws Error when the operator's webhook, or the mail server, has not taken it */
export type SendMessage = (message: Message) => Promise<void>;

type MessagePorts = Pick<Ports, 'call' | 'now' | 'log'>;

/** When no further message is begun: Netlify ends a scheduled function after 30 seconds. */
const MAX_RUN_MS = 20_000;
/** How long the operator's webhook has to answer. */
const WEBHOOK_TIMEOUT_MS = 5000;

/** Where a message goes. The channels have runs of their own, so that neither waits for the other. */
type Channel = 'operator' | 'mail';

/** Sends the messages of a channel that are due; the next run sends the others. @throws DatabaseUnavailable */
export async function sendMessages(
  ports: MessagePorts,
  send: SendMessage,
  channel: Channel = 'operator',
): Promise<void> {
  const began = ports.now().getTime();
  while (ports.now().getTime() - began < MAX_RUN_MS) {
    const p_now = ports.now().toISOString();
    const taken = await ports.call('take_message', { p_now, p_channel: channel });
    const message = taken as Message | null; // the database's function builds this shape
    if (message === null) return;
    const { id, kind, detail, is_last_try: isLastTry } = message;
    try {
      await send(message);
      await ports.call('message_sent', { p_id: id, p_now: ports.now().toISOString() });
    } catch (thrown) {
      const end = isLastTry ? ', and is given up' : '';
      ports.log(`message ${id} (${kind}) was not sent${end}: ${String(thrown)}`);
      if (!isLastTry || channel !== 'mail') continue;
      // The operator is told that a customer gets no mail.
      const p_detail = { mail: kind, order: detail['order'] };
      await ports.call('queue_message', { p_kind: 'mail_given_up', p_key: String(id), p_detail });
    }
  }
}

/**
 * Returns a function that posts a message to a webhook. Slack reads `text`, Discord `content`. The other
 * fields are for programs: a message sent again after a lost answer has the same `id`.
 */
export function webhookSender(
  { siteUrl }: Pick<Ports, 'siteUrl'>,
  url: URL,
  fetch = globalThis.fetch,
): SendMessage {
  return async (message) => {
    const text = messageText(message, siteUrl);
    const { id, kind, at } = message;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, content: text, id, kind, at }),
      // A redirect would lead the message to another host, and after a 301 or 302 without its text.
      redirect: 'error',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}

/** The sender of a shop without a webhook: the function's log is what its operator reads. */
export function logSender({ log, siteUrl }: Pick<Ports, 'log' | 'siteUrl'>): SendMessage {
  return async (message) => log(messageText(message, siteUrl));
}

/** What a message says to the operator, in one or two sentences. */
function messageText({ kind, key, detail }: Message, siteUrl: Ports['siteUrl']): string {
  const field = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
  };
  const mode = detail['mode'] === 'sandbox' ? ' This was a test payment.' : '';
  const { total_minor: total, today_minor: today } = detail;
  // An order keeps its prices for three hours, so a price that was wrong is still paid after it was corrected.
  const price =
    typeof today === 'number' && today !== total
      ? ` The same order would cost ${formatPrice(today)} today.`
      : '';
  switch (kind) {
    case 'paid':
      return `Order ${orderIn(detail)} (${sumOf(detail)}) was paid.${price}${mode}`;
    case 'needs_review':
      return `Order ${orderIn(detail)} (${sumOf(detail)}) needs a look: its payment doesn’t match, or it was paid twice.${price}${mode} See why: ${siteUrl()}/admin/orders?order=${field('order')}`;
    case 'paid_late':
      return `Order ${orderIn(detail)} (${sumOf(detail)}) was paid after it was closed. Ship the order or refund it.${price}${mode}`;
    case 'refund_failed':
      return `A refund of ${sumOf(detail)} failed at ${field('provider')}: refund ${field('refund')} of payment ${field('payment')}. The customer hasn’t been refunded.${mode}`;
    case 'dispute_open':
      return `The customer is disputing ${sumOf(detail)} on order ${orderIn(detail)}: payment ${field('payment')}. See ${field('provider')} for the deadline to respond.${mode}`;
    case 'dispute_lost':
      return `We lost the dispute on order ${orderIn(detail)}. ${sumOf(detail)} went back to the customer: payment ${field('payment')} at ${field('provider')}. If the order hasn’t shipped, don’t ship it.${mode}`;
    case 'unknown_payment':
      return `${field('provider')} received a payment of ${sumOf(detail)} that doesn’t match any order: ${field('payment')}.${mode}`;
    case 'step_failed':
      return `The “${field('step')}” step of the “${field('job')}” function failed on ${field('day')}. Check its log.`;
    case 'mail_given_up':
      return `We tried for a day to send the “${field('mail')}” email about order ${orderIn(detail)}, then gave up. Check the log of the “messages” function.`;
    case 'account_deleted':
      return `Account ${field('account')} was deleted. Keep this ID. If you restore an older backup, delete the account again.`;
    default:
      return `${kind.replaceAll('_', ' ')}: ${key}`;
  }
}

/** The number that the customer knows, and the id that the database takes. */
function orderIn({ order }: Fields): string {
  return isOrderId(order) ? `${orderNumber(order)}, id ${order}` : 'unknown';
}

function sumOf({ total_minor: minor, currency }: Fields): string {
  if (typeof minor !== 'number' || typeof currency !== 'string') return 'an unknown amount';
  return currency === 'USD' ? formatPrice(minor) : `${(minor / 100).toFixed(2)} ${currency}`;
}
