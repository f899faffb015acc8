-- How far the providers' own lists of events have been read, for refunds and disputes of which no
-- webhook came. Kept in the database, so that after a restore they are read from the backup on.

create table public.provider_reads (
  provider text primary key check (provider in ('stripe', 'paypal')),
  read_to timestamptz,
  asked_at timestamptz not null
);
comment on table public.provider_reads is 'Written by the reconcile through the functions below.';
alter table public.provider_reads enable row level security;
revoke all on public.provider_reads from public, anon, authenticated, service_role;
grant select on public.provider_reads to service_role;

create function public.begin_provider_reads(p_now timestamptz) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with due as (
    insert into public.provider_reads as r (provider, asked_at)
    select p.name, p_now from (values ('stripe'), ('paypal')) as p (name)
    where exists (
      select from public.payment_events e
      where e.provider = p.name and e.outcome = 'captured' and e.result not in ('repeat', 'unknown'))
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
  'The providers to ask for refunds and disputes, as [{provider, since}]: those that ever took money, and at most once in two minutes whoever calls.';

create function public.end_provider_read(p_provider text, p_to timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.provider_reads set read_to = greatest(read_to, p_to) where provider = p_provider
$$;
comment on function public.end_provider_read(text, timestamptz) is
  'Notes that all that a provider listed up to this time has been taken in.';

revoke all on function public.begin_provider_reads(timestamptz), public.end_provider_read(text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.begin_provider_reads(timestamptz), public.end_provider_read(text, timestamptz) to service_role;
