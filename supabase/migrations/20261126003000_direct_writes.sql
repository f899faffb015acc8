-- A direct write of the cart or the favourites that waited for another one of the same account held a connection
-- meanwhile. Some twenty writes a second held all that the API has, so that nobody else could read.

create or replace function public.lock_caller() returns trigger
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
    -- Rows that exist have a version that exists, and when an account is being deleted the version
    -- must not come back.
    perform public.lock_account(caller);
    perform from public.sync_user where user_id = caller for update;
  end if;
  return null;
end $$;
comment on function public.lock_caller() is
  'Runs before each writing statement, when no row is locked yet: the other way round, a row-level client and a push would hold what the other waits for. Refuses the statement while another writer of the account is under way. Security definer like all functions that touch versions.';

-- A push, an order or a payment of the account waited for such a write as long as that ran, and each held a
-- connection. They are tried again: phones and the reconcile do it by themselves, and functions answer 503.
alter function public.lock_account(uuid) set lock_timeout = '1s';
