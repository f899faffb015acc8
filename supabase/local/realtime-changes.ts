/**
 * Reports row changes in the tables that Realtime publishes. Hosted Realtime reads the write-ahead
 * log; here a trigger on each published table calls NOTIFY, which Postgres delivers after the commit,
 * in the order of commits. The trigger is not part of the migrations.
 */
import type { Database } from './connection.ts';
import type { Claims } from './token.ts';

export interface PublishedTable {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly key: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

export interface RowChange {
  readonly schema: string;
  readonly table: string;
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly commit_timestamp: string;
  readonly record: Values | null;
  /** The primary key only: row-level security cannot be checked on a row that is gone. */
  readonly old_record: Values | null;
  readonly errors: readonly string[] | null;
}

const CHANNEL = 'weft_realtime';

/** Made before the migrations, as on hosted Supabase, so that they can add their tables to it. */
export const PUBLICATION = `
  do $$ begin
    if not exists (select from pg_publication where pubname = 'supabase_realtime') then
      create publication supabase_realtime;
    end if;
  end $$`;

/**
 * A payload of NOTIFY must be shorter than 8,000 bytes, and up to 2,000 are left for its other fields. For a row
 * of more than 6,000 bytes it therefore holds only the primary key, and the error that Realtime gives then.
 */
const NOTIFY_FUNCTION = `
  create or replace function realtime.notify_change() returns trigger
  language plpgsql set search_path = '' as $$
  declare
    record jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    old_record jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    errors jsonb;
    payload text;
  begin
    old_record := (select jsonb_object_agg(key, value) from jsonb_each(old_record) where key = any (tg_argv));
    if octet_length(record::text) > 6000 then
      record := (select jsonb_object_agg(key, value) from jsonb_each(record) where key = any (tg_argv));
      errors := '["Error 413: Payload Too Large"]';
    end if;
    payload := jsonb_build_object('schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op,
      'commit_timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'record', record, 'old_record', old_record, 'errors', errors);
    perform pg_notify('${CHANNEL}', payload);
    return null;
  end $$`;

/** Puts the trigger on every published table. */
export async function publishChanges(database: Database): Promise<void> {
  await database.query('create schema if not exists realtime');
  await database.query(NOTIFY_FUNCTION);
  for (const { schema, table, key } of await publishedTables(database)) {
    await database.query(`
      create or replace trigger notify_realtime
      after insert or update or delete on ${quoteIdentifier(schema)}.${quoteIdentifier(table)}
      for each row execute function realtime.notify_change(${key.map(quoteLiteral).join(', ')})`);
  }
}

export async function publishedTables(database: Database): Promise<PublishedTable[]> {
  const rows = await database.query(`
    select p.schemaname as schema, p.tablename as table,
      (select json_agg(json_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(a.attname) from pg_attribute a join pg_index i on i.indrelid = a.attrelid
        where a.attrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)), '[]') as key
    from pg_publication_tables p
    join pg_class c on c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
    where p.pubname = 'supabase_realtime'`);
  // The columns of the statement above are the fields of PublishedTable.
  return rows as unknown as PublishedTable[];
}

/** Calls `onChange` for each row change. Returns a function that stops this. */
export function listenToChanges(database: Database, onChange: (change: RowChange) => void) {
  return database.listen(CHANNEL, (payload) => onChange(JSON.parse(payload) as RowChange));
}

/**
 * Whether a subscriber with these claims may select the changed row. As on hosted Supabase, every subscriber whose
 * filter matches receives a deletion, which carries the primary key only: the policies cannot be asked about a row
 * that is gone.
 */
export async function maySee(
  database: Database,
  claims: Claims,
  { schema, table, key }: PublishedTable,
  { record }: RowChange,
): Promise<boolean> {
  if (record === null) return true;
  const where = key
    .map((column, i) => `${quoteIdentifier(column)}::text = $${i + 1}`)
    .join(' and ');
  const sql = `select 1 from ${quoteIdentifier(schema)}.${quoteIdentifier(table)} where ${where}`;
  const keyTexts = key.map((column) => String(record[column]));
  try {
    return (await database.queryAs(claims, sql, keyTexts)).length > 0;
  } catch {
    // No privilege on the table, or a role that does not exist.
    return false;
  }
}

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const quoteLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`;
