/** Sessions that change the catalogue at the same time, and a phone that follows the changes. */
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { seeded } from '../random.ts';
import { isDeadlock } from './sessions.ts';

/** How the transactions of all writers have ended. */
export interface WriterCounts {
  commits: number;
  rollbacks: number;
  deadlocks: number;
}

/** The writers share these few stock codes, so that they conflict. */
const STOCK_CODES = 300;

/**
 * Runs random transactions until `isDone`: one to three statements each, on one or many rows, with
 * short pauses. Some transactions are rolled back, wholly or to a savepoint.
 */
export async function writeUntil(
  url: string,
  seed: number,
  isDone: () => boolean,
  counts: WriterCounts,
): Promise<void> {
  const random = seeded(seed);
  const client = new Client(url);
  await client.connect();
  while (!isDone()) {
    try {
      await client.query('begin');
      for (let statements = 1 + Math.floor(random() * 3); statements > 0; statements -= 1) {
        if (random() < 0.1) {
          await client.query('savepoint part');
          await client.query(randomStatement(random));
          await client.query('rollback to savepoint part');
        } else {
          await client.query(randomStatement(random));
        }
        if (random() < 0.3) await client.query('select pg_sleep($1)', [random() * 0.004]);
      }
      const isCommitted = random() > 0.08;
      await client.query(isCommitted ? 'commit' : 'rollback');
      counts[isCommitted ? 'commits' : 'rollbacks'] += 1;
    } catch (thrown) {
      if (!isDeadlock(thrown)) throw thrown;
      counts.deadlocks += 1;
      await client.query('rollback');
    }
    if (random() < 0.2) await setTimeout(random() * 3);
  }
  await client.end();
}

function randomStatement(random: () => number): string {
  const code = () => `W-${Math.floor(random() * STOCK_CODES)}`;
  const price = (random() * 200).toFixed(2);
  const choice = random();
  if (choice < 0.4) {
    // A trigger replaces the version.
    return `insert into public.products ("SKC", "Retail Price", ver) values ('${code()}', ${price}, 0)
      on conflict ("SKC", "Size") do update set "Retail Price" = excluded."Retail Price"`;
  }
  if (choice < 0.55) {
    const rows = Array.from({ length: 2 + Math.floor(random() * 8) }, () => ({
      SKC: code(),
      'Retail Price': price,
    }));
    return `select public.import_products('${JSON.stringify(rows)}')`;
  }
  if (choice < 0.75) {
    return `update public.products set "Material" = '${price}' where "SKC" = '${code()}'`;
  }
  if (choice < 0.85) {
    return `update public.products set "Retail Price" = ${price} where "SKC" like '${code()}%'`;
  }
  return choice < 0.95
    ? `delete from public.products where "SKC" = '${code()}'`
    : `delete from public.products where "SKC" like '${code()}%'`;
}

/** What a phone that has followed the catalogue has at the end. */
export interface Follower {
  /** The phone's products by id, each as JSON. */
  readonly products: ReadonlyMap<number, string>;
  /** Requests that it made. */
  readonly pulls: number;
  /** Answers that would make the phone load everything again, although no backup was restored. */
  readonly reloads: number;
}

/** Some transactions change a hundred rows, so a page this small may end in the middle of a transaction. */
const PAGE_CHANGES = 50;

/** Asks for the changes after version `from` without a pause, until `isDone`, and then once more. */
export async function followUntil(
  url: string,
  from: number,
  isDone: () => boolean,
): Promise<Follower> {
  const client = new Client(url);
  await client.connect();
  await client.query('set role service_role');
  const products = new Map<number, string>();
  let pulls = 0;
  let reloads = 0;
  let since = from;
  let stamp: string | null = null;
  let isLast = false;
  while (true) {
    const { rows } = await client.query('select public.catalogue_changes($1, $2, $3) as changes', [
      since,
      PAGE_CHANGES,
      stamp,
    ]);
    const { changes } = rows[0] as { changes: PulledChanges };
    pulls += 1;
    if (!changes.known) reloads += 1;
    for (const product of changes.products) products.set(product[0], JSON.stringify(product));
    for (const id of changes.deleted) products.delete(id);
    ({ ver: since, stamp } = changes);
    if (changes.more) continue;
    // One more request after the writers are done, for their last commits.
    if (isLast) break;
    isLast = isDone();
  }
  await client.end();
  return { products, pulls, reloads };
}

/** The answer of `catalogue_changes`. */
interface PulledChanges {
  /** Whether the server knows the stamp that was sent. */
  readonly known: boolean;
  readonly ver: number;
  readonly stamp: string;
  readonly more: boolean;
  readonly products: readonly (readonly [number, ...unknown[]])[];
  readonly deleted: readonly number[];
}

/** How many of the phone's products are wrong, missing, or no longer in the shop. */
export async function staleRows(url: string, follower: Follower): Promise<number> {
  const client = new Client(url);
  await client.connect();
  // In the order in which `catalogue_changes` gives the fields.
  const { rows } = await client.query(`select json_build_array(id, "SKC", "Size", "Images link",
    "Category 1", "Category 2", "Category 3", "Category 4", trim_scale("Retail Price"),
    "Material", "Fabric Composition") as product from public.products`);
  await client.end();
  const inShop = new Map(
    rows.map((row: { product: [number] }) => [row.product[0], JSON.stringify(row.product)]),
  );
  const ids = new Set([...inShop.keys(), ...follower.products.keys()]);
  return [...ids].filter((id) => inShop.get(id) !== follower.products.get(id)).length;
}
