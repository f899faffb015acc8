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
--
-- A change is applied and noted in one transaction, so it is applied once whatever is lost, repeated or late
-- on the way. The answer to a push says nothing about single changes: a phone learns that from pull, in one
-- snapshot with the rows, and only then forgets a change.
--
-- A database that was set back to its backup hands out the same version numbers a second time, for other
-- data. So each version carries a random stamp. A phone sends the stamp that it holds, and gets all rows
-- unless the server has that version under that stamp. The server never learns anything from a phone's stamp.

-- Tables ------------------------------------------------------------------------------------------

-- One line for each product in a shopper's cart. No foreign key to products: a line outlives its product, so
-- that the shopper is told, and the catalogue can be emptied by TRUNCATE.
create table public.cart_items (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  product_id bigint not null,
  quantity int not null check (quantity between 1 and 999),
  -- The price when the line was made or its quantity last raised, to tell the shopper of a new one; null
  -- where the product had none. Set by a trigger; what a writer puts here is ignored. Orders never use it.
  price_when_added numeric(12, 2),
  unique (user_id, product_id)
);
alter table public.cart_items enable row level security;
create policy "shoppers keep their own cart" on public.cart_items
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- What a shopper has marked with the heart.
create table public.favorites (
  user_id uuid not null references auth.users (id) on delete cascade,
  product_id bigint not null,
  primary key (user_id, product_id)
);
alter table public.favorites enable row level security;
create policy "shoppers keep their own favourites" on public.favorites
  for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- The version of each shopper's data, and the lock that orders its writers. A shopper without a row has version 0.
create table public.sync_user (
  user_id uuid primary key references auth.users (id) on delete cascade,
  ver bigint not null default 0,
  -- Random, and new with each version.
  stamp uuid not null default gen_random_uuid()
);
alter table public.sync_user enable row level security;
create policy "shoppers see their own version" on public.sync_user
  for select to authenticated using (user_id = (select auth.uid()));

-- Every change that a phone handed in, applied or rejected, under the id that the phone gave it. Ids are unique
-- within a shopper only: otherwise whoever saw an id could use it up, and its owner's change would be lost.
create table public.applied_changes (
  user_id uuid not null references auth.users (id) on delete cascade,
  change_id uuid not null,
  device_id uuid not null,
  -- The shopper's version as the change was applied. Row-level writers raise it too, so numbers are missing.
  ver bigint not null,
  -- The version that the phone had when the shopper made the change. After the database was set back it may be
  -- above ver; such a change is never forgotten early.
  base_ver bigint not null,
  kind text not null,
  -- What the kind needs and nothing else; null for a rejected change, whose phone keeps them.
  args jsonb,
  outcome text not null check (outcome in ('applied', 'rejected')),
  -- SQLSTATE of a rejection; message is for the shopper.
  code text check ((code is not null) = (outcome = 'rejected')),
  message text check ((message is not null) = (outcome = 'rejected')),
  -- By the phone's clock, for people to read; null where that clock said nothing sensible.
  made_at timestamptz,
  applied_at timestamptz not null default now(),
  primary key (user_id, change_id),
  constraint applied_changes_args_of_applied check (outcome = 'applied' or args is null)
);
alter table public.applied_changes enable row level security;
create policy "shoppers see what became of their changes" on public.applied_changes
  for select to authenticated using (user_id = (select auth.uid()));

-- The phones that handed changes in, by the id of their storage, which outlives logouts, and what the shop may
-- forget of each (prune_applied_changes).
create table public.devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  device_id uuid not null,
  -- Changes up to this version have left the phone (release), and all that it makes later builds on it.
  held_from bigint not null default 0,
  -- The newest version of a change of this phone that was forgotten. A change that builds on an older one comes
  -- from storage that was set back, and may be one of the forgotten.
  forgotten_to bigint not null default 0,
  -- When there may be something to forget.
  due_at timestamptz not null default now() + interval '400 days',
  primary key (user_id, device_id)
);
create index devices_due_at on public.devices (due_at);
alter table public.devices enable row level security;

-- How many changes a shopper handed in during the present minute and day, each of which begins with a change. Without
-- these limits one account could fill the database. push and count_row_writes write it under the shopper's lock.
create table public.push_counts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  minute_began timestamptz not null,
  minute_count int not null,
  day_began timestamptz not null,
  day_count int not null
);
alter table public.push_counts enable row level security;

-- Locks -------------------------------------------------------------------------------------------

-- Keeps an account from being deleted until the transaction ends; waits for a deletion that has begun.
-- Signing in does not wait for this lock, because it changes no key. Security definer because shoppers may not read
-- accounts. Waits for a second at most: whoever waits holds one of the API's few connections. Phones and the
-- reconcile try again by themselves, and functions answer 503.
create function public.lock_account(p_user uuid) returns void
language plpgsql volatile security definer set search_path = '' set lock_timeout = '1s'
as $$
begin
  -- The writers of one shopper queue here, where they hold nothing yet. Queued at the version, each
  -- would hold the account meanwhile, and a deletion would wait until no writer is left.
  perform pg_advisory_xact_lock(20261122, hashtext(p_user::text));
  -- A row lock needs the right to UPDATE, and hosted projects, where another role owns `auth`, promise only
  -- reading. Without the row lock a deletion beside a push may deadlock; then the deletion is tried again.
  if has_any_column_privilege('auth.users', 'update') then
    perform from auth.users where id = p_user for key share;
  end if;
end $$;

-- Waits for other writers of a shopper's data, holds them off until the transaction ends, and returns the
-- version. Server code that writes a shopper's rows calls it first.
create function public.lock_shopper(p_user uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  current_ver bigint;
begin
  perform public.lock_account(p_user);
  -- Repeats when the row goes away in between, because the account is being deleted: the next insert fails
  -- for want of the account.
  loop
    insert into public.sync_user (user_id) values (p_user) on conflict do nothing;
    select ver into current_ver from public.sync_user where user_id = p_user for update;
    exit when found;
  end loop;
  return current_ver;
end $$;

-- Runs before each writing statement, when no row is locked yet: the other way round, a row-level client and
-- a push would hold what the other waits for. Rejects the statement while another writer of the account is
-- under way. Security definer like all functions that touch versions.
create function public.lock_caller() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then return null; end if;
  -- The lock that lock_account waits for.
  if not pg_try_advisory_xact_lock(20261122, hashtext(caller::text)) then
    raise sqlstate 'PT429' using message = 'Too many changes at once. They are saved a little later.';
  end if;
  if tg_op = 'INSERT' then
    perform public.lock_shopper(caller);
  else
    -- A shopper with rows has a version. While the account is being deleted, nobody may make the version anew.
    perform public.lock_account(caller);
    perform from public.sync_user where user_id = caller for update;
  end if;
  return null;
end $$;
create trigger lock_caller
  before insert or update or delete on public.cart_items
  for each statement execute function public.lock_caller();
create trigger lock_caller
  before insert or update or delete on public.favorites
  for each statement execute function public.lock_caller();

-- Rows --------------------------------------------------------------------------------------------

-- Stands in for the foreign key to products when a row is written, but lets it outlive its product. A line
-- whose product has left can be removed or reduced, and not raised: there is nothing to buy more of, and a
-- phone that took one away before it knew is right.
create function public.check_shopper_row() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.user_id <> old.user_id then
      raise exception 'a row keeps its shopper' using errcode = 'restrict_violation';
    end if;
    if tg_table_name = 'cart_items' then
      if new.product_id = old.product_id and new.quantity < old.quantity then return new; end if;
    end if;
  end if;
  if not exists (select from public.products where id = new.product_id and not off_sale) then
    raise exception 'product % is not in the catalogue', new.product_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger check_shopper_row
  before insert or update on public.cart_items
  for each row execute function public.check_shopper_row();
create trigger check_shopper_row
  before insert or update on public.favorites
  for each row execute function public.check_shopper_row();

-- Notes the shop's price when something is added. Taking some away adds nothing, so the noted price stays.
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
create trigger price_cart_item
  before insert or update on public.cart_items
  for each row execute function public.price_cart_item();

-- Lets a client read cart_items with the joined product, `select=*,products(*)`, without a foreign key.
-- PostgREST manual, "Computed relationships"; `rows 1` makes it one object, null when the product has left.
create function public.products(public.cart_items) returns setof public.products
language sql stable rows 1 set search_path = ''
as $$ select * from public.products where id = $1.product_id and not off_sale $$;

-- Versions ----------------------------------------------------------------------------------------

-- Raises the version of each shopper whose rows a statement changed, in the order of their ids, so that two
-- statements for several shoppers do not deadlock on versions. A deletion makes no version: it may be the
-- account that is being deleted. A push raises the version once, when it is done, so that each phone gets one
-- message and not one for each change.
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

-- Gives a new version its stamp, whoever raises it: push, a trigger, or a person in the SQL editor.
create function public.renew_stamp() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.stamp := gen_random_uuid();
  return new;
end $$;
create trigger renew_stamp
  before update on public.sync_user
  for each row when (new.ver is distinct from old.ver) execute function public.renew_stamp();

-- Tells the shopper's phones that there is something to pull. Supabase Realtime sends one message to each tab
-- that has joined the topic.
create function public.tell_phones() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send('{}', 'changed', 'shopper:' || new.user_id, true);
  return null;
end $$;
create trigger tell_phones
  after update on public.sync_user
  for each row when (new.ver is distinct from old.ver) execute function public.tell_phones();

-- Realtime asks this policy once for each join and token. Without a policy for insert nobody sends to a topic.
create policy "shoppers join their own topic" on realtime.messages
  for select to authenticated
  using (extension = 'broadcast' and realtime.topic() = 'shopper:' || (select auth.uid()));

-- How much a shopper may hand in ------------------------------------------------------------------

-- Whether a span of time that has begun goes on. One that begins later than now was noted by a clock that has
-- since been put back, and is over.
create function public.is_within(p_now timestamptz, p_began timestamptz, p_length interval) returns boolean
language sql immutable set search_path = ''
as $$ select p_began <= p_now and p_now < p_began + p_length $$;

-- How many more changes a shopper may hand in now: at most 600 a minute and 20,000 a day, many times what
-- hands can do.
create function public.changes_left(p_user uuid, p_now timestamptz) returns int
language sql stable set search_path = ''
as $$
  select coalesce(least(
    600 - case when public.is_within(p_now, c.minute_began, '1 minute') then c.minute_count else 0 end,
    20000 - case when public.is_within(p_now, c.day_began, '1 day') then c.day_count else 0 end), 600)
  from (select p_user as id) one left join public.push_counts c on c.user_id = one.id
$$;

-- Notes changes that a shopper handed in. The caller holds the shopper's lock.
create function public.count_changes(p_user uuid, p_count int, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  insert into public.push_counts as c (user_id, minute_began, minute_count, day_began, day_count)
  values (p_user, p_now, p_count, p_now, p_count)
  on conflict (user_id) do update set
    minute_count = p_count + case when public.is_within(p_now, c.minute_began, '1 minute') then c.minute_count else 0 end,
    minute_began = case when public.is_within(p_now, c.minute_began, '1 minute') then c.minute_began else p_now end,
    day_count = p_count + case when public.is_within(p_now, c.day_began, '1 day') then c.day_count else 0 end,
    day_began = case when public.is_within(p_now, c.day_began, '1 day') then c.day_began else p_now end
$$;

-- Counts the rows that a statement of a shopper wrote as changes, and rejects the statement with SQLSTATE
-- PT429 beyond 600 a minute and 20,000 a day. It runs after the statement, because only then is it known
-- which rows were written: a rejected statement of many rows has done its work, and what it leaves behind
-- stays until a vacuum. A deletion is not counted: each row that it takes away was counted when it was
-- written. Runs under the shopper's lock, which lock_caller takes, so that one account runs one such
-- statement at a time.
create function public.count_row_writes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  rows_written int;
  now_at timestamptz := clock_timestamp();
begin
  -- The server's own functions have no caller, and push counts its changes itself.
  if caller is null or coalesce(current_setting('shop.pushing', true), '') <> '' then return null; end if;
  select count(*) into rows_written from changed;
  if rows_written = 0 then return null; end if;
  if rows_written > public.changes_left(caller, now_at) then
    raise sqlstate 'PT429' using message = 'Too many changes at once. They are saved a little later.';
  end if;
  perform public.count_changes(caller, rows_written, now_at);
  return null;
end $$;
-- A trigger with a transition table serves one kind of statement.
create trigger count_row_writes_insert
  after insert on public.cart_items referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_update
  after update on public.cart_items referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_insert
  after insert on public.favorites referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_update
  after update on public.favorites referencing new table as changed
  for each statement execute function public.count_row_writes();

-- Push --------------------------------------------------------------------------------------------

-- Returns its argument, or rejects. A phone names the shopper it means, so that a request that meets another
-- session does nothing instead of the wrong thing. Rejects an account that is gone, although its token holds for
-- up to an hour, with status 410: its phones then drop what waits on them.
create function public.require_shopper(p_user uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_user is null or auth.uid() is distinct from p_user then
    raise exception 'this session is not that of the shopper whose data it asks for'
      using errcode = 'insufficient_privilege';
  elsif not exists (select from auth.users u where u.id = p_user) then
    raise sqlstate 'PT410' using message = 'This account was deleted.';
  end if;
  return p_user;
end $$;

-- An argument of a change. Fails with SQLSTATE class 22; a plain cast would round 1.5 and take "1".
create function public.whole_number(p_args jsonb, p_name text) returns bigint
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_args -> p_name) is distinct from 'number' or (p_args ->> p_name)::numeric % 1 <> 0 then
    raise exception '% is not a whole number', p_name using errcode = 'invalid_parameter_value';
  end if;
  return (p_args ->> p_name)::numeric::bigint;
end $$;

-- A phone's clock may say anything; that is no reason to reject a change.
create function public.time_or_null(p_text text) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  -- Postgres also reads `yesterday` and times without a zone.
  if p_text !~ '^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$' then return null; end if;
  return p_text::timestamptz;
exception when data_exception then
  return null;
end $$;

-- Whether JSON holds a number of more than 400 places, beyond all that JavaScript writes. Eight bytes of
-- JSON, `1e131071`, are 131,072 digits as text: to measure such a push took gigabytes of memory.
create function public.has_long_number(p_value jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select exists (
    select from jsonb_path_query(p_value, 'strict $.** ? (@.type() == "number")') as n
    where scale(n::numeric) > 400 or abs(n::numeric) > 1e400)
$$;

-- The names of the arguments of a kind of change; null for a kind that there is not.
create function public.change_args(p_kind text) returns text[]
language sql immutable set search_path = ''
as $$
  select case
    when p_kind in ('cart.add', 'cart.reduce') then array['productId', 'by']
    when p_kind = 'cart.set' then array['productId', 'quantity']
    when p_kind in ('cart.remove', 'favourite.add', 'favourite.remove') then array['productId']
    when p_kind = 'cart.clear' then array[]::text[]
  end
$$;

-- Does one change, or fails with SQLSTATE class 22 or 23. cart.reduce never takes a line below 1 and never makes
-- one. foldChanges in src/domain/change.ts does the same; a test holds the two against each other.
create function public.apply_change(p_user uuid, p_change jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  args jsonb := p_change -> 'args';
begin
  if octet_length(p_change::text) > 500 then
    raise exception 'a change has at most 500 bytes' using errcode = 'string_data_right_truncation';
  end if;
  if p_change -> 'schema' is distinct from '1' then
    raise exception 'no schema' using errcode = 'invalid_parameter_value';
  end if;
  -- The table's own check keeps quantities within 1 and 999, also for the amount that is added:
  -- a row is checked as proposed before a conflict turns it into an update.
  case p_change ->> 'kind'
    when 'cart.add' then
      insert into public.cart_items as line (user_id, product_id, quantity)
      values (p_user, public.whole_number(args, 'productId'), public.whole_number(args, 'by'))
      on conflict (user_id, product_id) do update set quantity = line.quantity + excluded.quantity;
    when 'cart.reduce' then
      if public.whole_number(args, 'by') < 1 then
        raise exception 'nothing is taken away' using errcode = 'invalid_parameter_value';
      end if;
      update public.cart_items set quantity = greatest(quantity - public.whole_number(args, 'by'), 1)
      where user_id = p_user and product_id = public.whole_number(args, 'productId') and quantity > 1;
    when 'cart.set' then
      insert into public.cart_items (user_id, product_id, quantity)
      values (p_user, public.whole_number(args, 'productId'), public.whole_number(args, 'quantity'))
      on conflict (user_id, product_id) do update set quantity = excluded.quantity;
    when 'cart.remove' then
      delete from public.cart_items
      where user_id = p_user and product_id = public.whole_number(args, 'productId');
    when 'cart.clear' then
      delete from public.cart_items where user_id = p_user;
    when 'favourite.add' then
      insert into public.favorites (user_id, product_id)
      values (p_user, public.whole_number(args, 'productId')) on conflict do nothing;
    when 'favourite.remove' then
      delete from public.favorites
      where user_id = p_user and product_id = public.whole_number(args, 'productId');
    else
      raise exception 'no kind' using errcode = 'invalid_parameter_value';
  end case;
end $$;

-- What a shopper reads about a rejected change. P0001 is what our own functions raise, in words for the
-- shopper.
create function public.rejection_sentence(p_code text, p_message text) returns text
language sql immutable set search_path = ''
as $$
  select case
    when p_code = '23503' then 'This product is no longer in the shop.'
    when p_code = '23514' then 'A cart can hold 1 to 999 of each product.'
    when p_code = 'P0001' then p_message
    when p_code like '22%' then 'Something went wrong. Reload the page and try again.'
    else 'We couldn’t save this.'
  end
$$;

-- Applies up to 50 changes [{id, kind, args, schema, madeAt, baseVer}] of the calling shopper in their order and
-- returns {ver}. It acts only for the user of the token. A known id is skipped. A change that can never succeed
-- (SQLSTATE classes 22 and 23, P0001) is recorded as rejected, without its arguments, and the rest goes on. So is an
-- unknown change that is as old as one that was forgotten: it may have been applied.
--
-- Any other error undoes the whole batch, which may be tried again; so does PT429, too many changes in a minute or a
-- day. Only a change without a proper id fails the batch for good: there is nothing to record it under.
create function public.push(p_user uuid, p_device uuid, p_changes jsonb) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  change jsonb;
  id uuid;
  new_ver bigint;
  forgotten bigint;
  base bigint;
  kind text;
  known_args jsonb;
  -- Read under the lock, unlike now(): this transaction may have begun before the push that held the lock.
  now_at timestamptz;
  may_count int;
  counted int := 0;
begin
  perform public.require_shopper(p_user);
  if p_device is null or jsonb_typeof(p_changes) is distinct from 'array' then
    raise exception 'a push has a device and an array of changes' using errcode = 'invalid_parameter_value';
  end if;
  -- The text is measured last, when the other limits say that it is at most some hundred times as long as p_changes.
  if jsonb_array_length(p_changes) > 50 or pg_column_size(p_changes) > 400000
    or public.has_long_number(p_changes) or octet_length(p_changes::text) > 64000 then
    raise exception 'a push has at most 50 changes and 64,000 bytes' using errcode = 'invalid_parameter_value';
  end if;
  begin
    new_ver := public.lock_shopper(p_user);
  exception when foreign_key_violation then
    raise sqlstate 'PT410' using message = 'This account was deleted.';
  end;

  -- From here on each statement sees all that the writers before us committed.
  now_at := clock_timestamp();
  may_count := public.changes_left(p_user, now_at);
  select d.forgotten_to into forgotten from public.devices d where d.user_id = p_user and d.device_id = p_device;
  if not found then insert into public.devices (user_id, device_id) values (p_user, p_device); end if;
  perform set_config('shop.pushing', p_user::text, true);
  for change in select value from jsonb_array_elements(p_changes) loop
    id := change ->> 'id';
    if id is null or id::text <> change ->> 'id' then
      raise exception 'a change has an id, a lower-case uuid' using errcode = 'invalid_parameter_value';
    end if;
    continue when exists (
      select from public.applied_changes a where a.user_id = p_user and a.change_id = id);
    counted := counted + 1;
    if counted > may_count then
      raise sqlstate 'PT429' using message = 'Too many changes at once. They are saved a little later.';
    end if;
    new_ver := new_ver + 1;
    -- An unknown kind may be any text, so it is not stored.
    kind := case when public.change_args(change ->> 'kind') is null then '' else change ->> 'kind' end;
    base := 0;
    begin
      base := public.whole_number(change, 'baseVer');
      if base < forgotten then
        raise exception 'We may have saved it over a month ago. If it’s missing, try again.';
      end if;
      perform public.apply_change(p_user, change);
      select coalesce(jsonb_object_agg(name, change -> 'args' -> name), '{}') into known_args
      from unnest(public.change_args(kind)) as name;
      insert into public.applied_changes
        (user_id, change_id, device_id, ver, base_ver, kind, args, outcome, made_at)
      values (p_user, id, p_device, new_ver, base, kind, known_args, 'applied',
        public.time_or_null(change ->> 'madeAt'));
    exception when data_exception or integrity_constraint_violation or raise_exception then
      insert into public.applied_changes
        (user_id, change_id, device_id, ver, base_ver, kind, outcome, code, message, made_at)
      values (p_user, id, p_device, new_ver, base, kind,
        'rejected', sqlstate, public.rejection_sentence(sqlstate, sqlerrm), public.time_or_null(change ->> 'madeAt'));
    end;
  end loop;
  perform set_config('shop.pushing', '', true);
  if counted > 0 then perform public.count_changes(p_user, counted, now_at); end if;
  update public.sync_user set ver = new_ver where user_id = p_user and ver <> new_ver;
  return json_build_object('ver', new_ver);
end $$;

-- Pull --------------------------------------------------------------------------------------------

-- A shopper's data as {uid, device, ver, stamp, cart: [[product id, quantity, price when added]], favourites:
-- [product id], acks: [id], rejected: [{id, code, message}]}. cart and favourites are null when p_since is
-- the current version and p_stamp its stamp; stamp is null while the shopper has no version. acks are those of
-- p_pending that were applied or rejected. One statement, so rows and acks come from one snapshot: a phone
-- never shows a change twice or not at all.
create function public.pull(
  p_user uuid, p_device uuid, p_since bigint default null, p_pending uuid[] default '{}',
  p_stamp uuid default null)
returns json
language sql stable set search_path = ''
as $$
  with shopper as materialized (select public.require_shopper(p_user) as id),
  version as (
    select coalesce(s.ver, 0) as ver, s.stamp
    from shopper left join public.sync_user s on s.user_id = shopper.id
  ),
  state as (
    select ver, stamp,
      coalesce(p_since = ver and p_stamp is not distinct from stamp, false) as is_known
    from version
  ),
  settled as (
    select a.change_id, a.ver, a.outcome, a.code, a.message
    from public.applied_changes a, shopper
    where a.user_id = shopper.id and a.change_id = any (p_pending)
  )
  select json_build_object(
    'uid', shopper.id,
    'device', p_device,
    'ver', state.ver,
    'stamp', state.stamp,
    'cart', case when not state.is_known then coalesce((
      select json_agg(json_build_array(c.product_id, c.quantity, trim_scale(c.price_when_added)) order by c.id)
      from public.cart_items c where c.user_id = shopper.id), '[]') end,
    'favourites', case when not state.is_known then coalesce((
      select json_agg(f.product_id order by f.product_id)
      from public.favorites f where f.user_id = shopper.id), '[]') end,
    'acks', coalesce((select json_agg(change_id order by ver) from settled), '[]'),
    'rejected', coalesce((
      select json_agg(json_build_object('id', change_id, 'code', code, 'message', message) order by ver)
      from settled where outcome = 'rejected'), '[]')
  )
  from shopper, state
$$;

-- Release -----------------------------------------------------------------------------------------

-- Notes that a phone holds no change older than the version that it pulled last. Notes nothing unless this is the
-- newest version, with its stamp: another may be of a time before the database was set back.
create function public.release(p_user uuid, p_device uuid, p_ver bigint, p_stamp uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.devices d
  set held_from = greatest(d.held_from, s.ver), due_at = least(d.due_at, now() + interval '30 days')
  from public.sync_user s
  where s.user_id = public.require_shopper(p_user) and s.ver = p_ver and s.stamp = p_stamp
    and d.user_id = s.user_id and d.device_id = p_device
$$;
