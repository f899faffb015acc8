-- Forgetting orders that were never paid.
--
-- What is kept of an order is kept for the money. An order that was closed weeks ago, and of which no
-- provider ever told of money or of a payment under way, holds nothing but an address.

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
comment on function public.may_forget_order(uuid) is
  'Whether an order is closed, was never paid, and cannot be paid any more: a payment page lives for a day at most.';

create or replace function public.keep_forever() returns trigger
language plpgsql set search_path = ''
as $$
declare
  row_of text := case tg_table_name when 'orders' then 'id' else 'order_id' end;
begin
  if tg_op = 'DELETE' and public.may_forget_order((to_jsonb(old) ->> row_of)::uuid) then
    return old;
  end if;
  raise exception 'rows of % are never changed, and not deleted while they tell of money', tg_table_name
    using errcode = 'restrict_violation';
end $$;
comment on function public.keep_forever() is
  'Holds for the server''s role and for the owner too: what happened, happened. Only what belongs to an order that was never paid may go (may_forget_order).';

create or replace function public.guard_attempt() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and public.may_forget_order(old.order_id) then
    return old;
  end if;
  if tg_op = 'DELETE' or old.state = 'captured' and new.state <> 'captured'
    or old.reference is not null and new.reference is distinct from old.reference
    or (new.order_id, new.number, new.provider, new.idempotency_key, new.expires_at)
      is distinct from (old.order_id, old.number, old.provider, old.idempotency_key, old.expires_at) then
    raise exception 'an attempt to pay keeps what is known of it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create index orders_closed on public.orders (created_at) where state in ('cancelled', 'expired', 'failed');

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
    order by o.created_at limit 2000 for update skip locked) closed;
  delete from public.order_items where order_id = any (due);
  delete from public.order_events where order_id = any (due);
  delete from public.payment_attempts where order_id = any (due);
  delete from public.payment_events where order_id = any (due);
  delete from public.orders where id = any (due);
  return coalesce(cardinality(due), 0);
end $$;
comment on function public.prune_unpaid_orders(timestamptz) is
  'Forgets up to 2,000 orders that were placed before a time and never paid, and returns how many. The triggers of the tables let nothing else be deleted. Money that came for one of them after all would be of no order of ours (unknown), which the log tells. Security definer because no role may delete by hand.';

revoke all on function public.may_forget_order(uuid), public.prune_unpaid_orders(timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.prune_unpaid_orders(timestamptz) to service_role;
