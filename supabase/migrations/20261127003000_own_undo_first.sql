-- A begun undo of a deleted account's import stood first in every account's list: `user_id = p_user` was
-- null, and `order by … desc` puts null first.

create or replace function public.recent_imports(p_user uuid, p_staff boolean) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(json_build_object(
      'import_id', i.id, 'file_name', i.file_name,
      'started_at', i.started_at, 'finished_at', i.finished_at,
      'by_me', i.user_id is not distinct from p_user,
      'inserted', i.inserted, 'updated', i.updated, 'unchanged', i.unchanged,
      'replaced', i.replaced, 'rejected', i.rejected, 'skipped', i.skipped,
      'state', i.state, 'undo', public.may_undo(i, p_user, p_staff)) order by listed.place), '[]')
  from (
    select id, row_number() over (order by
      (undo_log = 'whole' and state = 'undoing'
        and (user_id is not distinct from p_user or p_staff)) desc,
      ver desc nulls last, started_at desc) as place
    from public.imports order by place limit 20
  ) listed
  join public.imports i using (id)
  where listed.place = 1 or i.ver is not null
$$;
