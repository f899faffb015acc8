-- The reconcile asks first about money that may have been taken: pages on which nobody may have paid
-- could use up a run.

create or replace function public.attempts_to_ask(p_now timestamptz, p_limit int) returns jsonb
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
    order by a.state not in ('capturing', 'processing'), a.asked_at nulls first, a.created_at
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
  'Attempts that may have ended without a word, as [{attempt, order}]: those whose money may have been taken before open pages, and of each kind those first that were not asked about for longest. None is handed out before the request that works on it is surely over (functions live 60 seconds), and none twice within a minute, an old one not within an hour, whoever calls.';
