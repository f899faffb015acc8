-- What payments do to orders.
--
-- Everything that is known about money comes in through apply_payment, whoever learnt it: a webhook,
-- the page that came back, the request that captured, the reconcile. It may come late, twice or out
-- of order. Money that is equal to its order pays it, once; any other money is kept for a person.

create function public.take_from_cart(p_order public.orders) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A line whose product has left cannot be changed, only removed.
  delete from public.cart_items c using public.order_items i
  where c.user_id = p_order.user_id and i.order_id = p_order.id and c.product_id = i.product_id
    and (c.quantity <= i.quantity or not exists (select from public.products p where p.id = c.product_id));
  update public.cart_items c set quantity = c.quantity - i.quantity
  from public.order_items i
  where c.user_id = p_order.user_id and i.order_id = p_order.id and c.product_id = i.product_id;
end $$;
comment on function public.take_from_cart(public.orders) is
  'Takes what was bought out of the shopper''s cart; what was added since the order was placed stays. The caller holds the shopper''s lock.';

create function public.lock_order_and_shopper(p_order uuid) returns public.orders
language plpgsql volatile set search_path = ''
as $$
declare
  shopper uuid := (select o.user_id from public.orders o where o.id = p_order);
  locked public.orders;
begin
  if shopper is not null then perform public.lock_shopper(shopper); end if;
  select * into locked from public.orders where id = p_order for update;
  return locked;
end $$;
comment on function public.lock_order_and_shopper(uuid) is
  'Shopper first, as everybody who writes carts does.';

create function public.move_order(p_order public.orders, p_state text, p_review text, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.orders set
    state = p_state,
    review = p_review,
    paid_at = case when p_state = 'paid' then coalesce(paid_at, p_now) end
  where id = p_order.id;
  if p_state = 'paid' and p_order.state <> 'paid' then
    perform public.void_wallet(p_order.id);
    perform public.take_from_cart(p_order);
  end if;
end $$;
comment on function public.move_order(public.orders, text, text, timestamptz) is
  'Moves an order whose row and shopper are locked. Becoming paid takes the goods out of the cart in the same transaction.';

create function public.attempt_of(p_provider text, p_reference text, p_order uuid, p_outcome text, p_now timestamptz)
returns public.payment_attempts
language plpgsql volatile set search_path = ''
as $$
declare
  attempt public.payment_attempts;
begin
  select * into attempt from public.payment_attempts a
  where a.provider = p_provider and a.reference = p_reference;
  if found then return attempt; end if;
  -- What has expired may belong to an earlier attempt, and nobody was told its address.
  if p_outcome = 'expired' then return null; end if;
  update public.payment_attempts a set reference = p_reference, state = 'open'
  where a.order_id = p_order and a.provider = p_provider and a.reference is null and a.state = 'creating'
  returning * into attempt;
  if not found and p_outcome = 'captured' then
    insert into public.payment_attempts as a
      (order_id, number, provider, state, idempotency_key, reference, created_at, expires_at)
    select p_order, n, p_provider, 'failed', p_order || ':' || n, p_reference, p_now, p_now
    from (select coalesce(max(b.number), 0) + 1 as n from public.payment_attempts b where b.order_id = p_order) next
    returning * into attempt;
  end if;
  return attempt;
end $$;
comment on function public.attempt_of(text, text, uuid, text, timestamptz) is
  'The attempt that a provider speaks of. Word of it may come before its reference was noted, and money may come of an attempt that was given up for lost.';

create function public.misfits(
  p_order public.orders, p_named uuid, p_amount_minor bigint, p_currency text, p_mode text)
returns text
language sql immutable set search_path = ''
as $$
  select nullif(concat_ws(', ',
    case when p_named <> p_order.id then 'order' end,
    case when p_amount_minor is distinct from p_order.total_minor then 'amount' end,
    case when p_currency is distinct from p_order.currency then 'currency' end,
    case when p_mode is distinct from p_order.mode then 'mode' end), '')
$$;
comment on function public.misfits(public.orders, uuid, bigint, text, text) is
  'In what a payment differs from its order; null when in nothing.';

create function public.apply_payment(
  p_provider text, p_event_id text, p_reference text, p_order uuid, p_outcome text,
  p_amount_minor bigint, p_currency text, p_mode text, p_capture_id text, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  attempt public.payment_attempts;
  wrong text;
  verdict text;
  remark text;
begin
  placed := public.lock_order_and_shopper(coalesce(
    (select a.order_id from public.payment_attempts a
      where a.provider = p_provider and a.reference = p_reference),
    p_order));
  select e.result into verdict from public.payment_events e
  where e.provider = p_provider and e.event_id = p_event_id;
  if found then
    return jsonb_build_object('result', verdict, 'order', public.order_as_json(placed.id));
  end if;

  if placed.id is null then
    verdict := 'unknown';
  elsif p_outcome = 'captured' then
    wrong := public.misfits(placed, p_order, p_amount_minor, p_currency, p_mode);
    if exists (
      select from public.payment_events e
      where e.provider = p_provider and e.capture_id = p_capture_id
        and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')) then
      verdict := 'repeat';
      if wrong is not null then
        remark := format('%s payment %s was reported again with another %s', p_provider, p_capture_id, wrong);
        perform public.move_order(placed, placed.state, concat_ws('; ', placed.review, remark), p_now);
      end if;
    else
      attempt := public.attempt_of(p_provider, p_reference, placed.id, p_outcome, p_now);
      update public.payment_attempts set state = 'captured'
      where order_id = attempt.order_id and number = attempt.number;
      if wrong is not null then
        verdict := 'needs_review';
        remark := format('%s payment %s has another %s', p_provider, p_capture_id, wrong);
      elsif placed.state in ('pending', 'confirming') then
        verdict := 'paid';
      elsif placed.state in ('paid', 'paid_late', 'needs_review') then
        verdict := 'paid_again';
        remark := format('paid again by %s payment %s: refund one', p_provider, p_capture_id);
      else
        verdict := 'paid_late';
        remark := format('%s payment %s came when the order was %s', p_provider, p_capture_id, placed.state);
      end if;
      -- A paid order stays paid, and one that waits for a person goes on waiting.
      perform public.move_order(placed,
        case when placed.state in ('paid', 'paid_late', 'needs_review') then placed.state else verdict end,
        nullif(concat_ws('; ', placed.review, remark), ''), p_now);
    end if;
  else
    attempt := public.attempt_of(p_provider, p_reference, placed.id, p_outcome, p_now);
    verdict := 'stale';
    if p_outcome = 'pending' and attempt.state in ('creating', 'open', 'capturing') then
      verdict := 'confirming';
      update public.payment_attempts set state = 'processing'
      where order_id = attempt.order_id and number = attempt.number;
      if placed.state = 'pending' then
        perform public.move_order(placed, 'confirming', placed.review, p_now);
      end if;
    elsif p_outcome = 'failed' and public.is_alive(attempt.state) then
      verdict := 'failed';
      update public.payment_attempts set state = 'failed'
      where order_id = attempt.order_id and number = attempt.number;
      if placed.state in ('pending', 'confirming') then
        perform public.move_order(placed, 'failed', placed.review, p_now);
      end if;
    elsif p_outcome = 'expired' and attempt.state in ('creating', 'open', 'capturing') then
      verdict := 'expired';
      update public.payment_attempts set state = 'expired'
      where order_id = attempt.order_id and number = attempt.number;
    end if;
  end if;

  insert into public.payment_events (provider, event_id, order_id, reference, outcome,
    amount_minor, currency, mode, capture_id, result)
  values (p_provider, p_event_id, placed.id, p_reference, p_outcome,
    p_amount_minor, p_currency, p_mode, p_capture_id, verdict)
  on conflict do nothing;
  return jsonb_build_object('result', verdict, 'order', public.order_as_json(placed.id));
end $$;
comment on function public.apply_payment(text, text, text, uuid, text, bigint, text, text, text, timestamptz) is
  'Takes in what a provider said of a payment and returns {result, order}: paid, needs_review (in something unlike its order), paid_late (the order was closed), paid_again (the order had been paid), confirming, failed, expired, repeat (that money is counted), stale (overtaken by later news) or unknown (no order of ours). An event, and the money of a capture, count once. p_order is the order that the payment itself names. An expired session closes no order: the shopper may choose another way to pay.';

revoke all on function
  public.take_from_cart(public.orders), public.lock_order_and_shopper(uuid),
  public.move_order(public.orders, text, text, timestamptz),
  public.attempt_of(text, text, uuid, text, timestamptz),
  public.misfits(public.orders, uuid, bigint, text, text),
  public.apply_payment(text, text, text, uuid, text, bigint, text, text, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.apply_payment(text, text, text, uuid, text, bigint, text, text, text, timestamptz)
  to service_role;
