-- What hosted Supabase's limits ask for. A statement of the server has 8 s there, and the wait for the
-- catalogue's lock counts; a million products must not make a small question a long one.

-- PostgREST gives a call as long as its function says (docs.postgrest.org, "Impersonated Role Settings"
-- and "Function Settings"). Functions on Netlify end after 60 s. Who waits for the lock holds a connection of
-- PostgREST's few: after 10 s the part is sent again later.
alter function public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int)
  set statement_timeout = '55s' set lock_timeout = '10s';
alter function public.undo_import(uuid, uuid, int, boolean)
  set statement_timeout = '55s' set lock_timeout = '10s';

-- Categories --------------------------------------------------------------------------------------

create table public.category_names (name text primary key);
comment on table public.category_names is
  'Every category in use, without blanks around it, and those that went out of use since the last night (prune_category_names). For the sitemap: reading them from a million products takes a second.';
alter table public.category_names enable row level security;
revoke all on public.category_names from public, anon, authenticated, service_role;
grant select on public.category_names to service_role;
-- The function still reads the products here.
insert into public.category_names (name) select unnest(public.categories());

create function public.note_categories() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.category_names (name)
  select distinct btrim(c.name) from written w
  cross join lateral (
    values (w."Category 1"), (w."Category 2"), (w."Category 3"), (w."Category 4")) as c (name)
  where btrim(c.name) <> ''
  on conflict do nothing;
  return null;
end $$;
comment on function public.note_categories() is
  'Adds the categories of what a statement has written to category_names. Its statement holds the lock of the catalogue.';

create trigger note_categories_added
  after insert on public.products
  referencing new table as written
  for each statement execute function public.note_categories();
create trigger note_categories_changed
  after update on public.products
  referencing new table as written
  for each statement execute function public.note_categories();

create function public.prune_category_names() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned int;
begin
  perform public.take_catalogue_lock();
  with used as (
    select btrim("Category 1") as name from public.products
    union select btrim("Category 2") from public.products
    union select btrim("Category 3") from public.products
    union select btrim("Category 4") from public.products
  )
  delete from public.category_names c where not exists (select from used u where u.name = c.name);
  get diagnostics pruned = row_count;
  return pruned;
end $$;
comment on function public.prune_category_names() is
  'Removes categories that no product has any more, and returns how many. Reads all products under the lock of the catalogue: call it at night.';

create or replace function public.categories() returns text[]
language sql stable security invoker set search_path = ''
as $$
  select coalesce(array_agg(name order by name collate "C"), '{}') from public.category_names
$$;
comment on function public.categories() is
  'Every category in use, without blanks around it, sorted; one that went out of use stays for the day (prune_category_names). For the sitemap, which only the server makes: PostgREST has no "distinct", and reading all products for it would not do.';

revoke all on function public.note_categories(), public.prune_category_names()
  from public, anon, authenticated, service_role;
grant execute on function public.prune_category_names() to service_role;
