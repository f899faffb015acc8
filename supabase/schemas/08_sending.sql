-- What staff do with orders: find them, mark them as sent, and take that back. And the mails that tell of it.
--
-- That an order is sent is a fact beside its state: a paid order may be refunded before it is sent or after.
-- The server calls these functions after it has checked that the caller has the role of staff.

-- Lists -------------------------------------------------------------------------------------------

-- One index for each list of staff_orders, with its order and its condition.
create index orders_to_send on public.orders (paid_at, id)
  where state = 'paid' and sent_at is null and dispute_state is distinct from 'open'
    and refunded_minor + case dispute_state when 'lost' then disputed_minor else 0 end < received_minor;
create index orders_sent on public.orders (sent_at, id) where sent_at is not null;
create index orders_open on public.orders (created_at, id) where state in ('pending', 'confirming');
create index orders_for_person on public.orders (created_at, id)
  where review is not null or dispute_state = 'open';

-- The orders with these ids, in their order.
create function public.orders_as_json(p_orders uuid[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(public.order_as_json(id) order by place), '[]')
  from unnest(p_orders) with ordinality as ids (id, place)
$$;

-- Up to p_limit orders of a list behind the one with this time and id: to-send (paid and not sent, oldest
-- first; without an open dispute, and with money that did not all go back), sent (newest first), open (not paid yet,
-- newest first) or person (a person must look, or the buyer disputes the payment; oldest first).
create function public.staff_orders(p_list text, p_after_at timestamptz, p_after uuid, p_limit int) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  after_id uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
  after_at timestamptz := coalesce(p_after_at,
    case when p_list in ('sent', 'open') then 'infinity' else '-infinity' end::timestamptz);
begin
  return public.orders_as_json(case p_list
    when 'to-send' then array(
      select o.id from public.orders o
      where o.state = 'paid' and o.sent_at is null and o.dispute_state is distinct from 'open'
        and o.refunded_minor + case o.dispute_state when 'lost' then o.disputed_minor else 0 end < o.received_minor
        and (o.paid_at, o.id) > (after_at, after_id)
      order by o.paid_at, o.id limit p_limit)
    when 'sent' then array(
      select o.id from public.orders o
      where o.sent_at is not null and (o.sent_at, o.id) < (after_at, after_id)
      order by o.sent_at desc, o.id desc limit p_limit)
    when 'open' then array(
      select o.id from public.orders o
      where o.state in ('pending', 'confirming') and (o.created_at, o.id) < (after_at, after_id)
      order by o.created_at desc, o.id desc limit p_limit)
    when 'person' then array(
      select o.id from public.orders o
      where (o.review is not null or o.dispute_state = 'open') and (o.created_at, o.id) > (after_at, after_id)
      order by o.created_at, o.id limit p_limit)
  end);
end $$;

-- The words by which an order is found: those of the email and of the name, in lower case.
create function public.order_words(p_email text, p_address jsonb) returns tsvector
language sql immutable set search_path = ''
as $$
  select array_to_tsvector(array_remove(
    regexp_split_to_array(lower(concat_ws(' ', p_email, p_address ->> 'full_name')), '\s+'), ''))
$$;
create index orders_by_words on public.orders using gin (public.order_words(email, address));
create index order_items_by_code on public.order_items (lower(skc));

-- Up to p_limit orders, newest first, behind the one with this time and id, by what staff may have at hand: the
-- number or the id of an order, the beginnings of the words of a name or an email, or a whole stock code.
create function public.find_orders(p_text text, p_after_at timestamptz, p_after uuid, p_limit int) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  sought text := lower(btrim(p_text));
  -- The id of which a number shows the first eight digits lies between these two.
  digits text := case
    when upper(sought) ~ '^[2-9HKMPRWXY]{4}-?[2-9HKMPRWXY]{4}$'
      then translate(replace(upper(sought), '-', ''), '23456789HKMPRWXY', '0123456789abcdef')
    when sought ~ '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' then sought
  end;
  first_id uuid := digits || substr('00000000-0000-0000-0000-000000000000', length(digits) + 1);
  last_id uuid := digits || substr('ffffffff-ffff-ffff-ffff-ffffffffffff', length(digits) + 1);
  words tsquery;
begin
  -- Each word as it is, between quotation marks: the parser of tsquery would split names and addresses.
  select string_agg(
    '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery into words
  from regexp_split_to_table(sought, '\s+') as word where word <> '';
  return public.orders_as_json(array(
    with matches as (
      select o.id, o.created_at from public.orders o where o.id between first_id and last_id
      union
      select o.id, o.created_at from public.orders o where public.order_words(o.email, o.address) @@ words
      union
      select o.id, o.created_at from public.order_items i join public.orders o on o.id = i.order_id
      where lower(i.skc) = sought
    )
    select m.id from matches m
    where (m.created_at, m.id) < (coalesce(p_after_at, 'infinity'), coalesce(p_after, m.id))
    order by m.created_at desc, m.id desc limit p_limit));
end $$;

-- One order with what staff may want to know of it: today, the price of each product now, in cents (null: it
-- cannot be bought); its payments; and its history, with the email of the account that did it.
create function public.staff_order(p_order uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select public.order_as_json(p_order) || jsonb_build_object(
    'today', (
      select jsonb_object_agg(i.product_id, (p."Retail Price" * 100)::bigint)
      from public.order_items i left join public.products p on p.id = i.product_id and not p.off_sale
      where i.order_id = p_order),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'provider', e.provider, 'id', e.capture_id, 'amount_minor', e.amount_minor) order by e.received_at), '[]')
      from public.payment_events e
      where e.order_id = p_order and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')),
    'history', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', e.at, 'kind', e.kind, 'detail', e.detail, 'by', u.email) order by e.id), '[]')
      from public.order_events e left join auth.users u on u.id = (e.detail ->> 'by')::uuid
      where e.order_id = p_order))
$$;

-- Sending -----------------------------------------------------------------------------------------

-- Marks paid orders [{id, refunded_minor, sent_at: what staff saw}] as sent, or takes that back (p_is_sent false): all
-- or none. Rejects where somebody else was faster, or money went back since staff looked.
create function public.mark_orders(
  p_orders jsonb, p_is_sent boolean, p_carrier text, p_tracking_url text, p_by uuid, p_now timestamptz)
returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  ids uuid[] := array(select distinct (seen ->> 'id')::uuid from jsonb_array_elements(p_orders) as seen);
  shopper uuid;
  wrong text;
begin
  -- Shoppers before orders, each in the order of their ids: two requests for several orders do not wait for one
  -- another in a circle.
  for shopper in
    select distinct o.user_id from public.orders o
    where o.id = any (ids) and o.user_id is not null order by o.user_id
  loop
    begin
      perform public.lock_shopper(shopper);
    exception when foreign_key_violation then
      null; -- The account has gone since.
    end;
  end loop;
  perform from public.orders where id = any (ids) order by id for update;

  select string_agg(format('%s %s', public.order_number(seen.id), reason), '; ' order by seen.id) into wrong
  from jsonb_to_recordset(p_orders) as seen (id uuid, refunded_minor bigint, sent_at timestamptz)
  left join public.orders o on o.id = seen.id
  cross join lateral (select case
    when o.id is null then 'isn’t one of our orders'
    when o.state <> 'paid' then 'isn’t paid'
    when not p_is_sent and o.sent_at is null then 'isn’t marked as sent anymore'
    when p_is_sent and o.sent_at is not null then 'is already marked as sent'
    when not p_is_sent and date_trunc('milliseconds', o.sent_at) is distinct from seen.sent_at
      then 'was marked as sent again by someone else'
    when o.refunded_minor <> seen.refunded_minor then 'has been refunded'
  end as reason) found
  where reason is not null;
  if wrong is not null then
    perform public.reject('orders-changed', wrong || '. Nothing was changed.');
  end if;

  update public.orders set
    sent_at = case when p_is_sent then p_now end,
    carrier = case when p_is_sent then p_carrier end,
    tracking_url = case when p_is_sent then p_tracking_url end
  where id = any (ids);
  -- Without the address of the parcel, which is forgotten with the buyer's own (erase_order).
  insert into public.order_events (order_id, kind, detail)
  select id, case when p_is_sent then 'sent' else 'unsent' end,
    jsonb_build_object('carrier', p_carrier, 'by', p_by)
  from unnest(ids) as id;
  -- The shoppers' phones read their orders anew.
  update public.sync_user set ver = ver + 1
  where user_id in (select o.user_id from public.orders o where o.id = any (ids));
end $$;

-- Mail --------------------------------------------------------------------------------------------

-- Has a row while the server can send mail, as the function `messages` last said. Without it nothing is queued.
create table public.mail_setup (
  is_on boolean primary key check (is_on)
);
alter table public.mail_setup enable row level security;

-- Notes whether the server can send mail. Mails that wait when it cannot any more are dropped.
create function public.use_mail(p_on boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_on then
    insert into public.mail_setup values (true) on conflict do nothing;
  else
    delete from public.mail_setup where is_on;
    delete from public.messages where channel = 'mail' and sent_at is null and not is_given_up;
  end if;
end $$;

-- Queues a mail about an order, once for each kind and key. Whom it goes to is read when it is sent.
create function public.queue_mail(p_kind text, p_order uuid, p_key text, p_detail jsonb default '{}') returns void
language sql volatile set search_path = ''
as $$
  insert into public.messages (channel, kind, key, detail)
  values ('mail', p_kind, concat_ws(':', p_order, p_key), jsonb_build_object('order', p_order) || p_detail)
  on conflict (kind, key) do nothing
$$;

-- Queues the mails of an order, in the transaction of what they tell, whoever changes it. Where staff take a parcel
-- back, its mail is dropped if it has not gone yet.
create function public.mail_of_order() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Not as text, which depends on the session's time zone.
  sent text := extract(epoch from new.sent_at);
  sent_before text := extract(epoch from old.sent_at);
begin
  if not exists (select from public.mail_setup) then return null; end if;
  if new.state = 'paid' and old.state <> 'paid' then
    perform public.queue_mail('order_paid', new.id, null);
    perform public.queue_mail('order_to_send', new.id, null);
  end if;
  if sent is distinct from sent_before then
    delete from public.messages
    where kind = 'order_sent' and key = concat_ws(':', new.id, sent_before) and sent_at is null;
    if sent is not null then perform public.queue_mail('order_sent', new.id, sent); end if;
  end if;
  if new.refunded_minor > old.refunded_minor then
    perform public.queue_mail('order_refunded', new.id, new.refunded_minor::text, jsonb_build_object(
      'refunded_minor', new.refunded_minor, 'back_minor', new.refunded_minor - old.refunded_minor));
  end if;
  return null;
end $$;
create trigger mail_of_order after update on public.orders
  for each row execute function public.mail_of_order();
