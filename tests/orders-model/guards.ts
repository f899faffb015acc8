/**
 * The guards against attacks, each taken out of a copy of the shop by a small change to its text. A
 * test of the attack must then fail, or the guard is not tested.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../simulator/engine.ts';
import { copyWith } from '../simulator/mutate.ts';
import type { Mutant } from '../simulator/mutants.ts';

const PLACE = 'supabase/migrations/20261121000310_place_order.sql';
const PARTS = 'supabase/migrations/20261121000405_attempts.sql';
const ONCE = 'supabase/migrations/20261122000500_paid_once.sql';
const APPLY = 'supabase/migrations/20261121000410_apply_payment.sql';
const UPKEEP = 'supabase/migrations/20261121000420_order_upkeep.sql';
const CHANGES = 'supabase/migrations/20261122000300_shopper_changes.sql';
const DELETION = 'supabase/migrations/20261122000400_account_deletion.sql';
const HTTP = 'netlify/lib/http.ts';
const REQUEST = 'netlify/lib/order-request.ts';
const STRIPE = 'netlify/lib/stripe.ts';
const PAYPAL = 'netlify/lib/paypal.ts';
const ORDER = 'src/domain/order.ts';
const STATUS = 'netlify/functions/order-status.ts';
const CREATE = [
  'netlify/functions/create-checkout-session.ts',
  'netlify/functions/create-paypal-order.ts',
];
const CAPTURE = 'netlify/functions/capture-paypal-order.ts';

interface Guard extends Mutant {
  /** Of the title of the test that must fail, and that is run alone. */
  readonly attack: string;
}

const GUARDS: readonly Guard[] = [
  one('the auth server is asked about tokens', 'one of another issuer', 'netlify/lib/auth.ts', [
    'const { data, error } = await adminClient(settings).auth.getUser(token);',
    `const { sub } = JSON.parse(atob(token.split('.')[1] ?? '')) as { sub: string };
  const { data, error } = await adminClient(settings).auth.admin.getUserById(sub);`,
  ]),
  one('an order is for whose token it is', 'a userId: the order is refused', REQUEST, [
    'if (userId !== caller.id) {',
    'if (false) {',
  ]),
  one('an order id belongs to its shopper', 'an order: it is not found, and not paid', ONCE, [
    'if found and placed.user_id is distinct from p_user then',
    'if false then',
  ]),
  one('a PayPal order belongs to its shopper', 'a PayPal order: its money is not taken', PARTS, [
    'where id = p_order and user_id = p_user for update;',
    'where id = p_order for update;',
  ]),
  one('what became of an order is told to its shopper', 'what became of it is not told', UPKEEP, [
    'where o.user_id = p_user and o.id =',
    'where o.id =',
  ]),
  one('prices come from the catalogue', 'comes from the shop, whatever the page says', PLACE, [
    `    'unit_minor', (p."Retail Price" * 100)::bigint,`,
    `    'unit_minor', coalesce((
      select (i ->> 'unit_minor')::bigint from jsonb_array_elements(p_items) i
      where i ->> 'product_id' = a.line ->> 0 limit 1), (p."Retail Price" * 100)::bigint),`,
  ]),
  one('the total is the one that was shown', 'that the page showed is not charged', ONCE, [
    'if p_shown_total_minor <> total then',
    'if false then',
  ]),
  one('an order id keeps its contents', 'of an order stays what it was placed for', ONCE, [
    'if placed.asked <> request or p_shown_total_minor <> placed.total_minor then',
    'if false then',
  ]),
  one('the function looks at quantities', 'of 0 buys nothing', ORDER, [
    'if (!isWhole(quantity, 1, MAX_LINE_QUANTITY)) return null;',
    '',
  ]),
  one('the database looks at quantities', 'is looked at by the database once more', PLACE, [
    `where public.whole_number(i, 'quantity') not between 1 and 99) then`,
    'where false) then',
  ]),
  one('quantities of one product are added up', 'by naming a product twice', PLACE, [
    'where (l ->> 1)::int > 99) then',
    'where false) then',
  ]),
  one('an order has 100 lines', 'for more products than an order has', ORDER, [
    '|| value.length > MAX_ORDER_LINES',
    '',
  ]),
  one('an order id is one', 'for an id that is none', REQUEST, [
    'if (orderId !== null && !isOrderId(orderId)) {',
    'if (false) {',
  ]),
  one('an order id of PayPal is one', 'for an id that is none', CAPTURE, [
    String.raw`!/^[\w-]{1,100}$/.test(orderId)`,
    'false',
  ]),
  one('the order of a question is one', 'for an id that is none', STATUS, [
    'isOrderId(orderId)',
    'true',
  ]),
  one('Stripe signs its messages', 'that Stripe has not signed', STRIPE, [
    'return stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_S, undefined, now);',
    'return JSON.parse(body) as Stripe.Event;',
  ]),
  one('Stripe has signed its messages just now', 'that Stripe has not signed', STRIPE, [
    'const TOLERANCE_S = 300;',
    'const TOLERANCE_S = 1e9;',
  ]),
  one(
    'PayPal vouches for its messages',
    'that PayPal does not vouch for',
    'netlify/lib/webhooks.ts',
    ['if (!(await wallet.isGenuine(headers, body, webhookId))) throw notGenuine();', ''],
  ),
  ...['amount_minor', 'currency', 'mode'].map((field) =>
    one(
      `a payment has the ${field} of its order`,
      `with another ${field.split('_')[0]} than`,
      APPLY,
      [
        field === 'amount_minor'
          ? 'p_amount_minor is distinct from p_order.total_minor'
          : `p_${field} is distinct from p_order.${field}`,
        'false',
      ],
    ),
  ),
  one('a payment names its order', 'that names another order than the one it pays', APPLY, [
    'when p_named <> p_order.id then',
    'when false then',
  ]),
  one('the same money counts once', 'that tells the same money under another name', APPLY, [
    `        and e.outcome = 'captured' and e.result not in ('repeat', 'unknown')) then`,
    `        and e.outcome = 'captured' and e.event_id = p_event_id) then`,
  ]),
  one('an order id is one order', 'fifty equal posts give one order', ONCE, [
    'select * into placed from public.orders where id = p_order;',
    'select * into placed from public.orders where false;',
  ]),
  one('equal posts are one order', 'fifty equal posts of a page that names no order', ONCE, [
    `where o.user_id = p_user and o.state = 'pending' and o.expires_at > p_now`,
    'where false',
  ]),
  one('a request to Stripe has a key', 'fifty equal posts give one order', STRIPE, [
    'idempotencyKey: attempt.key',
    'idempotencyKey: attempt.key + String(Math.random())',
  ]),
  one('a request to PayPal has a key', 'fifty PayPal posts give one order', PAYPAL, [
    '        attempt.key,',
    '        attempt.key + String(Math.random()),',
  ]),
  one('one way to pay at a time', 'twenty choices between two ways to pay', ONCE, [
    `alive.state = 'capturing' or (alive.provider = 'stripe' and p_provider = 'paypal') then`,
    `alive.provider = 'stripe' and p_provider = 'paypal' then
    update public.payment_attempts a set state = 'void' where a.order_id = p_order and a.number = alive.number;
  elsif alive.state = 'capturing' then`,
  ]),
  one(
    'a change is kept by its known fields',
    'is what its kind needs, whatever else stands in it',
    CHANGES,
    [
      `select coalesce(jsonb_object_agg(name, change -> 'args' -> name), '{}') into known_args
      from unnest(public.change_args(kind)) as name;`,
      `known_args := change -> 'args';`,
    ],
  ),
  one('a change is short', 'is at most 500 bytes', CHANGES, [
    'if octet_length(p_change::text) > 500 then',
    'if false then',
  ]),
  one('a shopper hands in so many changes', 'one shopper hands in at most 600 changes', CHANGES, [
    'if counted > may_count then',
    'if false then',
  ]),
  one('an account is locked before its shopper', 'is deleted at the first try', DELETION, [
    'perform public.lock_account(p_user);',
    '',
  ]),
  one('only JSON is read', 'is refused as text/plain,', HTTP, [
    `if (type !== 'application/json') {`,
    'if (false) {',
  ]),
  one('only objects are read', 'with a body that is no object', HTTP, [
    `if (typeof value !== 'object' || value === null || Array.isArray(value)) {`,
    'if (false) {',
  ]),
  one('only UTF-8 is read', 'in other letters than UTF-8', HTTP, ['fatal: true', 'fatal: false']),
  one('no more than 6 MB are read', 'that is larger than 6 MB', HTTP, [
    'if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge;',
    '',
  ]),
  one('only its method is answered', 'in another method', HTTP, [
    'if (request.method !== method) {',
    'if (false) {',
  ]),
  {
    name: 'the way back is the shop’s own',
    attack: 'the way back is the shop’s own',
    edits: CREATE.map((file) => ({
      file,
      find: 'netlifyPorts(),',
      replace: '{ ...netlifyPorts(), siteUrl: () => new URL(request.url).origin },',
    })),
  },
];

function one(
  name: string,
  attack: string,
  file: string,
  [find, replace]: readonly [string, string],
): Guard {
  return { name, attack, edits: [{ file, find, replace }] };
}

export interface Guarded {
  readonly name: string;
  /** The first test that failed; null when none did. */
  readonly by: string | null;
}

const COPIED = ['src/csv', 'src/domain', 'netlify/lib', 'netlify/functions', 'supabase/migrations'];

/** @param names of those to take out; all when empty */
export async function testGuards(
  cores: number,
  names: readonly string[],
  onGuarded: (guarded: Guarded) => void,
): Promise<readonly Guarded[]> {
  const queue = GUARDS.filter(({ name }) => names.length === 0 || names.includes(name));
  const guarded: Guarded[] = [];
  const work = async () => {
    for (let guard = queue.shift(); guard; guard = queue.shift()) {
      const by = await firstFailure(copyWith(guard, PROJECT, COPIED), guard.attack);
      guarded.push({ name: guard.name, by });
      onGuarded({ name: guard.name, by });
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  return guarded;
}

export const guardLine = ({ name, by }: Guarded) =>
  by === null ? `${name}: NOT TESTED` : `${name}: ${by}`;

async function firstFailure(project: string, attack: string): Promise<string | null> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'guards.vitest.config.ts');
  const outputFile = join(project, 'report.json');
  const report = ['--reporter', 'json', '--outputFile', outputFile];
  const args = [vitest, 'run', '--config', config, '--bail', '1', '-t', attack, ...report];
  const env = { ...process.env, ATTACKED: project };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env, maxBuffer: 2 ** 26 });
    return null;
  } catch (failure) {
    // As vitest's JSON reporter writes it.
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const results = testResults.flatMap((file) => file.assertionResults);
    const failed = results.find(({ status }) => status === 'failed');
    if (failed === undefined) throw failure;
    return failed.fullName;
  }
}
