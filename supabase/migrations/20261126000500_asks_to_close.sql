-- To close a payment page, before an order is cancelled or an account deleted, a provider is asked, too.

create or replace function public.cancel_own_order(p_user uuid, p_order uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders;
  live_attempt public.payment_attempts;
begin
  perform public.lock_shopper(p_user);
  placed := public.lock_own_order(p_user, p_order);
  select * into live_attempt from public.payment_attempts a where a.order_id = p_order and public.is_alive(a.state);
  -- A capture may be taking the money now, and Stripe's page takes it until Stripe ends the page. A
  -- PayPal order takes none without a capture, so voiding it here suffices.
  if live_attempt.state = 'capturing'
    or (live_attempt.provider = 'stripe' and live_attempt.state <> 'processing') then
    perform public.limit_attempts(p_user, p_now);
    return jsonb_build_object('blocked_by', public.attempt_as_json(live_attempt),
      'order', public.order_as_json(p_order));
  end if;
  -- Also of an order that the shop's staff has cancelled meanwhile.
  if live_attempt.state = 'processing' then
    perform public.refuse('payment-under-way', 'A payment for this order is being confirmed.');
  end if;
  if placed.state not in ('cancelled', 'expired', 'failed') then
    perform public.require_payable(placed);
    perform public.void_wallet(p_order);
    perform public.move_order(placed, 'cancelled', placed.review, p_now);
  end if;
  return jsonb_build_object('blocked_by', null, 'order', public.order_as_json(p_order));
end $$;

create or replace function public.erase_account(p_user uuid, p_now timestamptz) returns jsonb
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
    -- Each page that is handed out is asked about: as many as are left this minute, at least one.
    if open_pages is null then perform public.limit_attempts(p_user, p_now);
    else exit when not public.count_ask(p_user, 30, p_now);
    end if;
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
