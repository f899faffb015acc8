-- How an order is placed: what the shopper asks for, at the prices that the catalogue has now.

create function public.asked_lines(p_items jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  lines jsonb;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) = 0 then
    perform public.refuse('nothing-to-buy', 'There is nothing to buy in this order.');
  end if;
  if jsonb_array_length(p_items) > 100 then
    perform public.refuse('too-many-lines', 'An order has at most 100 different products.');
  end if;
  if exists (
    select from jsonb_array_elements(p_items) i
    where public.whole_number(i, 'quantity') not between 1 and 99) then
    perform public.refuse('bad-quantity', 'An order has 1 to 99 of each product.');
  end if;
  select jsonb_agg(jsonb_build_array(product, pieces) order by product) into lines
  from (
    select public.whole_number(i, 'product_id') as product, sum(public.whole_number(i, 'quantity')) as pieces
    from jsonb_array_elements(p_items) i group by 1
  ) merged;
  if exists (select from jsonb_array_elements(lines) l where (l ->> 1)::int > 99) then
    perform public.refuse('bad-quantity', 'An order has 1 to 99 of each product.');
  end if;
  return lines;
end $$;
comment on function public.asked_lines(jsonb) is
  'The lines of a request as [[product id, quantity]], one for each product, by id. Refuses quantities before they are added up, so that 5 and -3 do not make 2.';

create function public.priced_lines(p_asked jsonb, p_items jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'product_id', (a.line ->> 0)::bigint,
    'skc', p."SKC",
    'size', p."Size",
    'title', coalesce(nullif(btrim(p."Category 1"), ''), 'Untitled'),
    'picture', nullif(btrim(p."Images link"), ''),
    'unit_minor', (p."Retail Price" * 100)::bigint,
    'quantity', (a.line ->> 1)::int,
    'shown_minor', (
      select case when jsonb_typeof(i -> 'unit_minor') = 'number' then (i ->> 'unit_minor')::numeric end
      from jsonb_array_elements(p_items) i where i ->> 'product_id' = a.line ->> 0 limit 1),
    'reason', case when p.id is null then 'gone' when p."Retail Price" is null then 'no-price' end
  ) order by a.place)
  from jsonb_array_elements(p_asked) with ordinality as a (line, place)
  left join public.products p on p.id = (a.line ->> 0)::bigint
$$;
comment on function public.priced_lines(jsonb, jsonb) is
  'Lines with what the catalogue says of their products now, all from one snapshot. shown_minor is the price that the page says it showed; reason is why a line cannot be bought. Prices have two decimals, so the cast is exact.';

create function public.place_order(
  p_user uuid, p_order uuid, p_items jsonb, p_address jsonb, p_email text,
  p_shown_total_minor bigint, p_mode text, p_now timestamptz)
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
    if found then return public.order_as_json(placed.id); end if;
  end if;
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
comment on function public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz) is
  'Places an order of p_items [{product_id, quantity, unit_minor: the price that was shown, if known}] at the prices of the catalogue, and returns it. The same id with the same contents returns the order that is there, at its own prices; without an id, a pending order of the same contents and total is found, so that equal requests at the same time make one order. p_shown_total_minor is what the shopper was told, null when the page did not say. Security definer because no role may write orders by hand; only the server may call it, after it has checked who the shopper is.';

revoke all on function
  public.asked_lines(jsonb), public.priced_lines(jsonb, jsonb),
  public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.place_order(uuid, uuid, jsonb, jsonb, text, bigint, text, timestamptz)
  to service_role;
