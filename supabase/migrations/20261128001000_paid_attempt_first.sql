-- A page that asks about an order by its id is told how it was paid: attempts to which the provider gave no id came
-- first, because asking by the order's id compared them with null.

create or replace function public.order_for(p_user uuid, p_order uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  named uuid := p_order;
  attempt public.payment_attempts;
  placed uuid;
  is_due boolean;
  may_ask boolean := false;
begin
  if p_reference is not null then
    select a.order_id into named from public.payment_attempts a
    where a.provider = 'stripe' and a.reference = p_reference;
  end if;
  select * into attempt from public.payment_attempts a
  where a.order_id = named
  order by public.is_alive(a.state) desc, a.state = 'captured' desc,
    (a.reference = p_reference) is true desc, a.number desc
  limit 1;
  select o.id into placed from public.orders o where o.user_id = p_user and o.id = named;
  if not found then return null; end if;
  perform from public.payment_attempts a
  where a.order_id = attempt.order_id and a.number = attempt.number and public.is_alive(a.state)
    and a.reference is not null
    and (a.page_asked_at is null or a.page_asked_at < p_now - interval '2 seconds')
  for update;
  is_due := found;
  if is_due then
    -- Pages that wait leave half of the asks to whoever presses a button.
    may_ask := public.count_ask(p_user, 15, p_now);
  end if;
  if may_ask then
    update public.payment_attempts a set page_asked_at = p_now
    where a.order_id = attempt.order_id and a.number = attempt.number;
  end if;
  return jsonb_build_object('order', public.order_as_json(placed),
    'attempt', public.attempt_as_json(attempt), 'may_ask', may_ask,
    'is_current', not public.is_alive(attempt.state) or attempt.reference is null);
end $$;
comment on function public.order_for(uuid, uuid, text, timestamptz) is
  'An order of the shopper, by its id or by that of one of its Checkout Sessions, as {order, attempt, may_ask, is_current}; null when there is none. attempt is the one that is alive, or one that was paid, or that of the session, or the last. may_ask at most every 2 seconds, and 15 times a minute for all orders of the shopper, so that pages that keep asking do not use up what the provider answers. is_current: the provider has nothing to tell. Otherwise it was asked at most, and need not have answered.';
