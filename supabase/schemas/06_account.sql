-- What a person may ask of the shop: a copy of all that it has about them, and that it forgets them.
--
-- An account goes with its cart, favourites and sessions. Its orders stay, because the shop must keep
-- its books, but without the name, the address and the email: at once where nothing was ever paid, and
-- otherwise when the shop need not keep them any longer.

-- Erasing -----------------------------------------------------------------------------------------

-- Blanks name, address and email of an order, and where its parcel is followed. What was bought, at which
-- prices, stays.
create function public.erase_order(p_order uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- `guard_order` lets this order change until the setting is empty.
  perform set_config('weft.erased_order', p_order::text, true);
  update public.orders set email = '', address = null, asked = asked - 'address', tracking_url = null
  where id = p_order and address is not null;
  perform set_config('weft.erased_order', '', true);
end $$;

-- Whether the shop may forget who placed an order: no money can come any more, no review or dispute is open, and the
-- order was never paid, or before p_paid_before. Null keeps all orders that money came for. A shop answers a dispute
-- with the name and the address that it sent the goods to.
create function public.is_erasable(p_order public.orders, p_paid_before timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select p_order.address is not null
    and p_order.dispute_state is distinct from 'open'
    and p_order.review is null
    and p_order.state not in ('pending', 'confirming')
    and not exists (
      select from public.payment_attempts a
      where a.order_id = p_order.id
        and (public.is_alive(a.state)
          or a.state = 'captured'
            and coalesce(coalesce(p_order.paid_at, p_order.created_at) >= p_paid_before, true)))
$$;

-- Erases up to 500 orders of deleted accounts, those that were paid only if that was before p_before (null:
-- none of them), and returns how many. Accounts that were deleted in the dashboard count too.
create function public.erase_due(p_before timestamptz) returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due public.orders;
  erased int := 0;
begin
  for due in
    select * from public.orders o
    where o.user_id is null and o.address is not null and public.is_erasable(o, p_before)
    order by o.created_at limit 500 for update skip locked
  loop
    perform public.erase_order(due.id);
    erased := erased + 1;
  end loop;
  -- Of an import that began while its account was being deleted, or whose account staff deleted.
  update public.imports set email = null where user_id is null and email is not null;
  return erased;
end $$;

-- Deletes what the shop has of an account, in one transaction: cart, favourites and changes, and who placed the
-- orders that were never paid. Returns {open: [{attempt, order}], is_removed}. Nothing is deleted while open
-- names payments that the shopper may still make: settle them at their providers, then ask again. Rejects while
-- money is on its way. is_removed is false where the account itself is left to the auth service; a second call
-- finishes what a first one began.
create function public.erase_account(p_user uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  open_pages jsonb;
begin
  if not exists (select from auth.users where id = p_user) then
    return jsonb_build_object('open', '[]'::jsonb, 'is_removed', true);
  end if;
  perform public.lock_shopper(p_user);
  perform from public.orders where user_id = p_user order by id for update;
  if exists (
    select from public.orders o where o.user_id = p_user and (o.state = 'confirming' or exists (
      select from public.payment_attempts a where a.order_id = o.id and a.state = 'processing'))) then
    perform public.reject('payment-under-way',
      'One of your payments is still being confirmed. You can delete your account once it’s done.');
  end if;
  perform public.void_wallet(o.id) from public.orders o where o.user_id = p_user;
  select jsonb_agg(jsonb_build_object(
    'attempt', public.attempt_as_json(a), 'order', public.order_as_json(o.id)) order by o.created_at, o.id)
  into open_pages
  from public.orders o join public.payment_attempts a on a.order_id = o.id
  where o.user_id = p_user and public.is_alive(a.state);
  if open_pages is not null then
    return jsonb_build_object('open', open_pages, 'is_removed', false);
  end if;

  for placed in select * from public.orders where user_id = p_user order by id loop
    if placed.state = 'pending' then
      perform public.move_order(placed, 'cancelled', placed.review, p_now);
      placed.state := 'cancelled';
    end if;
    if public.is_erasable(placed, null) then perform public.erase_order(placed.id); end if;
  end loop;
  update public.imports set email = null where user_id = p_user;
  delete from public.cart_items where user_id = p_user;
  delete from public.favorites where user_id = p_user;
  delete from public.applied_changes where user_id = p_user;
  delete from public.devices where user_id = p_user;
  -- A backup brings the account back, and it must then be deleted again. The id says nothing about the person.
  perform public.queue_message('account_deleted', p_user::text, jsonb_build_object('account', p_user));
  -- Hosted projects own `auth` by another role. Without the right the server asks the auth service.
  if not has_table_privilege('auth.users', 'delete') then
    return jsonb_build_object('open', '[]'::jsonb, 'is_removed', false);
  end if;
  delete from auth.users where id = p_user;
  return jsonb_build_object('open', '[]'::jsonb, 'is_removed', true);
end $$;

-- A copy of all that there is ---------------------------------------------------------------------

-- All that the shop has about a person beside the account itself: {cart, favourites, orders, imports, changes}. It
-- names nobody of the staff. changes are the newest 10,000 that the person's phones have sent, because an answer has
-- 6 MB at most.
-- Security definer so that one statement reads it all, from one snapshot; only the server may call it, after
-- it has checked who asks.
create function public.account_as_json(p_user uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'cart', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', c.product_id, 'skc', p."SKC",
        'size', p."Size", 'quantity', c.quantity, 'price_when_added', c.price_when_added)
        order by c.id), '[]')
      from public.cart_items c left join public.products p on p.id = c.product_id
      where c.user_id = p_user),
    'favourites', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', f.product_id, 'skc', p."SKC",
        'size', p."Size") order by f.product_id), '[]')
      from public.favorites f left join public.products p on p.id = f.product_id
      where f.user_id = p_user),
    'orders', (
      select coalesce(jsonb_agg(public.order_as_json(o.id) - 'user_id' || jsonb_build_object(
        'payments', (
          select coalesce(jsonb_agg(jsonb_build_object('provider', a.provider, 'state', a.state,
            'reference', a.reference, 'begun_at', a.created_at) order by a.number), '[]')
          from public.payment_attempts a where a.order_id = o.id),
        'history', (
          select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'kind', e.kind, 'detail', e.detail - 'by')
            order by e.id), '[]')
          from public.order_events e where e.order_id = o.id)) order by o.created_at), '[]')
      from public.orders o where o.user_id = p_user),
    'imports', (
      select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'email', i.email,
        'file_name', i.file_name, 'started_at', i.started_at, 'finished_at', i.finished_at,
        'state', i.state, 'inserted', i.inserted, 'updated', i.updated,
        'unchanged', i.unchanged, 'replaced', i.replaced, 'skipped', i.skipped,
        'rejected', i.rejected) order by i.started_at), '[]')
      from public.imports i where i.user_id = p_user),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.change_id, 'device', c.device_id,
        'kind', c.kind, 'args', c.args, 'outcome', c.outcome, 'made_at', c.made_at)
        order by c.ver), '[]')
      from (
        select * from public.applied_changes a where a.user_id = p_user
        order by a.ver desc limit 10000) c))
$$;

-- What the auth service knows of a person beside the id, the email and the role: {created_at,
-- last_sign_in_at, metadata, changing_to, sessions: [{begun_at, user_agent, ip}]}; its log is not in it. Null
-- for an unknown id. Security definer, because no role of the API may read these tables; only the server may
-- call it, after it has checked who asks.
create function public.account_from_auth(p_user uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
    'metadata', u.raw_user_meta_data, 'changing_to', nullif(to_jsonb(u) ->> 'email_change', ''),
    'sessions', (
      -- The columns of sessions differ from version to version of the auth service.
      select coalesce(jsonb_agg(jsonb_build_object('begun_at', s.created_at,
        'user_agent', to_jsonb(s) -> 'user_agent', 'ip', to_jsonb(s) -> 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id))
  from auth.users u where u.id = p_user
$$;

-- Metadata ----------------------------------------------------------------------------------------

-- Rejects user_metadata that would make an account's access tokens too long for a header. What people write
-- into their own user_metadata stands in each of their access tokens. Gateways refuse a long header, so
-- whoever once held a session could make an account useless to its owner for good. The shop writes nothing
-- there; the auth service itself writes some 150 bytes.
create function public.reject_long_metadata() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  raise check_violation using message = 'The metadata of an account may have 1,000 bytes at most.';
end $$;

-- Hosted projects own `auth` by another role. Without the rights nothing limits metadata.
do $$
begin
  if has_table_privilege('auth.users', 'trigger') and has_table_privilege('auth.users', 'update') then
    update auth.users set raw_user_meta_data = '{}'
    where octet_length(raw_user_meta_data::text) > 1000;
    create trigger reject_long_metadata before insert or update of raw_user_meta_data on auth.users
      for each row when (octet_length(new.raw_user_meta_data::text) > 1000)
      execute function public.reject_long_metadata();
  end if;
end $$;
