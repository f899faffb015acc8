-- A remark on an order that no money has come for waits for nobody: the operator is not told of it, and
-- nobody can call the order paid because of it.

create or replace function public.close_review(p_order uuid, p_state text, p_note text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed public.orders := public.lock_order_and_shopper(p_order);
begin
  if placed.review is null then
    perform public.refuse('nothing-to-review', 'This order waits for nobody.');
  elsif p_state = 'paid' and placed.state in ('pending', 'confirming') then
    perform public.refuse('not-paid', 'No money has come for this order yet.');
  end if;
  perform public.move_order(placed, p_state, null, p_now);
  insert into public.order_events (order_id, kind, detail)
  values (p_order, 'review-closed', jsonb_build_object('state', p_state, 'note', p_note));
  return public.order_as_json(p_order);
end $$;
comment on function public.close_review(uuid, text, text, timestamptz) is
  'For the people of the shop, from the SQL editor: says what becomes of an order that waits for them (paid, cancelled once the money was sent back, or the state that it has). Refuses paid while the order is pending or confirming, because only a payment pays it.';

create or replace function public.note_order_for_operator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.state not in ('pending', 'confirming') and (
    (new.state in ('needs_review', 'paid_late') and new.state <> old.state)
    or (new.review is not null and new.review is distinct from old.review)) then
    perform public.add_notice(
      case new.state when 'paid_late' then 'paid_late' else 'needs_review' end,
      concat_ws(':', new.id, new.state, md5(coalesce(new.review, ''))),
      jsonb_build_object('order', new.id, 'state', new.state, 'total_minor', new.total_minor,
        'currency', new.currency, 'mode', new.mode));
  end if;
  return null;
end $$;
comment on function public.note_order_for_operator() is
  'Notes each order that begins to wait for a person, whoever moved it, and each further reason. An order whose money has not come waits for nobody; once it comes, the remark makes the order needs_review. The reason itself stays in the order.';
