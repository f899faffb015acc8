-- The copy of a person's data holds all counts of their imports, and what they have said on the import page
-- about the columns of files.

create or replace function public.account_as_json(p_user uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'cart', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', c.product_id, 'skc', p."SKC",
        'size', p."Size", 'quantity', c.quantity, 'price_when_added', c.price_when_added)
        order by c.id), '[]')
      from public.cart_items c left join public.products p on p.id = c.product_id
      where c.user_id = p_user),
    'favourites', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', f.product_id, 'skc', p."SKC",
        'size', p."Size") order by f.product_id), '[]')
      from public.favorites f left join public.products p on p.id = f.product_id
      where f.user_id = p_user),
    'orders', (
      select coalesce(jsonb_agg(public.order_as_json(o.id) - 'user_id' || jsonb_build_object(
        'payments', (
          select coalesce(jsonb_agg(jsonb_build_object('provider', a.provider, 'state', a.state,
            'reference', a.reference, 'begun_at', a.created_at) order by a.number), '[]')
          from public.payment_attempts a where a.order_id = o.id),
        'history', (
          select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'kind', e.kind, 'detail', e.detail)
            order by e.id), '[]')
          from public.order_events e where e.order_id = o.id)) order by o.created_at), '[]')
      from public.orders o where o.user_id = p_user),
    'imports', (
      select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'email', i.email,
        'file_name', i.file_name, 'started_at', i.started_at, 'finished_at', i.finished_at,
        'state', i.state, 'inserted', i.inserted, 'updated', i.updated,
        'unchanged', i.unchanged, 'replaced', i.replaced, 'skipped', i.skipped,
        'rejected', i.rejected) order by i.started_at), '[]')
      from public.imports i where i.user_id = p_user),
    'matches', (
      select coalesce(jsonb_agg(jsonb_build_object('headings', m.headings, 'columns', m.places,
        'rules_off', m.rules_off, 'import_id', m.import_id, 'matched_at', m.matched_at)
        order by m.matched_at), '[]')
      from public.import_matches m join public.imports i on i.id = m.import_id
      where i.user_id = p_user),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.change_id, 'device', c.device_id,
        'kind', c.kind, 'args', c.args, 'outcome', c.outcome, 'made_at', c.made_at)
        order by c.ver), '[]')
      from (
        select * from public.applied_changes a where a.user_id = p_user
        order by a.ver desc limit 10000) c))
$$;
comment on function public.account_as_json(uuid) is
  'All that the shop has about a person beside the account itself: {cart, favourites, orders, imports, matches, changes}. matches are those of import_matches whose import is theirs. changes are the newest 10,000 that their phones have sent, because an answer has 6 MB at most. Security definer so that one statement reads it all, from one snapshot; only the server may call it, after it has checked who asks.';
