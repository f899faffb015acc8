-- Forgetting changes of long ago.

-- Rows lie in the order of their time, more or less: a few pages of index find the oldest.
create index applied_changes_applied_at on public.applied_changes using brin (applied_at);

create function public.prune_applied_changes(p_before timestamptz) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pruned bigint;
begin
  if p_before is null or p_before > now() - interval '365 days' then
    raise exception 'changes of the last 365 days are not pruned' using errcode = 'invalid_parameter_value';
  end if;
  delete from public.applied_changes where applied_at < p_before;
  get diagnostics pruned = row_count;
  return pruned;
end $$;
comment on function public.prune_applied_changes(timestamptz) is
  'Forgets changes applied before a time and returns how many; run by the shop''s upkeep, never by a push. The id of a change must outlive every phone that may still send it: a phone sends a change until a pull has acknowledged it, and it may lie in a drawer with its answer lost for months. Then an unknown id would be applied a second time. 400 days are a good age; less than 365 is refused. Security definer because no role may write applied_changes by hand.';

revoke all on function public.prune_applied_changes(timestamptz) from public, anon, authenticated;
grant execute on function public.prune_applied_changes(timestamptz) to service_role;
