-- The auth service's own log (`auth.audit_log_entries`) holds the address of whoever signed in, and a deletion
-- through that service adds an entry with the deleted address. So these entries go after their account, at
-- night. The log has no index by account and can have millions of entries, so it is read only when an account was
-- deleted, in slices. And the copy of a person's data holds what the auth service knows of them.

alter table public.deleted_accounts add log_erased_at timestamptz;
comment on column public.deleted_accounts.log_erased_at is
  'When the auth service''s log had lost all entries about the account; null until then.';

create table public.auth_log_sweeps (
  began_at timestamptz not null,
  last_id uuid not null
);
comment on table public.auth_log_sweeps is
  'The reading of the auth service''s log that is under way, at most one: for the accounts that were deleted until began_at, an hour before its first slice, up to the entry last_id.';
alter table public.auth_log_sweeps enable row level security;
revoke all on public.auth_log_sweeps from public, anon, authenticated, service_role;

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
comment on function public.erase_auth_log() is
  'Reads the next 20,000 entries of the auth service''s log for accounts that were deleted, deletes those that name one, and returns how many it has read. 0 at once where no account was deleted since the last time.';
revoke all on function public.erase_auth_log() from public, anon, authenticated, service_role;
grant execute on function public.erase_auth_log() to service_role;

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
comment on function public.account_from_auth(uuid) is
  'What the auth service knows of a person beside the id, the email and the role: {created_at, last_sign_in_at, metadata, changing_to, sessions: [{begun_at, user_agent, ip}]}; its log is not in it. Null for an unknown id. Security definer, because no role of the API may read these tables; only the server may call it, after it has checked who asks.';
revoke all on function public.account_from_auth(uuid) from public, anon, authenticated, service_role;
grant execute on function public.account_from_auth(uuid) to service_role;

comment on table public.order_events is
  'All that ever happened to an order, for people to read. Only ever added to, except that an order that was never paid may go with its events (may_forget_order).';
