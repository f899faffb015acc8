-- Every row of an imported file is in a count: rows that a later one replaces and rows that a rule skips
-- are counted beside those that were rejected.

alter table public.imports add column replaced bigint not null default 0;
alter table public.imports add column skipped bigint not null default 0;
alter table public.import_parts add column replaced int not null default 0;
alter table public.import_parts add column skipped int not null default 0;
comment on column public.imports.replaced is
  'Rows that a later row of the same stock code and size replaced. Together with inserted, updated, unchanged, rejected and skipped these are all rows of the file; imports before this column have 0.';
comment on column public.imports.skipped is
  'Rows that a rule of the import page left out, such as a shop export''s rows for further pictures.';
comment on column public.import_parts.rejected is
  'The first part has those of the whole file that were counted on the importer''s device; the same holds for replaced and skipped.';

-- The build before this one does not send the two last arguments.
drop function public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int);
create function public.import_part(
  p_import uuid, p_user uuid, p_email text, p_file_name text, p_part int, p_total_parts int,
  p_digest text, p_rows jsonb, p_rejected int, p_replaced int default 0, p_skipped int default 0)
returns json
language plpgsql volatile set search_path = ''
set statement_timeout = '55s' set lock_timeout = '10s'
as $$
declare
  this public.imports;
  known public.import_parts;
  counts json;
  has_written boolean;
  keeps_log boolean;
begin
  perform public.take_catalogue_lock();
  insert into public.imports as i (id, user_id, email, file_name, total_parts)
  values (p_import, p_user, p_email, p_file_name, p_total_parts)
  on conflict (id) do update set total_parts = excluded.total_parts
  where i.total_parts is null and excluded.total_parts is not null;
  select * into strict this from public.imports where id = p_import;
  if this.user_id is distinct from p_user then
    raise sqlstate 'PT404' using message = 'There is no such import.';
  end if;
  if this.state in ('undoing', 'undone') then
    raise sqlstate 'PT409' using message = 'This import has been undone. Start the file again as a new import.';
  end if;
  if this.total_parts <> p_total_parts or p_part >= this.total_parts then
    raise sqlstate 'PT409' using message = 'This import was begun with another number of parts.';
  end if;

  select * into known from public.import_parts where import_id = p_import and part = p_part;
  if not found then
    -- Without its importer nobody could undo it, and a log that was removed meanwhile has a hole.
    keeps_log := p_user is not null and (this.undo_log = 'whole' or this.ver is null);
    counts := public.import_products(p_rows, case when keeps_log then p_import end);
    has_written := counts ->> 'ver' is not null;
    insert into public.import_parts (import_id, part, digest, inserted, updated, unchanged, rejected,
      replaced, skipped)
    values (p_import, p_part, p_digest, (counts ->> 'inserted')::int, (counts ->> 'updated')::int,
      (counts ->> 'unchanged')::int, p_rejected, p_replaced, p_skipped)
    returning * into known;
    update public.imports set
      inserted = inserted + known.inserted,
      updated = updated + known.updated,
      unchanged = unchanged + known.unchanged,
      rejected = rejected + known.rejected,
      replaced = replaced + known.replaced,
      skipped = skipped + known.skipped,
      ver = coalesce((counts ->> 'ver')::bigint, ver),
      undo_log = case when has_written and keeps_log then 'whole' else undo_log end,
      undo_left = undo_left + (counts ->> 'logged')::bigint
    where id = p_import;
    perform public.retire_old_logs();
    perform public.drop_old_log();
  elsif known.digest <> p_digest then
    raise sqlstate 'PT409' using message = 'This part of the import was sent before with other content.';
  end if;
  update public.imports i set state = 'finished', finished_at = now()
  where i.id = p_import and i.state = 'running' and i.total_parts = (
    select count(*) from public.import_parts p where p.import_id = i.id and p.part < i.total_parts);
  return json_build_object('inserted', known.inserted, 'updated', known.updated,
    'unchanged', known.unchanged, 'rejected', known.rejected);
end $$;
comment on function public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int, int, int) is
  'Writes one part of an import and returns its counts {inserted, updated, unchanged, rejected}; a part that was written before only returns them. p_total_parts null: not known yet. p_rejected, p_replaced and p_skipped are rows that are not in p_rows. Fails with PT404 where the import is somebody else''s, and with PT409, in a sentence for the importer, where it has been undone, or was begun with other content or another number of parts. PostgREST answers PTxyz with status xyz (manual, "Errors").';
revoke all on function
  public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int, int, int)
  from public, anon, authenticated, service_role;
grant execute on function
  public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int, int, int) to service_role;

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
      (undo_log = 'whole' and state = 'undoing' and (user_id = p_user or p_staff)) desc,
      ver desc nulls last, started_at desc) as place
    from public.imports order by place limit 20
  ) listed
  join public.imports i using (id)
  where listed.place = 1 or i.ver is not null
$$;
