-- A page of the sitemap fits into an answer of a function, however long its stock codes are, and one behind
-- the last is answered without reading all codes.

create or replace function public.stock_code_count() returns bigint
language sql stable security invoker set search_path = ''
as $$
  select coalesce(sum((octet_length(code) + 63) / 64), 0)
  from (select distinct "SKC" as code from public.products) as codes
$$;
comment on function public.stock_code_count() is
  'How many stock codes the products have; one of more than 64 bytes counts once for each 64 that it begins. Reads an index of all products: for the sitemap, which only the server makes.';

create or replace function public.stock_codes(p_offset int, p_limit int) returns text[]
language sql stable security invoker set search_path = ''
as $$
  with codes as (
    select distinct "SKC" as code from public.products
    -- A row takes more than 40 bytes for each time that its code counts, so no code is behind this.
    where p_offset <= (select pg_relation_size('public.products') / 40)
    order by 1
    limit greatest(p_offset, 0) + least(greatest(p_limit, 0), 20000)
  ),
  placed as (
    select code, sum(weight) over (order by code rows unbounded preceding) - weight as place
    from (select code, (octet_length(code) + 63) / 64 as weight from codes) as weighed
  )
  select coalesce(array_agg(code order by code), '{}') from placed
  where place >= p_offset
    and place < greatest(p_offset, 0) + least(greatest(p_limit, 0), 20000)
$$;
comment on function public.stock_codes(int, int) is
  'The stock codes, each once, sorted, that begin among the p_limit (20,000 at most) from p_offset on, counted as stock_code_count does. For the sitemap, which only the server makes.';
