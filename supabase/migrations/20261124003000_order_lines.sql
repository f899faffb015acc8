-- What a line of an order says beside title and size, and the number by which people speak of an order.

alter table public.order_items add column material text;
comment on column public.order_items.material is
  'As the catalogue had it when the order was placed; null for none, and for lines from before this column.';

create function public.note_material() returns trigger
language plpgsql set search_path = ''
as $$
begin
  select nullif(btrim(p."Material"), '') into new.material
  from public.products p where p.id = new.product_id;
  return new;
end $$;
comment on function public.note_material() is
  'Copies the material of the product into a new line, which nobody changes afterwards.';
create trigger note_material before insert on public.order_items
  for each row execute function public.note_material();

create function public.order_number(p_order uuid) returns text
language sql immutable set search_path = ''
as $$
  select overlay(
    translate(left(p_order::text, 8), '0123456789abcdef', '23456789HKMPRWXY') placing '-' from 5 for 0)
$$;
comment on function public.order_number(uuid) is
  'The number by which people speak of an order, such as HK4M-7PRW: the first eight digits of its id in letters that cannot be mistaken for one another. The page makes the same (src/domain/order-number.ts). It finds an order and proves nothing: a caller may have chosen an id that begins like another.';

revoke all on function public.note_material(), public.order_number(uuid)
  from public, anon, authenticated, service_role;
