/** What the functions for staff share: who may see and send orders, and what these functions read and answer. */
import * as v from 'valibot';
import { csvLine, escapeCell } from '../../src/csv/write.ts';
import { tidied } from '../../src/domain/address.ts';
import { type Fields, fieldsOf, isoTime } from '../../src/domain/fields.ts';
import { isMinor, isOrderId } from '../../src/domain/order.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { isTrackingUrl, LONGEST_CARRIER } from '../../src/domain/sent.ts';
import { type Caller, requireCaller } from './auth.ts';
import { DatabaseRejection } from './database.ts';
import { backendSettings, netlifyVariable, NotConfigured, type ReadVariable } from './env.ts';
import { HttpError, parseBody } from './http.ts';
import { callOrders, type KeptOrder } from './orders.ts';
import type { Ports } from './ports.ts';
import type { Provider } from './provider.ts';

type StaffPorts = Pick<Ports, 'call' | 'now'>;

/**
 * The value of `app_metadata.role` of those who see and send orders. Imports may be open to everybody (`*`), but
 * buyers' addresses must not be.
 *
 * @throws NotConfigured
 */
export function staffRole(read: ReadVariable = netlifyVariable): string {
  const role = read('STAFF_ROLE')?.trim() ?? '';
  if (role !== '' && role !== '*') return role;
  const problem = role === '' ? 'isn’t set' : 'can’t be *';
  const sentence = `STAFF_ROLE ${problem}. Set it to your staff’s role, and deploy again.`;
  throw new NotConfigured(sentence, sentence);
}

/**
 * @param what they want to do, for the sentence of the 403
 * @throws HttpError 401 without a good token, 403 without the role; NotConfigured
 */
export async function admitStaff(request: Request, what = 'see orders'): Promise<Caller> {
  const caller = await requireCaller(request, backendSettings());
  const role = staffRole();
  if (caller.role === role) return caller;
  throw new HttpError(403, `Only accounts with the role "${role}" may ${what}.`);
}

/** The lists of `staff_orders`, and the field by which each is sorted. */
const SORTED_BY = {
  'to-send': 'paid_at',
  sent: 'sent_at',
  open: 'created_at',
  person: 'created_at',
} as const;
const isList = (name: string): name is keyof typeof SORTED_BY => Object.hasOwn(SORTED_BY, name);

const PAGE_ORDERS = 50;
/** A time as the database writes one in JSON. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/;

/** Answers a request of staff for orders: for one, for a file of those to send, or for a page of a list or search. */
export async function answerStaff(ports: StaffPorts, query: URLSearchParams): Promise<object> {
  const order = query.get('order');
  if (order !== null) return oneOrder(ports, order);
  if (query.has('csv')) return ordersFile(ports);
  const list = query.get('list') ?? 'to-send';
  const search = tidied(query.get('search'));
  const [p_after_at = null, p_after = null] = query.get('after')?.split('~') ?? [];
  if (!isList(list) || search.length > 200)
    throw new HttpError(400, 'There is no such list of orders.');
  if (p_after_at !== null && !(TIME.test(p_after_at) && isOrderId(p_after))) throw noSuchPage();
  const page = { p_after_at, p_after, p_limit: PAGE_ORDERS };
  const orders = await (search === ''
    ? readOrdersBy(ports, 'staff_orders', { p_list: list, ...page })
    : readOrdersBy(ports, 'find_orders', { p_text: search, ...page }));
  const sortedBy = search === '' ? SORTED_BY[list] : 'created_at';
  const last = orders.length === PAGE_ORDERS ? orders.at(-1) : undefined;
  return { orders, next: last ? `${last[sortedBy]}~${last.id}` : null };
}

async function readOrdersBy({ call }: StaffPorts, name: string, args: Fields) {
  try {
    return (await call(name, args)) as readonly KeptOrder[]; // its SQL says so
  } catch (thrown) {
    const isBadTime = thrown instanceof DatabaseRejection && thrown.code === NO_SUCH_TIME;
    throw isBadTime ? noSuchPage() : thrown;
  }
}

/** SQLSTATE of a time that the calendar does not have, such as a 31st of February. */
const NO_SUCH_TIME = '22008';
const noSuchPage = () => new HttpError(400, 'That page doesn’t exist. Go to the first page.');

interface Payment {
  readonly provider: Provider;
  /** The provider's id. */
  readonly id: string;
}

async function oneOrder({ call }: StaffPorts, id: string): Promise<object> {
  const found = isOrderId(id) ? await call('staff_order', { p_order: id }) : null;
  if (found === null) throw new HttpError(404, 'Order not found.', { code: 'order-unknown' });
  const order = found as KeptOrder & { readonly payments: readonly Payment[] }; // its SQL says so
  const payments = order.payments.map((payment) => ({
    ...payment,
    href: paymentHref(payment, order.mode),
  }));
  return { order: { ...order, payments } };
}

/** Where staff see and refund a payment: at its provider, or at the emulator that stands in for it. */
export function paymentHref(
  { provider, id }: Payment,
  mode: KeptOrder['mode'],
  read: ReadVariable = netlifyVariable,
): string {
  const isTest = mode === 'sandbox';
  const emulator = read(provider === 'stripe' ? 'STRIPE_API_URL' : 'PAYPAL_API_URL')?.trim();
  if (emulator) return emulator;
  return provider === 'stripe'
    ? `https://dashboard.stripe.com/${isTest ? 'test/' : ''}payments/${id}`
    : `https://www.${isTest ? 'sandbox.' : ''}paypal.com/activity/payment/${id}`;
}

/** An answer of a function has 6 MB at most, and an order some kilobytes. */
const FILE_ORDERS = 1000;

/** The oldest orders that are to be sent as a CSV, with a row for each of their lines; and whether there are more. */
async function ordersFile(ports: StaffPorts): Promise<object> {
  const page = { p_list: 'to-send', p_after_at: null, p_after: null, p_limit: FILE_ORDERS + 1 };
  const found = await readOrdersBy(ports, 'staff_orders', page);
  const orders = found.slice(0, FILE_ORDERS);
  const rows = orders.flatMap(({ id, email, address, items }) =>
    items.map((item) =>
      [orderNumber(id), email, ...ADDRESS.map((field) => address?.[field] ?? '')].concat([
        String(item.quantity),
        item.skc,
        item.size,
        item.title,
      ]),
    ),
  );
  const lines = [HEADINGS, ...rows].map((cells) => csvLine(cells.map(escapeCell)));
  // The byte order mark tells Excel that the file is UTF-8.
  return { csv: `\ufeff${lines.join('')}`, hasMore: found.length > FILE_ORDERS };
}

const ADDRESS = ['full_name', 'address_line1', 'city', 'state', 'postal_code', 'country'] as const;
const HEADINGS = ['order', 'email', ...ADDRESS, 'quantity', 'stock code', 'size', 'title'];

const NO_ORDERS = 'The request must name 1 to 100 orders.';
const line = (longest: number, name: string) => {
  const sentence = `The ${name} must be one line of at most ${longest} characters.`;
  return v.nullish(
    v.pipe(
      v.string(sentence),
      v.transform((text: string) => tidied(text)),
      v.maxLength(longest, sentence),
    ),
    '',
  );
};
/** An order as the person saw it. What has happened since is a reason to look again. */
interface SeenOrder {
  readonly id: string;
  readonly refunded_minor: number;
  /** ISO 8601; null for an order that was not sent. */
  readonly sent_at: string | null;
}
function isSeenOrder(value: unknown): boolean {
  const { id, refunded_minor: refunded, sent_at } = fieldsOf(value);
  return isOrderId(id) && isMinor(refunded) && (sent_at === null || isoTime(sent_at) === sent_at);
}
const CHANGE = v.object({
  change: v.picklist(['send', 'unsend', 'close'], 'Orders can’t be changed that way.'),
  orders: v.pipe(
    v.array(v.custom<SeenOrder>(isSeenOrder, NO_ORDERS), NO_ORDERS),
    v.minLength(1, NO_ORDERS),
    v.maxLength(100, NO_ORDERS),
  ),
  carrier: line(LONGEST_CARRIER, 'carrier'),
  tracking_url: v.nullish(
    v.custom<string>(
      (text) => text === '' || isTrackingUrl(text),
      'The tracking link must be a web address that starts with https://.',
    ),
    '',
  ),
  outcome: v.optional(v.picklist(['paid', 'cancelled'], 'There is no such outcome.'), 'paid'),
  note: line(1000, 'note'),
});
/** SQLSTATE of a move that `order_states` does not allow. */
const NO_SUCH_MOVE = '23001';

/**
 * Marks orders as sent, takes that back, or closes a review. Returns the time of the change, in ISO 8601.
 *
 * @throws HttpError 400 for a wrong field, 409 where somebody else was faster, with nothing changed
 */
export async function changeAsAsked(
  { call, now }: StaffPorts,
  staff: Caller,
  fields: Fields,
): Promise<string> {
  const { change, orders, carrier, tracking_url, outcome, note } = parseBody(CHANGE, fields);
  const at = now().toISOString();
  const byNow = { p_by: staff.id, p_now: at };
  if (change !== 'close') {
    await callOrders(call, 'mark_orders', {
      p_orders: orders.map(({ id, refunded_minor, sent_at }) => ({ id, refunded_minor, sent_at })),
      p_is_sent: change === 'send',
      p_carrier: carrier || null,
      p_tracking_url: tracking_url || null,
      ...byNow,
    });
    return at;
  }
  if (note === '') throw new HttpError(400, 'Add a note before you close the review.');
  try {
    const p_order = orders[0]?.id;
    await callOrders(call, 'close_review', { p_order, p_state: outcome, p_note: note, ...byNow });
    return at;
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRejection) || thrown.code !== NO_SUCH_MOVE) throw thrown;
    throw new HttpError(409, 'This order has changed. Reload it and choose again.', {
      code: 'no-move',
    });
  }
}
