/** What the shopper does to the cart, and the shop to its products and orders. */
import { SQLSTATE } from '../../supabase/sqlstate.ts';
import type { Chance } from '../kit/chance.ts';
import type { Tab } from './facts.ts';
import type { World } from './world.ts';

// Each statement returns a value, because `model.serve` reads one.
const ADD = `insert into public.cart_items as c (user_id, product_id, quantity)
  values (($1 ->> 'user')::uuid, ($1 ->> 'product')::bigint, ($1 ->> 'pieces')::int)
  on conflict (user_id, product_id) do update set quantity = c.quantity + excluded.quantity
  returning to_jsonb(quantity)`;
const REMOVE = `delete from public.cart_items
  where user_id = ($1 ->> 'user')::uuid and product_id = ($1 ->> 'product')::bigint
  returning to_jsonb(quantity)`;
const SET_PRICE = `update public.products set "Retail Price" = ($1 ->> 'cents')::numeric / 100
  where id = ($1 ->> 'product')::bigint returning to_jsonb(id)`;
const WITHDRAW = `delete from public.products
  where id = ($1 ->> 'product')::bigint returning to_jsonb(id)`;

/**
 * Runs a statement. The caller must first write the effect on cart and prices into the ledger, with which the
 * oracle compares the stored rows.
 */
async function runStatement(
  world: World,
  statement: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { database } = world.parts;
  const served = await database.run(statement, { user: database.user, ...args });
  if (!served.ok) throw new Error(`${statement}: ${served.code} ${served.message}`);
  world.oracle.observe(served.rows);
}

/** Adds pieces of a product, unless it has left the shop. */
export async function addToCart(world: World, product: number, pieces: number): Promise<void> {
  const { ledger } = world.oracle;
  if (!(product in ledger.prices)) return;
  world.verdicts.action(`the shopper adds ${pieces} of ${product}`);
  ledger.cart[product] = (ledger.cart[product] ?? 0) + pieces;
  await runStatement(world, ADD, { product, pieces });
}

async function removeFromCart(world: World, product: number): Promise<void> {
  world.verdicts.action(`the shopper removes ${product}`);
  delete world.oracle.ledger.cart[product];
  await runStatement(world, REMOVE, { product });
}

/** Changes the price of a product, unless it has left the shop. @param cents null for no price */
async function setPrice(world: World, product: number, cents: number | null) {
  const { prices } = world.oracle.ledger;
  if (!(product in prices)) return;
  world.verdicts.action(`the price of ${product} is ${cents} now`);
  prices[product] = cents;
  await runStatement(world, SET_PRICE, { product, cents });
}

async function withdraw(world: World, product: number): Promise<void> {
  world.verdicts.action(`product ${product} leaves the shop`);
  delete world.oracle.ledger.prices[product];
  await runStatement(world, WITHDRAW, { product });
}

/** Loads the page: it shows the cart at present prices, and removes products that cannot be bought any more. */
export async function reload(world: World, tab: Tab): Promise<void> {
  const { ledger } = world.oracle;
  for (const product of Object.keys(ledger.cart).map(Number)) {
    if ((ledger.prices[product] ?? null) === null) await removeFromCart(world, product);
  }
  tab.lines = Object.entries(ledger.cart).map(([product, quantity]) => ({
    product: Number(product),
    quantity,
    unitMinor: ledger.prices[Number(product)] ?? null,
  }));
}

/** The shop's staff cancel an order. */
export async function cancelOrder(world: World, order: string): Promise<void> {
  const { parts, verdicts } = world;
  const args = { p_order: order, p_now: new Date(world.facts.nowMs).toISOString() };
  const served = await parts.database.call('cancel_order', args);
  verdicts.action(`the shop cancels ${order}: ${served.ok ? 'done' : served.message}`);
  if (served.ok) world.oracle.observe(served.rows);
  else if (served.code !== SQLSTATE.raisedException) {
    verdicts.break('broken', `cancel_order: ${served.message}`);
  }
}

/** In cents. Some are so low that the shop rejects the order, as it does below 50 cents. */
const NEW_PRICES = [1000, 1234, 5, 40, 99_999];

/** At random, the shopper changes the cart, or the shop changes a product. */
export async function goShopping(world: World, chance: Chance): Promise<void> {
  const { products } = world.parts.database;
  const product = chance.pick(products);
  const action = chance.weighted([
    [6, () => addToCart(world, product, chance.between(1, 3))],
    [1.5, () => removeFromCart(world, product)],
    [1.5, () => setPrice(world, product, chance.pick(NEW_PRICES))],
    [0.4, () => setPrice(world, product, null)],
    [0.4, () => withdraw(world, product)],
  ]);
  await action();
}
