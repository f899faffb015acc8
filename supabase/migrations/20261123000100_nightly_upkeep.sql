-- Which night's upkeep was done last, so that a night is made up for whose run was killed.

create table public.upkeep (
  is_only_row boolean primary key default true check (is_only_row),
  night date not null
);
comment on table public.upkeep is
  'At most one row: the last night whose upkeep was done to its end. A night is named by the day (UTC) on which it ends, at 03:00.';
alter table public.upkeep enable row level security;
revoke all on public.upkeep from public, anon, authenticated, service_role;

create function public.upkeep_is_due(p_now timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select from public.upkeep u
    where u.night = (p_now at time zone 'utc' - interval '3 hours')::date)
$$;
comment on function public.upkeep_is_due(timestamptz) is
  'Whether the upkeep of the last night is still to be done. Security definer because no role may read the table.';

create function public.end_upkeep(p_now timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.upkeep (night) values ((p_now at time zone 'utc' - interval '3 hours')::date)
  on conflict (is_only_row) do update set night = excluded.night
$$;
comment on function public.end_upkeep(timestamptz) is
  'All of the last night''s upkeep is done. p_now is the time at which it began. Security definer because no role may write the table by hand.';

-- A day on which many shoppers reach their limit of changes is more than one call can delete in time.
create or replace function public.prune_applied_changes(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned bigint;
begin
  if p_before is null or p_before > now() - interval '365 days' then
    raise exception 'changes of the last 365 days are not pruned' using errcode = 'invalid_parameter_value';
  end if;
  delete from public.applied_changes where ctid = any (array(
    select c.ctid from public.applied_changes c where c.applied_at < p_before limit 50000));
  get diagnostics pruned = row_count;
  return pruned;
end $$;
comment on function public.prune_applied_changes(timestamptz) is
  'Forgets up to 50,000 changes applied before a time and returns how many; run by the shop''s upkeep, never by a push. The id of a change must outlive every phone that may still send it: a phone sends a change until a pull has acknowledged it, and it may lie in a drawer with its answer lost for months. Then an unknown id would be applied a second time. 400 days are a good age; less than 365 is refused. Security definer because no role may write applied_changes by hand.';

revoke all on function public.upkeep_is_due(timestamptz), public.end_upkeep(timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.upkeep_is_due(timestamptz), public.end_upkeep(timestamptz)
  to service_role;
