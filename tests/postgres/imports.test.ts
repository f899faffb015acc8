/** Several sessions send parts of imports, or undo imports, at the same time. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { seeded, shuffled } from '../random.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';
import { addAccount, openPostgresShopForFile } from './shop.ts';

const SENDERS = 6;
const PARTS = 40;
const ROWS_PER_PART = 50;
/** Far fewer than the products of an import, so that an undo takes many calls. */
const UNDONE_PER_CALL = 30;

const { server, backend } = await openPostgresShopForFile();
const user = await addAccount(backend);

/** Runs a task with a new session that has the rights of the shop's functions. */
async function withServerRole<T>(task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(server.url);
  await client.connect();
  try {
    await client.query('set role service_role');
    return await task(client);
  } finally {
    await client.end();
  }
}

const sendPart = (
  client: Client,
  importId: string,
  { part, parts, rows }: { part: number; parts: number; rows: readonly { SKC: string }[] },
) =>
  client.query(
    `select public.import_part(p_import => $1, p_user => $2, p_email => null, p_file_name => null,
       p_part => $3, p_total_parts => $4, p_digest => $5, p_rows => $6::jsonb, p_rejected => 0)`,
    [importId, user, part, parts, String(part), JSON.stringify(rows)],
  );

/**
 * Sends every part of an import in a random order.
 *
 * @param rollbackShare the probability, from 0 to 1, that the transaction of a part is rolled back
 */
function sendAll(importId: string, seed: number, rollbackShare = 0) {
  const random = seeded(seed);
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  return withServerRole(async (client) => {
    for (const part of shuffled(parts, random)) {
      const rows = Array.from({ length: ROWS_PER_PART }, (_, i) => ({
        SKC: `${importId.slice(0, 8)}-${part * ROWS_PER_PART + i}`,
      }));
      await client.query('begin');
      await sendPart(client, importId, { part, parts: PARTS, rows });
      await client.query(random() < rollbackShare ? 'rollback' : 'commit');
    }
  });
}

test('six senders of the same parts, of which some fail, store each part once', async () => {
  const importId = randomUUID();
  // With these seeds at least one sender commits each part.
  await Promise.all(Array.from({ length: SENDERS }, (_, seed) => sendAll(importId, seed, 0.2)));
  const [stored] = await backend.query('select * from public.imports where id = $1', [importId]);
  expect(stored).toMatchObject({ state: 'finished', undo_log: true });
  expect([stored?.['inserted'], stored?.['updated'], stored?.['undo_left']].map(Number)).toEqual([
    PARTS * ROWS_PER_PART,
    0,
    PARTS * ROWS_PER_PART,
  ]);
});

test('two people who undo an import at the same time, while another import runs, remove each product once', async () => {
  const importId = randomUUID();
  const other = randomUUID();
  await backend.query('truncate public.products');
  await sendAll(importId, 1);
  const undo = () =>
    withServerRole(async (client) => {
      for (;;) {
        const { rows } = await client.query<{ undone: { removed: number; left: number } }>(
          'select public.undo_import($1, $2, $3, false) as undone',
          [user, importId, UNDONE_PER_CALL],
        );
        const undone = rows[0]?.undone;
        if (undone === undefined || undone.left === 0) return undone;
      }
    });
  // Begins the undo, because an import that runs later cannot stop an undo that has begun.
  await withServerRole((client) =>
    client.query('select public.undo_import($1, $2, 1, false)', [user, importId]),
  );
  const [first, second] = await Promise.all([undo(), undo(), sendAll(other, 2)]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ removed: PARTS * ROWS_PER_PART, left: 0 });
  const left = await backend.query(
    `select count(*)::int as count from public.products where "SKC" like $1`,
    [`${importId.slice(0, 8)}-%`],
  );
  expect(left).toEqual([{ count: 0 }]);
});

test('a part of an import may wait longer for the catalogue than other statements may run', async () => {
  await withServerRole((holder) =>
    withServerRole(async (sender) => {
      // A function's own statement_timeout does not limit the statement that calls it. So hosted PostgREST reads it and
      // sets it before the call; the session has the limits of the role.
      await sender.query(`set statement_timeout = '300ms'; set lock_timeout = '300ms'`);
      const limits = await sender.query<{ setting: string }>(
        `select unnest(proconfig) as setting from pg_proc where proname = 'import_part'`,
      );
      const own = limits.rows.find(({ setting }) => setting.startsWith('statement_timeout='));
      const importId = randomUUID();
      /** Sends a part while another session holds the lock for a second. */
      const sendWhileLocked = async (part: number, callLimit: string) => {
        await holder.query('begin');
        await holder.query('select public.take_catalogue_lock()');
        const released = setTimeout(1000).then(() => holder.query('commit'));
        await sender.query(`begin; set local statement_timeout = '${callLimit}'`);
        try {
          await sendPart(sender, importId, { part, parts: 2, rows: [{ SKC: `WAITS-${part}` }] });
          return 'stored';
        } catch (thrown) {
          return (thrown as { code: string }).code;
        } finally {
          await released;
          await sender.query('commit');
        }
      };
      expect(await sendWhileLocked(0, own?.setting.split('=')[1] ?? '')).toBe('stored');
      expect(await sendWhileLocked(1, '300ms'), 'without the function’s own limit').toBe(
        SQLSTATE.queryCanceled,
      );
    }),
  );
});
