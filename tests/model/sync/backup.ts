/** Backups of the simulator's database: copies of its rows as plain data, restored without running triggers. */
import type { Backend } from '../../../supabase/local/backend.ts';

/** Rows by table. */
export type TableCopy = Readonly<Record<string, readonly unknown[]>>;

/**
 * Creates the functions of this file in the schema `model`, which must exist. In tables with a user_id they copy and
 * replace the rows of some users; other tables are copied whole.
 */
export const BACKUP_SCHEMA = `
  create function model.filter_of(p_table text) returns text language sql stable as $$
    select case when exists (
      select from pg_attribute where attrelid = ('public.' || p_table)::regclass and attname = 'user_id')
      then 'where t.user_id = any ($1)' else '' end
  $$;

  create function model.copy(p_tables text[], p_users uuid[]) returns jsonb language plpgsql as $$
  declare
    name text;
    rows jsonb;
    result jsonb := '{}';
  begin
    foreach name in array p_tables loop
      execute format('select coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I t %s', name,
        model.filter_of(name)) into rows using p_users;
      result := result || jsonb_build_object(name, rows);
    end loop;
    return result;
  end $$;

  create function model.restore(p_copy jsonb, p_users uuid[]) returns void language plpgsql as $$
  declare
    name text;
    rows jsonb;
  begin
    -- Turns triggers off, which would treat the restored rows as new changes.
    perform set_config('session_replication_role', 'replica', true);
    for name, rows in select * from jsonb_each(p_copy) loop
      execute format('delete from public.%I t %s', name, model.filter_of(name)) using p_users;
      execute format('insert into public.%1$I overriding system value
        select * from jsonb_populate_recordset(null::public.%1$I, $1)', name) using rows;
    end loop;
    perform set_config('session_replication_role', 'origin', true);
  end $$`;

/** Copies the rows of these tables. */
export async function copyTables(
  { query }: Backend,
  tables: readonly string[],
  users: readonly string[],
): Promise<TableCopy> {
  const [row] = await query('select model.copy($1, $2) as copy', [tables, users]);
  return row?.['copy'] as TableCopy; // `model.copy` builds it
}

/** Replaces the rows of all tables in a copy by the copied rows. */
export async function restoreTables({ query }: Backend, copy: TableCopy, users: readonly string[]) {
  await query('select model.restore($1, $2)', [JSON.stringify(copy), users]);
}
