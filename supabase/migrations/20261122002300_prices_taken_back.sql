-- An order at a price that an import set and its undo took back: a person looks at it.
--
-- Otherwise somebody who may import could set a price, order at it, and leave a catalogue behind that
-- shows nothing of it.

create index orders_by_time on public.orders (created_at);

create function public.mark_orders_at_prices_taken_back() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  clocks_differ_by constant interval := '5 minutes';
  earliest timestamptz;
begin
  -- Orders that have read prices of before this step are written first, and then found below.
  perform pg_advisory_xact_lock(20261124, 0);
  select least(old.started_at, min(c.since)) into earliest from public.import_changes c
  where c.import_id = new.id and c.product_id > old.undo_cursor and c.product_id <= new.undo_cursor;
  update public.orders o set review = concat_ws('; ', o.review,
    format('at a price that import %s set and its undo took back', new.id))
  where o.created_at >= earliest - clocks_differ_by
    and o.state in ('pending', 'confirming', 'paid', 'needs_review', 'paid_late')
    and coalesce(strpos(o.review, new.id::text), 0) = 0
    and exists (
      select from public.order_items i
      join public.import_changes c on c.import_id = new.id and c.product_id = i.product_id
      left join public.products p on p.id = i.product_id
      where i.order_id = o.id
        and c.product_id > old.undo_cursor and c.product_id <= new.undo_cursor
        and o.created_at >= coalesce(c.since, old.started_at) - clocks_differ_by
        and i.unit_minor is distinct from (c."Retail Price" * 100)::bigint
        -- The undo leaves alone what has changed since the import.
        and case when c.existed then p."Retail Price" is not distinct from c."Retail Price" else p.id is null end);
  return null;
end $$;
comment on function public.mark_orders_at_prices_taken_back() is
  'Marks the orders that hold a product of this step of an undo at another price than the one that the undo has put back. One that is paid stays paid; one that is not needs a review once it is. Security definer because no role may write orders by hand.';
create trigger mark_orders_at_prices_taken_back after update of undo_cursor on public.imports
  for each row when (new.undo_cursor > old.undo_cursor)
  execute function public.mark_orders_at_prices_taken_back();

comment on column public.orders.review is
  'Why a person of the shop must look at it, or must once it is paid; null when nobody must.';

revoke all on function public.mark_orders_at_prices_taken_back()
  from public, anon, authenticated, service_role;
