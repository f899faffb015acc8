/** What the shopper does to the cart, and the shop to its products, beside paying. */
import type { Chance } from '../kit/chance.ts';
import type { Tab } from './facts.ts';
import type { World } from './world.ts';

const ADD = `insert into public.cart_items as c (user_id, product_id, quantity)
  values (($1 ->> 'user')::uuid, ($1 ->> 'product')::bigint, ($1 ->> 'by')::int)
  on conflict (user_id, product_id) do update set quantity = c.quantity + excluded.quantity
  returning to_jsonb(quantity)`;
const REMOVE = `delete from public.cart_items
  where user_id = ($1 ->> 'user')::uuid and product_id = ($1 ->> 'product')::bigint
  returning to_jsonb(quantity)`;
const PRICE = `update public.products set "Retail Price" = ($1 ->> 'cents')::numeric / 100
  where id = ($1 ->> 'product')::bigint returning to_jsonb(id)`;
const WITHDRAW = `delete from public.products
  where id = ($1 ->> 'product')::bigint returning to_jsonb(id)`;

/** A statement by hand, which the oracle expects to have exactly this effect on the cart. */
async function write(
  world: World,
  statement: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { database } = world.parts;
  const served = await database.run(statement, { user: database.user, ...args });
  if (!served.ok) throw new Error(`${statement}: ${served.code} ${served.message}`);
  world.oracle.observe(served.seen);
}

export async function addToCart(world: World, product: number, by: number): Promise<void> {
  const { accounts } = world.oracle;
  if (!(product in accounts.prices)) return;
  world.parts.verdicts.action(`the shopper adds ${by} of ${product}`);
  accounts.cart[product] = (accounts.cart[product] ?? 0) + by;
  await write(world, ADD, { product, by });
}

export async function removeFromCart(world: World, product: number): Promise<void> {
  world.parts.verdicts.action(`the shopper removes ${product}`);
  delete world.oracle.accounts.cart[product];
  await write(world, REMOVE, { product });
}

/** @param cents null takes the price away */
export async function setPrice(world: World, product: number, cents: number | null) {
  const { prices } = world.oracle.accounts;
  if (!(product in prices)) return;
  world.parts.verdicts.action(`the price of ${product} is ${cents} now`);
  prices[product] = cents;
  await write(world, PRICE, { product, cents });
}

export async function withdraw(world: World, product: number): Promise<void> {
  world.parts.verdicts.action(`product ${product} leaves the shop`);
  delete world.oracle.accounts.prices[product];
  await write(world, WITHDRAW, { product });
}

/** The page shows the cart and the prices of now; what has left the shop is taken out of the cart. */
export async function reload(world: World, tab: Tab): Promise<void> {
  const { accounts } = world.oracle;
  for (const product of Object.keys(accounts.cart).map(Number)) {
    if ((accounts.prices[product] ?? null) === null) await removeFromCart(world, product);
  }
  tab.lines = Object.entries(accounts.cart).map(([product, quantity]) => ({
    product: Number(product),
    quantity,
    unitMinor: accounts.prices[Number(product)] ?? null,
  }));
}

/** The people of the shop cancel an order. */
export async function cancelOrder(world: World, order: string): Promise<void> {
  const { database, verdicts } = world.parts;
  const args = { p_order: order, p_now: new Date(world.facts.nowMs).toISOString() };
  const served = await database.call('cancel_order', args);
  verdicts.action(`the shop cancels ${order}: ${served.ok ? 'done' : served.message}`);
  if (served.ok) world.oracle.observe(served.seen);
  else if (served.code !== 'P0001') verdicts.break('broken', `cancel_order: ${served.message}`);
}

/** Anything of these, at random. */
export async function goShopping(world: World, chance: Chance): Promise<void> {
  const { products } = world.parts.database;
  const product = chance.pick(products);
  const action = chance.weighted([
    [6, () => addToCart(world, product, chance.between(1, 3))],
    [1.5, () => removeFromCart(world, product)],
    [1.5, () => setPrice(world, product, chance.pick([1000, 1234, 5, 40, 99_999]))],
    [0.4, () => setPrice(world, product, null)],
    [0.4, () => withdraw(world, product)],
  ]);
  await action();
}
