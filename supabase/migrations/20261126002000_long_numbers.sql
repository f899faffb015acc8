-- Eight bytes of JSON, `1e131071`, are 131,072 digits as text, and `0e-16383` is 16,385: to measure a push so
-- took gigabytes of memory.

create function public.has_long_number(p_value jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select exists (
    select from jsonb_path_query(p_value, 'strict $.** ? (@.type() == "number")') as n
    where scale(n::numeric) > 400 or abs(n::numeric) > 1e400)
$$;
comment on function public.has_long_number(jsonb) is
  'Whether JSON holds a number of more than 400 places, beyond all that JavaScript writes.';
revoke all on function public.has_long_number(jsonb) from public, anon, authenticated, service_role;

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
  -- The text is measured last: what comes here is at most some hundred times as long as text.
  if jsonb_array_length(p_changes) > 50 or pg_column_size(p_changes) > 400000
    or public.has_long_number(p_changes) or octet_length(p_changes::text) > 64000 then
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
