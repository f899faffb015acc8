/** Backups within the simulator's own database, as a provider's are outside: rows and sequences. */

/** Tables that a shopper's rows are in, and those of the catalogue. */
const OF_SHOPPERS = ['sync_user', 'cart_items', 'favorites', 'applied_changes'];
const OF_THE_CATALOGUE = ['products', 'product_deletions', 'catalogue_meta', 'catalogue_stamps'];

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

export const BACKUP_SCHEMA = `
  create table simulator.backups (part text primary key, is_own boolean, rows jsonb not null);
  create table simulator.sequences (name text primary key, last_value bigint);

  create function simulator.backup(p_users uuid[]) returns void language plpgsql as $$
  declare
    part text;
    is_own boolean;
  begin
    delete from simulator.backups;
    delete from simulator.sequences;
    for part, is_own in
      select relname, relname in (${quoted(OF_SHOPPERS)}) from pg_catalog.pg_class
      where relnamespace = 'public'::regnamespace
        and relname in (${quoted([...OF_SHOPPERS, ...OF_THE_CATALOGUE])})
    loop
      execute format('insert into simulator.backups
        select %L, %L, coalesce(jsonb_agg(to_jsonb(t)), ''[]'') from public.%I t %s', part, is_own,
        part, case when is_own then 'where t.user_id = any ($1)' else '' end) using p_users;
    end loop;
    insert into simulator.sequences
      select sequencename, last_value from pg_catalog.pg_sequences where schemaname = 'public';
  end $$;

  create function simulator.restore(p_users uuid[]) returns void language plpgsql as $$
  declare
    part text;
    is_own boolean;
    saved jsonb;
  begin
    -- Triggers would count what is put back as news.
    perform set_config('session_replication_role', 'replica', true);
    for part, is_own, saved in select b.part, b.is_own, b.rows from simulator.backups b loop
      execute format('delete from public.%I t %s', part,
        case when is_own then 'where t.user_id = any ($1)' else '' end) using p_users;
      execute format('insert into public.%I overriding system value
        select * from jsonb_populate_recordset(null::public.%I, $1)', part, part) using saved;
    end loop;
    perform setval(format('public.%I', name)::regclass, coalesce(last_value, 1), last_value is not null)
      from simulator.sequences;
    perform set_config('session_replication_role', 'origin', true);
  end $$;
`;
