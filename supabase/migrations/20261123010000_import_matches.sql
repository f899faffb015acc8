-- Which columns of a file are which, as somebody has matched them on the import page.
--
-- Suppliers name their columns as they please, and the same again in the next delivery. What one member
-- of staff has answered once, the page proposes to all of them, with who and when.

create table public.import_matches (
  key text primary key check (key ~ '^[0-9a-f]{64}$'),
  headings jsonb not null check (jsonb_typeof(headings) = 'array'),
  places jsonb not null check (jsonb_typeof(places) = 'object'),
  rules_off jsonb not null check (jsonb_typeof(rules_off) = 'array'),
  import_id uuid not null references public.imports (id),
  matched_at timestamptz not null default now()
);
create index import_matches_newest on public.import_matches (matched_at desc);

comment on table public.import_matches is
  'For a set of headings, the columns of the last import with it that has ended. That import says who matched them. The newest 200 are kept.';
comment on column public.import_matches.key is 'SHA-256 of the headings in their order.';
comment on column public.import_matches.headings is
  'The headings of the file that are not blank, as texts, sorted.';
comment on column public.import_matches.places is
  'By column of products: the place of its heading in headings, from 0, or null for none.';
comment on column public.import_matches.rules_off is 'Names of the reading rules that were switched off.';

-- Only the server, and through the functions below.
alter table public.import_matches enable row level security;
revoke all on public.import_matches from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.import_matches to service_role;

create function public.remember_match(
  p_user uuid, p_key text, p_headings jsonb, p_places jsonb, p_rules_off jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  ended uuid;
begin
  select id into ended from public.imports
  where user_id = p_user and state = 'finished'
  order by finished_at desc limit 1;
  if ended is null then
    raise sqlstate 'PT409' using message = 'No import of yours has ended yet.';
  end if;
  insert into public.import_matches as m (key, headings, places, rules_off, import_id)
  values (p_key, p_headings, p_places, p_rules_off, ended)
  on conflict (key) do update set
    places = excluded.places, rules_off = excluded.rules_off,
    import_id = excluded.import_id, matched_at = now();
  delete from public.import_matches where key in (
    select key from public.import_matches order by matched_at desc, key offset 200);
end $$;
comment on function public.remember_match(uuid, text, jsonb, jsonb, jsonb) is
  'Remembers a match of columns for all staff, after the last import of p_user that has ended. Fails with PT409, in a sentence for the importer, where none has.';

create function public.known_matches(p_user uuid) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(json_build_object(
      'headings', m.headings, 'columns', m.places, 'rulesOff', m.rules_off,
      'by_me', i.user_id is not distinct from p_user, 'matched_at', m.matched_at)
      order by m.matched_at desc), '[]')
  from (select * from public.import_matches order by matched_at desc limit 40) m
  join public.imports i on i.id = m.import_id
$$;
comment on function public.known_matches(uuid) is
  'The 40 newest matches, newest first, as the import page applies them.';

revoke all on function
  public.remember_match(uuid, text, jsonb, jsonb, jsonb), public.known_matches(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.remember_match(uuid, text, jsonb, jsonb, jsonb), public.known_matches(uuid)
  to service_role;
