-- Where the database may not delete from auth.users, the server asks the auth service to delete an account, after
-- erase_account. If that request fails, or the server is ended before it, the nightly upkeep deletes it again.

alter table public.deleted_accounts add removed_at timestamptz;
comment on column public.deleted_accounts.removed_at is
  'When the account itself was deleted; null until then. An account of the same id that somebody puts back later is another one.';
update public.deleted_accounts d set removed_at = d.deleted_at
where not exists (select from auth.users u where u.id = d.user_id);

create or replace function public.note_deleted_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deleted_accounts (user_id, deleted_at, removed_at) values (old.id, now(), now())
  on conflict (user_id) do update set removed_at = now();
  return null;
end $$;

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
comment on function public.accounts_to_remove() is
  'Up to 20 accounts that their owners have deleted and that the auth service still has, and notes that they are being deleted now. Security definer because no role may read the list.';
revoke all on function public.accounts_to_remove() from public, anon, authenticated, service_role;
grant execute on function public.accounts_to_remove() to service_role;
