-- Every deletion of an account is noted: a backup from before it brings the account back, and the
-- person who restores it must know which accounts to delete again.

create function public.note_deleted_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deleted_accounts (user_id, deleted_at) values (old.id, now())
  on conflict do nothing;
  return null;
end $$;
comment on function public.note_deleted_account() is
  'Notes an account that is deleted in the dashboard or by the auth service. Security definer because no role may write the list by hand.';

-- Hosted projects own `auth` by another role. Without the right only deletions in the shop are noted.
do $$
begin
  if has_table_privilege('auth.users', 'trigger') then
    create trigger note_deleted_account after delete on auth.users
      for each row execute function public.note_deleted_account();
  end if;
end $$;

create function public.note_deletion_for_operator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform public.add_notice('account_deleted', new.user_id::text,
    jsonb_build_object('account', new.user_id, 'at', new.deleted_at));
  return null;
end $$;
comment on function public.note_deletion_for_operator() is
  'Notes each deleted account for the operator, because the list itself is lost when a backup is put back. The id says nothing about the person. Security definer because no role may write notices by hand.';
create trigger note_deletion_for_operator after insert on public.deleted_accounts
  for each row execute function public.note_deletion_for_operator();

revoke all on function public.note_deleted_account(), public.note_deletion_for_operator()
  from public, anon, authenticated, service_role;

comment on table public.deleted_accounts is
  'Accounts that were deleted, by their owners or in the dashboard, so that other phones hear of it. An account that is merely missing, after a backup was put back, is not among them: what waits on its phones stays there.';
