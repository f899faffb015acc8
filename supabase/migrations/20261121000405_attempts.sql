-- Beginning, following and giving up an attempt to pay an order.
--
-- At most one attempt of an order is alive at a time, at whichever provider: a unique index says so.
-- A card session is over when Stripe says so; a PayPal order is nothing until the server captures
-- it, so it may be dropped here at any time before. That keeps one order from being paid twice.

-- Parts -------------------------------------------------------------------------------------------

create function public.is_alive(p_state text) returns boolean
language sql immutable set search_path = ''
as $$ select p_state in ('creating', 'open', 'capturing', 'processing') $$;
comment on function public.is_alive(text) is 'Whether money may still come of an attempt in this state.';

create function public.attempt_as_json(p_attempt public.payment_attempts) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_attempt.order_id is not null then jsonb_build_object(
    'order_id', p_attempt.order_id, 'number', p_attempt.number, 'provider', p_attempt.provider,
    'state', p_attempt.state, 'key', p_attempt.idempotency_key, 'reference', p_attempt.reference,
    'capture_key', p_attempt.idempotency_key || ':' || p_attempt.capture_round,
    'capturing_since', p_attempt.capturing_since,
    'expires_at', extract(epoch from p_attempt.expires_at)::bigint) end
$$;
comment on function public.attempt_as_json(public.payment_attempts) is
  'An attempt, as the functions of the server read it; expires_at in seconds since 1970.';

create function public.void_wallet(p_order uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.payment_attempts set state = 'void'
  where order_id = p_order and provider = 'paypal' and state in ('creating', 'open')
$$;
comment on function public.void_wallet(uuid) is
  'Drops a PayPal order that nobody captures: no money has moved, and may_capture refuses from now on.';

create function public.lock_own_order(p_user uuid, p_order uuid) returns public.orders
language plpgsql volatile set search_path = ''
as $$
declare
  found_order public.orders;
begin
  select * into found_order from public.orders where id = p_order and user_id = p_user for update;
  if not found then
    perform public.refuse('order-unknown', 'This order is not one of yours.');
  end if;
  return found_order;
end $$;
comment on function public.lock_own_order(uuid, uuid) is
  'An order of the shopper, locked. An order of somebody else is answered as one that does not exist.';

create function public.require_payable(p_order public.orders) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_order.state in ('paid', 'paid_late', 'needs_review') then
    perform public.refuse('order-paid', 'This order has been paid already.');
  elsif p_order.state = 'confirming' then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  elsif p_order.state <> 'pending' then
    perform public.refuse('order-closed', 'This order is closed. Please place it again.');
  end if;
end $$;
comment on function public.require_payable(public.orders) is 'Refuses, in words, unless the order waits to be paid.';

-- Beginning ---------------------------------------------------------------------------------------

create function public.start_attempt(p_user uuid, p_order uuid, p_provider text, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_own_order(p_user, p_order);
  alive public.payment_attempts;
  made public.payment_attempts;
  last_number int;
begin
  perform public.require_payable(placed);
  select * into alive from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
  if alive.state = 'processing' then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  elsif alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then
    return jsonb_build_object('attempt', null, 'blocked_by', public.attempt_as_json(alive));
  elsif alive.provider = p_provider and (p_provider = 'stripe' or alive.expires_at > p_now) then
    return jsonb_build_object('attempt', public.attempt_as_json(alive), 'blocked_by', null);
  end if;
  if placed.expires_at <= p_now then
    perform public.refuse('order-closed', 'This order is closed. Please place it again.');
  end if;
  select coalesce(max(a.number), 0) into last_number from public.payment_attempts a where a.order_id = p_order;
  if last_number >= 20 then
    perform public.refuse('order-closed', 'This order was tried too often. Please place it again.');
  end if;
  perform public.void_wallet(p_order);
  insert into public.payment_attempts
    (order_id, number, provider, idempotency_key, created_at, expires_at)
  values (p_order, last_number + 1, p_provider, p_order || ':' || last_number + 1,
    p_now, date_trunc('second', p_now) + interval '1 hour')
  returning * into made;
  return jsonb_build_object('attempt', public.attempt_as_json(made), 'blocked_by', null);
end $$;
comment on function public.start_attempt(uuid, uuid, text, timestamptz) is
  'The attempt to pay an order at a provider as {attempt, blocked_by}: the one that is alive there, or a new one. A PayPal order that is in the way is dropped. blocked_by is an attempt that is in the way and that only its provider can tell about: settle it there, then ask again.';

create function public.record_reference(p_order uuid, p_number int, p_reference text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  attempt public.payment_attempts;
begin
  perform from public.orders where id = p_order for update;
  update public.payment_attempts set
    reference = coalesce(reference, p_reference),
    state = case when state = 'creating' then 'open' else state end
  where order_id = p_order and number = p_number
  returning * into attempt;
  return public.attempt_as_json(attempt);
end $$;
comment on function public.record_reference(uuid, int, text) is
  'Notes what the provider calls an attempt and returns it. Its state tells whether the shopper may pay there: it may have been given up while the provider answered.';

create function public.fail_attempt(p_order uuid, p_number int, p_reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.orders where id = p_order for update;
  update public.payment_attempts set state = 'failed'
  where order_id = p_order and number = p_number and state = 'creating';
  if found then
    insert into public.order_events (order_id, kind, detail)
    values (p_order, 'attempt-failed', jsonb_build_object('number', p_number, 'reason', p_reason));
  end if;
end $$;
comment on function public.fail_attempt(uuid, int, text) is
  'Gives up an attempt that the provider refused to begin. The order waits for another one.';

-- Capturing at PayPal -----------------------------------------------------------------------------

create function public.may_capture(p_user uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  attempt public.payment_attempts;
begin
  placed := public.lock_own_order(p_user, (
    select a.order_id from public.payment_attempts a
    where a.provider = 'paypal' and a.reference = p_reference));
  select * into attempt from public.payment_attempts a
  where a.provider = 'paypal' and a.reference = p_reference;
  if attempt.state in ('captured', 'processing') then
    return jsonb_build_object('go', false, 'attempt', public.attempt_as_json(attempt));
  end if;
  perform public.require_payable(placed);
  if attempt.state not in ('open', 'capturing') then
    perform public.refuse('payment-elsewhere', 'This order is being paid in another way. Please start again.');
  end if;
  update public.payment_attempts a set
    state = 'capturing', capturers = a.capturers + 1, capturing_since = p_now
  where a.order_id = placed.id and a.number = attempt.number
  returning * into attempt;
  return jsonb_build_object('go', true, 'attempt', public.attempt_as_json(attempt));
end $$;
comment on function public.may_capture(uuid, text, timestamptz) is
  'Asked right before PayPal is asked for the money: {go, attempt}. go is false when the money has come or is on its way. While an attempt is capturing, no other one can begin.';

create function public.release_capture(p_order uuid, p_number int, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.orders where id = p_order for update;
  update public.payment_attempts set
    capturers = case when p_since is null then greatest(capturers - 1, 0) else 0 end,
    capture_round = capture_round + 1,
    state = case when p_since is null and capturers > 1 then 'capturing' else 'open' end
  where order_id = p_order and number = p_number and state = 'capturing'
    and capturing_since = coalesce(p_since, capturing_since);
end $$;
comment on function public.release_capture(uuid, int, timestamptz) is
  'PayPal said for certain that no money was taken. The attempt is open again when nobody else is capturing. p_since is null for one''s own request; otherwise those that began by then are known to be dead, and one that began later keeps the attempt.';

revoke all on function
  public.is_alive(text), public.attempt_as_json(public.payment_attempts),
  public.void_wallet(uuid), public.lock_own_order(uuid, uuid), public.require_payable(public.orders),
  public.start_attempt(uuid, uuid, text, timestamptz), public.record_reference(uuid, int, text),
  public.fail_attempt(uuid, int, text), public.may_capture(uuid, text, timestamptz),
  public.release_capture(uuid, int, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.start_attempt(uuid, uuid, text, timestamptz), public.record_reference(uuid, int, text),
  public.fail_attempt(uuid, int, text), public.may_capture(uuid, text, timestamptz),
  public.release_capture(uuid, int, timestamptz)
  to service_role;
