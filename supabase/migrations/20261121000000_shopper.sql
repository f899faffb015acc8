-- One shopper's data: the cart, the favourites, and a version by which phones follow both.
--
-- Every change to a shopper's rows raises the version of that shopper, under the lock of the
-- shopper's row in sync_user, which is held until commit. Versions therefore become visible in
-- their order, and a phone whose version equals the server's has everything, whoever wrote: the
-- app through `push`, a plain row-level client, or the server.
--
-- The lock comes before the rows. A signed-in client can only touch rows of its own, so a trigger
-- takes the lock of the caller before each statement; `push` takes the same lock first. Two writers
-- for one shopper wait for one another and never deadlock.

-- Tables ------------------------------------------------------------------------------------------

create table public.cart_items (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  product_id bigint not null,
  quantity int not null check (quantity between 1 and 999),
  price_when_added numeric(12, 2),
  unique (user_id, product_id)
);
comment on table public.cart_items is
  'One line for each product in a shopper''s cart. No foreign key to products: a line outlives its product, so that the shopper is told, and the catalogue can be emptied by TRUNCATE.';
comment on column public.cart_items.price_when_added is
  'The price when the line was made or its quantity last raised, to tell the shopper of a new one; null where the product had none. Set by a trigger; what a writer puts here is ignored. Orders never use it.';

create table public.favorites (
  user_id uuid not null references auth.users (id) on delete cascade,
  product_id bigint not null,
  primary key (user_id, product_id)
);
comment on table public.favorites is
  'What a shopper has marked with the heart. No foreign key to products, for the reasons given at cart_items.';

create table public.sync_user (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references auth.users (id) on delete cascade,
  ver bigint not null default 0
);
comment on table public.sync_user is
  'The version of each shopper''s data, and the lock that orders its writers. Phones subscribe to their own row: a change of it means "pull now". A shopper without a row has version 0.';
comment on column public.sync_user.id is
  'Means nothing, and is the primary key for that reason: when an account is deleted, Realtime tells every subscriber the primary key of its row, because row-level security cannot be checked on a row that is gone. A publication leaves deletions out for all of its tables or for none, and without a replica identity a published table takes no updates.';

-- Who may do what ---------------------------------------------------------------------------------

alter table public.cart_items enable row level security;
alter table public.favorites enable row level security;
alter table public.sync_user enable row level security;

revoke all on public.cart_items, public.favorites, public.sync_user
  from public, anon, authenticated, service_role;
revoke all on sequence public.cart_items_id_seq from public, anon, authenticated, service_role;

grant select, insert, update, delete on public.cart_items, public.favorites
  to authenticated, service_role;
grant select on public.sync_user to authenticated, service_role;

create policy "shoppers keep their own cart" on public.cart_items
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "shoppers keep their own cart" on public.cart_items is
  'A cart is its shopper''s business only. Visitors without an account have none here.';

create policy "shoppers keep their own favourites" on public.favorites
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
comment on policy "shoppers keep their own favourites" on public.favorites is
  'What somebody likes is their business only.';

create policy "shoppers see their own version" on public.sync_user
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "shoppers see their own version" on public.sync_user is
  'Lets a phone subscribe to its doorbell. Only triggers and push write here.';

-- Rows --------------------------------------------------------------------------------------------

create function public.check_shopper_row() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.user_id <> old.user_id then
    raise exception 'a row keeps its shopper' using errcode = 'restrict_violation';
  end if;
  if not exists (select from public.products where id = new.product_id) then
    raise exception 'product % is not in the catalogue', new.product_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
comment on function public.check_shopper_row() is
  'Stands in for the foreign key to products when a row is written, but lets it outlive its product. A line whose product has left can be removed and not changed: there is nothing to buy more or fewer of.';

create function public.price_cart_item() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.product_id = old.product_id and new.quantity <= old.quantity then
    new.price_when_added := old.price_when_added;
  else
    select p."Retail Price" into new.price_when_added
    from public.products p where p.id = new.product_id;
  end if;
  return new;
end $$;
comment on function public.price_cart_item() is
  'Notes the shop''s price when something is added. Taking some away adds nothing, so the noted price stays.';

create trigger check_shopper_row
  before insert or update on public.cart_items
  for each row execute function public.check_shopper_row();
create trigger price_cart_item
  before insert or update on public.cart_items
  for each row execute function public.price_cart_item();
create trigger check_shopper_row
  before insert or update on public.favorites
  for each row execute function public.check_shopper_row();

-- Versions ----------------------------------------------------------------------------------------

create function public.lock_shopper(p_user uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  current_ver bigint;
begin
  -- Once more when the row goes away in between, because the account is being deleted: the insert
  -- then fails for want of the account.
  loop
    insert into public.sync_user (user_id) values (p_user) on conflict do nothing;
    select ver into current_ver from public.sync_user where user_id = p_user for update;
    exit when found;
  end loop;
  return current_ver;
end $$;
comment on function public.lock_shopper(uuid) is
  'Waits for other writers of a shopper''s data, holds them off until the transaction ends, and returns the version. Server code that writes a shopper''s rows calls it first. Security definer because no role may write versions by hand.';

create function public.lock_caller() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then return null; end if;
  if tg_op = 'INSERT' then
    perform public.lock_shopper(caller);
  else
    -- Rows that exist have a version that exists, and when an account is being deleted the version
    -- must not come back.
    perform from public.sync_user where user_id = caller for update;
  end if;
  return null;
end $$;
comment on function public.lock_caller() is
  'Runs before each writing statement, when no row is locked yet: the other way round, a row-level client and a push would hold what the other waits for. Security definer like all functions that touch versions.';

create function public.raise_versions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  shopper uuid;
begin
  for shopper in select distinct user_id from changed order by user_id loop
    continue when shopper::text = current_setting('shop.pushing', true);
    if tg_op <> 'DELETE' then perform public.lock_shopper(shopper); end if;
    update public.sync_user set ver = ver + 1 where user_id = shopper;
  end loop;
  return null;
end $$;
comment on function public.raise_versions() is
  'Raises the version of each shopper whose rows a statement changed, in the order of their ids, so that two statements for several shoppers do not deadlock on versions. A deletion makes no version: it may be the account that is being deleted. A push raises the version once, when it is done, so that each phone''s doorbell rings once and not for each change.';

create trigger lock_caller
  before insert or update or delete on public.cart_items
  for each statement execute function public.lock_caller();
create trigger lock_caller
  before insert or update or delete on public.favorites
  for each statement execute function public.lock_caller();

-- A trigger with a transition table serves one kind of statement.
create trigger raise_versions_insert
  after insert on public.cart_items referencing new table as changed
  for each statement execute function public.raise_versions();
create trigger raise_versions_update
  after update on public.cart_items referencing new table as changed
  for each statement execute function public.raise_versions();
create trigger raise_versions_delete
  after delete on public.cart_items referencing old table as changed
  for each statement execute function public.raise_versions();
create trigger raise_versions_insert
  after insert on public.favorites referencing new table as changed
  for each statement execute function public.raise_versions();
create trigger raise_versions_update
  after update on public.favorites referencing new table as changed
  for each statement execute function public.raise_versions();
create trigger raise_versions_delete
  after delete on public.favorites referencing old table as changed
  for each statement execute function public.raise_versions();

-- Reading the cart with its products --------------------------------------------------------------

create function public.products(public.cart_items) returns setof public.products
language sql stable rows 1 set search_path = ''
as $$ select * from public.products where id = $1.product_id $$;
comment on function public.products(public.cart_items) is
  'Lets a client read cart_items with the joined product, `select=*,products(*)`, without a foreign key. PostgREST manual, "Computed relationships"; `rows 1` makes it one object, null when the product has left.';

-- The doorbell ------------------------------------------------------------------------------------

do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    alter publication supabase_realtime add table public.sync_user;
  end if;
end $$;

revoke all on function
  public.check_shopper_row(), public.price_cart_item(), public.lock_shopper(uuid),
  public.lock_caller(), public.raise_versions(), public.products(public.cart_items)
  from public, anon, authenticated, service_role;
grant execute on function public.products(public.cart_items) to authenticated, service_role;
grant execute on function public.lock_shopper(uuid) to service_role;
