-- A client that writes its rows itself, by PostgREST and without push, has no more changes than a phone
-- has by push: without this one account could keep the database and everybody's realtime busy.

create function public.count_row_writes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  rows_written int;
  now_at timestamptz := clock_timestamp();
begin
  -- The server's own functions have no caller, and push counts its changes itself.
  if caller is null or coalesce(current_setting('shop.pushing', true), '') <> '' then return null; end if;
  select count(*) into rows_written from changed;
  if rows_written = 0 then return null; end if;
  if rows_written > public.changes_left(caller, now_at) then
    raise sqlstate 'PT429' using message = 'Too many changes at once. They are saved a little later.';
  end if;
  perform public.count_changes(caller, rows_written, now_at);
  return null;
end $$;
comment on function public.count_row_writes() is
  'Counts the rows that a statement of a shopper wrote as changes, and refuses the statement with SQLSTATE PT429 beyond 600 a minute and 20,000 a day. A deletion is not counted: each row that it takes away was counted when it was written. Runs under the shopper''s lock, which lock_caller takes. Security definer because no role may write push_counts by hand.';
revoke all on function public.count_row_writes() from public, anon, authenticated, service_role;

-- A trigger with a transition table serves one kind of statement.
create trigger count_row_writes_insert
  after insert on public.cart_items referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_update
  after update on public.cart_items referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_insert
  after insert on public.favorites referencing new table as changed
  for each statement execute function public.count_row_writes();
create trigger count_row_writes_update
  after update on public.favorites referencing new table as changed
  for each statement execute function public.count_row_writes();

comment on table public.push_counts is
  'How many changes a shopper handed in during the last minute and day that began with one. Written by push and by count_row_writes under the shopper''s lock: without it one account could fill the database.';
