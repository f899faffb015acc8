-- Payments: the attempts to pay an order, and what providers said of them.
--
-- At most one attempt of an order is alive at a time, at whichever provider: a unique index says so. And a
-- shopper has at most one attempt that can still be paid, of whichever order (start_attempt): a new one
-- closes it first. A card session is over when Stripe says so; a PayPal order is nothing until the server
-- captures it, so it may be dropped here at any time before. That keeps one order, and one cart on two
-- devices, from being paid twice.
--
-- Everything that is known about money comes in through apply_payment, whoever learnt it: a webhook,
-- the page that came back, the request that captured, the reconcile. It may come late, twice or out
-- of order. Money that is equal to its order pays it, once; any other money is kept for a person.

-- Tables ------------------------------------------------------------------------------------------

-- Each time an order was brought to a provider.
create table public.payment_attempts (
  order_id uuid not null references public.orders (id),
  number int not null,
  provider text not null check (provider in ('stripe', 'paypal')),
  -- creating: asked for, no answer noted yet; open: the shopper may pay there; capturing: PayPal was or is
  -- being asked for the money; processing: the provider has it in work. Those are alive; the others are over.
  state text not null default 'creating' check (state in
    ('creating', 'open', 'capturing', 'processing', 'captured', 'failed', 'expired', 'void')),
  -- Sent to the provider, so that the same attempt made twice is one there too. A provider keeps failures
  -- under it as well: after one, a new attempt is needed.
  idempotency_key text not null unique,
  -- Id of the Checkout Session at Stripe, of the order at PayPal.
  reference text,
  -- The account at PayPal that PayPal's answer to our order named. Only money for that account is the shop's: a
  -- program that has an order's id and the shop's public client id may be able to name another one in it.
  payee text,
  -- Requests to PayPal for the money that are not known to have ended.
  capturers int not null default 0,
  -- Part of the id of such a request; another one after each refusal, which PayPal may have kept.
  capture_round int not null default 0,
  capturing_since timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the reconcile last asked the provider.
  asked_at timestamptz,
  -- When the provider was last asked because a page waits for the answer.
  page_asked_at timestamptz,
  primary key (order_id, number),
  unique (provider, reference)
);
create unique index payment_attempts_one_alive on public.payment_attempts (order_id)
  where state in ('creating', 'open', 'capturing', 'processing');
create index payment_attempts_alive on public.payment_attempts (asked_at nulls first)
  where state in ('creating', 'open', 'capturing', 'processing');
alter table public.payment_attempts enable row level security;

-- What providers said, each thing once, with what came of it. Written by apply_payment only, and never
-- changed. Money for no order of ours is kept here too, with the result unknown.
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
alter table public.payment_events enable row level security;
create trigger keep_forever before update or delete on public.payment_events
  for each row execute function public.keep_forever();

-- Refunds and disputes as the providers told of them last. Written by apply_reversal only. One of a payment
-- that is not known yet waits here for it.
create table public.payment_reversals (
  provider text not null check (provider in ('stripe', 'paypal')),
  reversal_id text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  -- As payment_events.capture_id.
  payment_id text not null,
  -- Of a refund: pending, done, failed. Of a dispute: open, won (the shop keeps the money), lost.
  state text not null,
  amount_minor bigint check (amount_minor >= 0),
  currency text,
  mode text,
  -- When the provider said so, by its own clock.
  said_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (provider, reversal_id),
  check (state = any (case kind when 'refund' then '{pending,done,failed}'::text[] else '{open,won,lost}'::text[] end))
);
create index payment_reversals_of_payment on public.payment_reversals (provider, payment_id);
alter table public.payment_reversals enable row level security;

-- Attempts ----------------------------------------------------------------------------------------

-- Whether money may still come of an attempt in this state.
create function public.is_alive(p_state text) returns boolean
language sql immutable set search_path = ''
as $$ select p_state in ('creating', 'open', 'capturing', 'processing') $$;

-- An attempt, as the functions of the server read it; expires_at in seconds since 1970.
create function public.attempt_as_json(p_attempt public.payment_attempts) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_attempt.order_id is not null then jsonb_build_object(
    'order_id', p_attempt.order_id, 'number', p_attempt.number, 'provider', p_attempt.provider,
    'state', p_attempt.state, 'key', p_attempt.idempotency_key, 'reference', p_attempt.reference,
    'capture_key', p_attempt.idempotency_key || ':' || p_attempt.capture_round,
    'capturing_since', p_attempt.capturing_since,
    'expires_at', extract(epoch from p_attempt.expires_at)::bigint) end
$$;

-- What a provider has been told must stay as it is, and money that came does not go.
create function public.guard_attempt() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and public.may_forget_order(old.order_id) then
    return old;
  end if;
  if tg_op = 'DELETE' or old.state = 'captured' and new.state <> 'captured'
    or old.reference is not null and (new.reference, new.payee) is distinct from (old.reference, old.payee)
    or (new.order_id, new.number, new.provider, new.idempotency_key, new.expires_at)
      is distinct from (old.order_id, old.number, old.provider, old.idempotency_key, old.expires_at) then
    raise exception 'an attempt to pay keeps what is known of it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger guard_attempt before update or delete on public.payment_attempts
  for each row execute function public.guard_attempt();

-- Drops a PayPal order that nobody captures: no money has moved, and may_capture rejects from now on.
create function public.void_wallet(p_order uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.payment_attempts set state = 'void'
  where order_id = p_order and provider = 'paypal' and state in ('creating', 'open')
$$;

-- Beginning and giving up -------------------------------------------------------------------------

-- Rejects with the code being-paid where the shopper has just paid for the same lines by another order, or
-- their payment is being confirmed or looked into by a person: a cart keeps its lines until their payment has
-- arrived, and every device of the shopper shows them. The caller holds the shopper's lock.
create function public.ask_before_paying_again(p_order public.orders, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  other public.orders;
begin
  select o.* into other from public.orders o
  where o.user_id = p_order.user_id and o.id <> p_order.id
    and o.mode = p_order.mode and o.asked -> 'lines' = p_order.asked -> 'lines'
    and (o.state in ('confirming', 'needs_review', 'paid_late')
      or o.state = 'paid' and o.paid_at > p_now - interval '1 hour'
      or exists (
        select from public.payment_attempts a
        where a.order_id = o.id and a.state in ('capturing', 'processing')))
  order by o.created_at desc, o.id limit 1;
  if not found then return; end if;
  perform public.reject('being-paid',
    case
      when other.state = 'paid' then 'You’ve just paid for these items.'
      when other.state in ('needs_review', 'paid_late')
        then 'Your payment for these items has arrived, and the shop is checking it.'
      else 'Your payment for these items is still being confirmed.'
    end,
    jsonb_build_object('order', other.id, 'placedAt', other.created_at, 'state', other.state));
end $$;

-- The attempt to pay an order at a provider as {attempt, blocked_by, of_order}: the one that is alive there,
-- or a new one. PayPal orders that are in the way are dropped.
--
-- blocked_by is an attempt that is in the way and that only its provider can tell about: settle it there, then ask
-- again. Even a page whose time is over may have been paid before. of_order is its order, which may be another one of
-- the shopper's. A payment that is being confirmed is in the way of its own order only, because a bank may take days.
-- p_again: the shopper was asked (ask_before_paying_again), and pays once more.
create function public.start_attempt(
  p_user uuid, p_order uuid, p_provider text, p_now timestamptz, p_again boolean)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  other public.orders;
  page public.payment_attempts;
  alive public.payment_attempts;
  made public.payment_attempts;
  last_number int;
begin
  -- Attempts of a shopper begin one after the other, whichever order they are of.
  perform public.lock_shopper(p_user);
  placed := public.lock_own_order(p_user, p_order);
  perform public.require_payable(placed);
  for other in
    select * from public.orders o
    where o.user_id = p_user and o.id <> p_order and exists (
      select from public.payment_attempts a
      where a.order_id = o.id and a.state in ('creating', 'open', 'capturing'))
    order by o.id for update
  loop
    -- A capture that is given up meanwhile waits for this lock, and then sees the new attempt.
    perform public.void_wallet(other.id);
  end loop;
  select a.* into page from public.orders o join public.payment_attempts a on a.order_id = o.id
  where o.user_id = p_user and o.id <> p_order
    and a.provider = 'stripe' and a.state in ('creating', 'open')
  limit 1;
  if found then
    return jsonb_build_object('attempt', null, 'blocked_by', public.attempt_as_json(page),
      'of_order', public.order_as_json(page.order_id));
  end if;
  if not p_again then perform public.ask_before_paying_again(placed, p_now); end if;
  select * into alive from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
  if alive.state = 'processing' then
    perform public.reject('payment-under-way', 'A payment for this order is being confirmed.');
  elsif alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then
    return jsonb_build_object('attempt', null,
      'blocked_by', public.attempt_as_json(alive), 'of_order', public.order_as_json(p_order));
  elsif alive.provider = p_provider and (p_provider = 'stripe' or alive.expires_at > p_now) then
    return jsonb_build_object('attempt', public.attempt_as_json(alive), 'blocked_by', null);
  end if;
  if placed.expires_at <= p_now then
    perform public.reject('order-closed', 'This order is closed. Place it again.');
  end if;
  select coalesce(max(a.number), 0) into last_number from public.payment_attempts a where a.order_id = p_order;
  perform public.void_wallet(p_order);
  insert into public.payment_attempts
    (order_id, number, provider, idempotency_key, created_at, expires_at)
  values (p_order, last_number + 1, p_provider,
    -- The random part: nobody can guess the key and use it first. And a database that was set back gives the same
    -- numbers again, whose former keys the provider knows.
    p_order || ':' || last_number + 1 || ':' || gen_random_uuid(),
    p_now, date_trunc('second', p_now) + interval '1 hour')
  returning * into made;
  return jsonb_build_object('attempt', public.attempt_as_json(made), 'blocked_by', null);
end $$;

-- Notes what the provider calls an attempt, and the account that it will pay, and returns the attempt. Its state
-- tells whether the shopper may pay there: it may have been given up while the provider answered.
create function public.record_reference(p_order uuid, p_number int, p_reference text, p_payee text)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  attempt public.payment_attempts;
begin
  perform from public.orders where id = p_order for update;
  update public.payment_attempts set
    reference = coalesce(reference, p_reference),
    payee = case when reference is null then p_payee else payee end,
    state = case when state = 'creating' then 'open' else state end
  where order_id = p_order and number = p_number
  returning * into attempt;
  return public.attempt_as_json(attempt);
end $$;

-- Gives up an attempt that the provider refused to begin. The order waits for another one.
create function public.fail_attempt(p_order uuid, p_number int, p_reason text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.orders where id = p_order for update;
  update public.payment_attempts set state = 'failed'
  where order_id = p_order and number = p_number and state = 'creating';
  if found then
    insert into public.order_events (order_id, kind, detail)
    values (p_order, 'attempt-failed', jsonb_build_object('number', p_number, 'reason', p_reason));
  end if;
end $$;

-- Capturing at PayPal -----------------------------------------------------------------------------

-- Asked right before PayPal is asked for the money: {go, attempt}. go is false when the money has come or is
-- on its way. While an attempt is capturing, no other one of its order can begin. Rejects to begin when the
-- order's time is over.
create function public.may_capture(p_user uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  attempt public.payment_attempts;
begin
  placed := public.lock_own_order(p_user, (
    select a.order_id from public.payment_attempts a
    where a.provider = 'paypal' and a.reference = p_reference));
  select * into attempt from public.payment_attempts a
  where a.provider = 'paypal' and a.reference = p_reference;
  if attempt.state in ('captured', 'processing') then
    return jsonb_build_object('go', false, 'attempt', public.attempt_as_json(attempt));
  end if;
  perform public.require_payable(placed);
  if attempt.state not in ('open', 'capturing') then
    perform public.reject('payment-elsewhere', 'You’ve already started paying for this order another way. Go back to your cart and try again.');
  -- A capture that has begun may have taken the money.
  elsif attempt.state = 'open' and placed.expires_at <= p_now then
    perform public.reject('order-closed', 'This order is closed. Place it again.');
  end if;
  update public.payment_attempts a set
    state = 'capturing', capturers = a.capturers + 1, capturing_since = p_now
  where a.order_id = placed.id and a.number = attempt.number
  returning * into attempt;
  return jsonb_build_object('go', true, 'attempt', public.attempt_as_json(attempt));
end $$;

-- PayPal said for certain that no money was taken. p_since null: one request to capture is over. Otherwise all
-- requests that began until p_since are over; where a later one has begun (capturing_since is the start of the
-- latest), the attempt stays as it is. When no request is left, the attempt is open again; or void where its order is
-- paid or closed, or where the shopper has begun to pay another order meanwhile. The next request has another key
-- (capture_round), because PayPal keeps a refusal under the old one.
create function public.release_capture(p_order uuid, p_number int, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
begin
  select * into placed from public.orders where id = p_order for update;
  update public.payment_attempts set
    capturers = case when p_since is null then greatest(capturers - 1, 0) else 0 end,
    capture_round = capture_round + 1,
    state = case when p_since is null and capturers > 1 then 'capturing' else 'open' end
  where order_id = p_order and number = p_number and state = 'capturing'
    and capturing_since = coalesce(p_since, capturing_since);
  -- During the capture `void_wallet` had to leave the attempt.
  if placed.state not in ('pending', 'confirming') or exists (
    select from public.orders o join public.payment_attempts a on a.order_id = o.id
    where o.user_id = placed.user_id and o.id <> p_order and a.state in ('creating', 'open'))
  then
    perform public.void_wallet(p_order);
  end if;
end $$;

-- What providers say of payments ------------------------------------------------------------------

-- Without this lock, a payment and its refund that come at the same time would not see each other. The number only
-- keeps these locks apart from others.
create function public.lock_payment(p_provider text, p_payment text) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(20261123, hashtext(p_provider || p_payment)) $$;

-- In what a payment differs from its order; null when in nothing.
create function public.misfits(
  p_order public.orders, p_attempt public.payment_attempts,
  p_amount_minor bigint, p_currency text, p_mode text, p_payee text)
returns text
language sql immutable set search_path = ''
as $$
  select nullif(concat_ws(', ',
    case when p_amount_minor is distinct from p_order.total_minor then 'amount' end,
    case when p_currency is distinct from p_order.currency then 'currency' end,
    case when p_mode is distinct from p_order.mode then 'mode' end,
    case when p_payee is distinct from p_attempt.payee then 'payee' end), '')
$$;

-- Writes the sums of an order's payments, refunds and disputes into the order. The caller holds the order's
-- lock.
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

-- Takes in what a provider said of a payment and returns what came of it: paid, confirming, failed or expired;
-- needs_review (it differs from its order), paid_late (the order was closed) or paid_again (the order had been paid);
-- repeat (this money is counted), stale (overtaken by later news) or unknown (of no attempt of ours).
--
-- A payment belongs to the attempt that noted its reference, never to an order that the payment itself names: anybody
-- may write that. An event, and the money of a capture, count once. An expired session closes no order: the shopper
-- may choose another way to pay.
create function public.apply_payment(
  p_provider text, p_event_id text, p_reference text, p_outcome text,
  p_amount_minor bigint, p_currency text, p_mode text, p_capture_id text, p_payee text, p_now timestamptz)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  attempt public.payment_attempts;
  amount bigint := p_amount_minor;
  wrong text;
  verdict text;
  remark text;
begin
  if p_capture_id is not null then perform public.lock_payment(p_provider, p_capture_id); end if;
  placed := public.lock_order_and_shopper((
    select a.order_id from public.payment_attempts a
    where a.provider = p_provider and a.reference = p_reference));
  select e.result into verdict from public.payment_events e
  where e.provider = p_provider and e.event_id = p_event_id;
  if found then return verdict; end if;
  select * into attempt from public.payment_attempts a
  where a.provider = p_provider and a.reference = p_reference;

  if placed.id is null then
    verdict := 'unknown';
  elsif p_outcome = 'captured' then
    if exists (
      select from public.payment_events e
      where e.provider = p_provider and e.capture_id = p_capture_id
        and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')) then
      verdict := 'repeat';
    else
      wrong := public.misfits(placed, attempt, p_amount_minor, p_currency, p_mode, p_payee);
      -- What another account got did not arrive here.
      if p_payee is distinct from attempt.payee then amount := null; end if;
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
    amount, p_currency, p_mode, p_capture_id, verdict)
  -- Two deliveries of an event that belongs to no order meet no lock before.
  on conflict do nothing;
  if p_outcome = 'captured' and placed.id is not null then
    perform public.sum_up_order(placed.id);
  elsif p_outcome = 'captured' then
    perform public.queue_message('unknown_payment', concat_ws(':', p_provider, p_capture_id),
      jsonb_build_object('provider', case p_provider when 'stripe' then 'Stripe' else 'PayPal' end,
        'payment', p_capture_id, 'total_minor', p_amount_minor, 'currency', p_currency, 'mode', p_mode));
  end if;
  return verdict;
end $$;

-- Money that goes back ----------------------------------------------------------------------------
--
-- Providers tell of refunds and disputes by the id of the payment, at least once and in any order, also
-- before they tell of the payment itself. So what they said is kept as it came, one row for each refund and
-- dispute, and an order shows the sum of the rows that belong to its payments. Neither moves an order: one
-- that was paid stays paid, and nothing returns to a cart.

-- Which of two things that a provider said in the same second is the later one: Stripe's clock shows seconds.
create function public.rank_of_reversal(p_state text) returns int
language sql immutable set search_path = ''
as $$
  select array_position('{pending,done,failed,open,won,lost}'::text[], p_state)
$$;

-- Evidence about money is not deleted, for any role.
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
create trigger guard_reversal before update or delete on public.payment_reversals
  for each row execute function public.guard_reversal();

-- Takes in what a provider said of a refund or a dispute and returns what came of it: counted, kept (its
-- payment is not known yet), or stale (known, or overtaken by later news). An order that was paid stays so.
-- It changes no cart, so it takes no shopper's lock: a shopper whose own writes take long would keep the reconcile
-- from reading the refunds of everybody.
create function public.apply_reversal(
  p_provider text, p_kind text, p_reversal text, p_payment text, p_state text,
  p_amount_minor bigint, p_currency text, p_mode text, p_said_at timestamptz)
returns text
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
  if is_news and p_state in ('failed', 'open', 'lost') then
    perform public.queue_message(p_kind || '_' || p_state, concat_ws(':', p_provider, p_reversal),
      jsonb_build_object('provider', case p_provider when 'stripe' then 'Stripe' else 'PayPal' end,
        'refund', p_reversal, 'payment', p_payment, 'order', placed.id, 'total_minor', p_amount_minor,
        'currency', p_currency, 'mode', p_mode));
  end if;
  return case when not is_news then 'stale' when placed.id is null then 'kept' else 'counted' end;
end $$;

-- What to ask providers about ---------------------------------------------------------------------

-- An order of the shopper, by its id or by that of one of its Checkout Sessions, as {order, attempt, may_ask,
-- is_current}; null when there is none. attempt is the one that is alive, or one that was paid, or that of
-- the session, or the last. may_ask: the caller may ask the provider now; true at most every 2 seconds, so that pages
-- that keep asking do not use up what the provider answers. is_current: the provider has nothing to tell.
create function public.order_for(p_user uuid, p_order uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  named uuid := p_order;
  attempt public.payment_attempts;
  placed uuid;
  may_ask boolean;
begin
  if p_reference is not null then
    select a.order_id into named from public.payment_attempts a
    where a.provider = 'stripe' and a.reference = p_reference;
  end if;
  select * into attempt from public.payment_attempts a
  where a.order_id = named
  order by public.is_alive(a.state) desc, a.state = 'captured' desc,
    (a.reference = p_reference) is true desc, a.number desc
  limit 1;
  select o.id into placed from public.orders o where o.user_id = p_user and o.id = named;
  if not found then return null; end if;
  update public.payment_attempts a set page_asked_at = p_now
  where a.order_id = attempt.order_id and a.number = attempt.number and public.is_alive(a.state)
    and a.reference is not null
    and (a.page_asked_at is null or a.page_asked_at < p_now - interval '2 seconds');
  may_ask := found;
  return jsonb_build_object('order', public.order_as_json(placed),
    'attempt', public.attempt_as_json(attempt), 'may_ask', may_ask,
    'is_current', not public.is_alive(attempt.state) or attempt.reference is null);
end $$;

-- Attempts that may have ended without a word, as [{attempt, order}]. Those whose money may have been taken come
-- before open pages, and in both groups those first that were not asked about for longest. None is handed out
-- before the request that works on it is surely over (functions live 60 seconds). The pause until it is handed out
-- again, whoever calls, is a tenth of its age: a minute at least, an hour at most.
create function public.attempts_to_ask(p_now timestamptz, p_limit int) returns jsonb
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
