-- Who gets the money at PayPal. A program that has an order's id and the shop's public client id may be able to
-- name another payee in it, so what PayPal answers about a payment is compared with what it answered when the
-- shop itself made an order. A shop that changes its account at PayPal has two of them for a while.

create table public.payees (
  mode text not null check (mode in ('sandbox', 'live')),
  merchant_id text not null,
  primary key (mode, merchant_id)
);
comment on table public.payees is
  'The shop''s own accounts at PayPal, as PayPal names them in its answers to orders that the shop makes. Written by note_payee only.';
alter table public.payees enable row level security;
revoke all on public.payees from public, anon, authenticated, service_role;

create function public.note_payee(p_mode text, p_payee text) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.payees (mode, merchant_id) values (p_mode, p_payee) on conflict do nothing
$$;
comment on function public.note_payee(text, text) is
  'Notes the account that PayPal names as the payee of an order which the shop has just made.';

create function public.is_own_payee(p_mode text, p_payee text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (select from public.payees p where p.mode = p_mode)
    or exists (select from public.payees p where p.mode = p_mode and p.merchant_id = p_payee)
$$;
comment on function public.is_own_payee(text, text) is
  'Whether money for this account is the shop''s. True for any while none is known, as before the first order that was made since there is this table.';

revoke all on function public.note_payee(text, text), public.is_own_payee(text, text)
  from public, anon, authenticated, service_role;
grant execute on function public.note_payee(text, text), public.is_own_payee(text, text) to service_role;
