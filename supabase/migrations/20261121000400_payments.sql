-- What is kept of payments: the attempts to pay an order, and what providers said of them.

-- Tables ------------------------------------------------------------------------------------------

create table public.payment_attempts (
  order_id uuid not null references public.orders (id),
  number int not null,
  provider text not null check (provider in ('stripe', 'paypal')),
  state text not null default 'creating' check (state in
    ('creating', 'open', 'capturing', 'processing', 'captured', 'failed', 'expired', 'void')),
  idempotency_key text not null unique,
  reference text,
  capturers int not null default 0,
  capture_round int not null default 0,
  capturing_since timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  asked_at timestamptz,
  primary key (order_id, number),
  unique (provider, reference)
);
create unique index payment_attempts_one_alive on public.payment_attempts (order_id)
  where state in ('creating', 'open', 'capturing', 'processing');
create index payment_attempts_alive on public.payment_attempts (asked_at nulls first)
  where state in ('creating', 'open', 'capturing', 'processing');

comment on table public.payment_attempts is
  'Each time an order was brought to a provider. creating: asked for, no answer noted yet; open: the shopper may pay there; capturing: PayPal was or is being asked for the money; processing: the provider has it in work. Those are alive; the others are over.';
comment on column public.payment_attempts.idempotency_key is
  'Sent to the provider, so that the same attempt made twice is one there too. A provider keeps failures under it as well: after one, a new attempt is needed.';
comment on column public.payment_attempts.reference is 'Id of the Checkout Session at Stripe, of the order at PayPal.';
comment on column public.payment_attempts.capturers is 'Requests to PayPal for the money that are not known to have ended.';
comment on column public.payment_attempts.capture_round is 'Part of the id of such a request; another one after each refusal, which PayPal may have kept.';
comment on column public.payment_attempts.asked_at is 'When the provider was last asked what became of it.';

create table public.payment_events (
  provider text not null check (provider in ('stripe', 'paypal')),
  event_id text not null,
  order_id uuid references public.orders (id),
  reference text,
  outcome text not null check (outcome in ('captured', 'pending', 'failed', 'expired')),
  amount_minor bigint,
  currency text,
  mode text,
  capture_id text,
  result text not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
create index payment_events_of_order on public.payment_events (order_id);
create unique index payment_events_counted_once on public.payment_events (provider, capture_id)
  where outcome = 'captured' and result not in ('repeat', 'unknown');

comment on table public.payment_events is
  'What providers said, each thing once, with what came of it. Written by apply_payment only, and never changed. Money for no order of ours is kept here too, with the result unknown.';

alter table public.payment_attempts enable row level security;
alter table public.payment_events enable row level security;
revoke all on public.payment_attempts, public.payment_events
  from public, anon, authenticated, service_role;
grant select on public.payment_attempts, public.payment_events to service_role;

create trigger keep_forever before update or delete on public.payment_events
  for each row execute function public.keep_forever();

create function public.guard_attempt() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' or old.state = 'captured' and new.state <> 'captured'
    or old.reference is not null and new.reference is distinct from old.reference
    or (new.order_id, new.number, new.provider, new.idempotency_key, new.expires_at)
      is distinct from (old.order_id, old.number, old.provider, old.idempotency_key, old.expires_at) then
    raise exception 'an attempt to pay keeps what is known of it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on function public.guard_attempt() is 'What a provider has been told must stay as it is, and money that came does not go.';
create trigger guard_attempt before update or delete on public.payment_attempts
  for each row execute function public.guard_attempt();

revoke all on function public.guard_attempt() from public, anon, authenticated, service_role;
