-- A payment finds the refunds and disputes that came before it, and an order with something for a person
-- to look at waits for that person when it is paid.

create or replace function public.apply_payment(
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
  if p_capture_id is not null then perform public.lock_payment(p_provider, p_capture_id); end if;
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
      elsif placed.state in ('pending', 'confirming') and placed.review is not null then
        verdict := 'needs_review';
        remark := format('%s payment %s came', p_provider, p_capture_id);
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
  if p_outcome = 'captured' and placed.id is not null then
    perform public.sum_up_order(placed.id);
  elsif p_outcome = 'captured' then
    perform public.add_notice('unknown_payment', concat_ws(':', p_provider, p_capture_id),
      jsonb_build_object('provider', case p_provider when 'stripe' then 'Stripe' else 'PayPal' end,
        'payment', p_capture_id, 'total_minor', p_amount_minor, 'currency', p_currency, 'mode', p_mode));
  end if;
  return jsonb_build_object('result', verdict, 'order', public.order_as_json(placed.id));
end $$;
comment on function public.apply_payment(text, text, text, uuid, text, bigint, text, text, text, timestamptz) is
  'Takes in what a provider said of a payment and returns {result, order}: paid, needs_review (in something unlike its order, or its order has a remark for a person), paid_late (the order was closed), paid_again (the order had been paid), confirming, failed, expired, repeat (that money is counted), stale (overtaken by later news) or unknown (no order of ours). An event, and the money of a capture, count once. p_order is the order that the payment itself names. An expired session closes no order: the shopper may choose another way to pay.';
