/**
 * Sends notices to the operator of the shop: what a person must look at. The table `notices` in the database
 * keeps them all. A notice is sent to a chat of Slack or Discord, or to any webhook that takes JSON.
 */
import { formatPrice } from '../../src/domain/money.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { isOrderId } from '../../src/domain/order.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { netlifyVariable, NotConfigured, operatorWebhook, type ReadVariable } from './env.ts';
import type { Ports } from './payments.ts';

export interface OperatorNotice {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  readonly detail: Fields;
  /** When the notice was added, as the database writes a time. */
  readonly at: string;
}

/** Sends a notice to the operator. @throws Error when the operator's webhook has not taken it */
export type SendNotice = (notice: OperatorNotice) => Promise<void>;

type NoticePorts = Pick<Ports, 'call' | 'now' | 'log'>;

/** Limits of one run, which is part of a function that Netlify ends after a while. */
const MAX_NOTICES_PER_RUN = 20;
const MAX_RUN_MS = 8000;
/** How long the operator's webhook has to answer. */
const WEBHOOK_TIMEOUT_MS = 5000;

/** Sends to the address in OPERATOR_WEBHOOK_URL the notices that are due. Never throws. */
export async function tellOperator(
  ports: NoticePorts,
  read: ReadVariable = netlifyVariable,
): Promise<void> {
  await sendNotices(ports, senderOf(ports, read));
}

function senderOf({ log }: Pick<Ports, 'log'>, read: ReadVariable): SendNotice | null {
  try {
    const url = operatorWebhook(read);
    return url && openSender(url);
  } catch (thrown) {
    if (!(thrown instanceof NotConfigured)) throw thrown;
    log(thrown.message);
    return null;
  }
}

/**
 * Sends the notices that are due; the next run sends the others. Failures are logged and not thrown,
 * because the request that sends notices must succeed without them.
 *
 * @param send null where no webhook is set: the notices then stay in the database
 */
export async function sendNotices(ports: NoticePorts, send: SendNotice | null): Promise<void> {
  const began = ports.now().getTime();
  let keptCount = 0;
  try {
    for (let taken = 0; taken < MAX_NOTICES_PER_RUN; taken += 1) {
      if (ports.now().getTime() - began > MAX_RUN_MS) break;
      const notice = await takeNotice(ports);
      if (notice === null) break;
      if (send === null) keptCount += 1;
      else await sendOne(ports, send, notice);
    }
  } catch (thrown) {
    ports.log(`notices: ${String(thrown)}`);
  }
  if (keptCount > 0) {
    const subject = keptCount === 1 ? '1 notice stays' : `${keptCount} notices stay`;
    ports.log(`${subject} in the table notices: OPERATOR_WEBHOOK_URL is not set.`);
  }
}

async function takeNotice({ call, now }: NoticePorts): Promise<OperatorNotice | null> {
  const notice = await call('take_notice', { p_now: now().toISOString() });
  return notice as OperatorNotice | null; // what take_notice returns
}

async function sendOne(
  ports: NoticePorts,
  send: SendNotice,
  notice: OperatorNotice,
): Promise<void> {
  try {
    await send(notice);
  } catch (thrown) {
    ports.log(`notice ${notice.id} (${notice.kind}) was not sent: ${String(thrown)}`);
    return;
  }
  await ports.call('notice_sent', { p_id: notice.id, p_now: ports.now().toISOString() });
}

/**
 * Returns a function that posts a notice to a webhook. Slack reads `text`, Discord `content`. The other
 * fields are for programs: a notice sent again after a lost answer has the same `id`.
 */
export function openSender(url: URL, fetch = globalThis.fetch): SendNotice {
  return async (notice) => {
    const text = noticeText(notice);
    const { id, kind, at } = notice;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, content: text, id, kind, at }),
      // A redirect would lead the notice to another host, and after a 301 or 302 without its text.
      redirect: 'error',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}

/** Adds a notice, unless there is one of this kind and key. `detail` must hold nothing personal. */
export async function addNotice(
  { call }: Pick<Ports, 'call'>,
  kind: string,
  key: string,
  detail: Fields,
): Promise<void> {
  await call('add_notice', { p_kind: kind, p_key: key, p_detail: detail });
}

/** What a notice says to the operator, in one or two sentences. */
function noticeText({ kind, key, detail }: OperatorNotice): string {
  const field = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
  };
  const mode = detail['mode'] === 'sandbox' ? ' It is a test payment.' : '';
  switch (kind) {
    case 'needs_review':
      return `Order ${orderIn(detail)} (${sumOf(detail)}) waits for a person: its payment does not fit it, or it was paid twice.${mode} Its row in the table orders says why.`;
    case 'paid_late':
      return `Order ${orderIn(detail)} (${sumOf(detail)}) was paid after it was closed. Send the goods or the money back.${mode}`;
    case 'refund_failed':
      return `A refund of ${sumOf(detail)} failed at ${field('provider')}: refund ${field('refund')} of payment ${field('payment')}. The customer does not have the money back.${mode}`;
    case 'dispute_open':
      return `The payer of order ${orderIn(detail)} disputes ${sumOf(detail)}: payment ${field('payment')} at ${field('provider')}, which says until when it takes your answer.${mode}`;
    case 'unknown_payment':
      return `${sumOf(detail)} arrived at ${field('provider')} for no order of this shop: payment ${field('payment')}.${mode}`;
    case 'upkeep_failed':
      return `The upkeep step ${field('step')} failed on ${field('day')}. The log of the function reconcile says why.`;
    case 'account_deleted':
      return `The account ${field('account')} was deleted. Keep this id: a backup from before brings the account back, and it must then be deleted again.`;
    default:
      return `${kind.replaceAll('_', ' ')}: ${key}`;
  }
}

/** The number that the customer knows, and the id that the database takes. */
function orderIn({ order }: Fields): string {
  return isOrderId(order) ? `${orderNumber(order)}, id ${order}` : 'unknown';
}

function sumOf({ total_minor: minor, currency }: Fields): string {
  if (typeof minor !== 'number' || typeof currency !== 'string') return 'an unknown sum';
  return currency === 'USD' ? formatPrice(minor) : `${(minor / 100).toFixed(2)} ${currency}`;
}
