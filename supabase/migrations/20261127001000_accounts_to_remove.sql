-- Where the database may not delete from auth.users, the server asks the auth service to delete an account, after
-- erase_account. If that request fails, or the server is ended before it, the nightly upkeep asks again.

create function public.accounts_to_remove() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  left_behind uuid[] := array(
    select d.user_id from public.deleted_accounts d join auth.users u on u.id = d.user_id
    order by d.deleted_at limit 20);
begin
  -- The auth service writes the address of the account into its log once more, so that log is read again.
  update public.deleted_accounts set deleted_at = now(), log_erased_at = null where user_id = any (left_behind);
  return left_behind;
end $$;
comment on function public.accounts_to_remove() is
  'Up to 20 accounts that their owners have deleted and that the auth service still has. The server asks it to delete them. Security definer because no role may read the list.';
revoke all on function public.accounts_to_remove() from public, anon, authenticated, service_role;
grant execute on function public.accounts_to_remove() to service_role;
