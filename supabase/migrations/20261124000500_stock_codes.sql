-- The addresses of all products, for the sitemap. PostgREST answers at most 1,000 rows and has no
-- "distinct"; an array is one row. The index of (SKC, Size) has the codes in their order.

create function public.stock_code_count() returns bigint
language sql stable security invoker set search_path = ''
as $$
  select count(*) from (select distinct "SKC" from public.products) as codes
$$;
comment on function public.stock_code_count() is
  'How many stock codes the products have. Reads an index of all products: for the sitemap, which only the server makes.';

create function public.stock_codes(p_offset int, p_limit int) returns text[]
language sql stable security invoker set search_path = ''
as $$
  select coalesce(array_agg(code order by code), '{}')
  from (
    select distinct "SKC" as code from public.products
    order by 1
    offset greatest(p_offset, 0)
    limit least(greatest(p_limit, 0), 20000)
  ) as codes
$$;
comment on function public.stock_codes(int, int) is
  'Up to p_limit (20,000 at most) stock codes from p_offset on, each once, sorted. For the sitemap, which only the server makes.';

revoke all on function public.stock_code_count(), public.stock_codes(int, int)
  from public, anon, authenticated, service_role;
grant execute on function public.stock_code_count(), public.stock_codes(int, int) to service_role;
