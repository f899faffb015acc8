-- What the operator is told, and what is forgotten at night.

-- Messages ----------------------------------------------------------------------------------------

-- The outbox of messages to the person who runs the shop: each paid order, and what needs a person. A row is
-- written in the transaction of what it tells. The function `messages` sends each at least once, and gives it
-- up after a day.
create table public.messages (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  -- Tells two messages of a kind apart: the same thing told again is one message.
  key text not null check (length(key) between 1 and 200),
  -- What the sentence needs: ids, sums, states. No names, no addresses, no email.
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  tries int not null default 0,
  -- Null before the first try.
  next_try_at timestamptz,
  is_given_up boolean not null default false,
  sent_at timestamptz,
  unique (kind, key)
);
create index messages_to_send on public.messages (next_try_at nulls first)
  where sent_at is null and not is_given_up;
alter table public.messages enable row level security;

-- Writes a message, once for each kind and key. p_detail holds nothing personal.
create function public.tell(p_kind text, p_key text, p_detail jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.messages (kind, key, detail) values (p_kind, p_key, p_detail)
  on conflict (kind, key) do nothing
$$;

-- Tells of each order that becomes paid or begins to wait for a person, whoever moved it, and of each further
-- reason. An order whose money has not come waits for nobody; once it comes, the remark makes the order
-- needs_review. The reason itself stays in the order.
create function public.tell_of_order() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.state not in ('pending', 'confirming') and (
    (new.state in ('needs_review', 'paid_late') and new.state <> old.state)
    or (new.review is not null and new.review is distinct from old.review)) then
    perform public.tell(
      case new.state when 'paid_late' then 'paid_late' else 'needs_review' end,
      concat_ws(':', new.id, new.state, md5(coalesce(new.review, ''))),
      jsonb_build_object('order', new.id, 'state', new.state, 'total_minor', new.total_minor,
        'currency', new.currency, 'mode', new.mode, 'today_minor', public.total_today(new.id)));
  elsif new.state = 'paid' and old.state in ('pending', 'confirming') then
    perform public.tell('paid', new.id::text, jsonb_build_object(
      'order', new.id, 'total_minor', new.total_minor, 'currency', new.currency, 'mode', new.mode,
      'today_minor', public.total_today(new.id)));
  end if;
  return null;
end $$;
create trigger tell_of_order after update on public.orders
  for each row execute function public.tell_of_order();

-- A message that is due as {id, kind, key, detail, at, is_last_try}, or null. It is due again after 5 minutes,
-- then after twice as long each time, an hour at most, until it is a day old. Two callers never get the same at
-- once.
create function public.take_message(p_now timestamptz) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  update public.messages m set
    tries = m.tries + 1,
    next_try_at = p_now + least(interval '1 hour', interval '5 minutes' * 2 ^ m.tries),
    is_given_up = m.at <= p_now - interval '1 day'
  where m.id = (
    select id from public.messages
    where sent_at is null and not is_given_up and coalesce(next_try_at, p_now) <= p_now
    order by next_try_at nulls first, id limit 1 for update skip locked)
  returning jsonb_build_object('id', m.id, 'kind', m.kind, 'key', m.key, 'detail', m.detail, 'at', m.at,
    'is_last_try', m.is_given_up)
$$;

-- The operator's address has taken the message.
create function public.message_sent(p_id bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.messages set sent_at = p_now where id = p_id and sent_at is null
$$;

-- Forgets messages of before a time.
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

-- Forgetting --------------------------------------------------------------------------------------

-- Forgets the tombstones older than p_before, and all before them in version order, 200,000 at a time and the
-- oldest first, and returns how many. It raises min_ver to the newest forgotten one, so a phone that was away
-- for longer reloads instead of keeping deleted products. Stamps go at the same age, with the same effect.
-- Safe at any age; a recent p_before only costs reloads. A call holds the catalogue's lock and must end well
-- before Supabase's statement timeout.
create function public.purge_product_deletions(p_before timestamptz) returns bigint
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

-- Forgets up to 50,000 changes applied before a time and returns how many; run by the shop's upkeep, never by
-- a push. The id of a change must outlive every phone that may still send it: a phone sends a change until a
-- pull has acknowledged it, and it may lie in a drawer with its answer lost for months. Then an unknown id
-- would be applied a second time. 400 days are a good age; less than 365 is refused. A day on which many
-- shoppers reach their limit of changes is more than one call can delete in time.
create function public.prune_applied_changes(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned bigint;
begin
  if p_before is null or p_before > now() - interval '365 days' then
    raise exception 'changes of the last 365 days are not pruned' using errcode = 'invalid_parameter_value';
  end if;
  delete from public.applied_changes where ctid = any (array(
    select c.ctid from public.applied_changes c where c.applied_at < p_before limit 50000));
  get diagnostics pruned = row_count;
  return pruned;
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
-- of ours (unknown), which the log tells. The triggers look at the payments of an order for each of its rows
-- that is deleted, so orders of a hundred lines and twenty attempts each cost 16 ms, and 2,000 of them more
-- than the statement timeout allows.
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
