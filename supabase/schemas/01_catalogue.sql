-- The catalogue: products, and what a phone needs to follow them.
--
-- Every change to a product, deletions included, gets the next number of one sequence, its version.
-- Versions are handed out under one lock that is held until the transaction ends, so they become
-- visible in the order of their numbers. A phone that holds everything up to version n and asks
-- for "after n" therefore misses nothing, whatever writers do at the same time.
--
-- A database that is set back to its backup hands out the same version numbers a second time, for other
-- products. So each statement that writes products leaves a random stamp at the last version that it drew.
-- The stamp of a version is that of the first row at or above it. A phone sends the stamp of the newest version when
-- its rows were read, and loads the catalogue afresh when the server does not have this stamp at its version or later.
--
-- Hosted PostgREST loads `safeupdate`, which refuses UPDATE and DELETE without WHERE, in functions too
-- (supabase/postgres, migration 20220118070449). Functions say WHERE also where they mean every row.

-- Tables ------------------------------------------------------------------------------------------

-- What the shop sells, one row for each stock code and size. The columns have the names of the product files
-- that staff import.
create table public.products (
  id bigint generated always as identity primary key,
  -- Collation C sorts by bytes, so a page boundary means the same to the server and to a phone.
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
  -- Off sale: the row and its id stay, because carts, favourites and old orders point at them. Nobody sees it,
  -- and phones learn of it as of a removal. An import that names the product again puts it back.
  off_sale boolean not null default false,
  -- Version of the last change to this row. Set by a trigger; what a writer puts here is ignored.
  ver bigint not null,
  unique ("SKC", "Size")
);
create index products_skc_id on public.products ("SKC", id) where not off_sale;
create index products_off_sale on public.products ("SKC", id) where off_sale;
create unique index products_ver on public.products (ver);
alter table public.products enable row level security;
-- There is no policy for writing: products change only through the import, which runs as service_role.
create policy "anyone may browse" on public.products
  for select to anon, authenticated using (not off_sale);

-- Tombstones: a phone that already holds a product learns here that it left the catalogue.
create table public.product_deletions (
  id bigint primary key,
  ver bigint not null unique,
  deleted_at timestamptz not null default now()
);
alter table public.product_deletions enable row level security;
create policy "anyone may see what left" on public.product_deletions
  for select to anon, authenticated using (true);

create table public.catalogue_meta (
  only_row boolean primary key default true check (only_row),
  -- Changes when the whole table is emptied by TRUNCATE, which leaves no tombstones: phones load it anew.
  epoch uuid not null default gen_random_uuid(),
  -- Tombstones up to this version may be gone, so a phone that is below it loads the catalogue anew.
  min_ver bigint not null default 0
);
insert into public.catalogue_meta default values;
alter table public.catalogue_meta enable row level security;
create policy "anyone may see the epoch" on public.catalogue_meta
  for select to anon, authenticated using (true);

-- Deliberately not owned by products.ver: `truncate … restart identity` would set it back. Its
-- cache must stay at 1, or two sessions would hand out numbers in the wrong order.
create sequence public.catalogue_ver as bigint cache 1;

-- One row for each statement that wrote products, at its last version. All versions above the previous row
-- belong to it.
create table public.catalogue_stamps (
  ver bigint primary key,
  stamp uuid not null unique default gen_random_uuid(),
  made_at timestamptz not null default now()
);
-- The catalogue of a new shop is empty, and that is its version 0.
insert into public.catalogue_stamps (ver) values (0);
alter table public.catalogue_stamps enable row level security;
create policy "anyone may see the stamps" on public.catalogue_stamps
  for select to anon, authenticated using (true);

-- Every category in use, without blanks around it, and those that went out of use since the last night
-- (prune_category_names). For the sitemap: reading them from a million products takes a second.
create table public.category_names (name text primary key);
alter table public.category_names enable row level security;

-- Versions ----------------------------------------------------------------------------------------

-- Waits for other writers of the catalogue and holds them off until the transaction ends. The number has no
-- meaning; nothing else may use it.
create function public.take_catalogue_lock() returns void
language sql volatile set search_path = '' as $$ select pg_catalog.pg_advisory_xact_lock(20261120) $$;

-- Runs before each writing statement, not before each row: taken row by row, two statements that hold each
-- other's rows would deadlock. Security definer, like all triggers here, so that no role needs the right to
-- draw versions or write tombstones by hand.
create function public.lock_catalogue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform public.take_catalogue_lock();
  return null;
end $$;
create trigger lock_catalogue
  before insert or update or delete or truncate on public.products
  for each statement execute function public.lock_catalogue();

-- Gives a new or changed product its version. An update that changes nothing is dropped (null): it writes no
-- row, draws no version and makes no phone download anything; its row is then absent from the count and from
-- RETURNING. Ids are never chosen or changed, so a deleted product cannot come back under its old id, where
-- phones hold a tombstone.
create function public.draw_version() returns trigger
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
create trigger draw_version
  before insert or update on public.products
  for each row execute function public.draw_version();

-- Leaves one tombstone for each deleted product.
create function public.bury_products() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.product_deletions (id, ver)
  select gone.id, pg_catalog.nextval('public.catalogue_ver') from gone order by gone.id;
  return null;
end $$;
create trigger bury_products
  after delete on public.products
  referencing old table as gone
  for each statement execute function public.bury_products();

-- Stamps the last version drawn. The statement holds the lock of the catalogue, so nobody else has drawn a version
-- since. Where the statement drew none, the row is there already.
create function public.stamp_catalogue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.catalogue_stamps (ver)
  select last_value from public.catalogue_ver where is_called
  on conflict do nothing;
  return null;
end $$;
-- Triggers of one event fire in the order of their names: bury_products draws its versions first.
create trigger stamp_catalogue
  after insert or update or delete on public.products
  for each statement execute function public.stamp_catalogue();

-- TRUNCATE names no rows, so there is nothing to bury: phones are told to start afresh instead.
create function public.begin_catalogue_epoch() returns trigger
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
create trigger begin_catalogue_epoch
  after truncate on public.products
  for each statement execute function public.begin_catalogue_epoch();

-- Reading -----------------------------------------------------------------------------------------

-- Phones read the catalogue through the CDN, from a function of the site that calls these two
-- (netlify/lib/catalogue.ts).

-- The random stamp of a version: that of the first row at or above it.
create function public.catalogue_stamp(p_ver bigint) returns uuid
language sql stable set search_path = ''
as $$ select s.stamp from public.catalogue_stamps s where s.ver >= p_ver order by s.ver limit 1 $$;

-- Newest version of the catalogue.
create function public.newest_version() returns bigint
language sql stable set search_path = ''
as $$
  select greatest(m.min_ver,
    (select p.ver from public.products p order by p.ver desc limit 1),
    (select d.ver from public.product_deletions d order by d.ver desc limit 1))
  from public.catalogue_meta m
$$;

-- The newest version, as {epoch, min_ver, ver, stamp}.
create function public.catalogue_head() returns json
language sql stable set search_path = ''
as $$
  with meta as (select epoch, min_ver, public.newest_version() as head from public.catalogue_meta)
  select json_build_object(
    'epoch', epoch, 'min_ver', min_ver, 'ver', head, 'stamp', public.catalogue_stamp(head))
  from meta
$$;

-- Up to p_limit (1 to 10,000) products behind the stock code p_skc and id p_id, in their order, as {head, more,
-- products}: head is as catalogue_head gives it, and a product as in catalogue_changes. Without a stock code it begins
-- with the first product. With a p_stamp that is not the newest version's there are no products. One statement, so
-- everything comes from one snapshot.
create function public.catalogue_page(
  p_skc text default null, p_id bigint default null, p_limit int default 1000, p_stamp uuid default null)
returns json
language sql stable set search_path = ''
as $$
  with newest as (select public.catalogue_head() as head),
  size as (select least(greatest(coalesce(p_limit, 1000), 1), 10000) as most),
  page as (
    select * from public.products p
    where (p."SKC", p.id) > (coalesce(p_skc, ''), coalesce(p_id, 0)) and not p.off_sale
      and (p_stamp is null or p_stamp = (select (head ->> 'stamp')::uuid from newest))
    order by p."SKC", p.id
    -- Not the number above: the planner must know it, or it might sort the whole table.
    limit least(greatest(coalesce(p_limit, 1000), 1), 10000)
  )
  select json_build_object(
    'head', head,
    'more', (select count(*) from page) = most,
    'products', coalesce((
      select json_agg(json_build_array(
        id, "SKC", "Size", "Images link",
        "Category 1", "Category 2", "Category 3", "Category 4",
        trim_scale("Retail Price"), "Material", "Fabric Composition"
      ) order by "SKC", id)
      from page), '[]')
  )
  from newest, size
$$;

-- What has changed after version p_since, oldest first, at most p_limit (1 to 1,000) products, as
-- {epoch, min_ver, known, ver, stamp, more, products, deleted}. A product is [id, SKC, Size, Images link,
-- Category 1 to 4, Retail Price, Material, Fabric Composition]. deleted are ids, also of products off sale. Ask again
-- with ver and stamp while more is true. p_since null asks only for the newest version, which a phone remembers
-- before a first load. With p_to there are only changes up to that version: a row that has changed again since then
-- is absent, and comes with the changes after ver. So stamp is that of the newest version when the rows were read: a
-- database that is set back to between the two has the row's earlier contents, which the phone has never got.
--
-- known is false where p_stamp is not the stamp of p_since or of a later version, or p_to_stamp not that of p_to. A
-- phone then loads the catalogue anew, because the database was set back; so it does where ver is below p_since, or
-- p_since below min_ver. It gets no rows in these cases. One statement, so everything comes from one snapshot.
create function public.catalogue_changes(
  p_since bigint default null, p_limit int default 1000, p_stamp uuid default null,
  p_to bigint default null, p_to_stamp uuid default null)
returns json
language sql stable set search_path = ''
as $$
  with newest as (select public.catalogue_head() as head),
  meta as (
    select (head ->> 'epoch')::uuid as epoch, (head ->> 'min_ver')::bigint as min_ver,
      coalesce(p_to, (head ->> 'ver')::bigint) as head, (head ->> 'stamp')::uuid as stamp
    from newest
  ),
  asked as (
    select (p_stamp is null or exists (
        select from public.catalogue_stamps s where s.stamp = p_stamp and s.ver >= p_since))
      and (p_to is null or coalesce(p_to_stamp = public.catalogue_stamp(p_to), false)) as is_known
  ),
  -- Null below min_ver: changes alone would leave deleted products on the phone for good. Null
  -- too when a restore took the version away: changes after it say nothing of what was lost.
  cursor as (select p_since as since from meta, asked where p_since >= min_ver and is_known),
  -- One more than the largest page, to know whether there is more. The two limits are constants
  -- so that the planner walks each version index and stops.
  found as (
    (select p.ver, p.id, case when not p.off_sale then p end as product from public.products p
      where p.ver > (select since from cursor) and p.ver <= (select head from meta)
      order by p.ver limit 1001)
    union all
    (select d.ver, d.id, null from public.product_deletions d
      where d.ver > (select since from cursor) and d.ver <= (select head from meta)
      order by d.ver limit 1001)
  ),
  page as (
    select * from found order by ver limit least(greatest(coalesce(p_limit, 1000), 1), 1000)
  ),
  total as (
    select count(*) < (select count(*) from found) as more, max(ver) as last_ver from page
  ),
  answer as (
    select meta.epoch, meta.min_ver, meta.stamp, asked.is_known, total.more,
      case when total.more then total.last_ver else meta.head end as ver
    from meta, asked, total
  )
  select json_build_object(
    'epoch', epoch,
    'min_ver', min_ver,
    'known', is_known,
    'ver', ver,
    'stamp', stamp,
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

-- For the sitemap ---------------------------------------------------------------------------------
--
-- Only the server makes it. PostgREST answers at most 1,000 rows and has no "distinct"; an array is one row.

-- Adds the categories of what a statement has written to category_names. Its statement holds the lock of the
-- catalogue.
create function public.note_categories() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.category_names (name)
  select distinct btrim(c.name) from written w
  cross join lateral (
    values (w."Category 1"), (w."Category 2"), (w."Category 3"), (w."Category 4")) as c (name)
  where btrim(c.name) <> '' and not w.off_sale
  on conflict do nothing;
  return null;
end $$;
create trigger note_categories_added
  after insert on public.products
  referencing new table as written
  for each statement execute function public.note_categories();
create trigger note_categories_changed
  after update on public.products
  referencing new table as written
  for each statement execute function public.note_categories();

-- All of category_names, sorted.
create function public.categories() returns text[]
language sql stable security invoker set search_path = ''
as $$
  select coalesce(array_agg(name order by name collate "C"), '{}') from public.category_names
$$;

-- How many stock codes the products have.
create function public.stock_code_count() returns bigint
language sql stable security invoker set search_path = ''
as $$
  select count(distinct "SKC") from public.products where not off_sale
$$;

-- The stock codes from p_offset on, each once, sorted.
create function public.stock_codes(p_offset int, p_limit int) returns text[]
language sql stable security invoker set search_path = ''
as $$
  select coalesce(array_agg(code order by code), '{}') from (
    select distinct "SKC" as code from public.products where not off_sale
    order by 1 offset p_offset limit p_limit) codes
$$;
