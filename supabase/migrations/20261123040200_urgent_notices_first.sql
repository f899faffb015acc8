-- What waits for a person is told before what is only to be kept: a day of many deletions held up the
-- notices of money.

drop index public.notices_to_send;
create index notices_to_send on public.notices ((kind = 'account_deleted'), next_try_at nulls first)
  where sent_at is null;

create or replace function public.take_notice(p_now timestamptz) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  update public.notices n set
    tries = n.tries + 1,
    next_try_at = p_now + least(interval '12 hours', interval '5 minutes' * 2 ^ n.tries)
  where n.id = (
    select id from public.notices
    where sent_at is null and tries < 12 and coalesce(next_try_at, p_now) <= p_now
    order by kind = 'account_deleted', next_try_at nulls first, id limit 1 for update skip locked)
  returning jsonb_build_object(
    'id', n.id, 'kind', n.kind, 'key', n.key, 'detail', n.detail, 'at', n.at)
$$;
comment on function public.take_notice(timestamptz) is
  'A notice that is due to be sent as {id, kind, key, detail, at}, or null; deleted accounts come last, because nobody has to act on them. It is due again after 5 minutes, then after twice as long each time, up to 12 tries in about two days; notice_sent ends that. Two callers never get the same at once.';
