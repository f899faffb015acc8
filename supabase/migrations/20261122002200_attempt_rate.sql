-- One shopper begins at most ten payments a minute: each costs a request to a provider, which answers
-- the whole shop with 429 when there are too many.

create function public.limit_attempts(p_user uuid, p_now timestamptz) returns void
language plpgsql stable set search_path = ''
as $$
declare
  most constant int := 10;
  oldest timestamptz;
begin
  select a.created_at into oldest
  from public.payment_attempts a join public.orders o on o.id = a.order_id
  -- An order is paid within three hours of being placed; older ones have no new attempt.
  where o.user_id = p_user and o.created_at > p_now - interval '4 hours'
    and a.created_at > p_now - interval '1 minute'
  order by a.created_at desc offset most - 1 limit 1;
  if not found then return; end if;
  raise sqlstate 'PT429' using
    message = 'You have begun many payments in a short time. Please wait a minute, then try again.',
    detail = jsonb_build_object('code', 'too-many-attempts', 'retryAfter',
      ceil(extract(epoch from oldest + interval '1 minute' - p_now)))::text;
end $$;
comment on function public.limit_attempts(uuid, timestamptz) is
  'Refuses with SQLSTATE PT429, which PostgREST answers with status 429, when the shopper has begun ten attempts within a minute. retryAfter is in seconds. The caller holds the shopper''s lock.';

create function public.share_prices() returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock_shared(20261124, 0) $$;
comment on function public.share_prices() is
  'Taken by an order before it reads prices. An undo that takes prices back waits for these orders, and then finds them.';

create or replace function public.place_order(
  p_user uuid, p_order uuid, p_items jsonb, p_address jsonb, p_email text,
  p_shown_total_minor bigint, p_mode text, p_now timestamptz,
  p_again boolean default false)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  request jsonb := jsonb_build_object(
    'lines', public.asked_lines(p_items), 'address', p_address, 'mode', p_mode);
  lines jsonb;
  wrong jsonb;
  total bigint;
  placed public.orders;
begin
  -- From here on the requests of one shopper wait for one another.
  perform public.lock_shopper(p_user);
  if p_order is not null then
    select * into placed from public.orders where id = p_order;
    if found and placed.user_id is distinct from p_user then
      perform public.refuse('order-unknown', 'This order is not one of yours.');
    elsif found then
      if placed.asked <> request or p_shown_total_minor <> placed.total_minor then
        perform public.refuse('order-differs', 'This order was placed with other contents.',
          jsonb_build_object('total', placed.total_minor));
      end if;
      if placed.state = 'pending' then
        perform public.ask_before_paying_again(p_user, placed.id, request, p_again, p_now);
      end if;
      return public.order_as_json(placed.id);
    end if;
  end if;

  perform public.share_prices();
  lines := public.priced_lines(request -> 'lines', p_items);
  select jsonb_agg(l) into wrong from jsonb_array_elements(lines) l where l ->> 'reason' is not null;
  if wrong is not null then
    perform public.refuse('product-unavailable',
      case when wrong -> 0 ->> 'reason' = 'gone' then 'A product in your cart is no longer in the shop.'
        else format('%s (%s) has no price at the moment, so it cannot be bought.',
          wrong -> 0 ->> 'title', wrong -> 0 ->> 'skc') end,
      jsonb_build_object('lines', wrong));
  end if;
  select sum((l ->> 'unit_minor')::bigint * (l ->> 'quantity')::bigint) into total
  from jsonb_array_elements(lines) l;
  if p_shown_total_minor <> total then
    select coalesce(jsonb_agg(l), '[]') into wrong from jsonb_array_elements(lines) l
    where l -> 'shown_minor' <> l -> 'unit_minor' and l ->> 'shown_minor' is not null;
    perform public.refuse('total-differs', 'Prices have changed since this page was drawn.',
      jsonb_build_object('shownTotal', p_shown_total_minor, 'total', total, 'lines', wrong));
  end if;
  if total < 50 then
    perform public.refuse('total-too-small', 'The smallest order that can be paid is $0.50.',
      jsonb_build_object('total', total));
  elsif total > 99999999 then
    perform public.refuse('total-too-large', 'The largest order that can be paid is $999,999.99.',
      jsonb_build_object('total', total));
  end if;

  if p_order is null then
    select * into placed from public.orders o
    where o.user_id = p_user and o.state = 'pending' and o.expires_at > p_now
      and o.asked = request and o.total_minor = total
    order by o.created_at desc limit 1;
  end if;
  perform public.ask_before_paying_again(
    p_user, coalesce(p_order, placed.id), request, p_again, p_now);
  if placed.id is not null then return public.order_as_json(placed.id); end if;
  if (select count(*) from public.orders o where o.user_id = p_user and o.state = 'pending') >= 100 then
    perform public.refuse('too-many-orders', 'Too many orders of yours wait to be paid. Please try again later.');
  end if;

  -- Cancelling makes room among the pending ones, and rows of orders are kept for weeks.
  if (select count(*) from public.orders o
      where o.user_id = p_user and o.created_at > p_now - interval '1 day' and o.received_minor = 0) >= 100 then
    perform public.refuse('too-many-orders',
      'You have placed a hundred orders within a day and paid none. Please try again tomorrow.');
  end if;

  perform public.limit_attempts(p_user, p_now);

  insert into public.orders (id, user_id, email, total_minor, mode, address, asked, created_at, expires_at)
  values (coalesce(p_order, gen_random_uuid()), p_user, p_email, total, p_mode, p_address, request,
    p_now, p_now + interval '3 hours')
  on conflict (id) do nothing
  returning * into placed;
  -- Somebody else took the id since it was looked for.
  if not found then
    perform public.refuse('order-unknown', 'This order is not one of yours.');
  end if;
  insert into public.order_items (order_id, line, product_id, skc, size, title, picture, unit_minor, quantity)
  select placed.id, row_number() over (), l.product_id, l.skc, l.size, l.title, l.picture, l.unit_minor, l.quantity
  from jsonb_to_recordset(lines) as l (
    product_id bigint, skc text, size text, title text, picture text, unit_minor bigint, quantity int);
  return public.order_as_json(placed.id);
end $$;

create or replace function public.start_attempt(
  p_user uuid, p_order uuid, p_provider text, p_now timestamptz, p_again boolean default null)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  rival jsonb;
  alive public.payment_attempts;
  made public.payment_attempts;
  last_number int;
begin
  -- Attempts for the same lines begin one after the other, whichever order they are of.
  perform public.lock_shopper(p_user);
  placed := public.lock_own_order(p_user, p_order);
  perform public.require_payable(placed);
  if p_again is not null then
    rival := public.open_page_of_same_lines(placed);
    if rival is not null then return rival; end if;
  end if;
  perform public.ask_before_paying_again(
    p_user, p_order, placed.asked, coalesce(p_again, false), p_now);
  select * into alive from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
  if alive.state = 'processing' then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  elsif alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then
    return jsonb_build_object('attempt', null,
      'blocked_by', public.attempt_as_json(alive), 'of_order', public.order_as_json(p_order));
  elsif alive.provider = p_provider and (p_provider = 'stripe' or alive.expires_at > p_now) then
    return jsonb_build_object('attempt', public.attempt_as_json(alive), 'blocked_by', null);
  end if;
  if placed.expires_at <= p_now then
    perform public.refuse('order-closed', 'This order is closed. Please place it again.');
  end if;
  select coalesce(max(a.number), 0) into last_number from public.payment_attempts a where a.order_id = p_order;
  if last_number >= 20 then
    perform public.refuse('order-closed', 'This order was tried too often. Please place it again.');
  end if;
  perform public.limit_attempts(p_user, p_now);
  perform public.void_wallet(p_order);
  insert into public.payment_attempts
    (order_id, number, provider, idempotency_key, created_at, expires_at)
  values (p_order, last_number + 1, p_provider,
    -- With the time: a database that went back counts attempts that the provider knows once more.
    p_order || ':' || last_number + 1 || ':' || extract(epoch from p_now)::bigint,
    p_now, date_trunc('second', p_now) + interval '1 hour')
  returning * into made;
  return jsonb_build_object('attempt', public.attempt_as_json(made), 'blocked_by', null);
end $$;

revoke all on function public.limit_attempts(uuid, timestamptz), public.share_prices()
  from public, anon, authenticated, service_role;
