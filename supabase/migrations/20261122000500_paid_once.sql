-- Nothing is paid twice unasked.
--
-- A cart keeps its lines until their payment has arrived, which may take days, and every device of
-- the shopper shows them. So the same lines can be ordered again under another id. Whoever pays for
-- lines whose payment was made, and has not arrived or was not in time to leave the cart that is
-- shown, is told and asked before. And the same lines have one payment page at a time: opening
-- another one ends it, so that none is left open beside an order that is being paid.

create function public.was_paid_since(p_paid public.orders, p_order uuid, p_now timestamptz)
returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(
    (select max(e.id) from public.order_events e
      where e.order_id = p_paid.id and e.kind = 'moved' and e.detail ->> 'to' = 'paid')
    > (select min(e.id) from public.order_events e where e.order_id = p_order and e.kind = 'placed'),
    p_order is not null and p_paid.paid_at > p_now - interval '1 day')
$$;
comment on function public.was_paid_since(public.orders, uuid, timestamptz) is
  'Whether an order became paid after another one was placed, or within a day where that one is yet to be placed. Never for a request that names no order: it comes from no page of ours.';

create function public.order_being_paid(
  p_user uuid, p_order uuid, p_asked jsonb, p_now timestamptz)
returns public.orders
language sql stable set search_path = ''
as $$
  select o.* from public.orders o
  where o.user_id = p_user and o.id is distinct from p_order
    and o.mode = p_asked ->> 'mode' and o.asked -> 'lines' = p_asked -> 'lines'
    and (o.state in ('confirming', 'needs_review', 'paid_late')
      or exists (
        select from public.payment_attempts a
        where a.order_id = o.id and a.state in ('capturing', 'processing'))
      or o.state = 'paid' and public.was_paid_since(o, p_order, p_now) and exists (
        select from jsonb_array_elements(p_asked -> 'lines') l
        left join public.cart_items c
          on c.user_id = p_user and c.product_id = (l ->> 0)::bigint
        where coalesce(c.quantity, 0) < (l ->> 1)::int))
  order by o.created_at desc, o.id limit 1
$$;
comment on function public.order_being_paid(uuid, uuid, jsonb, timestamptz) is
  'The newest other order of the shopper for the same lines whose payment was made: it is being confirmed, or looked into by a person, or it arrived lately (was_paid_since) and the cart no longer has what is asked for, so the page shows an old one. p_asked is like orders.asked, whose lines are sorted by product.';

create function public.ask_before_paying_again(
  p_user uuid, p_order uuid, p_asked jsonb, p_again boolean, p_now timestamptz)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  other public.orders;
begin
  if p_again then return; end if;
  other := public.order_being_paid(p_user, p_order, p_asked, p_now);
  if other.id is null then return; end if;
  perform public.refuse('being-paid',
    case
      when other.state = 'paid' then 'You have just paid for exactly these things.'
      when other.state in ('needs_review', 'paid_late')
        then 'A payment for these things has arrived, and the shop is looking into it.'
      else 'A payment for these things is still being confirmed.'
    end,
    jsonb_build_object('order', other.id, 'placedAt', other.created_at, 'state', other.state));
end $$;
comment on function public.ask_before_paying_again(uuid, uuid, jsonb, boolean, timestamptz) is
  'Refuses with the code being-paid, and with the order that is, unless the shopper was asked (p_again). The caller holds the shopper''s lock.';

create function public.open_page_of_same_lines(p_order public.orders) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  other public.orders;
  page public.payment_attempts;
begin
  for other in
    select * from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.mode = p_order.mode
      and o.asked -> 'lines' = p_order.asked -> 'lines'
      and exists (
        select from public.payment_attempts a
        where a.order_id = o.id and a.state in ('creating', 'open'))
    order by o.id for update
  loop
    perform public.void_wallet(other.id);
    select * into page from public.payment_attempts a
    where a.order_id = other.id and a.state in ('creating', 'open');
    if found then
      return jsonb_build_object('attempt', null,
        'blocked_by', public.attempt_as_json(page), 'of_order', public.order_as_json(other.id));
    end if;
  end loop;
  return null;
end $$;
comment on function public.open_page_of_same_lines(public.orders) is
  'Drops PayPal orders for the same lines that nobody captures, and returns a card page for them as start_attempt does; null when there is none. The caller holds the shopper''s lock.';

drop function public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz);
create function public.place_order(
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
comment on function public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz, boolean) is
  'Places an order of p_items [{product_id, quantity, unit_minor: the price that was shown, if known}] at the prices of the catalogue, and returns it. The same id with the same contents returns the order that is there, at its own prices; without an id, a pending order of the same contents and total is found, so that equal requests at the same time make one order. p_again says that the shopper was told of an order for the same lines that is being paid, and wants to pay again. p_shown_total_minor is what the shopper was told, null when the page did not say. Security definer because no role may write orders by hand; only the server may call it, after it has checked who the shopper is.';

drop function public.start_attempt(uuid, uuid, text, timestamptz);
create function public.start_attempt(
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
comment on function public.start_attempt(uuid, uuid, text, timestamptz, boolean) is
  'The attempt to pay an order at a provider as {attempt, blocked_by, of_order}: the one that is alive there, or a new one. A PayPal order that is in the way is dropped. blocked_by is an attempt that is in the way and that only its provider can tell about, of_order its order, which may be another one for the same lines: settle it there, then ask again. p_again is as in place_order; null for a caller that knows nothing of other orders and hears of none.';

revoke all on function
  public.was_paid_since(public.orders, uuid, timestamptz),
  public.order_being_paid(uuid, uuid, jsonb, timestamptz),
  public.ask_before_paying_again(uuid, uuid, jsonb, boolean, timestamptz),
  public.open_page_of_same_lines(public.orders),
  public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz, boolean),
  public.start_attempt(uuid, uuid, text, timestamptz, boolean)
  from public, anon, authenticated, service_role;
grant execute on function
  public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz, boolean),
  public.start_attempt(uuid, uuid, text, timestamptz, boolean)
  to service_role;
