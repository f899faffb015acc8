-- While no account of the shop's is known, money counts that was captured for a PayPal order which the shop
-- itself has made. A program with the shop's public client id may make others, for any account, and have
-- PayPal tell of them.

drop function public.is_own_payee(text, text);
create function public.is_own_payee(p_mode text, p_payee text, p_reference text default null) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.payees p where p.mode = p_mode and p.merchant_id = p_payee)
    or not exists (select from public.payees p where p.mode = p_mode)
      -- The build before this one names no reference.
      and (p_reference is null or exists (
        select from public.payment_attempts a
        where a.provider = 'paypal' and a.reference = p_reference
          -- An attempt that attempt_of has made of the money itself ends as it begins.
          and a.expires_at > a.created_at))
$$;
comment on function public.is_own_payee(text, text, text) is
  'Whether money for this account is the shop''s. While none of its accounts is known, that is money for the PayPal order p_reference, if the shop has made that order.';
revoke all on function public.is_own_payee(text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.is_own_payee(text, text, text) to service_role;

create or replace function public.attempt_of(p_provider text, p_reference text, p_order uuid, p_outcome text, p_now timestamptz)
returns public.payment_attempts
language plpgsql volatile set search_path = ''
as $$
declare
  attempt public.payment_attempts;
begin
  select * into attempt from public.payment_attempts a
  where a.provider = p_provider and a.reference = p_reference;
  if found then return attempt; end if;
  -- What has expired may belong to an earlier attempt, and nobody was told its address.
  if p_outcome = 'expired' then return null; end if;
  -- The shop has noted each PayPal order before a shopper can pay it.
  update public.payment_attempts a set reference = p_reference, state = 'open'
  where a.order_id = p_order and a.provider = p_provider and p_provider = 'stripe'
    and a.reference is null and a.state = 'creating'
  returning * into attempt;
  if not found and p_outcome = 'captured' then
    insert into public.payment_attempts as a
      (order_id, number, provider, state, idempotency_key, reference, created_at, expires_at)
    select p_order, n, p_provider, 'failed', p_order || ':' || n, p_reference, p_now, p_now
    from (select coalesce(max(b.number), 0) + 1 as n from public.payment_attempts b where b.order_id = p_order) next
    returning * into attempt;
  end if;
  return attempt;
end $$;
comment on function public.attempt_of(text, text, uuid, text, timestamptz) is
  'The attempt that a provider speaks of. Word of a Checkout Session may come before its reference was noted, and money may come of an attempt that was given up for lost.';
