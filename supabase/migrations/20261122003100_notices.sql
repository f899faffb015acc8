-- What the person who runs the shop must hear of: money that waits for a person, refunds that fail,
-- upkeep that fails. Each stands here once, and the functions send it to the address in
-- OPERATOR_WEBHOOK_URL. Names, addresses and e-mail addresses never get in.

create table public.notices (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  key text not null check (length(key) between 1 and 200),
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  tries int not null default 0,
  next_try_at timestamptz,
  sent_at timestamptz,
  unique (kind, key)
);
create index notices_to_send on public.notices (next_try_at nulls first) where sent_at is null;

comment on table public.notices is 'What the operator of the shop is told, each thing once. Kept for good.';
comment on column public.notices.key is 'Tells two notices of a kind apart: the same thing noted again is one notice.';
comment on column public.notices.detail is 'What the sentence needs: ids, sums, states. Nothing personal.';
comment on column public.notices.next_try_at is 'Null before the first try.';
comment on column public.notices.sent_at is 'When the operator''s address took it; null while it has not.';

alter table public.notices enable row level security;
revoke all on public.notices from public, anon, authenticated, service_role;
revoke all on sequence public.notices_id_seq from public, anon, authenticated, service_role;
grant select on public.notices to service_role;

create function public.add_notice(p_kind text, p_key text, p_detail jsonb default '{}') returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.notices (kind, key, detail) values (p_kind, p_key, p_detail)
  on conflict (kind, key) do nothing
$$;
comment on function public.add_notice(text, text, jsonb) is
  'Notes something for the operator, once for each kind and key. p_detail holds nothing personal. Security definer because no role may write notices by hand.';

create function public.note_order_for_operator() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (new.state in ('needs_review', 'paid_late') and new.state <> old.state)
    or (new.review is not null and new.review is distinct from old.review) then
    perform public.add_notice(
      case new.state when 'paid_late' then 'paid_late' else 'needs_review' end,
      concat_ws(':', new.id, new.state, md5(coalesce(new.review, ''))),
      jsonb_build_object('order', new.id, 'state', new.state, 'total_minor', new.total_minor,
        'currency', new.currency, 'mode', new.mode));
  end if;
  return null;
end $$;
comment on function public.note_order_for_operator() is
  'Notes each order that begins to wait for a person, whoever moved it, and each further reason. The reason itself stays in the order.';
create trigger note_order_for_operator after update on public.orders
  for each row execute function public.note_order_for_operator();

create function public.take_notice(p_now timestamptz) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  update public.notices n set
    tries = n.tries + 1,
    next_try_at = p_now + least(interval '12 hours', interval '5 minutes' * 2 ^ n.tries)
  where n.id = (
    select id from public.notices
    where sent_at is null and tries < 12 and coalesce(next_try_at, p_now) <= p_now
    order by next_try_at nulls first, id limit 1 for update skip locked)
  returning jsonb_build_object(
    'id', n.id, 'kind', n.kind, 'key', n.key, 'detail', n.detail, 'at', n.at)
$$;
comment on function public.take_notice(timestamptz) is
  'A notice that is due to be sent as {id, kind, key, detail, at}, or null. It is due again after 5 minutes, then after twice as long each time, up to 12 tries in about two days; notice_sent ends that. Two callers never get the same at once.';

create function public.notice_sent(p_id bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.notices set sent_at = p_now where id = p_id and sent_at is null
$$;
comment on function public.notice_sent(bigint, timestamptz) is 'The operator''s address has taken the notice.';

revoke all on function
  public.add_notice(text, text, jsonb), public.note_order_for_operator(),
  public.take_notice(timestamptz), public.notice_sent(bigint, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.add_notice(text, text, jsonb), public.take_notice(timestamptz),
  public.notice_sent(bigint, timestamptz)
  to service_role;
