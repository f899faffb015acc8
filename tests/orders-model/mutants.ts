/**
 * Deliberate bugs, each a small change to a copy of the shop's own text: the ways in which shops
 * lose, double or misprice orders. The shop knows nothing of them.
 */
import type { OrderMutant } from './mutants-paid-once.ts';
import { PAID_ONCE_MUTANTS } from './mutants-paid-once.ts';

const PLACE = 'supabase/migrations/20261121000310_place_order.sql';
const ATTEMPTS = 'supabase/migrations/20261121000405_attempts.sql';
const ONCE = 'supabase/migrations/20261122000500_paid_once.sql';
const APPLY = 'supabase/migrations/20261121000410_apply_payment.sql';
const UPKEEP = 'supabase/migrations/20261121000420_order_upkeep.sql';
const STRIPE = 'netlify/lib/stripe.ts';
const SESSION = 'netlify/lib/stripe-session.ts';
const WALLET = 'netlify/lib/wallet-checkout.ts';
const PAYMENTS = 'netlify/lib/payments.ts';
const PAYPAL_ORDER = 'netlify/lib/paypal-order.ts';
const STATUS = 'netlify/lib/order-status.ts';

export const ORDER_MUTANTS: readonly OrderMutant[] = [
  {
    name: 'the same money counts again when it is told in other words',
    edits: [
      {
        file: APPLY,
        find: `        and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')) then`,
        replace: `        and e.outcome = 'captured' and e.event_id = p_event_id) then`,
      },
    ],
  },
  {
    name: 'money for a closed order is dropped',
    edits: [
      {
        file: APPLY,
        find: `        verdict := 'paid_late';`,
        replace: `        return jsonb_build_object('result', 'stale', 'order', public.order_as_json(placed.id));`,
      },
    ],
  },
  {
    name: 'what is bought stays in the cart',
    edits: [{ file: APPLY, find: 'perform public.take_from_cart(p_order);', replace: '' }],
  },
  {
    name: 'the whole cart is emptied when an order is paid',
    edits: [
      {
        file: APPLY,
        find: 'perform public.take_from_cart(p_order);',
        replace: 'delete from public.cart_items c where c.user_id = p_order.user_id;',
      },
    ],
  },
  {
    name: 'another provider is opened while the card page is',
    edits: [
      {
        file: ONCE,
        find: `alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then`,
        replace: `alive.provider = 'stripe' and p_provider = 'paypal' then
    update public.payment_attempts a set state = 'void' where a.order_id = p_order and a.number = alive.number;
  elsif alive.state = 'capturing' then`,
      },
    ],
  },
  {
    name: 'a PayPal order that is being captured may be dropped for a card',
    edits: [
      {
        file: ATTEMPTS,
        find: `    state = 'capturing', capturers = a.capturers + 1, capturing_since = p_now`,
        replace: `    capturers = a.capturers + 1, capturing_since = p_now`,
      },
    ],
  },
  {
    name: 'no answer from PayPal counts as a refusal',
    edits: [
      {
        file: WALLET,
        find: '  const answer = await whenFree(ports, ask);',
        replace: `  const answer = await whenFree(ports, ask).catch(
    (): PayPalAnswer => ({ ok: false, status: 422, issue: 'ORDER_NOT_APPROVED' }),
  );`,
      },
    ],
  },
  {
    name: 'each request for a payment page is a new one',
    edits: [
      {
        file: STRIPE,
        find: 'idempotencyKey: attempt.key',
        replace: 'idempotencyKey: attempt.key + String(Math.random())',
      },
    ],
  },
  {
    name: 'nobody asks what became of a capture',
    edits: [
      {
        file: UPKEEP,
        find: `      and (a.provider = 'stripe' or a.state in ('capturing', 'processing'))`,
        replace: `      and a.provider = 'stripe'`,
      },
    ],
  },
  {
    name: 'prices come from the page',
    edits: [
      {
        file: PLACE,
        find: `    'unit_minor', (p."Retail Price" * 100)::bigint,`,
        replace: `    'unit_minor', coalesce((
      select (i ->> 'unit_minor')::bigint from jsonb_array_elements(p_items) i
      where i ->> 'product_id' = a.line ->> 0 limit 1), (p."Retail Price" * 100)::bigint),`,
      },
    ],
  },
  {
    name: 'another total than the one that was shown is charged',
    edits: [
      {
        file: ONCE,
        find: '  if p_shown_total_minor <> total then',
        replace: '  if false then',
      },
    ],
  },
  {
    name: 'coming back from the payment page counts as paid',
    edits: [
      {
        file: STATUS,
        find: `return isUnderWay ? 'confirming' : 'unpaid';`,
        replace: `return isUnderWay ? 'confirming' : 'paid';`,
      },
    ],
  },
  {
    name: 'a PayPal order that is COMPLETED counts as money',
    edits: [
      {
        file: PAYPAL_ORDER,
        find: `const outcome = OUTCOME_BY_STATUS[status] ?? 'pending';`,
        replace: `const outcome = order['status'] === 'COMPLETED' ? 'captured' : (OUTCOME_BY_STATUS[status] ?? 'pending');`,
      },
    ],
  },
  {
    name: 'a payment that takes days counts at once',
    edits: [
      {
        file: SESSION,
        find: `session.payment_status === 'unpaid' ? 'pending' : 'captured',`,
        replace: `'captured',`,
      },
    ],
  },
  {
    name: 'a page that did not end is taken for ended',
    edits: [
      {
        file: PAYMENTS,
        find: 'await endSession(ports.cards().stripe, reference)',
        replace: 'await endSession(ports.cards().stripe, reference).catch(() => null)',
      },
    ],
  },
  {
    name: 'the reconcile lets go of a capture that began behind its back',
    scenario: 'a capture that died is taken up again while the shopper goes on',
    edits: [
      {
        file: ATTEMPTS,
        find: `
    and capturing_since = coalesce(p_since, capturing_since);`,
        replace: ';',
      },
    ],
  },
  {
    name: 'a cancelled order says that nothing was charged before Stripe has said so',
    edits: [
      {
        file: STATUS,
        find: `return isAlive(attempt) ? whileOpen(attempt) : 'cancelled';`,
        replace: `return 'cancelled';`,
      },
    ],
  },
  ...PAID_ONCE_MUTANTS,
];
