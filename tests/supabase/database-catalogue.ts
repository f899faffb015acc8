/**
 * Describes everything that the migrations make in a database, as sorted lines of text: two databases with
 * the same lines behave alike. Comments are left out.
 */
import type { Database } from '../../supabase/local/connection.ts';

/** Each answers lines of text. */
const LISTS: readonly string[] = [
  // Columns, with their types, collations and defaults.
  `select format('column %s.%s %s %s%s%s%s%s', c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod),
     case when a.attnotnull then ' not null' end, ' generated ' || nullif(a.attidentity::text, ''),
     ' default ' || pg_get_expr(d.adbin, d.adrelid), ' collate ' || nullif(l.collname::text, 'default'))
   from pg_attribute a join pg_class c on c.oid = a.attrelid
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   left join pg_collation l on l.oid = a.attcollation
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  `select format('table %s%s', relname, case when relrowsecurity then ' with row-level security' end)
   from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  `select format('sequence %s %s %s %s %s %s %s', sequencename, data_type, start_value, min_value, increment_by,
     cycle, cache_size) from pg_sequences where schemaname = 'public'`,
  `select format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
   from pg_constraint where connamespace = 'public'::regnamespace`,
  `select indexdef from pg_indexes where schemaname = 'public'`,
  `select format('policy %s on %s for %s to %s using (%s) with check (%s)', policyname, tablename, cmd, roles, qual,
     with_check) from pg_policies where schemaname = 'public'`,
  `select pg_get_triggerdef(t.oid) from pg_trigger t
   where not t.tgisinternal and t.tgfoid in (
     select oid from pg_proc where pronamespace = 'public'::regnamespace)`,
  `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
  `select format('published %s in %s', tablename, pubname) from pg_publication_tables`,
  // Rights on tables and sequences, on single columns and on functions, and the rights that new objects get.
  `select format('grant %s on %s to %s', g.privilege_type, c.relname, coalesce(r.rolname, 'public'))
   from pg_class c, aclexplode(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))) g
   left join pg_roles r on r.oid = g.grantee
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S') and g.grantee <> c.relowner`,
  `select format('grant %s on %s.%s to %s', g.privilege_type, a.attrelid::regclass, a.attname, coalesce(r.rolname, 'public'))
   from pg_attribute a, aclexplode(a.attacl) g left join pg_roles r on r.oid = g.grantee
   where a.attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  `select format('grant %s on %s to %s', g.privilege_type, p.oid::regprocedure, coalesce(r.rolname, 'public'))
   from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
   left join pg_roles r on r.oid = g.grantee
   where p.pronamespace = 'public'::regnamespace and g.grantee <> p.proowner`,
  `select format('by default %s %s', defaclobjtype, defaclacl) from pg_default_acl`,
  // Rows that the migrations store.
  `select format('state %s %s', state, next_states) from public.order_states`,
  `select format('meta %s', min_ver) from public.catalogue_meta`,
  `select format('stamp %s', ver) from public.catalogue_stamps`,
];

/** The lines that describe the schema `public` of a database that was just made, sorted. */
export async function catalogueOf(query: Database['query']): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const list of LISTS) {
    for (const row of await query(list)) lines.push(String(Object.values(row)[0]));
  }
  return lines.toSorted();
}
