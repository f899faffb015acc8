-- What a person may ask of the shop: a copy of all that it has about them, and that it forgets them.
--
-- An account goes with its cart, favourites and sessions. Its orders stay, because the shop must keep
-- its books, but without the name, the address and the email: at once where nothing was ever paid, and
-- otherwise when the shop need not keep them any longer.

-- Accounts that were deleted, by their owners or in the dashboard, so that other phones hear of it, and that
-- the person who puts a backup back knows which accounts to delete again. An account that is merely missing,
-- after a backup was put back, is not among them: what waits on its phones stays there.
create table public.deleted_accounts (
  user_id uuid primary key,
  deleted_at timestamptz not null,
  -- When the auth service's log had lost all entries about the account; null until then.
  log_erased_at timestamptz,
  -- When the account itself was deleted; null until then. An account of the same id that somebody puts back
  -- later is another one.
  removed_at timestamptz
);
alter table public.deleted_accounts enable row level security;

-- The reading of the auth service's log that is under way, at most one: for the accounts that were deleted
-- until began_at, an hour before its first slice, up to the entry last_id.
create table public.auth_log_sweeps (
  began_at timestamptz not null,
  last_id uuid not null
);
alter table public.auth_log_sweeps enable row level security;

-- Erasing -----------------------------------------------------------------------------------------

-- Blanks name, address and email of an order. What was bought, at which prices, stays.
create function public.erase_order(p_order uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('weft.erased_order', p_order::text, true);
  update public.orders set email = '', address = null, asked = asked - 'address'
  where id = p_order and address is not null;
  perform set_config('weft.erased_order', '', true);
end $$;

-- Whether the shop need not know any longer who placed an order: no money can come, waits for a person or is
-- disputed, and none came or it came before p_paid_before. Null keeps all orders that money came for. A shop
-- answers a dispute with the name and the address that it sent the goods to.
create function public.is_erasable(p_order public.orders, p_paid_before timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select p_order.address is not null
    and p_order.dispute_state is distinct from 'open'
    -- A remark on an order that no money came for waits for nobody.
    and (p_order.review is null or not exists (
      select from public.payment_events e
      where e.order_id = p_order.id and e.outcome = 'captured'))
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

-- Deletes an account with its cart, favourites and sessions, in one transaction, and erases its orders that
-- were never paid, as {open: [{attempt, order}], is_removed}. Nothing is deleted while open names payments
-- that the shopper may still make: settle them at their providers, then ask again. Refuses while money is on
-- its way. is_removed is false where the account itself is left to the auth service.
create function public.erase_account(p_user uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  page public.payment_attempts;
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
    perform public.refuse('payment-under-way',
      'A payment of yours is still being confirmed. The account can be deleted as soon as it is through.');
  end if;
  perform public.void_wallet(o.id) from public.orders o where o.user_id = p_user;
  for page in
    select a.* from public.orders o join public.payment_attempts a on a.order_id = o.id
    where o.user_id = p_user and public.is_alive(a.state) order by o.created_at, o.id
  loop
    open_pages := coalesce(open_pages, '[]') || jsonb_build_object(
      'attempt', public.attempt_as_json(page), 'order', public.order_as_json(page.order_id));
  end loop;
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
  insert into public.deleted_accounts (user_id, deleted_at) values (p_user, p_now)
  on conflict do nothing;
  -- Hosted projects own `auth` by another role. Without the right the server asks the auth service.
  if not has_table_privilege('auth.users', 'delete') then
    return jsonb_build_object('open', '[]'::jsonb, 'is_removed', false);
  end if;
  delete from auth.users where id = p_user;
  return jsonb_build_object('open', '[]'::jsonb, 'is_removed', true);
end $$;

-- Notes an account that is deleted in the dashboard or by the auth service.
create function public.note_deleted_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deleted_accounts (user_id, deleted_at, removed_at) values (old.id, now(), now())
  on conflict (user_id) do update set removed_at = now();
  return null;
end $$;

-- Hosted projects own `auth` by another role. Without the right only deletions in the shop are noted.
do $$
begin
  if has_table_privilege('auth.users', 'trigger') then
    create trigger note_deleted_account after delete on auth.users
      for each row execute function public.note_deleted_account();
  end if;
end $$;

-- Whether its owner has deleted this account.
create function public.account_was_deleted(p_user uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.deleted_accounts d where d.user_id = p_user) $$;

-- Up to 20 accounts that their owners have deleted and that the auth service still has, and notes that they
-- are being deleted now. Where the database may not delete from auth.users, the server asks the auth service
-- to do it, after erase_account. If that request fails, the nightly upkeep makes it again.
create function public.accounts_to_remove() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  left_behind uuid[] := array(
    select d.user_id from public.deleted_accounts d join auth.users u on u.id = d.user_id
    where d.removed_at is null order by d.deleted_at, d.user_id limit 20);
begin
  -- The auth service writes the address of the account into its log once more, so that log is read again.
  update public.deleted_accounts set deleted_at = now(), log_erased_at = null where user_id = any (left_behind);
  return left_behind;
end $$;

-- Reads the next 20,000 entries of the auth service's log for accounts that were deleted, deletes those that
-- name one, and returns how many it has read. 0 at once where no account was deleted since the last time.
-- That log (`auth.audit_log_entries`) holds the address of whoever signed in, and a deletion through the auth
-- service adds an entry with the deleted address. It has no index by account and can have millions of
-- entries.
create function public.erase_auth_log() returns int
language plpgsql volatile security definer set search_path = ''
as $$
declare
  slice constant int := 20000;
  -- The auth service may write about a deletion a little later, and a statement of this sweep may not see yet
  -- what another one commits beside it.
  settled constant timestamptz := now() - interval '1 hour';
  sweep public.auth_log_sweeps;
  looked_at uuid[];
begin
  -- Where the auth service has no such log, or this role may not delete from it, there is nothing to do here.
  if to_regclass('auth.audit_log_entries') is null
    or not has_table_privilege('auth.audit_log_entries', 'select')
    or not has_table_privilege('auth.audit_log_entries', 'delete') then
    return 0;
  end if;
  -- Two runs at once would each take a slice of the same sweep.
  lock table public.auth_log_sweeps in exclusive mode;
  select * into sweep from public.auth_log_sweeps;
  if not found then
    if not exists (
      select from public.deleted_accounts d where d.log_erased_at is null and d.deleted_at <= settled) then
      return 0;
    end if;
    insert into public.auth_log_sweeps (began_at, last_id)
    values (settled, '00000000-0000-0000-0000-000000000000') returning * into sweep;
  end if;

  select coalesce(array_agg(e.id order by e.id), '{}') into looked_at
  from (
    select l.id from auth.audit_log_entries l where l.id > sweep.last_id order by l.id limit slice) e;
  delete from auth.audit_log_entries e
  where e.id in (
    select l.id
    from auth.audit_log_entries l
    cross join lateral (
      -- The value \u0000 of a key would make every `->>` fail.
      select case when l.payload::text not like '%\\u0000%' then l.payload end as payload) as readable
    cross join lateral (
      values (readable.payload ->> 'actor_id'), (readable.payload -> 'traits' ->> 'user_id')) as named (account)
    join public.deleted_accounts d on d.user_id::text = named.account
    where l.id = any (looked_at) and d.log_erased_at is null and d.deleted_at <= sweep.began_at);

  if cardinality(looked_at) < slice then
    update public.deleted_accounts set log_erased_at = now()
    where log_erased_at is null and deleted_at <= sweep.began_at;
    delete from public.auth_log_sweeps where began_at = sweep.began_at;
  else
    update public.auth_log_sweeps set last_id = looked_at[slice] where began_at = sweep.began_at;
  end if;
  return cardinality(looked_at);
end $$;

-- A copy of all that there is ---------------------------------------------------------------------

-- All that the shop has about a person beside the account itself: {cart, favourites, orders, imports,
-- matches, changes}. matches are those of import_matches whose import is theirs. changes are the newest
-- 10,000 that their phones have sent, because an answer has 6 MB at most. Security definer so that one
-- statement reads it all, from one snapshot; only the server may call it, after it has checked who asks.
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
          select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'kind', e.kind, 'detail', e.detail)
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
    'matches', (
      select coalesce(jsonb_agg(jsonb_build_object('headings', m.headings, 'columns', m.places,
        'rules_off', m.rules_off, 'import_id', m.import_id, 'matched_at', m.matched_at)
        order by m.matched_at), '[]')
      from public.import_matches m join public.imports i on i.id = m.import_id
      where i.user_id = p_user),
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
