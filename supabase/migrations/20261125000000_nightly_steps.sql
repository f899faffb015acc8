-- Two steps of the nightly upkeep that took seconds in a catalogue of millions: each holds the catalogue's lock
-- and must end well before Supabase's statement timeout.

create or replace function public.purge_product_deletions(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most constant int := 200000;
  up_to bigint;
  purged bigint;
begin
  perform public.take_catalogue_lock();
  -- Null while there are fewer, and least() takes no notice of a null.
  select least(max(d.ver), (select o.ver from public.product_deletions o order by o.ver offset most - 1 limit 1))
  into up_to from public.product_deletions d where d.deleted_at < p_before having max(d.ver) is not null;
  delete from public.product_deletions where ver <= up_to;
  get diagnostics purged = row_count;
  update public.catalogue_meta set min_ver = up_to where min_ver < up_to;
  -- Whoever is still at a version below the newest old stamp has not asked since p_before.
  delete from public.catalogue_stamps where ver < (select min_ver from public.catalogue_meta)
    or ver < (select max(s.ver) from public.catalogue_stamps s where s.made_at < p_before);
  return purged;
end $$;
comment on function public.purge_product_deletions(timestamptz) is
  'Forgets the tombstones older than p_before, and all before them in version order, 200,000 at a time and the oldest first, and returns how many. It raises min_ver to the newest forgotten one, so a phone that was away for longer reloads instead of keeping deleted products. Stamps go at the same age, with the same effect. Safe at any age; a recent p_before only costs reloads. Security definer because no role may write tombstones, stamps or meta by hand.';

create or replace function public.prune_category_names() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned int;
begin
  perform public.take_catalogue_lock();
  with lists as (
    -- Products by the million have few lists of categories, so there is little left to trim and compare.
    select distinct "Category 1", "Category 2", "Category 3", "Category 4" from public.products
  ),
  used as (
    -- Without "distinct" PostgreSQL 15 hashes each of a million equal names, for a minute.
    select distinct btrim(n.name) as name
    from lists cross join unnest(array["Category 1", "Category 2", "Category 3", "Category 4"]) as n (name)
  )
  delete from public.category_names c where not exists (select from used u where u.name = c.name);
  get diagnostics pruned = row_count;
  return pruned;
end $$;
