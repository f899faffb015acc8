-- A shop answers a dispute with the name and the address that it sent the goods to.

create or replace function public.is_erasable(p_order public.orders, p_paid_before timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select p_order.address is not null
    and p_order.dispute_state is distinct from 'open'
    -- A remark on an order that no money came for waits for nobody.
    and (p_order.review is null or not exists (
      select from public.payment_events e
      where e.order_id = p_order.id and e.outcome = 'captured'))
    and p_order.state not in ('pending', 'confirming')
    and not exists (
      select from public.payment_attempts a
      where a.order_id = p_order.id
        and (public.is_alive(a.state)
          or a.state = 'captured'
            and coalesce(coalesce(p_order.paid_at, p_order.created_at) >= p_paid_before, true)))
$$;
comment on function public.is_erasable(public.orders, timestamptz) is
  'Whether the shop need not know any longer who placed an order: no money can come, waits for a person or is disputed, and none came or it came before p_paid_before. Null keeps all orders that money came for.';
