-- Refunds and disputes change no cart. While they waited for the shopper's lock, a shopper whose own writes took
-- long kept the reconcile from reading the refunds of everybody.

create or replace function public.apply_reversal(
  p_provider text, p_kind text, p_reversal text, p_payment text, p_state text,
  p_amount_minor bigint, p_currency text, p_mode text, p_said_at timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  paid_order uuid;
  placed public.orders;
  is_news boolean;
begin
  perform public.lock_payment(p_provider, p_payment);
  select e.order_id into paid_order from public.payment_events e
  where e.provider = p_provider and e.capture_id = p_payment
    and e.outcome = 'captured' and e.result not in ('repeat', 'unknown');
  select * into placed from public.orders where id = paid_order for update;
  insert into public.payment_reversals as r
    (provider, reversal_id, kind, payment_id, state, amount_minor, currency, mode, said_at)
  values (p_provider, p_reversal, p_kind, p_payment, p_state, p_amount_minor, p_currency, p_mode, p_said_at)
  on conflict (provider, reversal_id) do update set
    state = excluded.state, amount_minor = excluded.amount_minor, said_at = excluded.said_at
  where (excluded.said_at, public.rank_of_reversal(excluded.state))
      > (r.said_at, public.rank_of_reversal(r.state));
  is_news := found;
  if placed.id is not null and is_news then
    perform public.sum_up_order(placed.id);
    if p_state = 'failed' then
      insert into public.order_events (order_id, kind, detail)
      values (placed.id, 'refund-failed', jsonb_build_object('provider', p_provider,
        'refund', p_reversal, 'payment', p_payment, 'amount_minor', p_amount_minor));
    end if;
  end if;
  if is_news and p_kind = 'refund' and p_state = 'failed' then
    perform public.add_notice('refund_failed', concat_ws(':', p_provider, p_reversal),
      jsonb_build_object('provider', case p_provider when 'stripe' then 'Stripe' else 'PayPal' end,
        'refund', p_reversal, 'payment', p_payment, 'total_minor', p_amount_minor,
        'currency', p_currency, 'mode', p_mode));
  end if;
  if is_news and p_kind = 'dispute' and p_state = 'open' then
    perform public.add_notice('dispute_open', concat_ws(':', p_provider, p_reversal),
      jsonb_build_object('provider', case p_provider when 'stripe' then 'Stripe' else 'PayPal' end,
        'payment', p_payment, 'order', placed.id, 'total_minor', p_amount_minor,
        'currency', p_currency, 'mode', p_mode));
  end if;
  return jsonb_build_object(
    'result', case when not is_news then 'stale' when placed.id is null then 'kept' else 'counted' end,
    'order', public.order_as_json(placed.id));
end $$;
