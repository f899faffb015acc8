-- The catalogue: products, and what a phone needs to follow them.
--
-- Every change to a product, deletions included, gets the next number of one sequence, its version.
-- Versions are handed out under one lock that is held until the transaction ends, so they become
-- visible in the order of their numbers. A phone that holds everything up to version n and asks
-- for "after n" therefore misses nothing, whatever writers do at the same time.
--
-- Privileges: hosted Supabase grants everything on new tables, sequences and functions in `public`
-- to anon, authenticated and service_role. Each object below starts from nothing instead.

-- Tables ------------------------------------------------------------------------------------------

create table public.products (
  id bigint generated always as identity primary key,
  "SKC" text collate "C" not null check (length("SKC") between 1 and 64),
  "Size" text collate "C" not null default '',
  "Images link" text,
  "Category 1" text,
  "Category 2" text,
  "Category 3" text,
  "Category 4" text,
  -- `NaN` is a number to Postgres, and greater than all others.
  "Retail Price" numeric(12, 2) check ("Retail Price" >= 0 and "Retail Price" <> 'NaN'),
  "Material" text,
  "Fabric Composition" text,
  ver bigint not null,
  unique ("SKC", "Size")
);
create index products_skc_id on public.products ("SKC", id);
create unique index products_ver on public.products (ver);

comment on table public.products is
  'What the shop sells, one row for each stock code and size. The column names are those of the product files that staff import.';
comment on column public.products."SKC" is
  'Stock code. Collation C sorts by bytes, so a page boundary means the same to the server and to a phone.';
comment on column public.products.ver is
  'Version of the last change to this row. Set by a trigger; what a writer puts here is ignored.';

create table public.product_deletions (
  id bigint primary key,
  ver bigint not null unique,
  deleted_at timestamptz not null default now()
);

comment on table public.product_deletions is 'Tombstones: a phone that already holds a product learns here that it left the catalogue.';

create table public.catalogue_meta (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  min_ver bigint not null default 0
);
insert into public.catalogue_meta default values;

comment on table public.catalogue_meta is
  'One row. A phone reloads the catalogue when epoch differs from the one it knows, or when its cursor is below min_ver.';
comment on column public.catalogue_meta.epoch is
  'Changes when the whole table is emptied by TRUNCATE, which leaves no tombstones.';
comment on column public.catalogue_meta.min_ver is
  'Tombstones up to this version may be gone, so a cursor below it can no longer be brought up to date by changes alone.';

-- Deliberately not owned by products.ver: `truncate … restart identity` would set it back. Its
-- cache must stay at 1, or two sessions would hand out numbers in the wrong order.
create sequence public.catalogue_ver as bigint cache 1;
comment on sequence public.catalogue_ver is 'Versions of the catalogue. Only the triggers draw from it.';

-- Who may do what ---------------------------------------------------------------------------------

alter table public.products enable row level security;
alter table public.product_deletions enable row level security;
alter table public.catalogue_meta enable row level security;

revoke all on public.products, public.product_deletions, public.catalogue_meta
  from public, anon, authenticated, service_role;
revoke all on sequence public.catalogue_ver, public.products_id_seq
  from public, anon, authenticated, service_role;

grant select on public.products, public.product_deletions, public.catalogue_meta
  to anon, authenticated, service_role;
grant insert, update, delete on public.products to service_role;

create policy "anyone may browse" on public.products
  for select to anon, authenticated using (true);
comment on policy "anyone may browse" on public.products is
  'The catalogue is public. There is no policy for writing: products change only through the import, which runs as service_role.';

create policy "anyone may see what left" on public.product_deletions
  for select to anon, authenticated using (true);
comment on policy "anyone may see what left" on public.product_deletions is
  'A phone must be able to forget a product without signing in. Only triggers write here.';

create policy "anyone may see the epoch" on public.catalogue_meta
  for select to anon, authenticated using (true);
comment on policy "anyone may see the epoch" on public.catalogue_meta is
  'Needed to tell a continued catalogue from a new one. Only triggers and the purge write here.';

-- Versions ----------------------------------------------------------------------------------------

create function public.take_catalogue_lock() returns void
language sql volatile set search_path = '' as $$ select pg_catalog.pg_advisory_xact_lock(20261120) $$;
comment on function public.take_catalogue_lock() is
  'Waits for other writers of the catalogue and holds them off until the transaction ends. The number has no meaning; nothing else may use it.';

create function public.lock_catalogue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform public.take_catalogue_lock();
  return null;
end $$;
comment on function public.lock_catalogue() is
  'Runs before each writing statement, not before each row: taken row by row, two statements that hold each other''s rows would deadlock. Security definer, like all triggers here, so that no role needs the right to draw versions or write tombstones by hand.';

create function public.stamp_product() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- The default has just drawn this id, so anything else was chosen by the writer.
    if new.id is distinct from pg_catalog.currval('public.products_id_seq') then
      raise exception 'a product''s id is given by the database, not by the writer'
        using errcode = 'restrict_violation';
    end if;
  else
    if new.id <> old.id then
      raise exception 'a product keeps its id' using errcode = 'restrict_violation';
    end if;
    new.ver := old.ver;
    if new is not distinct from old then return null; end if;
  end if;
  new.ver := pg_catalog.nextval('public.catalogue_ver');
  return new;
end $$;
comment on function public.stamp_product() is
  'Gives a new or changed product its version. An update that changes nothing is dropped (null): it writes no row, draws no version and makes no phone download anything; its row is then absent from the count and from RETURNING. Ids are never chosen or changed, so a deleted product cannot come back under its old id, where phones hold a tombstone.';

create function public.bury_products() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.product_deletions (id, ver)
  select gone.id, pg_catalog.nextval('public.catalogue_ver') from gone order by gone.id;
  return null;
end $$;
comment on function public.bury_products() is 'Leaves one tombstone for each deleted product.';

create function public.begin_catalogue_epoch() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.product_deletions;
  update public.catalogue_meta
  set epoch = pg_catalog.gen_random_uuid(), min_ver = pg_catalog.nextval('public.catalogue_ver');
  return null;
end $$;
comment on function public.begin_catalogue_epoch() is
  'TRUNCATE names no rows, so there is nothing to bury: phones are told to start afresh instead.';

create trigger lock_catalogue
  before insert or update or delete or truncate on public.products
  for each statement execute function public.lock_catalogue();
create trigger stamp_product
  before insert or update on public.products
  for each row execute function public.stamp_product();
create trigger bury_products
  after delete on public.products
  referencing old table as gone
  for each statement execute function public.bury_products();
create trigger begin_catalogue_epoch
  after truncate on public.products
  for each statement execute function public.begin_catalogue_epoch();

-- Reading changes ---------------------------------------------------------------------------------

create function public.catalogue_changes(p_since bigint default null, p_limit int default 1000)
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
  -- Null below min_ver: changes alone would leave deleted products on the phone for good.
  cursor as (select p_since as since from meta where p_since >= min_ver),
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
  )
  select json_build_object(
    'epoch', meta.epoch,
    'min_ver', meta.min_ver,
    'ver', case when total.more then total.last_ver else meta.head end,
    'more', total.more,
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
  from meta, total
$$;
comment on function public.catalogue_changes(bigint, int) is
  'Products changed and deleted after version p_since, oldest first, at most p_limit (1 to 1,000) of them, as {epoch, min_ver, ver, more, products, deleted}; a product is [id, SKC, Size, Images link, Category 1 to 4, Retail Price, Material, Fabric Composition]. Ask again with ver while more is true. p_since null asks only for the newest version, to be remembered before a first load. A p_since below min_ver gets no rows, and a ver below p_since means that the database was set back: reload in both cases. One statement, so everything comes from one snapshot.';

-- Forgetting --------------------------------------------------------------------------------------

create function public.purge_product_deletions(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  up_to bigint;
  purged bigint;
begin
  perform public.take_catalogue_lock();
  select max(ver) into up_to from public.product_deletions where deleted_at < p_before;
  if up_to is null then return 0; end if;
  delete from public.product_deletions where ver <= up_to;
  get diagnostics purged = row_count;
  update public.catalogue_meta set min_ver = greatest(min_ver, up_to);
  return purged;
end $$;
comment on function public.purge_product_deletions(timestamptz) is
  'Forgets the tombstones older than p_before, and all before them in version order, and returns how many. It raises min_ver to the newest forgotten one, so a phone that was away for longer reloads instead of keeping deleted products. Safe at any age; a recent p_before only costs reloads. Security definer because no role may write tombstones or meta by hand.';

revoke all on function
  public.take_catalogue_lock(), public.lock_catalogue(), public.stamp_product(), public.bury_products(),
  public.begin_catalogue_epoch(), public.catalogue_changes(bigint, int),
  public.purge_product_deletions(timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.catalogue_changes(bigint, int) to anon, authenticated, service_role;
grant execute on function public.take_catalogue_lock(), public.purge_product_deletions(timestamptz)
  to service_role;
