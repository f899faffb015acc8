/** A shop with payment emulators whose functions tests call over HTTP, and two shoppers of it. */
import { join } from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import type { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import type { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { HOME } from '../supabase/buyer.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { addShopper, sell, type Shopper } from '../supabase/shoppers.ts';
import { type Answer, get, post, readAnswer } from './function-calls.ts';

/** The shop, its two shoppers and the calls of its functions. */
export interface ShopOverHttp extends TestShop {
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  /** The shopper whose token `post` sends by default. */
  readonly ada: Shopper;
  readonly eve: Shopper;
  /** Ids of products by stock code, since the last `restock`. */
  readonly products: Readonly<Record<string, number>>;
  /** Empties products, carts and orders, and sells a coat at $129.50 and a sock at $5.00. */
  restock(): Promise<void>;
  /** Calls a function with these headers and this body. */
  call(name: string, init: RequestInit): Promise<Answer>;
  /** Posts an object as JSON, or a text unchanged; with the token of Ada, another one, or none (null). */
  post(name: string, body: object | string, token?: string | null): Promise<Answer>;
  /** Calls a function by GET, with the token of Ada, another one, or none (null). */
  get(path: string, token?: string | null): Promise<Answer>;
  /** What Ada’s page sends to pay two coats with a card; `changes` replaces fields. */
  cardRequest(changes?: object): Record<string, unknown>;
  /** What Ada’s page sends to pay two coats with PayPal; `changes` replaces fields. */
  payPalRequest(changes?: object): Record<string, unknown>;
  /** Sends `cardRequest` as Ada. */
  createCheckoutSession(changes?: object): Promise<Answer>;
  /** Sends `payPalRequest` as Ada. */
  createPayPalOrder(changes?: object): Promise<Answer>;
  /** Makes an order at PayPal, which Ada approves. Returns PayPal's id of it. */
  approvedPayPalOrder(changes?: object): Promise<string>;
  /** All orders, the oldest first; `total` is in cents. */
  orders(): Promise<readonly Record<string, unknown>[]>;
  /** Expects that these requests write nothing to the database and make nothing at a provider. */
  expectNothingDone(sendRequests: () => Promise<unknown>): Promise<void>;
}

export const COAT_CENTS = 12_950;
/** What `cardRequest` and `payPalRequest` pay, in cents: two coats. */
export const TOTAL = 2 * COAT_CENTS;

/** A site of one document, which the function for products reads. */
export const SHELL_FOLDER = join(import.meta.dirname, 'shell');

/** Opens the shop for all tests of a file, and restocks it before each. */
export async function openShopOverHttpForFile(): Promise<ShopOverHttp> {
  const shop = await openShopOverHttp();
  afterAll(() => shop.close());
  beforeEach(() => shop.restock());
  return shop;
}

/** Opens the shop; its caller closes it. */
export async function openShopOverHttp(): Promise<ShopOverHttp> {
  const shop = await openTestShop({ payments: true, siteFolder: SHELL_FOLDER });
  const { stripe, paypal } = shop.payments ?? {};
  if (!stripe || !paypal) throw new Error('the shop has no emulators for payments');
  const [ada, eve] = [await addShopper(shop, 'ada'), await addShopper(shop, 'eve')];
  let products: Record<string, number> = {};
  const lines = () => [{ product_id: products['COAT'], quantity: 2 }];
  const sharedFields = { shippingAddress: HOME, userId: ada.id };
  const databaseDigest = async () => {
    await Promise.all([stripe.webhooks.idle(), paypal.webhooks.idle()]);
    return digestOf(shop.backend.query);
  };

  const opened: ShopOverHttp = {
    ...shop,
    stripe,
    paypal,
    ada,
    eve,
    get products() {
      return products;
    },
    async restock() {
      await shop.backend.query(
        'truncate public.products, public.orders, public.payment_events, public.cart_items cascade',
      );
      products = await sell(shop, { COAT: COAT_CENTS / 100, SOCK: 5 });
    },
    call: async (name, init) =>
      readAnswer(await fetch(`${shop.url}/.netlify/functions/${name}`, init)),
    post: (name, body, token = ada.token) => post(shop, name, token, body),
    get: (path, token = ada.token) => get(shop, path, token),
    cardRequest: (changes = {}) => ({ items: lines(), ...sharedFields, ...changes }),
    payPalRequest: (changes = {}) => ({ cartItems: lines(), ...sharedFields, ...changes }),
    createCheckoutSession: (changes) =>
      opened.post('create-checkout-session', opened.cardRequest(changes)),
    createPayPalOrder: (changes) =>
      opened.post('create-paypal-order', opened.payPalRequest(changes)),
    async approvedPayPalOrder(changes) {
      const { body } = await opened.createPayPalOrder(changes);
      const orderId = String(body['orderId']);
      paypal.approve(orderId);
      return orderId;
    },
    orders: () =>
      shop.backend.query(
        'select id, user_id, state, total_minor::int as total, mode, review from public.orders order by created_at',
      ),
    async expectNothingDone(sendRequests) {
      const providerCounts = () => [stripe.checkouts.length, paypal.checkouts.length];
      const [digest, counts] = [await databaseDigest(), providerCounts()];
      await sendRequests();
      expect(providerCounts()).toEqual(counts);
      expect(await databaseDigest(), 'something was written').toBe(digest);
    },
  };
  return opened;
}

/** Expects an answer of this status, whose JSON names this code, or none. */
export async function expectAnswer(
  answer: Answer | Promise<Answer>,
  status: number,
  code?: string,
): Promise<void> {
  const { status: actual, body } = await answer;
  expect([actual, body['code']]).toEqual([status, code]);
}

/** A digest of all rows of all tables, which tells whether anything was written. */
async function digestOf(query: TestShop['backend']['query']): Promise<string> {
  const tables = await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'auth') order by 1`,
  );
  const parts = tables.map(
    ({ name }) =>
      `select ${quote(String(name))} || coalesce(string_agg(t::text, ' ' order by t::text), '') as rows from ${String(name)} t`,
  );
  const [row] = await query(
    `select md5(string_agg(rows, ' ')) as digest from (${parts.join(' union all ')}) everything`,
  );
  return String(row?.['digest']);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
