/** Backs up the catalogue, carts and favourites of a test, and restores them from that backup. */
import type { Backend } from '../../supabase/local/backend.ts';

const TABLES = [
  'products',
  'product_deletions',
  'catalogue_meta',
  'catalogue_stamps',
  'cart_items',
  'favorites',
  'sync_user',
  'applied_changes',
  'devices',
];
const SEQUENCES = ['catalogue_ver', 'products_id_seq', 'cart_items_id_seq'];

/** Copies these tables of all shoppers, for the next restore. Orders and imports are not among them. */
export async function backUp({ query }: Pick<Backend, 'query'>): Promise<void> {
  await query('drop schema if exists backup cascade');
  await query('create schema backup');
  for (const name of TABLES) await query(`create table backup.${name} as table public.${name}`);
  for (const name of SEQUENCES) {
    await query(`create table backup.${name} as select last_value, is_called from public.${name}`);
  }
}

/** Restores the tables from the last backup; later changes are lost. Triggers do not fire, as in a real restore. */
export async function restore({ query }: Pick<Backend, 'query'>): Promise<void> {
  const tables = TABLES.map(
    (name) => `delete from public.${name};
      insert into public.${name} overriding system value select * from backup.${name};`,
  );
  const sequences = SEQUENCES.map(
    (name) => `perform setval('public.${name}', last_value, is_called) from backup.${name};`,
  );
  await query(`do $$ begin
    perform set_config('session_replication_role', 'replica', true);
    ${[...tables, ...sequences].join('\n')}
  end $$`);
}
