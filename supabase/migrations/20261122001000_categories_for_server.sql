-- Listing the categories reads all products, which took 0.4 s and up to 2 MB for each call of any visitor.
-- Pages read categories from the catalogue on the phone; only the sitemap's function on the server asks.

revoke execute on function public.categories() from anon, authenticated;
comment on function public.categories() is
  'Every category in use, without blanks around it, sorted. For the sitemap, which asks once an hour: PostgREST has no "distinct", and reading all products for it would not do. For the server only, because it reads all products.';
