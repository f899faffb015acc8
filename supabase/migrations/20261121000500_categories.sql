-- What the sitemap lists.

create function public.categories() returns text[]
language sql stable security invoker set search_path = ''
as $$
  select coalesce(array_agg(name order by name collate "C"), '{}')
  from (
    select btrim("Category 1") as name from public.products
    union select btrim("Category 2") from public.products
    union select btrim("Category 3") from public.products
    union select btrim("Category 4") from public.products
  ) as used
  where name <> ''
$$;
comment on function public.categories() is
  'Every category in use, without blanks around it, sorted. For the sitemap, which asks once an hour: PostgREST has no "distinct", and reading all products for it would not do. Security invoker: whoever may read products may know their categories.';

revoke all on function public.categories() from public;
grant execute on function public.categories() to anon, authenticated, service_role;
