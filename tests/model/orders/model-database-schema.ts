/** What the model adds to the real schema: functions that run a statement and read all rows. */
export const SCHEMA = `
  create schema model;

  create function model.all_rows() returns jsonb language sql volatile as $$
    select jsonb_build_object(
      'orders', coalesce((select jsonb_agg(jsonb_build_object(
        'id', o.id, 'state', o.state, 'review', o.review, 'total', o.total_minor, 'mode', o.mode,
        'hasOwner', o.user_id is not null, 'hasContact', o.address is not null or o.email <> '',
        'sentAt', o.sent_at, 'received', o.received_minor, 'refunded', o.refunded_minor,
        'dispute', o.dispute_state, 'disputed', o.disputed_minor,
        'lines', (select jsonb_agg(jsonb_build_array(i.product_id, i.quantity, i.unit_minor) order by i.line)
          from public.order_items i where i.order_id = o.id)) order by o.created_at, o.id)
        from public.orders o), '[]'),
      'attempts', coalesce((select jsonb_agg(jsonb_build_object(
        'order', a.order_id, 'number', a.number, 'provider', a.provider, 'state', a.state,
        'reference', a.reference, 'expiresMs', (extract(epoch from a.expires_at) * 1000)::bigint)
        order by a.order_id, a.number) from public.payment_attempts a), '[]'),
      'events', coalesce((select jsonb_agg(jsonb_build_object(
        'provider', e.provider, 'order', e.order_id, 'outcome', e.outcome,
        'amount', e.amount_minor, 'capture', e.capture_id, 'result', e.result)
        order by e.provider, e.event_id) from public.payment_events e), '[]'),
      'moves', coalesce((select jsonb_agg(jsonb_build_array(m.order_id, m.detail ->> 'from', m.detail ->> 'to')
        order by m.id) from public.order_events m where m.kind = 'moved'), '[]'),
      'sendings', coalesce((select jsonb_agg(jsonb_build_array(s.order_id, s.kind) order by s.id)
        from public.order_events s where s.kind in ('sent', 'unsent')), '[]'),
      'mails', coalesce((select jsonb_agg(jsonb_build_array(m.kind || ' ' || m.key, m.sent_at is not null) order by m.id)
        from public.messages m where m.channel = 'mail'), '[]'),
      'cart', coalesce((select jsonb_agg(jsonb_build_array(c.product_id, c.quantity) order by c.product_id)
        from public.cart_items c), '[]'),
      'hasAccount', exists (select from auth.users))
  $$;

  create function model.serve(p_statement text, p_args jsonb) returns jsonb language plpgsql as $$
  declare
    answer jsonb;
    sentence text;
    more text;
  begin
    begin
      execute p_statement into answer using p_args;
    exception when others then
      get stacked diagnostics sentence = message_text, more = pg_exception_detail;
      return jsonb_build_object('ok', false, 'code', sqlstate, 'message', sentence, 'detail', more);
    end;
    return jsonb_build_object('ok', true, 'answer', answer, 'rows', model.all_rows());
  end $$`;
