-- What people write into their own user_metadata stands in each of their access tokens. Gateways refuse a
-- long header, so whoever once held a session could make an account useless to its owner for good. The
-- shop writes nothing there; the auth service itself writes some 150 bytes.

create function public.reject_long_metadata() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  raise check_violation using message = 'The metadata of an account may have 1,000 bytes at most.';
end $$;
comment on function public.reject_long_metadata() is
  'Rejects user_metadata that would make an account''s access tokens too long for a header.';
revoke all on function public.reject_long_metadata() from public, anon, authenticated, service_role;

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
