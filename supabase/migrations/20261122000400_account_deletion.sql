-- Deleting an account while its phones push.
--
-- A deletion locks the account first and the shopper's rows afterwards. A writer that locked the
-- shopper's version first, and needed the account for a foreign key later, waited for a deletion
-- that waited for it. So writers take the account first as well.

create function public.lock_account(p_user uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The writers of one shopper queue here, where they hold nothing yet. Queued at the version, each
  -- would hold the account meanwhile, and a deletion would wait until no writer is left.
  perform pg_advisory_xact_lock(20261122, hashtext(p_user::text));
  -- A row lock needs the right to UPDATE. Hosted projects own `auth` by another role and say of it
  -- only that reading is granted: without the right, a deletion beside a push may deadlock and has
  -- to be tried again, which is no reason to refuse the push.
  if has_any_column_privilege('auth.users', 'update') then
    perform from auth.users where id = p_user for key share;
  end if;
end $$;
comment on function public.lock_account(uuid) is
  'Keeps an account from being deleted until the transaction ends; waits for a deletion that has begun. Signing in does not wait for it: it changes no key. Security definer because shoppers may not read accounts.';

create or replace function public.lock_shopper(p_user uuid) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  current_ver bigint;
begin
  perform public.lock_account(p_user);
  -- Once more when the row goes away in between, because the account is being deleted: the insert
  -- then fails for want of the account.
  loop
    insert into public.sync_user (user_id) values (p_user) on conflict do nothing;
    select ver into current_ver from public.sync_user where user_id = p_user for update;
    exit when found;
  end loop;
  return current_ver;
end $$;

create or replace function public.lock_caller() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then return null; end if;
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

revoke all on function public.lock_account(uuid) from public, anon, authenticated, service_role;
