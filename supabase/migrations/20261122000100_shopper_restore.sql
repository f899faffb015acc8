-- A shopper's version that survives a restore.
--
-- A database that was set back to its backup hands out the same version numbers a second time, for
-- other data. So each version carries a random stamp. A phone sends the stamp that it holds, and
-- gets all rows unless the server has that version under that stamp. The server never learns
-- anything from a phone's stamp, so no phone can change what others are told.

alter table public.sync_user add column stamp uuid not null default gen_random_uuid();
comment on column public.sync_user.stamp is
  'Random, and new with each version: tells this version from one of the same number that a restore took away.';

create function public.renew_stamp() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.stamp := gen_random_uuid();
  return new;
end $$;
comment on function public.renew_stamp() is
  'Gives a new version its stamp, whoever raises it: push, a trigger, or a person in the SQL editor.';

create trigger renew_stamp
  before update on public.sync_user
  for each row when (new.ver is distinct from old.ver) execute function public.renew_stamp();

drop function public.pull(uuid, uuid, bigint, uuid[]);
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
      coalesce(p_since = ver and (p_stamp is null or p_stamp = stamp), false) as is_known
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
comment on function public.pull(uuid, uuid, bigint, uuid[], uuid) is
  'A shopper''s data as {uid, device, ver, stamp, cart: [[product id, quantity, price when added]], favourites: [product id], acks: [id], rejected: [{id, code, message}]}. cart and favourites are null when p_since is the current version and p_stamp its stamp; p_stamp null is a build that knows no stamps, which is answered by p_since alone. stamp is null while the shopper has no version. acks are those of p_pending that were applied or rejected. One statement, so rows and acks come from one snapshot: a phone never shows a change twice or not at all.';

revoke all on function
  public.renew_stamp(), public.pull(uuid, uuid, bigint, uuid[], uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.pull(uuid, uuid, bigint, uuid[], uuid) to authenticated;
