/** Staff and suppliers changing the catalogue all at once, and a phone that follows it meanwhile. */
import { Client } from 'pg';

export interface WriterCounts {
  commits: number;
  rollbacks: number;
  deadlocks: number;
}

/** Different writers use the same few stock codes, so that they meet. */
const STOCK_CODES = 300;

/**
 * Opens and commits transactions until told to stop: one to three statements each, on one or many
 * rows, with short pauses between them, some undone in part or whole.
 */
export async function writeUntil(
  url: string,
  seed: number,
  isDone: () => boolean,
  counts: WriterCounts,
): Promise<void> {
  const random = randomFrom(seed);
  const client = new Client(url);
  await client.connect();
  while (!isDone()) {
    try {
      await client.query('begin');
      for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
        if (random() < 0.1) {
          await client.query('savepoint part');
          await client.query(statement(random));
          await client.query('rollback to savepoint part');
        } else {
          await client.query(statement(random));
        }
        if (random() < 0.3) await client.query('select pg_sleep($1)', [random() * 0.004]);
      }
      const isKept = random() > 0.08;
      await client.query(isKept ? 'commit' : 'rollback');
      counts[isKept ? 'commits' : 'rollbacks'] += 1;
    } catch (thrown) {
      if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== '40P01')
        throw thrown;
      counts.deadlocks += 1;
      await client.query('rollback');
    }
    if (random() < 0.2) await pause(random() * 3);
  }
  await client.end();
}

function statement(random: () => number): string {
  const code = () => `W-${Math.floor(random() * STOCK_CODES)}`;
  const price = (random() * 200).toFixed(2);
  const choice = random();
  if (choice < 0.4) {
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

export interface Follower {
  /** Product rows by id, as the phone holds them. */
  readonly products: ReadonlyMap<number, string>;
  readonly pulls: number;
  /** Answers that would have made the phone load everything afresh, though nothing was restored. */
  readonly reloads: number;
}

/** Follows `ver` from a given version without a pause, and once more after the writers have stopped. */
export async function followUntil(
  url: string,
  from: number,
  isDone: () => boolean,
): Promise<Follower> {
  const client = new Client(url);
  await client.connect();
  await client.query('set role anon');
  const products = new Map<number, string>();
  let pulls = 0;
  let reloads = 0;
  let since = from;
  let stamp: string | null = null;
  for (let isLast = false; ;) {
    const { rows } = await client.query('select public.catalogue_changes($1, $2, $3) as changes', [
      since,
      50,
      stamp,
    ]);
    const { changes } = rows[0] as { changes: PulledChanges };
    pulls += 1;
    if (!changes.known) reloads += 1;
    for (const product of changes.products) products.set(product[0], JSON.stringify(product));
    for (const id of changes.deleted) products.delete(id);
    ({ ver: since, stamp } = changes);
    if (changes.more) continue;
    if (isLast) break;
    isLast = isDone();
  }
  await client.end();
  return { products, pulls, reloads };
}

interface PulledChanges {
  readonly known: boolean;
  readonly ver: number;
  readonly stamp: string;
  readonly more: boolean;
  readonly products: readonly (readonly [number, ...unknown[]])[];
  readonly deleted: readonly number[];
}

/** Products that the phone holds wrongly, lacks, or should have forgotten. */
export async function staleRows(url: string, follower: Follower): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(`select json_build_array(id, "SKC", "Size", "Images link",
    "Category 1", "Category 2", "Category 3", "Category 4", trim_scale("Retail Price"),
    "Material", "Fabric Composition") as product from public.products`);
  await client.end();
  const truth = new Map(
    rows.map((row: { product: [number] }) => [row.product[0], JSON.stringify(row.product)]),
  );
  const ids = new Set([...truth.keys(), ...follower.products.keys()]);
  return [...ids].filter((id) => truth.get(id) !== follower.products.get(id)).length;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Numerical Recipes' linear congruential generator: a schedule that a seed gives again. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
