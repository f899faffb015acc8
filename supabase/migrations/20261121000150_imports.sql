-- The way products get into the catalogue, and what is remembered of it.
--
-- A file comes in parts, each a transaction of its own, in any order and several at once. A part is
-- known by its number and its content by a digest: one that is there already is answered with what
-- was counted then, so it may be sent again whenever an answer was lost.
--
-- What an import changed is kept in a log, so that its importer can take it back. There is one log
-- that counts, that of the last import that changed anything; those before it are removed little by
-- little, no fewer rows with each part than it can add. An undo that has begun keeps its log until
-- it ends.
--
-- All of this is written under the lock of the catalogue.

-- Tables ------------------------------------------------------------------------------------------

create table public.imports (
  id uuid primary key,
  user_id uuid references auth.users (id) on delete set null,
  email text,
  file_name text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  total_parts int check (total_parts > 0),
  state text not null default 'running' check (state in ('running', 'finished', 'undoing', 'undone')),
  inserted bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  rejected bigint not null default 0,
  ver bigint,
  undo_log text not null default 'none' check (undo_log in ('none', 'whole', 'broken')),
  undo_cursor bigint not null default 0,
  undo_left bigint not null default 0,
  removed bigint not null default 0,
  restored bigint not null default 0,
  kept bigint not null default 0
);
create index imports_newest on public.imports (ver desc nulls last, started_at desc);
create index imports_with_log on public.imports (undo_log) where undo_log <> 'none';

comment on table public.imports is
  'Who imported what, when, and what came of it. Kept for good, also when the account is deleted.';
comment on column public.imports.user_id is 'Null for products that came with the shop, and when the account is gone.';
comment on column public.imports.email is 'Of the importer at the time.';
comment on column public.imports.finished_at is 'When the last of total_parts came; null while parts are missing or their number is not known.';
comment on column public.imports.ver is 'Newest version of the catalogue that this import wrote; null while it changed nothing.';
comment on column public.imports.undo_log is
  'Whether import_changes holds all that this import changed (it can be undone), rows that are of no use any more, or nothing.';
comment on column public.imports.undo_cursor is 'How far an undo has come, as a product id; undo_left products of the log lie behind it.';
comment on column public.imports.kept is
  'Products that an undo left alone, because they had changed again. removed and restored count the others.';

create table public.import_parts (
  import_id uuid not null references public.imports (id),
  part int not null check (part between 0 and 9999),
  digest text not null,
  inserted int not null,
  updated int not null,
  unchanged int not null,
  rejected int not null,
  written_at timestamptz not null default now(),
  primary key (import_id, part)
);
comment on table public.import_parts is
  'The parts of each import that were written, with their counts: what makes a part count once.';

create table public.import_changes (
  import_id uuid not null,
  product_id bigint not null,
  ver bigint not null,
  existed boolean not null,
  "Images link" text,
  "Category 1" text,
  "Category 2" text,
  "Category 3" text,
  "Category 4" text,
  "Retail Price" numeric(12, 2),
  "Material" text,
  "Fabric Composition" text,
  primary key (import_id, product_id)
);
comment on table public.import_changes is
  'The undo log: for each product that an import changed, its values before and its version after. No foreign keys: only import_products writes here, and checking a million rows would take as long as writing them.';
comment on column public.import_changes.existed is 'False where the import added the product, which then has no values before.';

-- Who may do what: only the server, and through the functions below. -------------------------------

alter table public.imports enable row level security;
alter table public.import_parts enable row level security;
alter table public.import_changes enable row level security;
revoke all on public.imports, public.import_parts, public.import_changes
  from public, anon, authenticated, service_role;
grant select, insert, update on public.imports to service_role;
grant select, insert on public.import_parts to service_role;
grant select, insert, update, delete on public.import_changes to service_role;

-- Rows --------------------------------------------------------------------------------------------

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
      when w.id is null then 'inserted'
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
      "Fabric Composition" = excluded."Fabric Composition"
    returning p.id, p.ver, p."SKC" as skc, p."Size" as size
  ),
  logged as (
    insert into public.import_changes as c (import_id, product_id, ver, existed, "Images link",
      "Category 1", "Category 2", "Category 3", "Category 4",
      "Retail Price", "Material", "Fabric Composition")
    select p_log, w.id, w.ver, j.id is not null, (j.stored)."Images link",
      (j.stored)."Category 1", (j.stored)."Category 2", (j.stored)."Category 3", (j.stored)."Category 4",
      (j.stored)."Retail Price", (j.stored)."Material", (j.stored)."Fabric Composition"
    from written w join judged j using (skc, size)
    where p_log is not null
    -- The values before the import stay when a second part of it changes the product again.
    on conflict (import_id, product_id) do update set ver = excluded.ver
    returning c.xmax = 0 as is_new
  )
  select json_build_object(
    'inserted', count(*) filter (where verdict = 'inserted'),
    'updated', count(*) filter (where verdict = 'updated'),
    'unchanged', count(*) filter (where verdict = 'unchanged'),
    'ver', (select max(ver) from written),
    'logged', (select count(*) from logged where is_new))
  into result from judged;
  return result;
end $$;
comment on function public.import_products(jsonb, uuid) is
  'Adds or changes products from an array of objects keyed by column name; SKC and Size say which product, the last of several equal ones wins, other keys are ignored, an absent key leaves the stored value. Rows that would change nothing are not touched. Notes what it changed in the undo log of the import p_log, if given. Returns {inserted, updated, unchanged, ver, logged}: the newest version written, null for none, and how many products the log gained. All or nothing. Planned anew each time, because the table grows while a session lives. For the server only.';

revoke all on function public.import_products(jsonb, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.import_products(jsonb, uuid) to service_role;
