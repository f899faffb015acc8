-- The providers' lists of events also tell of payments that no webhook told of, or whose orders a restore has
-- taken back to before the payment.

create or replace function public.begin_provider_reads(p_now timestamptz) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with due as (
    insert into public.provider_reads as r (provider, asked_at)
    select p.name, p_now from (values ('stripe'), ('paypal')) as p (name)
    where exists (select from public.orders)
    on conflict (provider) do update set asked_at = excluded.asked_at
    where r.asked_at <= p_now - interval '2 minutes'
    returning provider, read_to
  )
  select coalesce(jsonb_agg(jsonb_build_object('provider', provider,
    -- Providers keep events for 30 days, and may list one a while after it happened.
    'since', coalesce(read_to - interval '1 hour', p_now - interval '29 days'))), '[]')
  from due
$$;
comment on function public.begin_provider_reads(timestamptz) is
  'The providers to ask for payments, refunds and disputes, as [{provider, since}]: both once an order was placed, because a restored database may know no attempt to pay it, and at most once in two minutes whoever calls.';

create index payment_events_of_capture on public.payment_events (provider, capture_id)
  where outcome = 'captured' and result <> 'unknown';
comment on index public.payment_events_of_capture is
  'For payments_not_counted, which the reconcile calls for each window of the lists: payment_events_counted_once leaves repeats out.';
