-- What a person may ask of the shop: a copy of all that it has about them, and that it forgets them.
--
-- An account goes with its cart, favourites and sessions. Its orders stay, because the shop must keep
-- its books, but without the name, the address and the email: at once where nothing was ever paid, and
-- otherwise when the shop need not keep them any longer.

alter table public.orders
  alter column address drop not null,
  drop constraint orders_address_check,
  add constraint orders_address_check check (address is null or public.is_address(address));
comment on column public.orders.address is 'Where it goes; null once it was erased (erase_order).';
comment on column public.orders.email is 'Of the shopper at the time; empty once it was erased (erase_order).';
create index orders_to_erase on public.orders (created_at) where user_id is null and address is not null;

create table public.deleted_accounts (
  user_id uuid primary key,
  deleted_at timestamptz not null
);
comment on table public.deleted_accounts is
  'Accounts that their owners have deleted, so that other phones hear of it. An account that is merely missing, after a backup was put back, is not among them: what waits on its phones stays there.';
alter table public.deleted_accounts enable row level security;
revoke all on public.deleted_accounts from public, anon, authenticated, service_role;

-- Erasing an order --------------------------------------------------------------------------------

create function public.erase_order(p_order uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('weft.erased_order', p_order::text, true);
  update public.orders set email = '', address = null, asked = asked - 'address'
  where id = p_order and address is not null;
  perform set_config('weft.erased_order', '', true);
end $$;
comment on function public.erase_order(uuid) is
  'Blanks name, address and email of an order. What was bought, at which prices, stays.';

create function public.is_erasable(p_order public.orders, p_paid_before timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select p_order.address is not null
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
comment on function public.is_erasable(public.orders, timestamptz) is
  'Whether the shop need not know any longer who placed an order: no money can come or waits for a person, and none came or it came before p_paid_before. Null keeps all orders that money came for.';

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
comment on function public.erase_due(timestamptz) is
  'Erases up to 500 orders of deleted accounts, those that were paid only if that was before p_before (null: none of them), and returns how many. Accounts that were deleted in the dashboard count too.';

-- Deleting an account -----------------------------------------------------------------------------

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
    perform public.refuse('payment-under-way',
      'A payment of yours is still being confirmed. The account can be deleted as soon as it is through.');
  end if;
  perform public.void_wallet(o.id) from public.orders o where o.user_id = p_user;
  select jsonb_agg(jsonb_build_object(
    'attempt', public.attempt_as_json(a), 'order', public.order_as_json(o.id))) into open_pages
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
  insert into public.deleted_accounts (user_id, deleted_at) values (p_user, p_now)
  on conflict do nothing;
  -- Hosted projects own `auth` by another role. Without the right the server asks the auth service.
  if not has_table_privilege('auth.users', 'delete') then
    return jsonb_build_object('open', '[]'::jsonb, 'is_removed', false);
  end if;
  delete from auth.users where id = p_user;
  return jsonb_build_object('open', '[]'::jsonb, 'is_removed', true);
end $$;
comment on function public.erase_account(uuid, timestamptz) is
  'Deletes an account with its cart, favourites and sessions, in one transaction, and erases its orders that were never paid, as {open: [{attempt, order}], is_removed}. Nothing is deleted while open names payments that the shopper may still make: settle them at their providers, then ask again. Refuses while money is on its way. is_removed is false where the account itself is left to the auth service.';

create function public.account_was_deleted(p_user uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.deleted_accounts d where d.user_id = p_user) $$;
comment on function public.account_was_deleted(uuid) is
  'Whether its owner has deleted this account. Security definer because no role may read the list.';

create or replace function public.require_shopper(p_user uuid) returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_user is null or auth.uid() is distinct from p_user then
    raise exception 'this session is not that of the shopper whose data it asks for'
      using errcode = 'insufficient_privilege';
  elsif exists (select from public.deleted_accounts d where d.user_id = p_user) then
    raise exception 'this account was deleted' using errcode = 'insufficient_privilege';
  end if;
  return p_user;
end $$;
comment on function public.require_shopper(uuid) is
  'Returns its argument, or refuses. A phone names the shopper it means, so that a request that meets another session does nothing instead of the wrong thing. Refuses a deleted account although its token holds for up to an hour: its phones then hear that the session has ended. Security definer because no role may read the list of deleted accounts.';

-- A copy of all that there is ---------------------------------------------------------------------

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
        'unchanged', i.unchanged, 'rejected', i.rejected) order by i.started_at), '[]')
      from public.imports i where i.user_id = p_user),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.change_id, 'device', c.device_id,
        'kind', c.kind, 'args', c.args, 'outcome', c.outcome, 'made_at', c.made_at)
        order by c.ver), '[]')
      from (
        select * from public.applied_changes a where a.user_id = p_user
        order by a.ver desc limit 10000) c))
$$;
comment on function public.account_as_json(uuid) is
  'All that the shop has about a person beside the account itself: {cart, favourites, orders, imports, changes}. changes are the newest 10,000 that their phones have sent, because an answer has 6 MB at most. Security definer so that one statement reads it all, from one snapshot; only the server may call it, after it has checked who asks.';

revoke all on function
  public.erase_order(uuid), public.is_erasable(public.orders, timestamptz),
  public.erase_due(timestamptz), public.erase_account(uuid, timestamptz),
  public.account_was_deleted(uuid), public.account_as_json(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.erase_due(timestamptz), public.erase_account(uuid, timestamptz),
  public.account_was_deleted(uuid), public.account_as_json(uuid)
  to service_role;
