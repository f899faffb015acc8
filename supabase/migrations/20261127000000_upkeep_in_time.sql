-- Three steps of the server whose time, or whose success, depended on others.

-- The triggers look at the payments of an order for each of its rows that is deleted, so orders of a hundred
-- lines and twenty attempts each cost 16 ms, and 2,000 of them more than the statement timeout allows.
create or replace function public.prune_unpaid_orders(p_before timestamptz) returns bigint
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
comment on function public.prune_unpaid_orders(timestamptz) is
  'Forgets up to 100 orders that were placed before a time and never paid, and returns how many. The triggers of the tables let nothing else be deleted. Money that came for one of them after all would be of no order of ours (unknown), which the log tells. Security definer because no role may delete by hand.';

-- A shopper's lines by the index on their orders; the policy before it read all lines of the shop.
alter policy "shoppers read what they bought" on public.order_items
  using (order_id = any (array(
    select o.id from public.orders o where o.user_id = (select auth.uid()))));

-- A provider's message may come in while the account of its order is being deleted.
create or replace function public.lock_order_and_shopper(p_order uuid) returns public.orders
language plpgsql volatile set search_path = ''
as $$
declare
  shopper uuid := (select o.user_id from public.orders o where o.id = p_order);
  locked public.orders;
begin
  if shopper is not null then
    begin
      perform public.lock_shopper(shopper);
    exception when foreign_key_violation then
      null; -- The account has gone since, and the order belongs to nobody by now.
    end;
  end if;
  select * into locked from public.orders where id = p_order for update;
  return locked;
end $$;
