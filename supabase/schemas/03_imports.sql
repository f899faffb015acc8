-- The way products get into the catalogue, and what is remembered of it.
--
-- A file comes in parts, each a transaction of its own, in any order and several at once. A part is
-- known by its number and its content by a digest: one that is there already is answered with what
-- was counted then, so it may be sent again whenever an answer was lost.
--
-- What an import changed is kept in a log until another import changes something, so that staff can take the
-- last import back. An entry holds the product's values before the import and its version after. An undo
-- touches a product only while the product has that version: a version is drawn once, so an equal one says that
-- nobody has touched the product since.
--
-- All of this is written under the lock of the catalogue, by the server only.

-- Tables ------------------------------------------------------------------------------------------

-- Who imported what, when, and what came of it. Kept for good, also when the account is deleted.
create table public.imports (
  id uuid primary key,
  -- Null for products that came with the shop, and when the account is gone.
  user_id uuid references auth.users (id) on delete set null,
  -- Of the importer at the time.
  email text,
  file_name text,
  -- Of the file and how it was read: equal digests mean equal parts.
  file_digest text,
  -- Newest version of the catalogue when this import began.
  ver_before bigint not null default 0,
  started_at timestamptz not null default now(),
  -- When the last of total_parts came; null while parts are missing or their number is not known.
  finished_at timestamptz,
  total_parts int check (total_parts > 0),
  state text not null default 'running' check (state in ('running', 'finished', 'undoing', 'undone')),
  inserted bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  rejected bigint not null default 0,
  -- Newest version of the catalogue that this import wrote; null while it changed nothing.
  ver bigint,
  -- Whether import_changes holds all that this import changed, so that it can be undone.
  undo_log boolean not null default false,
  -- How far an undo has come, as a product id; undo_left products of the log lie behind it.
  undo_cursor bigint not null default 0,
  undo_left bigint not null default 0,
  -- Of an undo: products that it deleted, that it set back, and that it left alone because they had changed
  -- again.
  removed bigint not null default 0,
  restored bigint not null default 0,
  kept bigint not null default 0,
  -- Rows that a later row of the same stock code and size replaced, and rows that a rule of the import page
  -- left out. With inserted, updated, unchanged and rejected these are all rows of the file.
  replaced bigint not null default 0,
  skipped bigint not null default 0,
  -- Products that it has put off sale.
  off_sale bigint not null default 0,
  -- Whether the file is the whole range of the shop, and whether the products that it lacks are off sale already.
  is_range boolean not null default false,
  is_range_done boolean not null default false,
  -- Whether staff changed a product by hand, without a file; file_name then names the product.
  is_by_hand boolean not null default false
);
create index imports_newest on public.imports (ver desc nulls last, started_at desc);
alter table public.imports enable row level security;

-- The parts of each import that were written, with their counts: what makes a part count once.
create table public.import_parts (
  import_id uuid not null references public.imports (id),
  part int not null check (part between 0 and 9999),
  digest text not null,
  inserted int not null,
  updated int not null,
  unchanged int not null,
  -- The first part has those of the whole file that were counted on the importer's device; the same holds for
  -- replaced and skipped.
  rejected int not null,
  written_at timestamptz not null default now(),
  replaced int not null default 0,
  skipped int not null default 0,
  off_sale int not null default 0,
  primary key (import_id, part)
);
alter table public.import_parts enable row level security;

-- The undo logs: for each product that an import changed, its row before and its version after. No foreign
-- keys: checking them would take as long as writing the rows.
create table public.import_changes (
  import_id uuid not null,
  product_id bigint not null,
  ver bigint not null,
  -- Null where the import added the product.
  before jsonb,
  primary key (import_id, product_id)
);
alter table public.import_changes enable row level security;

-- The keys of all rows of a file that is the whole range: also of rows that are rejected or skipped, so that a
-- typo in a price takes no product off sale. Size is null where it could not be read: then all sizes stay.
create table public.import_keys (
  import_id uuid not null references public.imports (id),
  skc text collate "C" not null,
  size text collate "C"
);
create index import_keys_of on public.import_keys (import_id, skc);
alter table public.import_keys enable row level security;

-- Parts -------------------------------------------------------------------------------------------

-- Adds or changes products, and puts those on sale that were off sale, which counts as inserted. p_rows are objects
-- keyed by column name. SKC and Size say which product; of several equal ones the last wins. An absent key leaves the
-- stored value, and other keys are ignored. Rows that would change nothing are not touched. What has changed is noted
-- in the undo log of the import p_log, if given. Returns {inserted, updated, unchanged, ver, logged}: ver is the
-- newest version written (null for none), logged by how many products the log grew. All or nothing. Planned anew
-- each time, because the table grows while a session lives.
create function public.import_products(p_rows jsonb, p_log uuid default null) returns json
language plpgsql volatile set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  result json;
begin
  -- A statement of its own: the next one then sees what the writer before us committed.
  perform public.take_catalogue_lock();

  with given as (
    select distinct on (skc, size)
      r.row, r.line, r.row ->> 'SKC' as skc, coalesce(r.row ->> 'Size', '') as size
    from jsonb_array_elements(p_rows) with ordinality as r (row, line)
    order by skc, size, r.line desc
  ),
  wanted as (
    select g.line, g.skc, g.size, p.id,
      case when g.row ? 'Images link' then g.row ->> 'Images link' else p."Images link" end as picture,
      case when g.row ? 'Category 1' then g.row ->> 'Category 1' else p."Category 1" end as category_1,
      case when g.row ? 'Category 2' then g.row ->> 'Category 2' else p."Category 2" end as category_2,
      case when g.row ? 'Category 3' then g.row ->> 'Category 3' else p."Category 3" end as category_3,
      case when g.row ? 'Category 4' then g.row ->> 'Category 4' else p."Category 4" end as category_4,
      case when g.row ? 'Retail Price' then (g.row ->> 'Retail Price')::numeric(12, 2)
        else p."Retail Price" end as price,
      case when g.row ? 'Material' then g.row ->> 'Material' else p."Material" end as material,
      case when g.row ? 'Fabric Composition' then g.row ->> 'Fabric Composition'
        else p."Fabric Composition" end as composition,
      p as stored
    from given g left join public.products p on p."SKC" = g.skc and p."Size" = g.size
  ),
  judged as (
    select w.*, case
      when w.id is null or (stored).off_sale then 'inserted'
      when (picture, category_1, category_2, category_3, category_4, price, material, composition)
        is distinct from (
          (stored)."Images link", (stored)."Category 1", (stored)."Category 2", (stored)."Category 3",
          (stored)."Category 4", (stored)."Retail Price", (stored)."Material", (stored)."Fabric Composition")
        then 'updated'
      else 'unchanged' end as verdict
    from wanted w
  ),
  written as (
    insert into public.products as p ("SKC", "Size", "Images link",
      "Category 1", "Category 2", "Category 3", "Category 4",
      "Retail Price", "Material", "Fabric Composition")
    select skc, size, picture, category_1, category_2, category_3, category_4, price, material, composition
    from judged where verdict <> 'unchanged'
    -- Ids follow the file, and the shop sorts equal stock codes by id: S, M, L stays S, M, L.
    order by line
    on conflict ("SKC", "Size") do update set
      "Images link" = excluded."Images link",
      "Category 1" = excluded."Category 1", "Category 2" = excluded."Category 2",
      "Category 3" = excluded."Category 3", "Category 4" = excluded."Category 4",
      "Retail Price" = excluded."Retail Price", "Material" = excluded."Material",
      "Fabric Composition" = excluded."Fabric Composition", off_sale = false
    returning p.id, p.ver, p."SKC" as skc, p."Size" as size
  ),
  logged as (
    insert into public.import_changes (import_id, product_id, ver, before)
    select p_log, w.id, w.ver, case when j.id is not null then to_jsonb(j.stored) end
    from written w join judged j using (skc, size)
    where p_log is not null
    -- The import page puts a product into one part only. If a second part changes it again, an undo leaves it alone.
    on conflict (import_id, product_id) do nothing
    returning 1
  )
  select json_build_object(
    'inserted', count(*) filter (where verdict = 'inserted'),
    'updated', count(*) filter (where verdict = 'updated'),
    'unchanged', count(*) filter (where verdict = 'unchanged'),
    'ver', (select max(ver) from written),
    'logged', (select count(*) from logged))
  into result from judged;
  return result;
end $$;

-- Puts products off sale that are on sale, and notes it in the undo log of the import p_log, if given. Returns
-- {count, ver, logged} as import_products does. The caller holds the lock of the catalogue.
create function public.put_off_sale(p_log uuid, p_products bigint[]) returns json
language sql volatile set search_path = ''
as $$
  with before as (
    select * from public.products where id = any (p_products) and not off_sale
  ),
  written as (
    update public.products p set off_sale = true from before b where p.id = b.id
    returning p.id, p.ver
  ),
  logged as (
    insert into public.import_changes (import_id, product_id, ver, before)
    select p_log, w.id, w.ver, to_jsonb(b)
    from written w join before b using (id)
    where p_log is not null
    on conflict (import_id, product_id) do nothing
    returning 1
  )
  select json_build_object(
    'count', (select count(*) from written), 'ver', (select max(ver) from written),
    'logged', (select count(*) from logged))
$$;

-- Writes one part of an import and returns its counts {inserted, updated, unchanged, rejected, off_sale}; a part that
-- was written before only returns them.
-- p_total_parts is null while it is not known. p_rejected, p_replaced and p_skipped count rows that are not in p_rows.
-- p_hidden [[SKC, Size]] are products that the file says are not on sale. p_is_range says that the file is the whole
-- range of the shop, and p_kept [[SKC, Size or null]] are the keys of rows that are not in p_rows.
--
-- Fails with PT404 where the import is somebody else's, and with PT409, in a sentence for the importer, where it has
-- been undone, or was begun with other content or another number of parts. PostgREST answers PTxyz with status xyz
-- (manual, "Errors").
--
-- PostgREST gives a call the time that its function says (manual, "Impersonated Role Settings"); functions on Netlify
-- end after 60 s. Who waits for the catalogue's lock holds one of PostgREST's few connections, so a part gives up
-- after 10 s and is sent again later.
create function public.import_part(
  p_import uuid, p_user uuid, p_email text, p_file_name text, p_part int, p_total_parts int,
  p_digest text, p_rows jsonb, p_rejected int, p_replaced int default 0, p_skipped int default 0,
  p_file_digest text default null, p_is_range boolean default false, p_kept jsonb default '[]',
  p_hidden jsonb default '[]')
returns json
language plpgsql volatile set search_path = ''
set statement_timeout = '55s' set lock_timeout = '10s'
as $$
declare
  this public.imports;
  known public.import_parts;
  counts json;
  keeps_log boolean;
  gone json;
begin
  perform public.take_catalogue_lock();
  insert into public.imports as i (id, user_id, email, file_name, file_digest, ver_before, is_range, total_parts)
  values (p_import, p_user, p_email, p_file_name, p_file_digest, public.newest_version(), p_is_range, p_total_parts)
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
    -- Nobody could undo an import without a user. One that has lost its log to a later import begins no other.
    keeps_log := p_user is not null and (this.undo_log or this.ver is null);
    counts := public.import_products(p_rows, case when keeps_log then p_import end);
    gone := public.put_off_sale(case when keeps_log then p_import end, array(
      select p.id from jsonb_array_elements(p_hidden) h
      join public.products p on p."SKC" = h ->> 0 and p."Size" = h ->> 1));
    if this.is_range then
      insert into public.import_keys (import_id, skc, size)
      select p_import, r ->> 'SKC', coalesce(r ->> 'Size', '') from jsonb_array_elements(p_rows) r
      union all
      select p_import, k ->> 0, k ->> 1 from jsonb_array_elements(p_kept) k;
    end if;
    keeps_log := keeps_log and (counts ->> 'ver' is not null or gone ->> 'ver' is not null);
    insert into public.import_parts (import_id, part, digest, inserted, updated, unchanged, rejected,
      replaced, skipped, off_sale)
    values (p_import, p_part, p_digest, (counts ->> 'inserted')::int, (counts ->> 'updated')::int,
      (counts ->> 'unchanged')::int, p_rejected, p_replaced, p_skipped, (gone ->> 'count')::int)
    returning * into known;
    update public.imports set
      inserted = inserted + known.inserted,
      updated = updated + known.updated,
      unchanged = unchanged + known.unchanged,
      rejected = rejected + known.rejected,
      replaced = replaced + known.replaced,
      skipped = skipped + known.skipped,
      ver = coalesce((gone ->> 'ver')::bigint, (counts ->> 'ver')::bigint, ver),
      off_sale = off_sale + known.off_sale,
      undo_log = undo_log or keeps_log,
      undo_left = undo_left + (counts ->> 'logged')::bigint + (gone ->> 'logged')::bigint
    where id = p_import;
    if keeps_log and not this.undo_log then perform public.forget_other_logs(p_import); end if;
  elsif known.digest <> p_digest then
    raise sqlstate 'PT409' using message = 'This part of the import was sent before with other content.';
  end if;
  update public.imports i set state = 'finished', finished_at = now()
  where i.id = p_import and i.state = 'running' and i.total_parts = (
    select count(*) from public.import_parts p where p.import_id = i.id and p.part < i.total_parts);
  return json_build_object('inserted', known.inserted, 'updated', known.updated,
    'unchanged', known.unchanged, 'rejected', known.rejected, 'off_sale', known.off_sale);
end $$;

-- Ends an import whose file is the whole range: products that it lacks go off sale, but for those that somebody has
-- changed since the import began. Returns {leaving, of, done}: how many go, of how many on sale. Where that is more
-- than a tenth, nothing is done until p_confirmed is that number. Calling once too often does no harm. Fails with
-- PT404 where the import is somebody else's, and with PT409 while parts are missing.
create function public.end_range(p_user uuid, p_import uuid, p_confirmed bigint) returns json
language plpgsql volatile set search_path = ''
set statement_timeout = '55s' set lock_timeout = '10s'
as $$
declare
  this public.imports;
  leaving bigint[];
  on_sale bigint;
  gone json;
  begins_log boolean;
begin
  perform public.take_catalogue_lock();
  select * into this from public.imports where id = p_import and user_id = p_user and is_range;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such import.';
  end if;
  if this.state <> 'finished' then
    raise sqlstate 'PT409' using message = 'Parts of this import are missing, or it has been undone.';
  end if;
  select count(*) into on_sale from public.products where not off_sale;
  if this.is_range_done then
    return json_build_object('leaving', this.off_sale, 'of', on_sale, 'done', true);
  end if;
  leaving := array(
    select p.id from public.products p
    where not p.off_sale and p.ver <= this.ver_before and not exists (
      select from public.import_keys k
      where k.import_id = p_import and k.skc = p."SKC" and (k.size is null or k.size = p."Size")));
  if cardinality(leaving) * 10 > on_sale and p_confirmed is distinct from cardinality(leaving) then
    return json_build_object('leaving', cardinality(leaving), 'of', on_sale, 'done', false);
  end if;
  -- As in import_part: an import that has lost its log to a later one begins no other.
  gone := public.put_off_sale(case when this.undo_log or this.ver is null then p_import end, leaving);
  begins_log := this.ver is null and (gone ->> 'count')::bigint > 0;
  update public.imports set
    is_range_done = true,
    ver = coalesce((gone ->> 'ver')::bigint, ver),
    off_sale = off_sale + (gone ->> 'count')::bigint,
    undo_log = undo_log or begins_log,
    undo_left = undo_left + (gone ->> 'logged')::bigint
  where id = p_import;
  if begins_log then perform public.forget_other_logs(p_import); end if;
  delete from public.import_keys where import_id = p_import;
  return json_build_object('leaving', cardinality(leaving), 'of', on_sale, 'done', true);
end $$;

-- By hand -----------------------------------------------------------------------------------------

-- Changes products as an import of its own, and returns what import_part returns. p_name says in the history which
-- they are. p_seen [[SKC, Size, ver]] are all of them as the person saw them, with a version of null for one that did
-- not exist; p_rows and p_hidden as in import_part. Fails with PT409, in a sentence for the person, where somebody has
-- changed one of them since.
create function public.change_products(
  p_import uuid, p_user uuid, p_email text, p_name text, p_digest text, p_seen jsonb, p_rows jsonb, p_hidden jsonb)
returns json
language plpgsql volatile set search_path = ''
set statement_timeout = '20s' set lock_timeout = '10s'
as $$
begin
  perform public.take_catalogue_lock();
  -- A change that is sent again, because its answer was lost, has changed the versions itself.
  if not exists (select from public.imports where id = p_import) then
    if exists (
      select from jsonb_array_elements(p_seen) s
      left join public.products p on p."SKC" = s ->> 0 and p."Size" = s ->> 1
      where p.ver is distinct from (s ->> 2)::bigint) then
      raise sqlstate 'PT409' using message = 'Someone has changed this product since you opened it. Nothing was saved.';
    end if;
    insert into public.imports (id, user_id, email, file_name, ver_before, total_parts, is_by_hand)
    values (p_import, p_user, p_email, p_name, public.newest_version(), 1, true);
  end if;
  return public.import_part(
    p_import, p_user, p_email, p_name, 0, 1, p_digest, p_rows, 0, p_hidden => p_hidden);
end $$;

-- All products of a stock code as rows of the table, also those off sale.
create function public.products_of(p_skc text) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(p order by p.id), '[]') from public.products p where p."SKC" = p_skc
$$;

-- The first p_limit products that are off sale and whose stock code, categories and material hold each word of
-- p_search, in capital or small letters, as rows of the table.
create function public.products_off_sale(p_search text, p_limit int) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(found order by "SKC", id), '[]')
  from (
    select p.* from public.products p
    where p.off_sale and not exists (
      select from regexp_split_to_table(lower(p_search), '[[:space:],]+') word
      where position(word in lower(concat_ws(
        chr(10), p."SKC", p."Category 1", p."Category 2", p."Category 3", p."Category 4", p."Material"))) = 0)
    order by p."SKC", p.id limit p_limit
  ) found
$$;

-- The import of a file by this user that has not ended, as {import_id, started_at}; null for none. Whoever sends
-- the file again continues it. Null too where anybody else has changed the catalogue since, because parts that are
-- there are not written again; and a day before the keys of a whole range are forgotten (prune_import_keys).
create function public.unfinished_import(p_user uuid, p_file_digest text) returns json
language sql stable set search_path = ''
as $$
  select json_build_object('import_id', i.id, 'started_at', i.started_at)
  from public.imports i
  where i.user_id = p_user and i.file_digest = p_file_digest
    and (i.state = 'running' or i.state = 'finished' and i.is_range and not i.is_range_done)
    and i.started_at > now() - interval '6 days'
    and coalesce(i.ver, i.ver_before) = public.newest_version()
  order by i.started_at desc limit 1
$$;

-- Undo --------------------------------------------------------------------------------------------

-- Removes the undo logs of the other imports of this one's kind (files, or changes by hand). So the last file can be
-- undone even after a price was corrected by hand. An undo that has begun keeps its log until it ends.
create function public.forget_other_logs(p_import uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.imports i set undo_log = false
  from public.imports this
  where this.id = p_import and i.is_by_hand = this.is_by_hand
    and i.undo_log and i.state <> 'undoing' and i.id <> p_import;
  delete from public.import_changes c
  where not exists (select from public.imports i where i.id = c.import_id and i.undo_log)
$$;

-- Takes back up to p_limit (1 to 10,000) products of an import: deletes those that it added, and sets the others
-- back. A product that has changed or gone since is kept as it is. Returns {removed, restored, kept, left} since the
-- undo began. Call again while left is above 0; calling once too often does no harm. Fails with PT404 unless p_user
-- is the importer or p_staff is true, and with PT409 when the log is gone. A page of the log is read along its key
-- and planned anew each time: the other plans read the whole log for each page.
create function public.undo_import(
  p_user uuid, p_import uuid, p_limit int, p_staff boolean) returns json
language plpgsql volatile set search_path = ''
set enable_bitmapscan = off set plan_cache_mode = 'force_custom_plan'
set statement_timeout = '55s' set lock_timeout = '10s'
as $$
declare
  this public.imports;
  step record;
begin
  perform public.take_catalogue_lock();
  select * into this from public.imports
  where id = p_import and (user_id = p_user or p_staff);
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such import.';
  end if;
  if this.state <> 'undone' then
    if not this.undo_log then
      raise sqlstate 'PT409' using message =
        'We no longer have the earlier values of the products, so this import can’t be undone.';
    end if;

    with page as (
      select * from public.import_changes
      where import_id = p_import and product_id > this.undo_cursor
      order by product_id limit least(greatest(p_limit, 1), 10000)
    ),
    judged as (
      select c.*, p.id is not null as is_untouched
      from page c left join public.products p on p.id = c.product_id and p.ver = c.ver
    ),
    removed as (
      delete from public.products p using judged j
      where p.id = j.product_id and j.is_untouched and j.before is null
    ),
    restored as (
      update public.products p set
        "Images link" = b."Images link",
        "Category 1" = b."Category 1", "Category 2" = b."Category 2",
        "Category 3" = b."Category 3", "Category 4" = b."Category 4",
        "Retail Price" = b."Retail Price", "Material" = b."Material",
        "Fabric Composition" = b."Fabric Composition", off_sale = b.off_sale
      from judged j, jsonb_populate_record(null::public.products, j.before) b
      where p.id = j.product_id and j.is_untouched and j.before is not null
    )
    select
      max(product_id) as cursor,
      count(*) as seen,
      -- What was off sale before the import leaves the shop again, so it counts as removed.
      count(*) filter (where is_untouched and coalesce((before ->> 'off_sale')::boolean, true)) as removed,
      count(*) filter (where is_untouched and not (before ->> 'off_sale')::boolean) as restored,
      count(*) filter (where not is_untouched) as kept
    into step from judged;

    update public.imports set
      state = case when undo_left = step.seen then 'undone' else 'undoing' end,
      undo_log = undo_left <> step.seen,
      undo_cursor = coalesce(step.cursor, undo_cursor),
      undo_left = undo_left - step.seen,
      removed = removed + step.removed,
      restored = restored + step.restored,
      kept = kept + step.kept
    where id = p_import
    returning * into this;
    if this.state = 'undone' then delete from public.import_changes where import_id = p_import; end if;
  end if;
  return json_build_object('removed', this.removed, 'restored', this.restored,
    'kept', this.kept, 'left', this.undo_left);
end $$;

-- What the import page says about the last imports: first one whose undo has begun and that the caller may
-- end, else the last that changed anything, else the newest; then up to 19 before it that changed anything.
-- undo is now where the caller may undo it; else done, gone (its log), or foreign (the import of somebody else).
-- p_staff says that the caller has the role that the shop names for importers, whose members undo the imports of one
-- another.
create function public.recent_imports(p_user uuid, p_staff boolean) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(json_build_object(
      'import_id', i.id, 'file_name', i.file_name, 'is_by_hand', i.is_by_hand,
      'started_at', i.started_at, 'finished_at', i.finished_at,
      'by_me', i.user_id is not distinct from p_user,
      'inserted', i.inserted, 'updated', i.updated, 'unchanged', i.unchanged,
      'replaced', i.replaced, 'rejected', i.rejected, 'skipped', i.skipped, 'off_sale', i.off_sale,
      'state', i.state,
      'undo', case
        when i.state = 'undone' then 'done'
        when not i.undo_log then 'gone'
        when i.user_id is distinct from p_user and not p_staff then 'foreign'
        else 'now' end) order by listed.place), '[]')
  from (
    select id, row_number() over (order by
      (undo_log and state = 'undoing'
        and (user_id is not distinct from p_user or p_staff)) desc,
      ver desc nulls last, started_at desc) as place
    from public.imports order by place limit 20
  ) listed
  join public.imports i using (id)
  where listed.place = 1 or i.ver is not null
$$;
