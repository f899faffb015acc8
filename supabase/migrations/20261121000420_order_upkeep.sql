-- What time and people do to orders, and which payments have to be asked about.

-- Time, and people --------------------------------------------------------------------------------

create function public.cancel_order(p_order uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_order_and_shopper(p_order);
begin
  perform public.require_payable(placed);
  if exists (
    select from public.payment_attempts a
    where a.order_id = p_order and a.state in ('capturing', 'processing')) then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  end if;
  perform public.void_wallet(p_order);
  perform public.move_order(placed, 'cancelled', placed.review, p_now);
  return public.order_as_json(p_order);
end $$;
comment on function public.cancel_order(uuid, timestamptz) is
  'Closes an order that nobody has paid. A card session that is open is ended by the reconcile; money that comes before makes the order paid_late.';

create function public.expire_orders(p_now timestamptz) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.orders;
  expired int := 0;
begin
  for due in
    select * from public.orders where state = 'pending' and expires_at <= p_now
    order by expires_at limit 200 for update skip locked
  loop
    perform public.void_wallet(due.id);
    continue when exists (
      select from public.payment_attempts a where a.order_id = due.id and public.is_alive(a.state));
    perform public.move_order(due, 'expired', due.review, p_now);
    expired := expired + 1;
  end loop;
  return expired;
end $$;
comment on function public.expire_orders(timestamptz) is
  'Closes up to 200 orders whose time is over, but none of which money may still come, and returns how many.';

create function public.close_review(p_order uuid, p_state text, p_note text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_order_and_shopper(p_order);
begin
  if placed.review is null then
    perform public.refuse('nothing-to-review', 'This order waits for nobody.');
  end if;
  perform public.move_order(placed, p_state, null, p_now);
  insert into public.order_events (order_id, kind, detail)
  values (p_order, 'review-closed', jsonb_build_object('state', p_state, 'note', p_note));
  return public.order_as_json(p_order);
end $$;
comment on function public.close_review(uuid, text, text, timestamptz) is
  'For the people of the shop, from the SQL editor: says what becomes of an order that waits for them (paid, cancelled once the money was sent back, or the state that it has).';

-- What to ask providers about ---------------------------------------------------------------------

create function public.order_for(p_user uuid, p_order uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  attempt public.payment_attempts;
  placed uuid;
begin
  if p_reference is not null then
    select * into attempt from public.payment_attempts a
    where a.provider = 'stripe' and a.reference = p_reference;
  else
    select * into attempt from public.payment_attempts a
    where a.order_id = p_order order by public.is_alive(a.state) desc, a.number desc limit 1;
  end if;
  select o.id into placed from public.orders o
  where o.user_id = p_user and o.id = case when p_reference is null then p_order else attempt.order_id end;
  if not found then return null; end if;
  update public.payment_attempts a set asked_at = p_now
  where a.order_id = attempt.order_id and a.number = attempt.number and public.is_alive(a.state)
    and a.reference is not null and (a.asked_at is null or a.asked_at < p_now - interval '2 seconds');
  return jsonb_build_object('order', public.order_as_json(placed),
    'attempt', public.attempt_as_json(attempt), 'may_ask', found);
end $$;
comment on function public.order_for(uuid, uuid, text, timestamptz) is
  'An order of the shopper, by its id or by that of a Checkout Session, as {order, attempt, may_ask}; null when there is none. attempt is the one that is alive, or the last. may_ask at most every 2 seconds, so that a page that keeps asking does not make the provider deaf to us.';

create function public.attempts_to_ask(p_now timestamptz, p_limit int) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  result jsonb;
begin
  with due as (
    select a.order_id, a.number from public.payment_attempts a
    where a.state in ('creating', 'open', 'capturing', 'processing')
      and (a.provider = 'stripe' or a.state in ('capturing', 'processing'))
      and coalesce(a.capturing_since, a.created_at) <= p_now - interval '2 minutes'
      and coalesce(a.asked_at, '-infinity') <= p_now - least(interval '1 hour',
        greatest(interval '1 minute', (p_now - a.created_at) / 10))
    order by a.asked_at nulls first, a.created_at
    limit least(greatest(p_limit, 1), 100)
    for update skip locked
  ),
  taken as (
    update public.payment_attempts a set asked_at = p_now
    from due where a.order_id = due.order_id and a.number = due.number
    returning a.*
  )
  select jsonb_agg(jsonb_build_object(
    'attempt', public.attempt_as_json(taken::public.payment_attempts),
    'order', public.order_as_json(taken.order_id))) into result
  from taken;
  return coalesce(result, '[]');
end $$;
comment on function public.attempts_to_ask(timestamptz, int) is
  'Attempts that may have ended without a word, as [{attempt, order}], those first that were not asked about for longest. None is handed out before the request that works on it is surely over (functions live 60 seconds), and none twice within a minute, an old one not within an hour, whoever calls.';

revoke all on function
  public.cancel_order(uuid, timestamptz), public.expire_orders(timestamptz),
  public.close_review(uuid, text, text, timestamptz),
  public.order_for(uuid, uuid, text, timestamptz), public.attempts_to_ask(timestamptz, int)
  from public, anon, authenticated, service_role;
grant execute on function
  public.cancel_order(uuid, timestamptz), public.expire_orders(timestamptz),
  public.close_review(uuid, text, text, timestamptz),
  public.order_for(uuid, uuid, text, timestamptz), public.attempts_to_ask(timestamptz, int)
  to service_role;
