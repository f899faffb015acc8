-- What is forgotten at night.

-- Forgets the tombstones older than p_before, and all before them in version order, 200,000 at a time and the
-- oldest first, and returns how many. It raises min_ver to the newest forgotten one, so a phone that was away
-- for longer reloads instead of keeping deleted products. Stamps go at the same age, with the same effect.
-- Safe at any age; a recent p_before only costs reloads. A call holds the catalogue's lock and must end well
-- before Supabase's statement timeout.
create function public.prune_product_deletions(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most constant int := 200000;
  up_to bigint;
  pruned bigint;
begin
  perform public.take_catalogue_lock();
  -- The second is null while there are fewer than most tombstones; least() then takes the first.
  select least(max(d.ver), (select o.ver from public.product_deletions o order by o.ver offset most - 1 limit 1))
  into up_to from public.product_deletions d where d.deleted_at < p_before having max(d.ver) is not null;
  delete from public.product_deletions where ver <= up_to;
  get diagnostics pruned = row_count;
  update public.catalogue_meta set min_ver = up_to where min_ver < up_to;
  -- Whoever still has a stamp below the newest old one has not asked since p_before. The newest version keeps its
  -- stamp, although a statement that changed nothing may have left a later one.
  delete from public.catalogue_stamps where ver < (select min_ver from public.catalogue_meta)
    or ver < (select least(max(s.ver), public.newest_version())
      from public.catalogue_stamps s where s.made_at < p_before);
  return pruned;
end $$;

-- Removes categories that no product has any more, and returns how many. Reads all products under the lock of
-- the catalogue: call it at night.
create function public.prune_category_names() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned int;
begin
  perform public.take_catalogue_lock();
  with lists as (
    -- Products by the million have few lists of categories, so there is little left to trim and compare.
    select distinct "Category 1", "Category 2", "Category 3", "Category 4" from public.products
    where not off_sale
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

-- Forgets changes of up to 500 phones that are due at p_before (now at the latest), and returns how many phones it
-- looked at. Run by the shop's upkeep, never by a push.
--
-- A phone sends a change until a pull has acknowledged it, and it may lie in a drawer for months with the answer
-- lost. A forgotten id would then be applied a second time. So a change stays for 400 days, or for 30 where its phone
-- has released it. If a phone's storage is set back and holds the change again, push rejects it by forgotten_to. A
-- phone is looked at every three days at most, and forgotten itself 400 days after its last change was.
create function public.prune_applied_changes(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  phone public.devices;
  pruned bigint;
  pruned_to bigint;
  next_due timestamptz;
  looked_at bigint := 0;
  at timestamptz := least(p_before, now());
begin
  for phone in select * from public.devices where due_at < at order by due_at limit 500 loop
    -- The lock of the shopper's writers: no push is under way that counts on the row.
    continue when not pg_try_advisory_xact_lock(20261122, hashtext(phone.user_id::text));
    looked_at := looked_at + 1;
    with gone as (
      delete from public.applied_changes c
      where c.user_id = phone.user_id and c.device_id = phone.device_id and c.applied_at < at - case
        when c.ver <= phone.held_from and c.base_ver < c.ver then interval '30 days' else interval '400 days' end
      returning c.ver)
    select count(*), max(ver) into pruned, pruned_to from gone;
    select min(c.applied_at + case
      when c.ver <= phone.held_from and c.base_ver < c.ver then interval '30 days' else interval '400 days' end)
    into next_due from public.applied_changes c
    where c.user_id = phone.user_id and c.device_id = phone.device_id;
    if next_due is null and pruned = 0 then
      delete from public.devices where user_id = phone.user_id and device_id = phone.device_id;
    else
      update public.devices set forgotten_to = greatest(forgotten_to, pruned_to),
        due_at = greatest(coalesce(next_due, at + interval '400 days'), at + interval '3 days')
      where user_id = phone.user_id and device_id = phone.device_id;
    end if;
  end loop;
  return looked_at;
end $$;

-- Whether an order is closed, was never paid, and cannot be paid any more: a payment page lives for a day at
-- most. What is kept of an order is kept for the money: such an order holds nothing but an address.
create function public.may_forget_order(p_order uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.orders o
    where o.id = p_order and o.state in ('cancelled', 'expired', 'failed')
      and o.received_minor = 0 and o.created_at < now() - interval '7 days'
      and not exists (
        select from public.payment_events e
        where e.order_id = o.id and e.outcome in ('captured', 'pending'))
      and not exists (
        select from public.payment_attempts a where a.order_id = o.id and public.is_alive(a.state)))
$$;

-- Forgets up to 100 orders that were placed before a time and never paid, and returns how many. The triggers
-- of the tables let nothing else be deleted. Money that came for one of them after all would be of no order
-- of ours (unknown), of which the operator gets a message. The triggers look at the payments of an order for each of
-- its rows that is deleted: an order of a hundred lines and twenty attempts costs 16 ms, and 2,000 of them would take
-- longer than the statement timeout allows.
create function public.prune_unpaid_orders(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due uuid[];
begin
  if p_before is null or p_before > now() - interval '7 days' then
    raise exception 'orders of the last 7 days are not pruned' using errcode = 'invalid_parameter_value';
  end if;
  select array_agg(id) into due from (
    select o.id from public.orders o
    where o.state in ('cancelled', 'expired', 'failed') and o.created_at < p_before
      and public.may_forget_order(o.id)
    order by o.created_at limit 100 for update skip locked) closed;
  delete from public.order_items where order_id = any (due);
  delete from public.order_events where order_id = any (due);
  delete from public.payment_attempts where order_id = any (due);
  delete from public.payment_events where order_id = any (due);
  delete from public.orders where id = any (due);
  return coalesce(cardinality(due), 0);
end $$;

-- Forgets the keys of whole ranges whose imports began before a time and were never ended, and returns how many
-- imports that were. Without them such an import takes nothing off sale any more.
create function public.prune_import_keys(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  old uuid[];
begin
  perform public.take_catalogue_lock();
  old := array(
    select i.id from public.imports i
    where i.is_range and not i.is_range_done
      and i.started_at < least(p_before, now() - interval '7 days'));
  update public.imports set is_range = false where id = any (old);
  delete from public.import_keys where import_id = any (old);
  return cardinality(old);
end $$;

-- Forgets messages that were written before a time.
create function public.prune_messages(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned bigint;
begin
  delete from public.messages where at < p_before;
  get diagnostics pruned = row_count;
  return pruned;
end $$;
