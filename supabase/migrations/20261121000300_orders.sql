-- Orders: what somebody agreed to buy, at which prices, and what became of it.
--
-- An order is written before any payment, from the prices of the catalogue, and is never changed
-- afterwards: only its state moves, along the ways that order_states allows. A payment is compared
-- with the order; nothing about an order is ever taken from a payment.
--
-- Whoever needs more than one lock takes them in this order: the shopper (lock_shopper), the order,
-- its attempts to pay.

-- Tables ------------------------------------------------------------------------------------------

create table public.order_states (
  state text primary key,
  next_states text[] not null
);
comment on table public.order_states is
  'The states of an order and the states that each may move to. Money that arrives for a closed order is paid_late, money that does not fit is needs_review; both wait for a person (close_review).';

insert into public.order_states (state, next_states) values
  ('pending', '{confirming,paid,needs_review,cancelled,expired,failed}'),
  ('confirming', '{paid,needs_review,failed}'),
  ('paid', '{}'),
  ('needs_review', '{paid,cancelled}'),
  ('paid_late', '{paid,cancelled}'),
  ('cancelled', '{paid_late,needs_review}'),
  ('expired', '{paid_late,needs_review}'),
  ('failed', '{paid_late,needs_review}');

create function public.is_address(p_address jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select jsonb_typeof(p_address) = 'object'
    and p_address ->> 'country' in ('US', 'CA', 'GB')
    and p_address - '{full_name,address_line1,city,state,postal_code,country}'::text[] = '{}'
    and not exists (
      select from unnest('{full_name,address_line1,city,state,postal_code}'::text[]) as field
      where jsonb_typeof(p_address -> field) is distinct from 'string'
        or length(p_address ->> field) not between 1 and 200
        or p_address ->> field ~ '^\s|\s$|[[:cntrl:]]')
$$;
comment on function public.is_address(jsonb) is
  'Whether every field of a shipping address is there and there is nothing else. What fits which country is checked in src/domain/address.ts, before.';

create table public.orders (
  id uuid primary key,
  user_id uuid references auth.users (id) on delete set null,
  email text not null check (length(email) <= 320),
  state text not null default 'pending' references public.order_states (state),
  total_minor bigint not null check (total_minor between 50 and 99999999),
  currency text not null default 'USD' check (currency = 'USD'),
  mode text not null check (mode in ('live', 'sandbox')),
  address jsonb not null check (public.is_address(address)),
  asked jsonb not null,
  review text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((paid_at is not null) = (state = 'paid'))
);
create index orders_of_shopper on public.orders (user_id, created_at desc);
create index orders_pending on public.orders (expires_at) where state = 'pending';

comment on table public.orders is
  'One row for each attempt of a shopper to buy something. Kept when the account is deleted (user_id is then null), because the shop must keep its books.';
comment on column public.orders.id is 'Chosen by the page, so that a repeated press or a lost answer finds the same order.';
comment on column public.orders.total_minor is
  'In cents. Stripe takes from $0.50 to $999,999.99 for one payment (Stripe manual, "Minimum and maximum charge amounts").';
comment on column public.orders.mode is 'Whether real money pays it. An order is never paid with money of the other kind.';
comment on column public.orders.asked is 'The lines and the address that were asked for: the same request finds the same order.';
comment on column public.orders.review is 'Why a person of the shop must look at it; null when nobody must.';
comment on column public.orders.expires_at is 'Until then the prices hold and a payment may be begun.';

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
  primary key (order_id, line),
  unique (order_id, product_id)
);
comment on table public.order_items is
  'What was bought, as the catalogue described it when the order was placed. No foreign key to products: they change and leave, an order stays.';

create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  kind text not null,
  detail jsonb not null,
  at timestamptz not null default now()
);
create index order_events_of_order on public.order_events (order_id, id);
comment on table public.order_events is 'All that ever happened to an order, for people to read. Only ever added to.';

-- Who may do what ---------------------------------------------------------------------------------

alter table public.order_states enable row level security;
alter table public.orders enable row level security;
alter table public.order_items enable row level security;
alter table public.order_events enable row level security;

revoke all on public.order_states, public.orders, public.order_items, public.order_events
  from public, anon, authenticated, service_role;
revoke all on sequence public.order_events_id_seq from public, anon, authenticated, service_role;

grant select on public.orders, public.order_items to authenticated, service_role;
grant select on public.order_states, public.order_events to service_role;

create policy "shoppers read their own orders" on public.orders
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "shoppers read their own orders" on public.orders is
  'Nobody writes orders but the functions of the server.';

create policy "shoppers read what they bought" on public.order_items
  for select to authenticated using (exists (
    select from public.orders o where o.id = order_id and o.user_id = (select auth.uid())));
comment on policy "shoppers read what they bought" on public.order_items is
  'A line belongs to whom its order belongs.';

-- What never changes ------------------------------------------------------------------------------

create function public.keep_forever() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;
comment on function public.keep_forever() is
  'Holds for the server''s role and for the owner too: what happened, happened.';

create trigger keep_forever before update or delete on public.order_items
  for each row execute function public.keep_forever();
create trigger keep_forever before update or delete on public.order_events
  for each row execute function public.keep_forever();
create trigger keep_forever before delete on public.orders
  for each row execute function public.keep_forever();

create function public.guard_order() returns trigger
language plpgsql set search_path = ''
as $$
declare
  may_change constant text[] := '{state,review,paid_at,updated_at,user_id}';
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' then
      raise exception 'an order begins unpaid' using errcode = 'restrict_violation';
    end if;
    return new;
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
  'Lets an order move only as order_states says, and nothing else of it change. Its shopper may go, when the account is deleted.';
create trigger guard_order before insert or update on public.orders
  for each row execute function public.guard_order();

create function public.note_order() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'placed', jsonb_build_object('total_minor', new.total_minor, 'mode', new.mode));
  else
    if new.state <> old.state then
      insert into public.order_events (order_id, kind, detail)
      values (new.id, 'moved', jsonb_build_object('from', old.state, 'to', new.state));
    end if;
    if new.review is distinct from old.review then
      insert into public.order_events (order_id, kind, detail)
      values (new.id, 'review', jsonb_build_object('review', new.review));
    end if;
  end if;
  return null;
end $$;
comment on function public.note_order() is
  'Writes the history of orders, whoever moves them. Security definer because no role may write it by hand.';
create trigger note_order after insert or update on public.orders
  for each row execute function public.note_order();

-- Reading and refusing ----------------------------------------------------------------------------

create function public.order_as_json(p_order uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(o) - '{asked,updated_at}'::text[] || jsonb_build_object('items', (
    select jsonb_agg(to_jsonb(i) - '{order_id,line}'::text[] order by i.line)
    from public.order_items i where i.order_id = o.id))
  from public.orders o where o.id = p_order
$$;
comment on function public.order_as_json(uuid) is 'An order with its lines, as the functions of the server read it.';

create function public.refuse(p_code text, p_sentence text, p_more jsonb default '{}') returns void
language plpgsql immutable set search_path = ''
as $$
begin
  raise exception '%', p_sentence using detail = (jsonb_build_object('code', p_code) || p_more)::text;
end $$;
comment on function public.refuse(text, text, jsonb) is
  'Says no to the shopper, in words for the shopper (SQLSTATE P0001). The detail is JSON for the page: a code to tell cases apart, and whatever belongs to it.';

revoke all on function
  public.is_address(jsonb), public.keep_forever(), public.guard_order(), public.note_order(),
  public.order_as_json(uuid), public.refuse(text, text, jsonb)
  from public, anon, authenticated, service_role;
