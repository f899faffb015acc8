-- One account has the providers asked thirty times a minute at most, whatever it presses: paying again at a
-- page that is open, a capture that PayPal refuses, and a page that waits for its payment cost a request to
-- a provider, too, which answers the whole shop with 429 when there are too many.
-- And nobody guesses the keys with which the shop asks.

create table public.provider_asks (
  user_id uuid primary key references auth.users (id) on delete cascade,
  minute_began timestamptz not null,
  asks int not null
);
comment on table public.provider_asks is
  'How often a shopper placed an order or had a payment provider asked during the last minute that began with one. Written by count_ask, read by nobody else.';
alter table public.provider_asks enable row level security;
revoke all on public.provider_asks from public, anon, authenticated, service_role;

-- Of its own, because a page that keeps asking must not put off the reconcile, which finishes captures.
alter table public.payment_attempts add column page_asked_at timestamptz;
comment on column public.payment_attempts.page_asked_at is
  'When a page that waits last had the provider asked; asked_at is the reconcile''s.';

create function public.count_ask(p_user uuid, p_most int, p_now timestamptz) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.provider_asks as a (user_id, minute_began, asks) values (p_user, p_now, 1)
  on conflict (user_id) do update set
    asks = case when public.is_within(p_now, a.minute_began, '1 minute') then a.asks + 1 else 1 end,
    minute_began = case when public.is_within(p_now, a.minute_began, '1 minute') then a.minute_began else p_now end
  where a.asks < p_most or not public.is_within(p_now, a.minute_began, '1 minute');
  return found;
end $$;
comment on function public.count_ask(uuid, int, timestamptz) is
  'Counts one ask of the shopper, and returns whether it is among the first p_most of the minute. The caller has locked what it needs of orders and attempts before: whoever locks the count first could wait in a circle.';

create or replace function public.limit_attempts(p_user uuid, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  began timestamptz;
begin
  if public.count_ask(p_user, 30, p_now) then return; end if;
  select a.minute_began into began from public.provider_asks a where a.user_id = p_user;
  raise sqlstate 'PT429' using
    message = 'You have begun many payments in a short time. Please wait a minute, then try again.',
    detail = jsonb_build_object('code', 'too-many-attempts', 'retryAfter',
      ceil(extract(epoch from began + interval '1 minute' - p_now)))::text;
end $$;
comment on function public.limit_attempts(uuid, timestamptz) is
  'Counts one ask, and refuses the thirty-first of a minute with SQLSTATE PT429, which PostgREST answers with status 429. retryAfter is in seconds.';

create or replace function public.start_attempt(
  p_user uuid, p_order uuid, p_provider text, p_now timestamptz, p_again boolean default null)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  answer jsonb;
  alive public.payment_attempts;
  made public.payment_attempts;
  last_number int;
begin
  -- Attempts for the same lines begin one after the other, whichever order they are of.
  perform public.lock_shopper(p_user);
  placed := public.lock_own_order(p_user, p_order);
  perform public.require_payable(placed);
  if p_again is not null then
    answer := public.open_page_of_same_lines(placed);
  end if;
  if answer is null then
    perform public.ask_before_paying_again(
      p_user, p_order, placed.asked, coalesce(p_again, false), p_now);
    select * into alive from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
    if alive.state = 'processing' then
      perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
    elsif alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then
      answer := jsonb_build_object('attempt', null,
        'blocked_by', public.attempt_as_json(alive), 'of_order', public.order_as_json(p_order));
    elsif alive.provider = p_provider and (p_provider = 'stripe' or alive.expires_at > p_now) then
      answer := jsonb_build_object('attempt', public.attempt_as_json(alive), 'blocked_by', null);
    end if;
  end if;
  if answer is null then
    if placed.expires_at <= p_now then
      perform public.refuse('order-closed', 'This order is closed. Please place it again.');
    end if;
    select coalesce(max(a.number), 0) into last_number from public.payment_attempts a where a.order_id = p_order;
    if last_number >= 20 then
      perform public.refuse('order-closed', 'This order was tried too often. Please place it again.');
    end if;
    perform public.void_wallet(p_order);
    insert into public.payment_attempts
      (order_id, number, provider, idempotency_key, created_at, expires_at)
    values (p_order, last_number + 1, p_provider,
      -- Nobody must guess it, who could use it at the provider first. And a database that went back counts
      -- attempts that the provider knows once more.
      p_order || ':' || last_number + 1 || ':' || gen_random_uuid(),
      p_now, date_trunc('second', p_now) + interval '1 hour')
    returning * into made;
    answer := jsonb_build_object('attempt', public.attempt_as_json(made), 'blocked_by', null);
  end if;
  perform public.limit_attempts(p_user, p_now);
  return answer;
end $$;

create or replace function public.may_capture(p_user uuid, p_reference text, p_now timestamptz) returns jsonb
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
    perform public.refuse('payment-elsewhere', 'This order is being paid in another way. Please start again.');
  -- A capture that has begun may have taken the money.
  elsif attempt.state = 'open' and placed.expires_at <= p_now then
    perform public.refuse('order-closed', 'This order is closed. Please place it again.');
  end if;
  update public.payment_attempts a set
    state = 'capturing', capturers = a.capturers + 1, capturing_since = p_now
  where a.order_id = placed.id and a.number = attempt.number
  returning * into attempt;
  perform public.limit_attempts(p_user, p_now);
  return jsonb_build_object('go', true, 'attempt', public.attempt_as_json(attempt));
end $$;
comment on function public.may_capture(uuid, text, timestamptz) is
  'Asked right before PayPal is asked for the money: {go, attempt}. go is false when the money has come or is on its way. While an attempt is capturing, no other one can begin. Refuses to begin when the order''s time is over, and as limit_attempts does.';

create or replace function public.order_for(p_user uuid, p_order uuid, p_reference text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  named uuid := p_order;
  attempt public.payment_attempts;
  placed uuid;
  is_due boolean;
  may_ask boolean := false;
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
  perform from public.payment_attempts a
  where a.order_id = attempt.order_id and a.number = attempt.number and public.is_alive(a.state)
    and a.reference is not null
    and (a.page_asked_at is null or a.page_asked_at < p_now - interval '2 seconds')
  for update;
  is_due := found;
  if is_due then
    -- Pages that wait leave half of the asks to whoever presses a button.
    may_ask := public.count_ask(p_user, 15, p_now);
  end if;
  if may_ask then
    update public.payment_attempts a set page_asked_at = p_now
    where a.order_id = attempt.order_id and a.number = attempt.number;
  end if;
  return jsonb_build_object('order', public.order_as_json(placed),
    'attempt', public.attempt_as_json(attempt), 'may_ask', may_ask,
    'is_current', not public.is_alive(attempt.state) or attempt.reference is null);
end $$;
comment on function public.order_for(uuid, uuid, text, timestamptz) is
  'An order of the shopper, by its id or by that of one of its Checkout Sessions, as {order, attempt, may_ask, is_current}; null when there is none. attempt is the one that is alive, or that of the session, or the last. may_ask at most every 2 seconds, and 15 times a minute for all orders of the shopper, so that pages that keep asking do not use up what the provider answers. is_current: the provider has nothing to tell. Otherwise it was asked at most, and need not have answered.';

revoke all on function public.count_ask(uuid, int, timestamptz), public.limit_attempts(uuid, timestamptz)
  from public, anon, authenticated, service_role;
