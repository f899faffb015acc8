-- Writing an import part by part, taking it back, and what the import page asks before either.

-- Parts -------------------------------------------------------------------------------------------

create function public.drop_old_log() returns void
language plpgsql volatile set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  old_import uuid;
  rows_per_call constant int := 20000;
  dropped int;
begin
  select id into old_import from public.imports where undo_log = 'broken' limit 1;
  if old_import is null then return; end if;
  delete from public.import_changes where ctid = any (array(
    select ctid from public.import_changes where import_id = old_import limit rows_per_call));
  get diagnostics dropped = row_count;
  if dropped < rows_per_call then
    update public.imports set undo_log = 'none' where id = old_import;
  end if;
end $$;
comment on function public.drop_old_log() is
  'Removes up to 20,000 rows of an undo log that is of no use any more. A part adds 10,000 at most, so the logs shrink to the one that counts. Planned anew each time: a plan for a small log compares each row with each other.';

create function public.import_part(
  p_import uuid, p_user uuid, p_email text, p_file_name text, p_part int, p_total_parts int,
  p_digest text, p_rows jsonb, p_rejected int) returns json
language plpgsql volatile set search_path = ''
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
    -- Without its importer nobody could undo it, and after another import its log has a hole.
    keeps_log := p_user is not null and (this.undo_log = 'whole' or this.ver is null);
    counts := public.import_products(p_rows, case when keeps_log then p_import end);
    has_written := counts ->> 'ver' is not null;
    insert into public.import_parts (import_id, part, digest, inserted, updated, unchanged, rejected)
    values (p_import, p_part, p_digest, (counts ->> 'inserted')::int, (counts ->> 'updated')::int,
      (counts ->> 'unchanged')::int, p_rejected)
    returning * into known;
    if has_written then
      update public.imports set undo_log = 'broken'
      where undo_log = 'whole' and id <> p_import and state <> 'undoing';
    end if;
    update public.imports set
      inserted = inserted + known.inserted,
      updated = updated + known.updated,
      unchanged = unchanged + known.unchanged,
      rejected = rejected + known.rejected,
      ver = coalesce((counts ->> 'ver')::bigint, ver),
      undo_log = case when has_written and keeps_log then 'whole' else undo_log end,
      undo_left = undo_left + (counts ->> 'logged')::bigint
    where id = p_import;
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
comment on function public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int) is
  'Writes one part of an import and returns its counts {inserted, updated, unchanged, rejected}; a part that was written before only returns them. p_total_parts null: not known yet. Fails with PT404 where the import is somebody else''s, and with PT409, in a sentence for the importer, where it has been undone, or was begun with other content or another number of parts. PostgREST answers PTxyz with status xyz (manual, "Errors").';

-- Undo ---------------------------------------------------------------------------------------------

create function public.undo_import(p_user uuid, p_import uuid, p_limit int) returns json
language plpgsql volatile set search_path = ''
set enable_bitmapscan = off set plan_cache_mode = 'force_custom_plan'
as $$
declare
  this public.imports;
  step record;
begin
  perform public.take_catalogue_lock();
  select * into this from public.imports where id = p_import and user_id = p_user;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such import.';
  end if;
  if this.state <> 'undone' then
    if this.undo_log <> 'whole' then
      raise sqlstate 'PT409' using message =
        'Only the last import that changed anything can be undone.';
    end if;

    with page as (
      select * from public.import_changes
      where import_id = p_import and product_id > this.undo_cursor
      order by product_id limit least(greatest(p_limit, 1), 10000)
    ),
    -- A version is drawn once, so an equal one says that nobody has touched the product since.
    judged as (
      select c.*, p.id is not null as is_untouched
      from page c left join public.products p on p.id = c.product_id and p.ver = c.ver
    ),
    removed as (
      delete from public.products p using judged j
      where p.id = j.product_id and j.is_untouched and not j.existed
    ),
    restored as (
      update public.products p set
        "Images link" = j."Images link",
        "Category 1" = j."Category 1", "Category 2" = j."Category 2",
        "Category 3" = j."Category 3", "Category 4" = j."Category 4",
        "Retail Price" = j."Retail Price", "Material" = j."Material",
        "Fabric Composition" = j."Fabric Composition"
      from judged j
      where p.id = j.product_id and j.is_untouched and j.existed
    )
    select
      max(product_id) as cursor,
      count(*) as seen,
      count(*) filter (where is_untouched and not existed) as removed,
      count(*) filter (where is_untouched and existed) as restored,
      count(*) filter (where not is_untouched) as kept
    into step from judged;

    update public.imports set
      state = case when undo_left = step.seen then 'undone' else 'undoing' end,
      undo_log = case when undo_left = step.seen then 'broken' else 'whole' end,
      undo_cursor = coalesce(step.cursor, undo_cursor),
      undo_left = undo_left - step.seen,
      removed = removed + step.removed,
      restored = restored + step.restored,
      kept = kept + step.kept
    where id = p_import
    returning * into this;
  end if;
  return json_build_object('removed', this.removed, 'restored', this.restored,
    'kept', this.kept, 'left', this.undo_left);
end $$;
comment on function public.undo_import(uuid, uuid, int) is
  'Takes back up to p_limit (1 to 10,000) products of an import, those that it added by deleting them, and returns {removed, restored, kept, left} since the undo began. Call again while left is above 0; calling once too often does no harm. A product that has changed or gone since is kept as it is. Fails with PT404 unless p_user is the importer, and with PT409 unless it is the last import that changed anything; an undo that has begun may always be ended. A page of the log is read along its key and planned anew each time: the other plans read the whole log for each page.';

-- The last import ---------------------------------------------------------------------------------

create function public.last_import(p_user uuid) returns json
language sql stable set search_path = ''
as $$
  select json_build_object(
    'import_id', i.id, 'file_name', i.file_name,
    'started_at', i.started_at, 'finished_at', i.finished_at,
    'by_me', i.user_id is not distinct from p_user,
    'inserted', i.inserted, 'updated', i.updated, 'unchanged', i.unchanged, 'rejected', i.rejected,
    'can_undo', i.user_id is not distinct from p_user and i.undo_log = 'whole',
    'state', i.state)
  from public.imports i
  where i.id = coalesce(
    (select id from public.imports where undo_log = 'whole' and state = 'undoing' and user_id = p_user
      limit 1),
    (select id from public.imports order by ver desc nulls last, started_at desc limit 1))
$$;
comment on function public.last_import(uuid) is
  'What the import page says about the last import: the caller''s own whose undo has begun and not ended, else the last that changed anything, else the newest; null where there is none.';

revoke all on function
  public.drop_old_log(),
  public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int),
  public.undo_import(uuid, uuid, int), public.last_import(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.drop_old_log(),
  public.import_part(uuid, uuid, text, text, int, int, text, jsonb, int),
  public.undo_import(uuid, uuid, int), public.last_import(uuid)
  to service_role;
