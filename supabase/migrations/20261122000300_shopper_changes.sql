-- Changes, once more: a difference that takes away, changes of a newer phone, and how much of what
-- a phone hands in is kept.
--
-- A phone may be newer than the database. What push does not know yet waits on the phone, in its
-- order, with everything behind it. What push does know is applied or rejected for good, and then
-- only what its kind needs is kept: whatever else a program writes into a change is not stored.

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
comment on function public.change_args(text) is
  'The names of the arguments of a kind of change; null for a kind that this database does not know.';

create function public.is_ahead(p_change jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(
    (jsonb_typeof(p_change -> 'schema') = 'number' and p_change -> 'schema' > '1')
    or (jsonb_typeof(p_change -> 'kind') = 'string' and public.change_args(p_change ->> 'kind') is null),
    false)
$$;
comment on function public.is_ahead(jsonb) is
  'Whether a change is of a schema or kind that a newer database may know. A change without either is no change of any build.';

-- Applying ----------------------------------------------------------------------------------------

create or replace function public.check_shopper_row() returns trigger
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
  if not exists (select from public.products where id = new.product_id) then
    raise exception 'product % is not in the catalogue', new.product_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
comment on function public.check_shopper_row() is
  'Stands in for the foreign key to products when a row is written, but lets it outlive its product. A line whose product has left can be removed or reduced, and not raised: there is nothing to buy more of, and a phone that took one away before it knew is right.';

create or replace function public.apply_change(p_user uuid, p_change jsonb) returns void
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
comment on function public.apply_change(uuid, jsonb) is
  'Does one change that is not ahead of this database, or fails with SQLSTATE class 22 or 23. cart.reduce never takes a line below 1 and never makes one. foldChanges in src/domain/change.ts does the same; a test holds the two against each other.';

-- How much a shopper may hand in -------------------------------------------------------------------

create table public.push_counts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  minute_began timestamptz not null,
  minute_count int not null,
  day_began timestamptz not null,
  day_count int not null
);
comment on table public.push_counts is
  'How many changes a shopper handed in during the last minute and day that began with one. Written by push under the shopper''s lock, read by nobody else: without it one account could fill the database.';
alter table public.push_counts enable row level security;
revoke all on public.push_counts from public, anon, authenticated, service_role;

create function public.is_within(p_now timestamptz, p_began timestamptz, p_length interval) returns boolean
language sql immutable set search_path = ''
as $$ select p_began <= p_now and p_now < p_began + p_length $$;
comment on function public.is_within(timestamptz, timestamptz, interval) is
  'Whether a span of time that has begun goes on. One that begins later than now was noted by a clock that has since been put back, and is over.';

create function public.changes_left(p_user uuid, p_now timestamptz) returns int
language sql stable set search_path = ''
as $$
  select coalesce(least(
    600 - case when public.is_within(p_now, c.minute_began, '1 minute') then c.minute_count else 0 end,
    20000 - case when public.is_within(p_now, c.day_began, '1 day') then c.day_count else 0 end), 600)
  from (select p_user as id) one left join public.push_counts c on c.user_id = one.id
$$;
comment on function public.changes_left(uuid, timestamptz) is
  'How many more changes a shopper may hand in now: at most 600 a minute and 20,000 a day, many times what hands can do.';

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
comment on function public.count_changes(uuid, int, timestamptz) is
  'Notes changes that a shopper handed in. The caller holds the shopper''s lock.';

-- Push --------------------------------------------------------------------------------------------

create or replace function public.push(p_user uuid, p_device uuid, p_changes jsonb) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  change jsonb;
  id uuid;
  new_ver bigint;
  kind text;
  known_args jsonb;
  -- Set under the lock: the start of the transaction may lie before that of the push before.
  now_at timestamptz;
  may_count int;
  counted int := 0;
begin
  perform public.require_shopper(p_user);
  if p_device is null or jsonb_typeof(p_changes) is distinct from 'array' then
    raise exception 'a push has a device and an array of changes' using errcode = 'invalid_parameter_value';
  end if;
  if jsonb_array_length(p_changes) > 50 or octet_length(p_changes::text) > 64000 then
    raise exception 'a push has at most 50 changes and 64,000 bytes' using errcode = 'invalid_parameter_value';
  end if;
  begin
    new_ver := public.lock_shopper(p_user);
  exception when foreign_key_violation then
    raise exception 'this account does not exist any more' using errcode = 'insufficient_privilege';
  end;

  -- From here on each statement sees all that the writers before us committed.
  now_at := clock_timestamp();
  may_count := public.changes_left(p_user, now_at);
  perform set_config('shop.pushing', p_user::text, true);
  for change in select value from jsonb_array_elements(p_changes) loop
    id := change ->> 'id';
    if id is null or id::text <> change ->> 'id' then
      raise exception 'a change has an id, a lower-case uuid' using errcode = 'invalid_parameter_value';
    end if;
    continue when exists (
      select from public.applied_changes a where a.user_id = p_user and a.change_id = id);
    -- What a phone did first happens first, so everything behind it waits as well.
    exit when public.is_ahead(change);

    counted := counted + 1;
    if counted > may_count then
      raise sqlstate 'PT429' using message = 'Too many changes at once. They are saved a little later.';
    end if;
    new_ver := new_ver + 1;
    kind := coalesce(change ->> 'kind', '');
    begin
      perform public.apply_change(p_user, change);
      select coalesce(jsonb_object_agg(name, change -> 'args' -> name), '{}') into known_args
      from unnest(public.change_args(kind)) as name;
      insert into public.applied_changes (user_id, change_id, device_id, ver, kind, args, outcome, made_at)
      values (p_user, id, p_device, new_ver, kind, known_args, 'applied',
        public.time_or_null(change ->> 'madeAt'));
    exception when data_exception or integrity_constraint_violation or raise_exception then
      insert into public.applied_changes
        (user_id, change_id, device_id, ver, kind, outcome, code, message, made_at)
      values (p_user, id, p_device, new_ver, case when public.change_args(kind) is null then '' else kind end,
        'rejected', sqlstate, public.rejection_sentence(sqlstate, sqlerrm), public.time_or_null(change ->> 'madeAt'));
    end;
  end loop;
  perform set_config('shop.pushing', '', true);
  if counted > 0 then perform public.count_changes(p_user, counted, now_at); end if;
  update public.sync_user set ver = new_ver where user_id = p_user and ver <> new_ver;
  return json_build_object('ver', new_ver);
end $$;
comment on function public.push(uuid, uuid, jsonb) is
  'Applies up to 50 changes [{id, kind, args, schema, madeAt}] of the calling shopper in their order and returns {ver}. A known id is skipped. A change that can never succeed (SQLSTATE classes 22 and 23, P0001) is recorded as rejected, without its arguments, and the rest goes on; any other error undoes the whole batch, which may be tried again, and so does PT429, too many changes in a minute or a day. At a change of a kind or schema that this database does not know push stops: that change and those behind it are not recorded, and the phone keeps them. Only a change without a proper id fails the batch for good: there is nothing to record it under. Security definer because no role may write versions or applied_changes by hand; it acts only for the user of the token.';

-- What is kept ------------------------------------------------------------------------------------

update public.applied_changes
set args = null, kind = case when public.change_args(kind) is null then '' else kind end
where outcome = 'rejected';
alter table public.applied_changes
  add constraint applied_changes_args_of_applied check (outcome = 'applied' or args is null);
comment on column public.applied_changes.args is
  'What the kind needs and nothing else; null for a rejected change, whose phone keeps them.';

revoke all on function
  public.change_args(text), public.is_ahead(jsonb),
  public.is_within(timestamptz, timestamptz, interval),
  public.changes_left(uuid, timestamptz), public.count_changes(uuid, int, timestamptz)
  from public, anon, authenticated, service_role;
