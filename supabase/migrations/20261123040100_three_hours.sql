-- An order waits for three hours: pages that are still open keep no other order from being closed, and
-- what was approved at PayPal is not captured after that.

create or replace function public.expire_orders(p_now timestamptz) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.orders;
  expired int := 0;
begin
  for due in
    select * from public.orders o
    where o.state = 'pending' and o.expires_at <= p_now
      and not exists (
        select from public.payment_attempts a
        where a.order_id = o.id and public.is_alive(a.state)
          and not (a.provider = 'paypal' and a.state in ('creating', 'open')))
    order by o.expires_at limit 200 for update of o skip locked
  loop
    perform public.void_wallet(due.id);
    -- A capture may have begun before the order was locked.
    continue when exists (
      select from public.payment_attempts a where a.order_id = due.id and public.is_alive(a.state));
    perform public.move_order(due, 'expired', due.review, p_now);
    expired := expired + 1;
  end loop;
  return expired;
end $$;

create or replace function public.may_capture(p_user uuid, p_reference text, p_now timestamptz) returns jsonb
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
  -- A capture that has begun may have taken the money.
  elsif attempt.state = 'open' and placed.expires_at <= p_now then
    perform public.refuse('order-closed', 'This order is closed. Please place it again.');
  end if;
  update public.payment_attempts a set
    state = 'capturing', capturers = a.capturers + 1, capturing_since = p_now
  where a.order_id = placed.id and a.number = attempt.number
  returning * into attempt;
  return jsonb_build_object('go', true, 'attempt', public.attempt_as_json(attempt));
end $$;
comment on function public.may_capture(uuid, text, timestamptz) is
  'Asked right before PayPal is asked for the money: {go, attempt}. go is false when the money has come or is on its way. While an attempt is capturing, no other one can begin. Refuses to begin when the order''s time is over.';
