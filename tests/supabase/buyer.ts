/** A shopper who orders and pays, through netlify/lib's calls of the database's functions, without HTTP. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { DatabaseRejection } from '../../netlify/lib/database.ts';
import { HttpError } from '../../netlify/lib/http.ts';
import type {
  PaymentAttempt,
  CallDatabase,
  OrderRequest,
  PlacedOrder,
} from '../../netlify/lib/orders.ts';
import { callOrders, ordersIn } from '../../netlify/lib/orders.ts';
import type { PaymentEvent, Provider, Reversal } from '../../netlify/lib/provider.ts';
import type { ShippingAddress } from '../../src/domain/address.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { columnOf } from './column.ts';

/** A valid address, to which test orders go. */
export const HOME: ShippingAddress = {
  full_name: 'Ada Byron',
  address_line1: '12 St James’s Square',
  city: 'Chicago',
  state: 'IL',
  postal_code: '60614',
  country: 'US',
};

/** Returns a function that calls functions of the database. It throws DatabaseRejection, as netlify/lib's does. */
export function callIn(backend: Pick<Backend, 'query'>): CallDatabase {
  return async (name, args) => {
    const names = Object.keys(args).map((arg, i) => `${arg} => $${i + 1}`);
    const sql = `select public.${name}(${names.join(', ')}) as answer`;
    try {
      const [row] = await backend.query(sql, Object.values(args));
      return row?.['answer'];
    } catch (thrown) {
      const { code, message, detail = '' } = thrown as Readonly<Record<string, string>>;
      throw new DatabaseRejection(code ?? '', message ?? '', detail);
    }
  };
}

/** Adds an account that can order. */
export async function addBuyer(backend: Backend, name: string): Promise<Buyer> {
  const account = { email: `${name}@weft.test`, password: 'secret-1' };
  return new Buyer(backend, await backend.addAccount(account));
}

/** An order that is not paid within so many minutes expires. */
export const ORDER_MINUTES = 180;
/** A provider whose webhook does not come is asked after so many minutes. */
export const ASK_MINUTES = 2;

type OrderId = Pick<PlacedOrder, 'id'>;

/** An answer of `erase_account`: the payment attempts that prevent it, and whether the account is gone. */
interface Erasure {
  readonly open: readonly { readonly attempt: { readonly reference: string | null } }[];
  readonly is_removed: boolean;
}

/** A shopper with the calls of an order’s life; amounts are in cents, quantities by product id. */
export class Buyer {
  readonly backend: Backend;
  /** The id of the account. */
  readonly id: string;
  /** The time for the shop's functions. Only a test moves it. */
  now = new Date('2026-11-21T12:00:00Z');
  /** The calls with which the shop's functions place and pay orders. */
  readonly orders;
  readonly call: CallDatabase;

  constructor(backend: Backend, id: string) {
    this.backend = backend;
    this.id = id;
    this.call = callIn(backend);
    this.orders = ordersIn(this.call, () => this.now);
  }

  /** Moves the time for the shop's functions on. */
  waitMinutes(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
  }

  /** Places an order of these quantities by product id; `fields` replaces parts of the request. */
  place(
    lines: Readonly<Record<number, number>>,
    fields: Partial<OrderRequest> = {},
  ): Promise<PlacedOrder> {
    return this.orders.place({
      userId: this.id,
      email: 'ada@weft.test',
      orderId: randomUUID(),
      lines: Object.entries(lines).map(([id, quantity]) => ({ product_id: Number(id), quantity })),
      address: HOME,
      shownTotal: null,
      mode: 'sandbox',
      ...fields,
    });
  }

  /** Begins to pay. @param again whether the shopper agrees to pay for the same things once more */
  startAttempt({ id }: OrderId, provider: Provider, again?: boolean) {
    return this.orders.startAttempt(this.id, id, provider, again);
  }

  /** Starts an attempt to pay and records the id that the provider gave it. */
  async openAttempt(
    order: PlacedOrder,
    provider: Provider,
    reference: string,
  ): Promise<PaymentAttempt> {
    const { attempt } = await this.startAttempt(order, provider);
    if (attempt === null) throw new Error('another attempt is open');
    const opened = await this.orders.recordReference(attempt, reference);
    if (opened === null) throw new Error('the attempt is gone');
    return opened;
  }

  /** Places an order and opens a payment page for it. */
  async placeAndOpen(
    lines: Readonly<Record<number, number>>,
    provider: Provider,
    reference: string,
  ): Promise<PlacedOrder> {
    const order = await this.place(lines);
    await this.openAttempt(order, provider, reference);
    return order;
  }

  /** Asks whether the money of a PayPal order may be captured, and marks its attempt as `capturing`. */
  mayCapture(reference: string) {
    return this.orders.mayCapture(this.id, reference);
  }

  /** Applies an event that the order was paid in full, changed by `fields`. Returns its result, such as `paid`. */
  applyPayment(order: PlacedOrder, fields: Partial<PaymentEvent>): Promise<string> {
    const provider = fields.provider ?? 'stripe';
    return this.orders.apply({
      provider,
      eventId: randomUUID(),
      reference: provider === 'stripe' ? 'cs_1' : 'PP-1',
      outcome: 'captured',
      amountMinor: order.total_minor,
      currency: order.currency,
      mode: order.mode,
      captureId: (fields.outcome ?? 'captured') === 'captured' ? 'pi_1' : null,
      ...fields,
    });
  }

  /** Cancels the order as staff do, without asking a provider. */
  cancel({ id }: OrderId): Promise<unknown> {
    return this.call('cancel_order', { p_order: id, p_now: this.now.toISOString() });
  }

  /** Closes the review of an order with this state, as staff do in the SQL editor. */
  closeReview({ id }: OrderId, state: string): Promise<unknown> {
    const note = { p_note: 'Agreed.', p_now: this.now.toISOString() };
    return this.call('close_review', { p_order: id, p_state: state, ...note });
  }

  /** Deletes the account, unless a payment of it is open. */
  erase(): Promise<Erasure> {
    const args = { p_user: this.id, p_now: this.now.toISOString() };
    return callOrders<Erasure>(this.call, 'erase_account', args);
  }

  /** Applies a refund of 100 cents of the payment of `applyPayment`, changed by `fields`. Returns its result. */
  applyReversal(fields: Partial<Reversal> = {}): Promise<string> {
    return this.orders.applyReversal({
      provider: 'stripe',
      kind: 'refund',
      id: 're_1',
      paymentId: 'pi_1',
      state: 'done',
      amountMinor: 100,
      currency: 'USD',
      mode: 'sandbox',
      saidAt: this.now,
      ...fields,
    });
  }

  /** Cents as `refunded of received`, with the dispute if there is one: `100 of 5000, open 300`. */
  async money({ id }: OrderId): Promise<string> {
    const row = await this.row(id);
    const [received, refunded, disputed] = ['received', 'refunded', 'disputed'].map((name) =>
      String(row[`${name}_minor`]),
    );
    const state = row['dispute_state'];
    const dispute = typeof state === 'string' ? `, ${state} ${disputed}` : '';
    return `${refunded} of ${received}${dispute}`;
  }

  async state({ id }: OrderId): Promise<string> {
    return String((await this.row(id))['state']);
  }

  /** The remark for the staff who must review the order, or null. */
  async review({ id }: OrderId): Promise<unknown> {
    return (await this.row(id))['review'];
  }

  /** The order's payment attempts as `provider state`, the oldest first. */
  attempts({ id }: OrderId): Promise<unknown[]> {
    const sql = `select provider || ' ' || state from public.payment_attempts
      where order_id = $1 order by number`;
    return columnOf(this.backend, sql, [id]);
  }

  /** Quantities by product id. */
  async cart(): Promise<Record<string, number>> {
    const rows = await this.backend.query(
      'select product_id, quantity from public.cart_items where user_id = $1 order by 1',
      [this.id],
    );
    return Object.fromEntries(
      rows.map((row) => [String(row['product_id']), Number(row['quantity'])]),
    );
  }

  /** Replaces the cart with these quantities by product id. */
  async putInCart(lines: Readonly<Record<number, number>>): Promise<void> {
    await this.backend.query('delete from public.cart_items where user_id = $1', [this.id]);
    for (const [product, quantity] of Object.entries(lines)) {
      await this.backend.query(
        'insert into public.cart_items (user_id, product_id, quantity) values ($1, $2, $3)',
        [this.id, product, quantity],
      );
    }
  }

  private async row(id: string) {
    const [row] = await this.backend.query('select * from public.orders where id = $1', [id]);
    return row ?? {};
  }
}

/** Expects that the shop rejects a call with this code. Returns the answer's sentence and other fields. */
export async function expectRejected(
  call: Promise<unknown>,
  code: string,
): Promise<Readonly<Record<string, unknown>> & { readonly sentence: string }> {
  const thrown = await call.then(
    () => 'the call was not rejected',
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(HttpError);
  const { message, answerFields } = thrown as HttpError;
  expect(answerFields['code'], message).toBe(code);
  return { sentence: message, ...answerFields };
}
