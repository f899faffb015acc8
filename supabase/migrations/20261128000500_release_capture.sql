create or replace function public.release_capture(p_order uuid, p_number int, p_since timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  placed_state text;
begin
  select state into placed_state from public.orders where id = p_order for update;
  update public.payment_attempts set
    capturers = case when p_since is null then greatest(capturers - 1, 0) else 0 end,
    capture_round = capture_round + 1,
    state = case when p_since is null and capturers > 1 then 'capturing' else 'open' end
  where order_id = p_order and number = p_number and state = 'capturing'
    and capturing_since = coalesce(p_since, capturing_since);
  -- The order was paid or closed during the capture, when `void_wallet` had to leave the attempt.
  if placed_state not in ('pending', 'confirming') then perform public.void_wallet(p_order); end if;
end $$;
comment on function public.release_capture(uuid, int, timestamptz) is
  'PayPal said for certain that no money was taken. p_since null: one request to capture is over, and the attempt is open again when no other request is capturing, or void where its order is paid or closed. Otherwise all requests that began until p_since are over; where a later one has begun (capturing_since is the start of the latest), the attempt stays as it is. The next request has another key (capture_round), because PayPal keeps a refusal under the old one.';
