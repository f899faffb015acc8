/**
 * A shop with payment emulators whose functions tests call over HTTP, two shoppers of it, and a
 * digest of its database. With a folder in `ATTACKED`, its functions and its SQL come from there: a
 * copy with a guard taken out, on which a test of the attack must fail (`npm run soak -- guards`).
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import type { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { HOME } from '../supabase/buyer.ts';
import type { TestShop } from '../supabase/shop.ts';
import { openTestShop } from '../supabase/shop.ts';
import type { Shopper } from '../supabase/shoppers.ts';
import { addShopper, sell } from '../supabase/shoppers.ts';

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ShopOverHttp extends TestShop {
  /** The folder that its functions and its SQL come from. */
  readonly project: string;
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  readonly ada: Shopper;
  readonly eve: Shopper;
  /** Ids of products by stock code, since the last `restock`. */
  readonly products: Readonly<Record<string, number>>;
  restock(): Promise<void>;
  /** Calls a function with these headers and this body. */
  call(name: string, init: RequestInit): Promise<Answered>;
  /** Posts JSON as a shopper. */
  post(name: string, body: unknown, token?: string | null): Promise<Answered>;
  /** What the page of a shopper sends to pay two coats with a card. */
  cardRequest(more?: object, who?: Shopper): Record<string, unknown>;
  /** The same for PayPal. */
  walletRequest(more?: object, who?: Shopper): Record<string, unknown>;
  orders(): Promise<readonly Record<string, unknown>[]>;
  /** Of all rows of all tables. */
  databaseDigest(): Promise<string>;
}

/** In cents: 2 coats are $259.00. */
export const TOTAL = 25_900;

export async function openShopOverHttp(
  options: { readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ShopOverHttp> {
  const project = process.env['ATTACKED'];
  const shop = await openTestShop({
    ...options,
    payments: true,
    ...(project && { functionsFolder: join(project, 'netlify/functions') }),
  });
  const { stripe, paypal } = shop.payments ?? {};
  if (!stripe || !paypal) throw new Error('the shop has no emulators for payments');
  const [ada, eve] = [await addShopper(shop, 'ada'), await addShopper(shop, 'eve')];
  let products: Record<string, number> = {};
  const lines = () => [{ product_id: products['COAT'], quantity: 2 }];
  const shared = (who: Shopper) => ({ shippingAddress: HOME, userId: who.id });

  const call = async (name: string, init: RequestInit): Promise<Answered> => {
    const answer = await fetch(`${shop.url}/.netlify/functions/${name}`, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: answer.status,
      body: isJson ? (JSON.parse(text) as Answered['body']) : { text },
    };
  };

  return {
    project: project ?? join(import.meta.dirname, '../..'),
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
      products = await sell(shop, { COAT: 129.5, SOCK: 5 });
    },
    call,
    post: (name, body, token = ada.token) =>
      call(name, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    cardRequest: (more = {}, who = ada) => ({ items: lines(), ...shared(who), ...more }),
    walletRequest: (more = {}, who = ada) => ({ cartItems: lines(), ...shared(who), ...more }),
    orders: () =>
      shop.backend.query(
        'select id, user_id, state, total_minor::int as total, mode, review from public.orders order by created_at',
      ),
    databaseDigest: () => digestOf(shop.backend.query),
  };
}

/** Expects an answer of this status, whose JSON names this code. */
export async function expectAnswer(
  asked: Answered | Promise<Answered>,
  status: number,
  code: string,
): Promise<void> {
  const answer = await asked;
  expect([answer.status, answer.body['code']]).toEqual([status, code]);
}

/** Of all rows of all tables but those that say when the reconcile, which anybody may call, ran. */
export async function digestOf(query: TestShop['backend']['query']): Promise<string> {
  const tables = await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'auth') and tablename <> 'provider_reads' order by 1`,
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
