-- Orders: what somebody agreed to buy, at which prices, what became of it, and the messages that tell of it.
--
-- An order is written before any payment, from the prices of the catalogue, and is never changed
-- afterwards: only its state moves, along the ways that order_states allows. A payment is compared
-- with the order; nothing about an order is ever taken from a payment.
--
-- Whoever needs more than one lock takes them in this order: the payment (lock_payment), the shopper
-- (lock_shopper), the order, its attempts to pay.

-- Tables ------------------------------------------------------------------------------------------

-- The states that each state may move to. Money that arrives for a closed order is paid_late, money that does
-- not fit is needs_review; both wait for a person (close_review).
create table public.order_states (
  state text primary key,
  next_states text[] not null
);
insert into public.order_states (state, next_states) values
  ('pending', '{confirming,paid,needs_review,cancelled,expired,failed}'),
  ('confirming', '{paid,needs_review,failed}'),
  ('paid', '{}'),
  ('needs_review', '{paid,cancelled}'),
  ('paid_late', '{paid,cancelled}'),
  ('cancelled', '{paid_late,needs_review}'),
  ('expired', '{paid_late,needs_review}'),
  ('failed', '{paid_late,needs_review}');
alter table public.order_states enable row level security;

-- Whether every field of a shipping address is there and there is nothing else. To which countries the shop
-- delivers, and what fits which, src/domain/address.ts checks once, when an order is placed: that may change
-- later, and an order must not.
create function public.is_address(p_address jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select jsonb_typeof(p_address) = 'object'
    and jsonb_typeof(p_address -> 'country') = 'string' and p_address ->> 'country' ~ '^[A-Z]{2}$'
    and p_address - '{full_name,address_line1,city,state,postal_code,country}'::text[] = '{}'
    and not exists (
      select from unnest('{full_name,address_line1,city,state,postal_code}'::text[]) as field
      where jsonb_typeof(p_address -> field) is distinct from 'string'
        or length(p_address ->> field) not between 1 and 200
        or p_address ->> field ~ '^\s|\s$|[[:cntrl:]]')
$$;

-- One row for each attempt of a shopper to buy something. Kept when the account is deleted (user_id is then
-- null), because the shop must keep its books.
create table public.orders (
  -- Chosen by the page, so that a repeated press or a lost answer finds the same order.
  id uuid primary key,
  user_id uuid references auth.users (id) on delete set null,
  -- Of the shopper at the time; empty once it was erased (erase_order).
  email text not null check (length(email) <= 320),
  state text not null default 'pending' references public.order_states (state),
  -- In cents. Stripe takes from $0.50 to $999,999.99 for one payment (Stripe manual, "Minimum and maximum
  -- charge amounts").
  total_minor bigint not null check (total_minor between 50 and 99999999),
  currency text not null default 'USD' check (currency = 'USD'),
  -- Whether real money pays it. An order is never paid with money of the other kind.
  mode text not null check (mode in ('live', 'sandbox')),
  -- Where it goes; null once it was erased (erase_order).
  address jsonb constraint orders_address_check check (address is null or public.is_address(address)),
  -- The lines and the address that were asked for: the same request finds the same order.
  asked jsonb not null,
  -- Why a person of the shop must look at it; null when nobody must.
  review text,
  created_at timestamptz not null,
  -- Until then the prices hold and a payment may be begun.
  expires_at timestamptz not null,
  paid_at timestamptz,
  updated_at timestamptz not null default now(),
  -- The money that arrived in the order's currency, whatever came of it afterwards; more than the total when
  -- it was paid twice.
  received_minor bigint not null default 0 check (received_minor >= 0),
  -- What of that went back to the payer by refunds.
  refunded_minor bigint not null default 0,
  -- The sum of the disputes that are in dispute_state.
  disputed_minor bigint not null default 0,
  -- open while any dispute is open, else lost when one was lost, else won; null without a dispute.
  dispute_state text check (dispute_state in ('open', 'won', 'lost')),
  -- When staff marked a paid order as sent, and what the shopper is told of the parcel (08_sending.sql).
  sent_at timestamptz,
  carrier text check (carrier ~ '^\S(.{0,58}\S)?$' and carrier !~ '[[:cntrl:]]'),
  tracking_url text check (length(tracking_url) <= 500 and tracking_url ~ '^https://[^[:space:][:cntrl:]"<>]+$'),
  check (sent_at is null or state = 'paid'),
  check (sent_at is not null or (carrier is null and tracking_url is null)),
  check ((paid_at is not null) = (state = 'paid')),
  -- Nobody waits for an order that no money came for.
  check (review is null or state in ('paid', 'needs_review', 'paid_late')),
  check (refunded_minor between 0 and received_minor),
  check (disputed_minor between 0 and received_minor)
);
create index orders_of_shopper on public.orders (user_id, created_at desc);
create index orders_pending on public.orders (expires_at) where state = 'pending';
create index orders_by_time on public.orders (created_at);
create index orders_closed on public.orders (created_at) where state in ('cancelled', 'expired', 'failed');
create index orders_to_erase on public.orders (created_at) where user_id is null and address is not null;
alter table public.orders enable row level security;
create policy "shoppers read their own orders" on public.orders
  for select to authenticated using (user_id = (select auth.uid()));

-- What was bought, as the catalogue described it when the order was placed. No foreign key to products: they
-- change and leave, an order stays.
create table public.order_items (
  order_id uuid not null references public.orders (id),
  line int not null,
  product_id bigint not null,
  skc text not null,
  size text not null,
  title text not null,
  picture text,
  unit_minor bigint not null check (unit_minor >= 0),
  quantity int not null check (quantity between 1 and 99),
  material text,
  primary key (order_id, line),
  unique (order_id, product_id)
);
alter table public.order_items enable row level security;
-- By the index of orders_of_shopper: asking each line for its order reads all lines of the shop.
create policy "shoppers read what they bought" on public.order_items
  for select to authenticated using (order_id = any (array(
    select o.id from public.orders o where o.user_id = (select auth.uid()))));

-- All that ever happened to an order, for people to read. Only ever added to, except that an order that was
-- never paid may go with its events (may_forget_order).
create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  kind text not null,
  detail jsonb not null,
  at timestamptz not null default now()
);
create index order_events_of_order on public.order_events (order_id, id);
alter table public.order_events enable row level security;

-- What never changes ------------------------------------------------------------------------------

-- Holds for the server's role and for the owner too: what happened, happened. Only what belongs to an order
-- that was never paid may go (may_forget_order).
create function public.keep_forever() returns trigger
language plpgsql set search_path = ''
as $$
declare
  row_of text := case tg_table_name when 'orders' then 'id' else 'order_id' end;
begin
  if tg_op = 'DELETE' and public.may_forget_order((to_jsonb(old) ->> row_of)::uuid) then
    return old;
  end if;
  raise exception 'rows of % are never changed, and not deleted while they tell of money', tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger keep_forever before update or delete on public.order_items
  for each row execute function public.keep_forever();
create trigger keep_forever before update or delete on public.order_events
  for each row execute function public.keep_forever();
create trigger keep_forever before delete on public.orders
  for each row execute function public.keep_forever();

-- Lets an order move only as order_states says, and nothing else of it change. Its shopper may go, when the
-- account is deleted, and erase_order may blank who bought it.
create function public.guard_order() returns trigger
language plpgsql set search_path = ''
as $$
declare
  may_change text[] :=
    '{state,review,paid_at,updated_at,user_id,received_minor,refunded_minor,disputed_minor,dispute_state,
      sent_at,carrier,tracking_url}';
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
create trigger guard_order before insert or update on public.orders
  for each row execute function public.guard_order();

-- Writes the history of orders, whoever moves them.
create function public.note_order() returns trigger
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
create trigger note_order after insert or update on public.orders
  for each row execute function public.note_order();

-- Copies the material of the product into a new line, which nobody changes afterwards.
create function public.note_material() returns trigger
language plpgsql set search_path = ''
as $$
begin
  select nullif(btrim(p."Material"), '') into new.material
  from public.products p where p.id = new.product_id;
  return new;
end $$;
create trigger note_material before insert on public.order_items
  for each row execute function public.note_material();

-- Reading and rejecting ----------------------------------------------------------------------------

-- An order with its lines, as the functions of the server read it.
create function public.order_as_json(p_order uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(o) - '{asked,updated_at}'::text[] || jsonb_build_object('items', (
    select jsonb_agg(to_jsonb(i) - '{order_id,line}'::text[] order by i.line)
    from public.order_items i where i.order_id = o.id))
  from public.orders o where o.id = p_order
$$;

-- What the lines of an order cost now, in cents, for the people of the shop to read beside what was paid; null
-- where one of the products cannot be bought any more.
create function public.total_today(p_order uuid) returns bigint
language sql stable set search_path = ''
as $$
  select case when bool_and(p."Retail Price" is not null)
    then sum((p."Retail Price" * 100)::bigint * i.quantity)::bigint end
  from public.order_items i left join public.products p on p.id = i.product_id and not p.off_sale
  where i.order_id = p_order
$$;

-- The number by which people speak of an order, such as HK4M-7PRW: the first eight digits of its id in
-- letters that cannot be mistaken for one another. The page makes the same (src/domain/order-number.ts). It
-- finds an order and proves nothing: a caller may have chosen an id that begins like another.
create function public.order_number(p_order uuid) returns text
language sql immutable set search_path = ''
as $$
  select overlay(
    translate(left(p_order::text, 8), '0123456789abcdef', '23456789HKMPRWXY') placing '-' from 5 for 0)
$$;

-- Says no to the shopper, in words for the shopper (SQLSTATE P0001). The detail is JSON for the page: a code
-- to tell cases apart, and whatever belongs to it.
create function public.reject(p_code text, p_sentence text, p_more jsonb default '{}') returns void
language plpgsql immutable set search_path = ''
as $$
begin
  raise exception '%', p_sentence using detail = (jsonb_build_object('code', p_code) || p_more)::text;
end $$;

-- Placing -----------------------------------------------------------------------------------------

-- The lines of a request as [[product id, quantity]], one for each product, by id. Rejects quantities before
-- they are added up, so that 5 and -3 do not make 2.
create function public.asked_lines(p_items jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  lines jsonb;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) = 0 then
    perform public.reject('nothing-to-buy', 'There is nothing to buy in this order.');
  end if;
  if jsonb_array_length(p_items) > 100 then
    perform public.reject('too-many-lines', 'An order has at most 100 different products.');
  end if;
  if exists (
    select from jsonb_array_elements(p_items) i
    where public.whole_number(i, 'quantity') not between 1 and 99) then
    perform public.reject('bad-quantity', 'An order has 1 to 99 of each product.');
  end if;
  select jsonb_agg(jsonb_build_array(product, pieces) order by product) into lines
  from (
    select public.whole_number(i, 'product_id') as product, sum(public.whole_number(i, 'quantity')) as pieces
    from jsonb_array_elements(p_items) i group by 1
  ) merged;
  if exists (select from jsonb_array_elements(lines) l where (l ->> 1)::int > 99) then
    perform public.reject('bad-quantity', 'An order has 1 to 99 of each product.');
  end if;
  return lines;
end $$;

-- Lines with what the catalogue says of their products now, all from one snapshot. shown_minor is the price
-- that the page says it showed; reason is why a line cannot be bought. Prices have two decimals, so the cast
-- is exact.
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
  left join public.products p on p.id = (a.line ->> 0)::bigint and not p.off_sale
$$;

-- Places an order of p_items [{product_id, quantity, unit_minor: the price that was shown, if known}] at the
-- prices of the catalogue, and returns it. The same id with the same contents returns the order that is
-- there, at its own prices; without an id, a pending order of the same contents and total is found, so that
-- equal requests at the same time make one order. p_shown_total_minor is what the shopper was told,
-- null when the page did not say. Only the server may call it, after it has checked who the shopper is.
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
      perform public.reject('order-unknown', 'This order isn’t in your account.');
    elsif found then
      if placed.asked <> request or p_shown_total_minor <> placed.total_minor then
        perform public.reject('order-differs', 'This order was placed with different details.',
          jsonb_build_object('total', placed.total_minor));
      end if;
      return public.order_as_json(placed.id);
    end if;
  end if;

  lines := public.priced_lines(request -> 'lines', p_items);
  select jsonb_agg(l) into wrong from jsonb_array_elements(lines) l where l ->> 'reason' is not null;
  if wrong is not null then
    perform public.reject('product-unavailable',
      case when wrong -> 0 ->> 'reason' = 'gone' then 'A product in your cart is no longer in the shop.'
        else format('%s (%s) has no price right now, so you can’t buy it.',
          wrong -> 0 ->> 'title', wrong -> 0 ->> 'skc') end,
      jsonb_build_object('lines', wrong));
  end if;
  select sum((l ->> 'unit_minor')::bigint * (l ->> 'quantity')::bigint) into total
  from jsonb_array_elements(lines) l;
  if p_shown_total_minor <> total then
    select coalesce(jsonb_agg(l), '[]') into wrong from jsonb_array_elements(lines) l
    where l -> 'shown_minor' <> l -> 'unit_minor' and l ->> 'shown_minor' is not null;
    perform public.reject('total-differs', 'Prices have changed since you opened this page.',
      jsonb_build_object('shownTotal', p_shown_total_minor, 'total', total, 'lines', wrong));
  end if;
  if total < 50 then
    perform public.reject('total-too-small', 'The smallest order that can be paid is $0.50.',
      jsonb_build_object('total', total));
  elsif total > 99999999 then
    perform public.reject('total-too-large', 'The largest order that can be paid is $999,999.99.',
      jsonb_build_object('total', total));
  end if;

  if p_order is null then
    select * into placed from public.orders o
    where o.user_id = p_user and o.state = 'pending' and o.expires_at > p_now
      and o.asked = request and o.total_minor = total
    order by o.created_at desc limit 1;
  end if;
  if placed.id is not null then return public.order_as_json(placed.id); end if;
  if (select count(*) from public.orders o where o.user_id = p_user and o.state = 'pending') >= 100 then
    perform public.reject('too-many-orders', 'You have too many unpaid orders. Try again later.');
  end if;

  insert into public.orders (id, user_id, email, total_minor, mode, address, asked, created_at, expires_at)
  values (coalesce(p_order, gen_random_uuid()), p_user, p_email, total, p_mode, p_address, request,
    p_now, p_now + interval '3 hours')
  on conflict (id) do nothing
  returning * into placed;
  -- Somebody else took the id since it was looked for.
  if not found then
    perform public.reject('order-unknown', 'This order isn’t in your account.');
  end if;
  insert into public.order_items (order_id, line, product_id, skc, size, title, picture, unit_minor, quantity)
  select placed.id, row_number() over (), l.product_id, l.skc, l.size, l.title, l.picture, l.unit_minor, l.quantity
  from jsonb_to_recordset(lines) as l (
    product_id bigint, skc text, size text, title text, picture text, unit_minor bigint, quantity int);
  return public.order_as_json(placed.id);
end $$;

-- Moving ------------------------------------------------------------------------------------------

-- An order of the shopper, locked. An order of somebody else is answered as one that does not exist.
create function public.lock_own_order(p_user uuid, p_order uuid) returns public.orders
language plpgsql volatile set search_path = ''
as $$
declare
  found_order public.orders;
begin
  select * into found_order from public.orders where id = p_order and user_id = p_user for update;
  if not found then
    perform public.reject('order-unknown', 'This order isn’t in your account.');
  end if;
  return found_order;
end $$;

-- Rejects, in words, unless the order waits to be paid.
create function public.require_payable(p_order public.orders) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_order.state in ('paid', 'paid_late', 'needs_review') then
    perform public.reject('order-paid', 'This order has been paid already.');
  elsif p_order.state = 'confirming' then
    perform public.reject('payment-under-way', 'A payment for this order is being confirmed.');
  elsif p_order.state <> 'pending' then
    perform public.reject('order-closed', 'This order is closed. Place it again.');
  end if;
end $$;

-- Shopper first, as everybody who writes carts does. A provider's message may come in while the account of
-- its order is being deleted.
create function public.lock_order_and_shopper(p_order uuid) returns public.orders
language plpgsql volatile set search_path = ''
as $$
declare
  shopper uuid := (select o.user_id from public.orders o where o.id = p_order);
  locked public.orders;
begin
  if shopper is not null then
    begin
      perform public.lock_shopper(shopper);
    exception when foreign_key_violation then
      null; -- The account has gone since, and the order belongs to nobody by now.
    end;
  end if;
  select * into locked from public.orders where id = p_order for update;
  return locked;
end $$;

-- Takes what was bought out of the shopper's cart; what was added since the order was placed stays. The
-- caller holds the shopper's lock.
create function public.take_from_cart(p_order public.orders) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A line whose product has left cannot be changed, only removed.
  delete from public.cart_items c using public.order_items i
  where c.user_id = p_order.user_id and i.order_id = p_order.id and c.product_id = i.product_id
    and (c.quantity <= i.quantity or not exists (
      select from public.products p where p.id = c.product_id and not p.off_sale));
  update public.cart_items c set quantity = c.quantity - i.quantity
  from public.order_items i
  where c.user_id = p_order.user_id and i.order_id = p_order.id and c.product_id = i.product_id;
end $$;

-- Moves an order whose row and shopper are locked. Becoming paid takes the goods out of the cart in the same
-- transaction.
create function public.move_order(p_order public.orders, p_state text, p_review text, p_now timestamptz) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.orders set
    state = p_state,
    review = p_review,
    paid_at = case when p_state = 'paid' then coalesce(paid_at, p_now) end
  where id = p_order.id;
  if p_state = 'paid' and p_order.state <> 'paid' then
    perform public.void_wallet(p_order.id);
    perform public.take_from_cart(p_order);
  end if;
end $$;

-- Closes an order that nobody has paid. A card session that is open is ended by the reconcile; money that
-- comes before makes the order paid_late.
create function public.cancel_order(p_order uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_order_and_shopper(p_order);
begin
  perform public.require_payable(placed);
  if exists (
    select from public.payment_attempts a
    where a.order_id = p_order and a.state in ('capturing', 'processing')) then
    perform public.reject('payment-under-way', 'A payment for this order is being confirmed.');
  end if;
  perform public.void_wallet(p_order);
  perform public.move_order(placed, 'cancelled', placed.review, p_now);
  return public.order_as_json(p_order);
end $$;

-- Closes up to 200 orders whose time is over, but none for which money may still come, and returns how many.
create function public.expire_orders(p_now timestamptz) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.orders;
  expired int := 0;
begin
  for due in
    select * from public.orders o
    where o.state = 'pending' and o.expires_at <= p_now
      and not exists (
        select from public.payment_attempts a
        where a.order_id = o.id and public.is_alive(a.state)
          and not (a.provider = 'paypal' and a.state in ('creating', 'open')))
    order by o.expires_at limit 200 for update of o skip locked
  loop
    perform public.void_wallet(due.id);
    -- A capture may have begun before the order was locked.
    continue when exists (
      select from public.payment_attempts a where a.order_id = due.id and public.is_alive(a.state));
    perform public.move_order(due, 'expired', due.review, p_now);
    expired := expired + 1;
  end loop;
  return expired;
end $$;

-- For the people of the shop: says what becomes of an order that waits for them (paid, cancelled once the money
-- was sent back, or the state that it has). p_by: the account that decided; null from the SQL editor.
create function public.close_review(
  p_order uuid, p_state text, p_note text, p_now timestamptz, p_by uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_order_and_shopper(p_order);
begin
  if placed.review is null then
    perform public.reject('nothing-to-review', 'This order doesn’t need a review.');
  end if;
  perform public.move_order(placed, p_state, null, p_now);
  insert into public.order_events (order_id, kind, detail)
  values (p_order, 'review-closed', jsonb_build_object('state', p_state, 'note', p_note, 'by', p_by));
  return public.order_as_json(p_order);
end $$;

-- Messages ----------------------------------------------------------------------------------------

-- The outbox of messages to the person who runs the shop: each paid order, and what needs a person; and of mails
-- about orders (08_sending.sql). A row is written in the transaction of what it tells. The function `messages`
-- sends each at least once, and gives it up after a day.
create table public.messages (
  id bigint generated always as identity primary key,
  -- Where it goes: to the operator's webhook, or out by mail. Neither waits for the other.
  channel text not null default 'operator' check (channel in ('operator', 'mail')),
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  -- Tells two messages of a kind apart: the same thing told again is one message.
  key text not null check (length(key) between 1 and 200),
  -- What the sentence needs: ids, sums, states. No names, no addresses, no email.
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  tries int not null default 0,
  -- Null before the first try.
  next_try_at timestamptz,
  is_given_up boolean not null default false,
  sent_at timestamptz,
  unique (kind, key)
);
create index messages_to_send on public.messages (channel, next_try_at nulls first)
  where sent_at is null and not is_given_up;
alter table public.messages enable row level security;

-- Writes a message, once for each kind and key. p_detail holds nothing personal.
create function public.queue_message(p_kind text, p_key text, p_detail jsonb) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.messages (kind, key, detail) values (p_kind, p_key, p_detail)
  on conflict (kind, key) do nothing
$$;

-- Tells of each order that becomes paid or begins to wait for a person, whoever moved it, and of each further
-- reason. The reason itself stays in the order.
create function public.queue_order_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.review is not null and new.review is distinct from old.review then
    perform public.queue_message(
      case new.state when 'paid_late' then 'paid_late' else 'needs_review' end,
      concat_ws(':', new.id, new.state, md5(coalesce(new.review, ''))),
      jsonb_build_object('order', new.id, 'state', new.state, 'total_minor', new.total_minor,
        'currency', new.currency, 'mode', new.mode, 'today_minor', public.total_today(new.id)));
  elsif new.state = 'paid' and old.state in ('pending', 'confirming') then
    perform public.queue_message('paid', new.id::text, jsonb_build_object(
      'order', new.id, 'total_minor', new.total_minor, 'currency', new.currency, 'mode', new.mode,
      'today_minor', public.total_today(new.id)));
  end if;
  return null;
end $$;
create trigger queue_order_messages after update on public.orders
  for each row execute function public.queue_order_messages();

-- A message of a channel that is due, as {id, kind, key, detail, at, is_last_try}, or null. It is due again after
-- 5 minutes, then after twice as long each time, an hour at most, until it is a day old. Two callers never get the
-- same at once.
create function public.take_message(p_now timestamptz, p_channel text) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  update public.messages m set
    tries = m.tries + 1,
    next_try_at = p_now + least(interval '1 hour', interval '5 minutes' * 2 ^ m.tries),
    is_given_up = m.at <= p_now - interval '1 day'
  where m.id = (
    select id from public.messages
    where channel = p_channel and sent_at is null and not is_given_up and coalesce(next_try_at, p_now) <= p_now
    order by next_try_at nulls first, id limit 1 for update skip locked)
  returning jsonb_build_object('id', m.id, 'kind', m.kind, 'key', m.key, 'detail', m.detail, 'at', m.at,
    'is_last_try', m.is_given_up)
$$;

-- Notes that the operator's webhook or the mail server has taken the message.
create function public.message_sent(p_id bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.messages set sent_at = p_now where id = p_id and sent_at is null
$$;
