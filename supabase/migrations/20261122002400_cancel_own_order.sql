-- A shopper cancels an order that is not paid.

create function public.cancel_own_order(p_user uuid, p_order uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  live_attempt public.payment_attempts;
begin
  perform public.lock_shopper(p_user);
  placed := public.lock_own_order(p_user, p_order);
  select * into live_attempt from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
  -- A capture may be taking the money now, and Stripe's page takes it until Stripe ends the page. A
  -- PayPal order takes none without a capture, so voiding it here suffices.
  if live_attempt.state = 'capturing'
    or (live_attempt.provider = 'stripe' and live_attempt.state <> 'processing') then
    return jsonb_build_object('blocked_by', public.attempt_as_json(live_attempt),
      'order', public.order_as_json(p_order));
  end if;
  -- Also of an order that the shop's staff has cancelled meanwhile.
  if live_attempt.state = 'processing' then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  end if;
  if placed.state not in ('cancelled', 'expired', 'failed') then
    perform public.require_payable(placed);
    perform public.void_wallet(p_order);
    perform public.move_order(placed, 'cancelled', placed.review, p_now);
  end if;
  return jsonb_build_object('blocked_by', null, 'order', public.order_as_json(p_order));
end $$;
comment on function public.cancel_own_order(uuid, uuid, timestamptz) is
  'Closes an order of the shopper that is not paid, as {order, blocked_by}. The caller must end the attempt in blocked_by at its provider and call again, because money may still come of it. With null the order is closed, and no page is left where it could be paid. An order that was paid meanwhile is refused.';

revoke all on function public.cancel_own_order(uuid, uuid, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.cancel_own_order(uuid, uuid, timestamptz) to service_role;
