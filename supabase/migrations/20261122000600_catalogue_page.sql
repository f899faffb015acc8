-- A page of products together with the version that it was read at.
--
-- A phone that loads the catalogue remembers the version at which the load began, and asks for the
-- changes after it at the end. A database that is set back in between knows that version still, but
-- not what the pages have brought from after it. So each page names its version, which the phone asks
-- about in the end.

create function public.catalogue_page(
  p_skc text default null, p_id bigint default null, p_limit int default 1000)
returns json
language sql stable set search_path = ''
as $$
  with meta as (
    select greatest(
      m.min_ver,
      (select p.ver from public.products p order by p.ver desc limit 1),
      (select d.ver from public.product_deletions d order by d.ver desc limit 1)
    ) as head
    from public.catalogue_meta m
  ),
  page as (
    select * from public.products p
    where (p."SKC", p.id) > (coalesce(p_skc, ''), coalesce(p_id, 0))
    order by p."SKC", p.id
    limit least(greatest(coalesce(p_limit, 1000), 1), 1000)
  )
  select json_build_object(
    'ver', head,
    'stamp', (
      select s.stamp from public.catalogue_stamps s where s.ver >= head order by s.ver limit 1),
    'products', coalesce((
      select json_agg(json_build_array(
        id, "SKC", "Size", "Images link",
        "Category 1", "Category 2", "Category 3", "Category 4",
        trim_scale("Retail Price"), "Material", "Fabric Composition"
      ) order by "SKC", id)
      from page), '[]')
  )
  from meta
$$;
comment on function public.catalogue_page(text, bigint, int) is
  'Up to p_limit (1 to 1,000) products behind the stock code p_skc and id p_id, in their order, as {ver, stamp, products}; a product is as in catalogue_changes. Without a stock code from the first on. ver and stamp name the version that they are of, as catalogue_changes does, which says later whether it was taken away by a restore. One statement, so everything comes from one snapshot.';

revoke all on function public.catalogue_page(text, bigint, int)
  from public, anon, authenticated, service_role;
grant execute on function public.catalogue_page(text, bigint, int)
  to anon, authenticated, service_role;
