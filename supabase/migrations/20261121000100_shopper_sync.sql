-- How a phone hands in a shopper's changes and learns what became of them: push and pull.
--
-- A change is applied and noted in one transaction, so it is applied once whatever is lost,
-- repeated or late on the way. The answer to a push says nothing about single changes: a phone
-- learns that from pull, in one snapshot with the rows, and only then forgets a change.

create table public.applied_changes (
  user_id uuid not null references auth.users (id) on delete cascade,
  change_id uuid not null,
  device_id uuid not null,
  ver bigint not null,
  kind text not null,
  args jsonb,
  outcome text not null check (outcome in ('applied', 'rejected')),
  code text check ((code is not null) = (outcome = 'rejected')),
  message text check ((message is not null) = (outcome = 'rejected')),
  made_at timestamptz,
  applied_at timestamptz not null default now(),
  primary key (user_id, change_id),
  unique (user_id, ver)
);
comment on table public.applied_changes is
  'Every change that a phone handed in, applied or rejected, under the id that the phone gave it. Each shopper has a key space of their own: with one for all, whoever saw an id could use it up, and its owner''s change would be lost or hold up the queue, with an answer that tells of somebody else''s change.';
comment on column public.applied_changes.ver is
  'The shopper''s version as the change was applied: the order of changes. Row-level writers raise the version too, so numbers are missing.';
comment on column public.applied_changes.code is 'SQLSTATE of a rejection; message is for the shopper.';
comment on column public.applied_changes.made_at is
  'By the phone''s clock, for people to read; null where that clock said nothing sensible.';

alter table public.applied_changes enable row level security;
revoke all on public.applied_changes from public, anon, authenticated, service_role;
grant select on public.applied_changes to authenticated, service_role;

create policy "shoppers see what became of their changes" on public.applied_changes
  for select to authenticated using (user_id = (select auth.uid()));
comment on policy "shoppers see what became of their changes" on public.applied_changes is
  'pull reads it with the shopper''s own rights. Only push writes here.';

-- Parts of push -----------------------------------------------------------------------------------

create function public.require_shopper(p_user uuid) returns uuid
language plpgsql stable set search_path = ''
as $$
begin
  if p_user is null or auth.uid() is distinct from p_user then
    raise exception 'this session is not that of the shopper whose data it asks for'
      using errcode = 'insufficient_privilege';
  end if;
  return p_user;
end $$;
comment on function public.require_shopper(uuid) is
  'Returns its argument, or refuses. A phone names the shopper it means, so that a request that meets another session does nothing instead of the wrong thing.';

create function public.whole_number(p_args jsonb, p_name text) returns bigint
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_args -> p_name) is distinct from 'number' or (p_args ->> p_name)::numeric % 1 <> 0 then
    raise exception '% is not a whole number', p_name using errcode = 'invalid_parameter_value';
  end if;
  return (p_args ->> p_name)::numeric::bigint;
end $$;
comment on function public.whole_number(jsonb, text) is
  'An argument of a change. Fails with SQLSTATE class 22; a plain cast would round 1.5 and take "1".';

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
comment on function public.time_or_null(text) is
  'A phone''s clock may say anything; that is no reason to refuse a change.';

create function public.apply_change(p_user uuid, p_change jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  args jsonb := p_change -> 'args';
begin
  if p_change -> 'schema' is distinct from '1' then
    raise exception 'unknown schema' using errcode = 'invalid_parameter_value';
  end if;
  -- The table's own check keeps quantities within 1 and 999, also for the amount that is added:
  -- a row is checked as proposed before a conflict turns it into an update.
  case p_change ->> 'kind'
    when 'cart.add' then
      insert into public.cart_items as line (user_id, product_id, quantity)
      values (p_user, public.whole_number(args, 'productId'), public.whole_number(args, 'by'))
      on conflict (user_id, product_id) do update set quantity = line.quantity + excluded.quantity;
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
      raise exception 'unknown kind' using errcode = 'invalid_parameter_value';
  end case;
end $$;
comment on function public.apply_change(uuid, jsonb) is
  'Does one change, or fails with SQLSTATE class 22 or 23. foldChanges in src/domain/change.ts does the same; a test holds the two against each other.';

create function public.rejection_sentence(p_code text, p_message text) returns text
language sql immutable set search_path = ''
as $$
  select case
    when p_code = '23503' then 'This product is no longer in the shop.'
    when p_code = '23514' then 'A cart holds 1 to 999 of a product.'
    when p_code = 'P0001' then p_message
    when p_code like '22%' then 'The shop did not understand this. Reload the page and try again.'
    else 'The shop could not save this.'
  end
$$;
comment on function public.rejection_sentence(text, text) is
  'What a shopper reads about a rejected change. P0001 is what our own functions raise, in words for the shopper.';

-- Push --------------------------------------------------------------------------------------------

create function public.push(p_user uuid, p_device uuid, p_changes jsonb) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  change jsonb;
  id uuid;
  new_ver bigint;
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
  perform set_config('shop.pushing', p_user::text, true);
  for change in select value from jsonb_array_elements(p_changes) loop
    id := change ->> 'id';
    if id is null or id::text <> change ->> 'id' then
      raise exception 'a change has an id, a lower-case uuid' using errcode = 'invalid_parameter_value';
    end if;
    continue when exists (
      select from public.applied_changes a where a.user_id = p_user and a.change_id = id);

    new_ver := new_ver + 1;
    begin
      perform public.apply_change(p_user, change);
      insert into public.applied_changes (user_id, change_id, device_id, ver, kind, args, outcome, made_at)
      values (p_user, id, p_device, new_ver, change ->> 'kind', change -> 'args', 'applied',
        public.time_or_null(change ->> 'madeAt'));
    exception when data_exception or integrity_constraint_violation or raise_exception then
      insert into public.applied_changes
        (user_id, change_id, device_id, ver, kind, args, outcome, code, message, made_at)
      values (p_user, id, p_device, new_ver, coalesce(change ->> 'kind', ''), change -> 'args', 'rejected',
        sqlstate, public.rejection_sentence(sqlstate, sqlerrm), public.time_or_null(change ->> 'madeAt'));
    end;
  end loop;
  perform set_config('shop.pushing', '', true);
  update public.sync_user set ver = new_ver where user_id = p_user and ver <> new_ver;
  return json_build_object('ver', new_ver);
end $$;
comment on function public.push(uuid, uuid, jsonb) is
  'Applies up to 50 changes [{id, kind, args, schema, madeAt}] of the calling shopper in their order and returns {ver}. A known id is skipped. A change that can never succeed (SQLSTATE classes 22 and 23, P0001) is recorded as rejected and the rest goes on; any other error undoes the whole batch, which may be tried again. Only a change without a proper id fails the batch for good: there is nothing to record it under. Security definer because no role may write versions or applied_changes by hand; it acts only for the user of the token.';

-- Pull --------------------------------------------------------------------------------------------

create function public.pull(p_user uuid, p_device uuid, p_since bigint default null, p_pending uuid[] default '{}')
returns json
language sql stable set search_path = ''
as $$
  with shopper as materialized (select public.require_shopper(p_user) as id),
  state as (
    select coalesce((select s.ver from public.sync_user s where s.user_id = shopper.id), 0) as ver
    from shopper
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
    'cart', case when p_since is distinct from state.ver then coalesce((
      select json_agg(json_build_array(c.product_id, c.quantity, trim_scale(c.price_when_added)) order by c.id)
      from public.cart_items c where c.user_id = shopper.id), '[]') end,
    'favourites', case when p_since is distinct from state.ver then coalesce((
      select json_agg(f.product_id order by f.product_id)
      from public.favorites f where f.user_id = shopper.id), '[]') end,
    'acks', coalesce((select json_agg(change_id order by ver) from settled), '[]'),
    'rejected', coalesce((
      select json_agg(json_build_object('id', change_id, 'code', code, 'message', message) order by ver)
      from settled where outcome = 'rejected'), '[]')
  )
  from shopper, state
$$;
comment on function public.pull(uuid, uuid, bigint, uuid[]) is
  'A shopper''s data as {uid, device, ver, cart: [[product id, quantity, price when added]], favourites: [product id], acks: [id], rejected: [{id, code, message}]}. cart and favourites are null when p_since is the current version. acks are those of p_pending that were applied or rejected. One statement, so rows and acks come from one snapshot: a phone never shows a change twice or not at all.';

revoke all on function
  public.require_shopper(uuid), public.whole_number(jsonb, text), public.time_or_null(text),
  public.apply_change(uuid, jsonb), public.rejection_sentence(text, text),
  public.push(uuid, uuid, jsonb), public.pull(uuid, uuid, bigint, uuid[])
  from public, anon, authenticated, service_role;
-- pull runs with the caller's rights and calls require_shopper.
grant execute on function
  public.require_shopper(uuid), public.push(uuid, uuid, jsonb), public.pull(uuid, uuid, bigint, uuid[])
  to authenticated;
