-- Money that goes back after an order was paid: refunds, and payments that their payer disputes.
--
-- Providers tell of both by the id of the payment, at least once and in any order, also before they
-- tell of the payment itself. So what they said is kept as it came, one row for each refund and
-- dispute, and an order shows the sum of the rows that belong to its payments. Neither moves an order:
-- one that was paid stays paid, and nothing returns to a cart.
--
-- Who needs more than one lock takes them in this order: the payment (lock_payment), the shopper, the
-- order.

-- Tables ------------------------------------------------------------------------------------------

create table public.payment_reversals (
  provider text not null check (provider in ('stripe', 'paypal')),
  reversal_id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  payment_id text not null,
  state text not null,
  amount_minor bigint check (amount_minor >= 0),
  currency text,
  mode text,
  said_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (provider, reversal_id),
  check (state = any (case kind when 'refund' then '{pending,done,failed}'::text[] else '{open,won,lost}'::text[] end))
);
create index payment_reversals_of_payment on public.payment_reversals (provider, payment_id);

comment on table public.payment_reversals is
  'Refunds and disputes as the providers told of them last. Written by apply_reversal only. One of a payment that is not known yet waits here for it.';
comment on column public.payment_reversals.payment_id is 'As payment_events.capture_id.';
comment on column public.payment_reversals.state is
  'Of a refund: pending, done, failed. Of a dispute: open, won (the shop keeps the money), lost.';
comment on column public.payment_reversals.said_at is 'When the provider said so, by its own clock.';

alter table public.payment_reversals enable row level security;
revoke all on public.payment_reversals from public, anon, authenticated, service_role;
grant select on public.payment_reversals to service_role;

alter table public.orders
  add column received_minor bigint not null default 0 check (received_minor >= 0),
  add column refunded_minor bigint not null default 0,
  add column disputed_minor bigint not null default 0,
  add column dispute_state text check (dispute_state in ('open', 'won', 'lost')),
  add check (refunded_minor between 0 and received_minor),
  add check (disputed_minor between 0 and received_minor);
comment on column public.orders.received_minor is
  'The money that arrived for this order in its currency, whatever came of it afterwards; more than the total when it was paid twice.';
comment on column public.orders.refunded_minor is 'What of that went back to the payer by refunds.';
comment on column public.orders.dispute_state is
  'open while any dispute is open, else lost when one was lost, else won; null without a dispute.';
comment on column public.orders.disputed_minor is 'The sum of the disputes in that state.';

-- What may change ---------------------------------------------------------------------------------

create function public.rank_of_reversal(p_state text) returns int
language sql immutable set search_path = ''
as $$
  select array_position('{pending,done,failed,open,won,lost}'::text[], p_state)
$$;
comment on function public.rank_of_reversal(text) is
  'Which of two things that a provider said in the same second is the later one: Stripe''s clock shows seconds.';

create function public.guard_reversal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE'
    or (new.provider, new.reversal_id, new.kind, new.payment_id)
      is distinct from (old.provider, old.reversal_id, old.kind, old.payment_id)
    or (new.said_at, public.rank_of_reversal(new.state)) < (old.said_at, public.rank_of_reversal(old.state)) then
    raise exception 'a refund or dispute keeps its payment, and older news does not replace newer'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on function public.guard_reversal() is 'Evidence about money is not deleted, for any role.';
create trigger guard_reversal before update or delete on public.payment_reversals
  for each row execute function public.guard_reversal();

create or replace function public.guard_order() returns trigger
language plpgsql set search_path = ''
as $$
declare
  may_change text[] :=
    '{state,review,paid_at,updated_at,user_id,received_minor,refunded_minor,disputed_minor,dispute_state}';
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' or new.received_minor > 0 then
      raise exception 'an order begins unpaid' using errcode = 'restrict_violation';
    elsif new.address is null then
      raise exception 'an order begins with an address' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  -- Only erase_order names an order here, and only until the end of its statement.
  if current_setting('weft.erased_order', true) = old.id::text
    and new.email = '' and new.address is null and new.asked = old.asked - 'address' then
    may_change := may_change || '{email,address,asked}'::text[];
  end if;
  if to_jsonb(new) - may_change <> to_jsonb(old) - may_change
    or (new.user_id is distinct from old.user_id and new.user_id is not null) then
    raise exception 'an order is not changed after it was placed' using errcode = 'restrict_violation';
  end if;
  if new.state <> old.state and not exists (
    select from public.order_states s where s.state = old.state and new.state = any (s.next_states)) then
    raise exception 'an order that is % does not become %', old.state, new.state
      using errcode = 'restrict_violation';
  end if;
  new.updated_at := now();
  return new;
end $$;
comment on function public.guard_order() is
  'Lets an order move only as order_states says, and nothing else of it change. Its shopper may go, when the account is deleted, and erase_order may blank who bought it.';

create or replace function public.note_order() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'placed', jsonb_build_object('total_minor', new.total_minor, 'mode', new.mode));
    return null;
  end if;
  if new.state <> old.state then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'moved', jsonb_build_object('from', old.state, 'to', new.state));
  end if;
  if new.review is distinct from old.review then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'review', jsonb_build_object('review', new.review));
  end if;
  if new.refunded_minor <> old.refunded_minor then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'refunded',
      jsonb_build_object('refunded_minor', new.refunded_minor, 'received_minor', new.received_minor));
  end if;
  if (new.dispute_state, new.disputed_minor) is distinct from (old.dispute_state, old.disputed_minor) then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'disputed',
      jsonb_build_object('state', new.dispute_state, 'disputed_minor', new.disputed_minor));
  end if;
  return null;
end $$;

-- Sums --------------------------------------------------------------------------------------------

create function public.lock_payment(p_provider text, p_payment text) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(20261123, hashtext(p_provider || p_payment)) $$;
comment on function public.lock_payment(text, text) is
  'Without it, a payment and its refund that come at the same time would not see each other.';

create function public.sum_up_order(p_order uuid) returns void
language sql volatile set search_path = ''
as $$
  with payments as (
    select e.provider, e.capture_id, e.amount_minor
    from public.payment_events e join public.orders o on o.id = e.order_id
    where e.order_id = p_order and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')
      and e.currency = o.currency and e.mode = o.mode and e.amount_minor is not null
  ),
  received as (select coalesce(sum(amount_minor), 0)::bigint as minor from payments),
  back as (
    -- No provider sends back more than it took; should one say so, the order must still add up.
    select r.kind, r.state, least(sum(r.amount_minor), max(p.amount_minor))::bigint as minor
    from payments p join public.payment_reversals r
      on r.provider = p.provider and r.payment_id = p.capture_id
    join public.orders o on o.id = p_order and r.currency = o.currency and r.mode = o.mode
    group by r.kind, r.state, p.provider, p.capture_id
  ),
  refunded as (
    select coalesce(sum(minor), 0)::bigint as minor from back where kind = 'refund' and state = 'done'
  ),
  disputed as (
    select state, sum(minor)::bigint as minor from back where kind = 'dispute' group by state
    order by array_position('{open,lost,won}'::text[], state) limit 1
  )
  update public.orders o set
    received_minor = received.minor,
    refunded_minor = refunded.minor,
    dispute_state = (select state from disputed),
    disputed_minor = coalesce((select minor from disputed), 0)
  from received, refunded
  where o.id = p_order
    and (o.received_minor, o.refunded_minor, o.dispute_state, o.disputed_minor)
      is distinct from (received.minor, refunded.minor, (select state from disputed),
        coalesce((select minor from disputed), 0))
$$;
comment on function public.sum_up_order(uuid) is
  'Writes the sums of an order''s payments, refunds and disputes into the order. The caller holds the order''s lock.';

-- Orders that were paid before there were these columns.
do $$
begin
  perform public.sum_up_order(o.id) from public.orders o
  where exists (select from public.payment_events e where e.order_id = o.id and e.outcome = 'captured');
end $$;

create function public.apply_reversal(
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
  placed := public.lock_order_and_shopper(paid_order);
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
comment on function public.apply_reversal(text, text, text, text, text, bigint, text, text, timestamptz) is
  'Takes in what a provider said of a refund or a dispute and returns {result, order}: counted, kept (its payment is not known yet), or stale (known, or overtaken by later news). An order that was paid stays so.';

revoke all on function
  public.rank_of_reversal(text), public.guard_reversal(), public.lock_payment(text, text),
  public.sum_up_order(uuid),
  public.apply_reversal(text, text, text, text, text, bigint, text, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.apply_reversal(text, text, text, text, text, bigint, text, text, timestamptz) to service_role;
