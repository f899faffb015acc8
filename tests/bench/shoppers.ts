/** What a hundred times the shoppers cost a PostgreSQL server, and how many changes it remembers after a year. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { openBackend } from '../../supabase/local/backend.ts';
import { fillShop } from '../postgres/many-shoppers.ts';
import { findPrograms, startPostgres } from '../postgres/server.ts';
import { seeded } from '../random.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { type Figure, figure, median, score } from './report.ts';

const SMALL = { products: 50_000, shoppers: 10_000, orders: 5000 };
const LARGE = { products: 50_000, shoppers: 1_000_000, orders: 500_000 };
const CLIENTS = 8;
const ROUNDS = 7;
const SECONDS = 3;

/** A transaction of one shopper, as PostgREST runs it, for pgbench. */
const scriptOf = (call: string) => `
\\set i random(1, :shoppers)
begin;
select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', md5(:i::text), true),
  set_config('request.jwt.claims', json_build_object('sub', md5(:i::text)::uuid)::text, true);
${call}
commit;
`;
const SCRIPTS = {
  push: scriptOf(`select public.push(md5(:i::text)::uuid, md5('phone ' || :i)::uuid, jsonb_build_array(
    jsonb_build_object('id', gen_random_uuid(), 'kind', 'cart.set', 'schema', 1, 'baseVer', 2,
    'madeAt', '2026-01-01T00:00:00Z', 'args', jsonb_build_object('productId', 1 + :i % 50000, 'quantity', 2))));`),
  pull: scriptOf(`select public.pull(md5(:i::text)::uuid, md5('phone ' || :i)::uuid);`),
};

export async function measureShoppers(): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    const small = await openShop(server.url, 'small');
    await fillShop(small, SMALL);
    const large = await openShop(server.url, 'large');
    await fillShop(large, LARGE);
    return [
      ...(await measureThroughput(small, large)),
      ...(await measureYear(await openShop(server.url, 'year'))),
    ];
  } finally {
    server.stop();
  }
}

/** Makes a database with the shop's schema, and returns its address. */
async function openShop(serverUrl: string, name: string): Promise<string> {
  const client = new Client(serverUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = serverUrl.replace(/postgres$/, name);
  const backend = await openBackend({
    dataFolder: 'memory',
    databaseUrl: url,
    log: () => undefined,
  });
  await backend.close();
  return url;
}

async function measureThroughput(small: string, large: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  await using folder = await temporaryFolder();
  for (const [name, script] of Object.entries(SCRIPTS)) {
    const file = join(folder.path, name);
    writeFileSync(file, script);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const few = await transactionsASecond(small, file, SMALL.shoppers);
      const many = await transactionsASecond(large, file, LARGE.shoppers);
      rates.push(many);
      ratios.push(many / few);
    }
    const text = `${name}, 1,000,000 shoppers`;
    figures.push(figure(text, median(rates), 'a second'));
    figures.push(score(`${text} against 10,000`, median(ratios), 'times as many', 0.85));
  }
  return figures;
}

async function transactionsASecond(url: string, file: string, shoppers: number): Promise<number> {
  const pgbench = join(findPrograms() ?? '', 'pgbench');
  const load = [
    '--no-vacuum',
    `--client=${CLIENTS}`,
    '--jobs=2',
    `--time=${SECONDS}`,
    `--file=${file}`,
    `--define=shoppers=${shoppers}`,
  ];
  // No commit waits for the disk, whose speed does not depend on the number of shoppers.
  const env = { ...process.env, PGOPTIONS: '-c synchronous_commit=off' };
  const { stdout } = await promisify(execFile)(pgbench, [...load, url], { env });
  const tps = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(tps > 0)) throw new Error(stdout);
  return tps;
}

const SHOPPERS = 40;
const DAYS = 365;
const CHANGES_A_DAY = 10;

/**
 * A year of shoppers, each with two phones used in turns: every push, release and nightly upkeep by the shop's own
 * functions. To let a day pass, all rows are dated back. On a random day each shopper loses the first phone for good
 * after a push whose answer it has not heard; one release in ten is lost. What grows with shoppers grows in
 * proportion, because no function looks at two shoppers.
 */
async function measureYear(url: string): Promise<Figure[]> {
  const client = new Client(url);
  await client.connect();
  const random = seeded(1);
  await client.query(`insert into public.products ("SKC", "Retail Price", ver) values ('P', 1, 0)`);
  await client.query(
    `insert into auth.users (id) select md5(i::text)::uuid from generate_series(1, ${SHOPPERS}) i`,
  );
  let upkeepMs = 0;
  let phonesLookedAt = 0;
  const lossDays = Array.from({ length: SHOPPERS }, () => Math.floor(random() * DAYS));
  for (let day = 0; day < DAYS; day += 1) {
    for (const [i, lossDay] of lossDays.entries()) {
      const isFirst = day % 2 === 0 && day <= lossDay;
      const isReleased = day !== lossDay && random() > 0.1;
      await spendDay(client, i + 1, isFirst ? 1 : 2, isReleased);
    }
    await client.query(`update public.applied_changes set applied_at = applied_at - interval '1 day';
      update public.devices set due_at = due_at - interval '1 day';
      delete from public.push_counts`);
    for (let looked = 1; looked > 0;) {
      const beganMs = performance.now();
      const { rows } = await client.query('select public.prune_applied_changes(now()) as looked');
      looked = Number((rows[0] as { looked: string }).looked);
      upkeepMs += performance.now() - beganMs;
      phonesLookedAt += looked;
    }
  }
  const count = async (table: string) =>
    Number((await client.query(`select count(*) from public.${table}`)).rows[0].count);
  const left = await count('applied_changes');
  const phones = await count('devices');
  // The bytes of a row, once there are so many that half-empty pages do not count.
  await client.query('set session_replication_role = replica');
  await client.query('truncate public.applied_changes');
  await client.query(
    `insert into public.applied_changes (user_id, change_id, device_id, ver, base_ver, kind, args, outcome, made_at)
     select md5((i / 300)::text)::uuid, gen_random_uuid(), md5('phone ' || i / 300)::uuid, i % 300 + 1, i % 300, 'favourite.remove',
       jsonb_build_object('productId', 10000 + i % 50000), 'applied', now() from generate_series(1, 300000) i`,
  );
  const { rows } = await client.query(
    `select pg_total_relation_size('public.applied_changes') / 300000.0 as bytes`,
  );
  await client.end();
  const made = SHOPPERS * DAYS * CHANGES_A_DAY;
  return [
    figure(
      'changes and phones remembered after a year',
      (left + phones) / made,
      'times the changes',
      0.1,
    ),
    figure('the upkeep of one phone', upkeepMs / phonesLookedAt, 'ms'),
    figure('a remembered change with its indexes', Number(rows[0].bytes), 'bytes', 293),
  ];
}

/** A shopper makes a day's changes on one phone, in one push, and the phone pulls and releases. */
async function spendDay(client: Client, shopper: number, phone: number, isReleased: boolean) {
  const user = `md5('${shopper}')::uuid`;
  const device = `md5('phone ${phone} of ${shopper}')::uuid`;
  await client.query(`
    select set_config('request.jwt.claim.sub', ${user}::text, false),
      set_config('request.jwt.claims', json_build_object('sub', ${user})::text, false);
    select public.push(${user}, ${device}, (select jsonb_agg(jsonb_build_object('id', gen_random_uuid(),
      'kind', 'cart.set', 'schema', 1, 'madeAt', '2026-01-01T00:00:00Z',
      'args', jsonb_build_object('productId', (select id from public.products limit 1), 'quantity', 1 + i),
      'baseVer', coalesce((select ver from public.sync_user where user_id = ${user}), 0)))
      from generate_series(1, ${CHANGES_A_DAY}) i))`);
  if (!isReleased) return;
  await client.query(`
    select public.release(user_id, ${device}, ver, stamp) from public.sync_user where user_id = ${user}`);
}
