-- An order that a page asks about by an old payment page has a newer one perhaps, of which money may come.

create or replace function public.order_for(p_user uuid, p_order uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  named uuid := p_order;
  attempt public.payment_attempts;
  placed uuid;
begin
  if p_reference is not null then
    select a.order_id into named from public.payment_attempts a
    where a.provider = 'stripe' and a.reference = p_reference;
  end if;
  select * into attempt from public.payment_attempts a
  where a.order_id = named
  order by public.is_alive(a.state) desc, a.reference is not distinct from p_reference desc, a.number desc limit 1;
  select o.id into placed from public.orders o where o.user_id = p_user and o.id = named;
  if not found then return null; end if;
  update public.payment_attempts a set asked_at = p_now
  where a.order_id = attempt.order_id and a.number = attempt.number and public.is_alive(a.state)
    and a.reference is not null and (a.asked_at is null or a.asked_at < p_now - interval '2 seconds');
  return jsonb_build_object('order', public.order_as_json(placed),
    'attempt', public.attempt_as_json(attempt), 'may_ask', found);
end $$;
comment on function public.order_for(uuid, uuid, text, timestamptz) is
  'An order of the shopper, by its id or by that of one of its Checkout Sessions, as {order, attempt, may_ask}; null when there is none. attempt is the one that is alive, or that of the session, or the last. may_ask at most every 2 seconds, so that a page that keeps asking does not use up what the provider answers.';
