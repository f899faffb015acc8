-- After the database went back to a backup: which payments of the providers it knows nothing of.

create function public.payments_not_counted(p_payments jsonb) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'provider', p.provider, 'payment', p.payment, 'state', o.state) order by p.place), '[]')
  from (
    select place, item ->> 'provider' as provider, item ->> 'payment' as payment,
      (item ->> 'order')::uuid as order_id, (item ->> 'has_arrived')::boolean as has_arrived
    from jsonb_array_elements(p_payments) with ordinality as given (item, place)
  ) p
  left join public.orders o on o.id = p.order_id
  where not exists (
      select from public.payment_events e
      where e.provider = p.provider and e.capture_id = p.payment
        and e.outcome = 'captured' and e.result <> 'unknown')
    and (p.has_arrived or o.state is distinct from 'confirming')
$$;
comment on function public.payments_not_counted(jsonb) is
  'Of p_payments [{provider, payment, order: the one that the payment names, has_arrived}] those that no order counts, as [{provider, payment, state: of that order, null when there is none}]. A payment that has not arrived counts when its order is being confirmed. Changes nothing. Security definer so that the server may ask without rights of its own to more.';

revoke all on function public.payments_not_counted(jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.payments_not_counted(jsonb) to service_role;
