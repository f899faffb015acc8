-- The way products get into the catalogue.

create function public.import_products(p_rows jsonb) returns json
language plpgsql volatile set search_path = ''
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
  )
  select json_build_object(
    'inserted', count(*) filter (where verdict = 'inserted'),
    'updated', count(*) filter (where verdict = 'updated'),
    'unchanged', count(*) filter (where verdict = 'unchanged'))
  into result from judged;
  return result;
end $$;
comment on function public.import_products(jsonb) is
  'Adds or changes products from an array of objects keyed by column name; SKC and Size say which product, the last of several equal ones wins, other keys are ignored, an absent key leaves the stored value. Rows that would change nothing are not touched. Returns {inserted, updated, unchanged}. All or nothing. For the server only.';

revoke all on function public.import_products(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.import_products(jsonb) to service_role;
