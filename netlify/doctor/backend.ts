/** Whether Supabase takes the keys, has the shop's tables and functions, and closes to visitors what is not theirs. */
import { fieldsOf } from '../../src/domain/fields.ts';
import { type BackendSettings, backendSettings } from '../lib/env.ts';
import { type Check, type Deployment, fault, type Finding, ok, PUSH_COMMAND } from './finding.ts';
import { jsonIn, requestOrNull } from './request.ts';
import { publicBackend, readerOf, settingsOrNull } from './settings.ts';

const MOST_CLOCK_DIFFERENCE_MS = 60_000;
const PUSH = `Run ${PUSH_COMMAND}.`;
/** Codes of PostgREST ("Errors") and PostgreSQL (appendix A). */
const NO_FUNCTION = 'PGRST202';
const NO_TABLE = 'PGRST205';
const NO_PRIVILEGE = '42501';
const NO_ANSWER = fault(
  'Database',
  'not checked, because some requests got no answer: mend what stands above, and run this again.',
);

export const checkBackend: Check = async (deployment) => {
  const read = readerOf(deployment);
  const publicSettings = settingsOrNull(() => publicBackend(read));
  const serverSettings = settingsOrNull(() => backendSettings(read));
  if (publicSettings === null || serverSettings === null) return [];
  const { url, publishableKey } = publicSettings;
  const products = await ask(deployment, url, 'products?select=id&limit=1', publishableKey);
  if (products === null) {
    return [fault('Supabase', `${url} does not answer: check VITE_SUPABASE_URL.`)];
  }
  return [
    checkClock(products.date, deployment.now()),
    checkPublishableKey(products),
    ...(await checkRights(deployment, serverSettings, publishableKey)),
  ];
};

interface RestAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly date: string | null;
}

/** Sends a GET to PostgREST, which answers it in a transaction that cannot write. */
async function ask(
  deployment: Deployment,
  url: string,
  path: string,
  key: string,
): Promise<RestAnswer | null> {
  const response = await requestOrNull(deployment, `${url}/rest/v1/${path}`, {
    headers: { apikey: key },
  });
  if (response === null) return null;
  const { code } = fieldsOf(await jsonIn(response));
  return {
    status: response.status,
    code: typeof code === 'string' ? code : null,
    date: response.headers.get('date'),
  };
}

function checkClock(date: string | null, now: Date): Finding {
  const difference = Math.abs(Date.parse(date ?? '') - now.getTime());
  if (Number.isNaN(difference)) return ok('Clock', 'the backend does not tell its time');
  if (difference <= MOST_CLOCK_DIFFERENCE_MS) return ok('Clock', 'as the backend’s');
  const seconds = Math.round(difference / 1000);
  return fault('Clock', `differs from the backend’s by ${seconds} s: set this machine’s clock.`);
}

/** Whether visitors can read products with the publishable key. */
function checkPublishableKey({ status, code }: RestAnswer): Finding {
  const subject = 'VITE_SUPABASE_PUBLISHABLE_KEY';
  if (status === 200) return ok(subject, 'accepted; products can be read');
  if (status === 404 || code === NO_TABLE) {
    return fault('Database', `There is no table of products. ${PUSH}`);
  }
  if (code !== null) return fault('Database', `Visitors cannot read products (${code}). ${PUSH}`);
  return fault(
    subject,
    `not accepted (HTTP ${status}): copy it again from the project’s API keys.`,
  );
}

/** Calls that visitors may make, and some that they may not: of a shopper, of a person's data, of money, of products. */
const FOR_VISITORS = ['catalogue_page?p_limit=1', 'catalogue_changes?p_limit=1'];
const NOBODY = '00000000-0000-0000-0000-000000000000';
const NOT_FOR_VISITORS = [
  `pull?p_user=${NOBODY}&p_device=${NOBODY}`,
  `account_as_json?p_user=${NOBODY}`,
  `order_for?p_user=${NOBODY}&p_order=${NOBODY}&p_reference=&p_now=2000-01-01`,
  'import_products?p_rows=[]',
];

/** Whether the shop's functions are there, and closed to visitors unless granted to them. */
async function checkRights(
  deployment: Deployment,
  { url, secretKey }: BackendSettings,
  publishableKey: string,
): Promise<readonly Finding[]> {
  const orders = await ask(deployment, url, 'orders?select=id&limit=1', secretKey);
  if (orders === null) return [NO_ANSWER];
  if (orders.code === NO_TABLE) return [fault('Database', `There is no table of orders. ${PUSH}`)];
  if (orders.status !== 200) {
    const words = `not accepted (HTTP ${orders.status}): copy it again from the API keys.`;
    return [fault('SUPABASE_SECRET_KEY', words)];
  }
  const accepted = ok('SUPABASE_SECRET_KEY', 'accepted');
  const missing: string[] = [];
  const tooOpen: string[] = [];
  for (const call of [...FOR_VISITORS, ...NOT_FOR_VISITORS]) {
    const answer = await ask(deployment, url, `rpc/${call}`, publishableKey);
    if (!isOfDatabase(answer)) return [accepted, NO_ANSWER];
    const name = call.replace(/\?.*/, '');
    const isClosed = answer.code === NO_PRIVILEGE;
    const isForVisitors = FOR_VISITORS.includes(call);
    // A visitors' function that is closed to them has lost its grant, which the migrations give.
    if (answer.code === NO_FUNCTION || (isClosed && isForVisitors)) missing.push(name);
    else if (!isClosed && !isForVisitors) tooOpen.push(name);
  }
  const visible = await ask(deployment, url, 'orders?select=id&limit=1', publishableKey);
  if (!isOfDatabase(visible)) return [accepted, NO_ANSWER];
  if (visible.status === 200) tooOpen.push('orders');
  if (missing.length > 0) {
    const words = `These functions are missing, older or closed: ${missing.join(', ')}. ${PUSH}`;
    return [accepted, fault('Database', words)];
  }
  if (tooOpen.length > 0) {
    const words = `Visitors without an account reach ${tooOpen.join(', ')}. ${PUSH}`;
    return [accepted, fault('Rights', words)];
  }
  return [
    accepted,
    ok('Database', 'has the shop’s functions, closed to visitors but for their own'),
  ];
}

/** Whether PostgREST has answered. An error without a code comes from the gateway and says nothing about rights. */
function isOfDatabase(answer: RestAnswer | null): answer is RestAnswer {
  return answer !== null && (answer.status < 300 || answer.code !== null);
}
