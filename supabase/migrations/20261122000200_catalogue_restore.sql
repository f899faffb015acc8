-- A catalogue that survives a restore, and functions that hosted Supabase runs.
--
-- A database that was set back to its backup draws the same version numbers a second time, for
-- other products. So each statement that writes products leaves a random stamp at the last version
-- that it drew. The stamp of a version is that of the first row at or above it. A phone sends the
-- stamp of its version, and loads the catalogue afresh when the server has another one there.
--
-- Hosted PostgREST loads `safeupdate`, which refuses UPDATE and DELETE without WHERE, in functions
-- too (supabase/postgres, migration 20220118070449). The functions below say WHERE also where they
-- mean every row.

create table public.catalogue_stamps (
  ver bigint primary key,
  stamp uuid not null default gen_random_uuid(),
  made_at timestamptz not null default now()
);
comment on table public.catalogue_stamps is
  'One row for each statement that wrote products, at its last version: tells a version from one of the same number that a restore took away. All versions above the row before belong to it.';

alter table public.catalogue_stamps enable row level security;
revoke all on public.catalogue_stamps from public, anon, authenticated, service_role;
grant select on public.catalogue_stamps to anon, authenticated, service_role;
create policy "anyone may see the stamps" on public.catalogue_stamps
  for select to anon, authenticated using (true);
comment on policy "anyone may see the stamps" on public.catalogue_stamps is
  'catalogue_changes compares them with the reader''s own rights. Only triggers and the purge write here.';

-- Writing -----------------------------------------------------------------------------------------

create function public.stamp_catalogue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.catalogue_stamps (ver)
  select last_value from public.catalogue_ver where is_called
  on conflict do nothing;
  return null;
end $$;
comment on function public.stamp_catalogue() is
  'Stamps the last version drawn. Its statement holds the lock of the catalogue, so nobody else has drawn one since; the row is there already when the statement drew none.';

-- Triggers of one event fire in the order of their names: bury_products draws its versions first.
create trigger stamp_catalogue
  after insert or update or delete on public.products
  for each statement execute function public.stamp_catalogue();

-- Of all versions so far. A new database has drawn none.
insert into public.catalogue_stamps (ver)
select case when is_called then last_value else 0 end from public.catalogue_ver;

create or replace function public.begin_catalogue_epoch() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  first_ver bigint := pg_catalog.nextval('public.catalogue_ver');
begin
  delete from public.product_deletions where ver < first_ver;
  delete from public.catalogue_stamps where ver < first_ver;
  insert into public.catalogue_stamps (ver) values (first_ver);
  update public.catalogue_meta
  set epoch = pg_catalog.gen_random_uuid(), min_ver = first_ver where only_row;
  return null;
end $$;

create or replace function public.purge_product_deletions(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  up_to bigint;
  purged bigint;
begin
  perform public.take_catalogue_lock();
  select max(ver) into up_to from public.product_deletions where deleted_at < p_before;
  delete from public.product_deletions where ver <= up_to;
  get diagnostics purged = row_count;
  update public.catalogue_meta set min_ver = up_to where min_ver < up_to;
  -- Whoever is still at a version below the newest old stamp has not asked since p_before.
  delete from public.catalogue_stamps where ver < (select min_ver from public.catalogue_meta)
    or ver < (select max(s.ver) from public.catalogue_stamps s where s.made_at < p_before);
  return purged;
end $$;
comment on function public.purge_product_deletions(timestamptz) is
  'Forgets the tombstones older than p_before, and all before them in version order, and returns how many. It raises min_ver to the newest forgotten one, so a phone that was away for longer reloads instead of keeping deleted products. Stamps go at the same age, with the same effect. Safe at any age; a recent p_before only costs reloads. Security definer because no role may write tombstones, stamps or meta by hand.';

-- Reading -----------------------------------------------------------------------------------------

drop function public.catalogue_changes(bigint, int);
create function public.catalogue_changes(
  p_since bigint default null, p_limit int default 1000, p_stamp uuid default null)
returns json
language sql stable set search_path = ''
as $$
  with meta as (
    select m.epoch, m.min_ver, greatest(
      m.min_ver,
      (select p.ver from public.products p order by p.ver desc limit 1),
      (select d.ver from public.product_deletions d order by d.ver desc limit 1)
    ) as head
    from public.catalogue_meta m
  ),
  asked as (
    select p_stamp is null or coalesce(p_stamp = (
      select s.stamp from public.catalogue_stamps s where s.ver >= p_since order by s.ver limit 1
    ), false) as is_known
  ),
  -- Null below min_ver: changes alone would leave deleted products on the phone for good. Null
  -- too when a restore took the version away: changes after it say nothing of what was lost.
  cursor as (select p_since as since from meta, asked where p_since >= min_ver and is_known),
  -- One more than the largest page, to know whether there is more. The two limits are constants
  -- so that the planner walks each version index and stops.
  found as (
    (select p.ver, p.id, p as product from public.products p
      where p.ver > (select since from cursor) order by p.ver limit 1001)
    union all
    (select d.ver, d.id, null from public.product_deletions d
      where d.ver > (select since from cursor) order by d.ver limit 1001)
  ),
  page as (
    select * from found order by ver limit least(greatest(coalesce(p_limit, 1000), 1), 1000)
  ),
  total as (
    select count(*) < (select count(*) from found) as more, max(ver) as last_ver from page
  ),
  answer as (
    select meta.epoch, meta.min_ver, asked.is_known, total.more,
      case when total.more then total.last_ver else meta.head end as ver
    from meta, asked, total
  )
  select json_build_object(
    'epoch', epoch,
    'min_ver', min_ver,
    'known', is_known,
    'ver', ver,
    'stamp', (
      select s.stamp from public.catalogue_stamps s where s.ver >= answer.ver order by s.ver limit 1),
    'more', more,
    'products', coalesce((
      select json_agg(json_build_array(
        id, (product)."SKC", (product)."Size", (product)."Images link",
        (product)."Category 1", (product)."Category 2", (product)."Category 3", (product)."Category 4",
        trim_scale((product)."Retail Price"), (product)."Material", (product)."Fabric Composition"
      ) order by ver)
      from page where (product).id is not null), '[]'),
    'deleted', coalesce((
      select json_agg(id order by ver) from page where (product).id is null), '[]')
  )
  from answer
$$;
comment on function public.catalogue_changes(bigint, int, uuid) is
  'Products changed and deleted after version p_since, oldest first, at most p_limit (1 to 1,000) of them, as {epoch, min_ver, known, ver, stamp, more, products, deleted}; a product is [id, SKC, Size, Images link, Category 1 to 4, Retail Price, Material, Fabric Composition]. Ask again with ver, and its stamp, while more is true. known is false when p_stamp is given and is not the stamp of p_since: the database was set back, and there are no rows. p_since null asks only for the newest version, to be remembered before a first load. A p_since below min_ver gets no rows, and a ver below p_since means that the database was set back: reload in all these cases. One statement, so everything comes from one snapshot.';

revoke all on function
  public.stamp_catalogue(), public.catalogue_changes(bigint, int, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.catalogue_changes(bigint, int, uuid)
  to anon, authenticated, service_role;
