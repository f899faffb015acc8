/** Whether Supabase takes the keys, has this version's schema, and lets visitors read products and no more. */
import { backendSettings } from '../lib/env.ts';
import { type Reply, ask, readerOf, settingsOrNull } from './deployment.ts';
import { type Check, fault, type Finding, notChecked, ok } from './finding.ts';

const PUSH = 'Run `npx supabase db push --remote`.';
/** Codes of PostgREST ("Errors") and PostgreSQL (appendix A). */
const NO_FUNCTION = 'PGRST202';
const NO_TABLE = 'PGRST205';
const NO_PRIVILEGE = '42501';
const NOBODY = '00000000-0000-0000-0000-000000000000';

const FOR_VISITORS = ['products?limit=1', 'catalogue_stamps?limit=1'];
const NOT_FOR_VISITORS = [
  'orders?limit=1',
  `rpc/pull?p_user=${NOBODY}&p_device=${NOBODY}`,
  `rpc/account_as_json?p_user=${NOBODY}`,
  `rpc/order_for?p_user=${NOBODY}&p_order=${NOBODY}&p_reference=&p_now=2000-01-01`,
  'rpc/import_products?p_rows=[]',
  'rpc/catalogue_page?p_limit=1',
];
/** Rows that do not exist, in tables that no visitor may write. */
const NO_ROWS = ['products?id=eq.0', 'cart_items?id=eq.0', `orders?id=eq.${NOBODY}`];

export const checkDatabase: Check = async (deployment) => {
  const read = readerOf(deployment);
  const server = settingsOrNull(() => backendSettings(read));
  const publishableKey = read('VITE_SUPABASE_PUBLISHABLE_KEY')?.trim();
  if (server === null || !publishableKey) return [];
  const api = `${server.url}/rest/v1`;
  const as = (apikey: string): Ask => {
    return (path, method = 'GET') =>
      ask(deployment, `${api}/${path}`, { method, headers: { apikey } });
  };
  const products = await as(publishableKey)('products?limit=1');
  const orders = await as(server.secretKey)('orders?limit=1');
  if (products.status === 0 || orders.status === 0) {
    return [fault('Supabase', `${server.url} does not answer: check VITE_SUPABASE_URL.`)];
  }
  if (isOfGateway(products)) return [refusedKey('VITE_SUPABASE_PUBLISHABLE_KEY', products)];
  if (isOfGateway(orders)) return [refusedKey('SUPABASE_SECRET_KEY', orders)];
  return [
    ok('Supabase', 'answers, and takes both keys'),
    ...(await checkSchemaAndRights(as(publishableKey))),
  ];
};

/** Asks PostgREST with one key. */
type Ask = (path: string, method?: 'GET' | 'DELETE') => Promise<Reply>;

/** Whether the gateway answers instead of the database: its errors have no code, and say nothing about rights. */
function isOfGateway({ status, fields }: Reply): boolean {
  return status >= 300 && typeof fields['code'] !== 'string';
}

/** The name of a table or function in such a path. */
function nameIn(path: string): string {
  return path.replace(/^rpc\/|\?.*/g, '');
}

function refusedKey(name: string, { status }: Reply): Finding {
  return fault(name, `not accepted (HTTP ${status}): copy it again from the project’s API keys.`);
}

/**
 * Calls functions by GET, which PostgREST runs in a transaction that cannot write. Asks to delete rows that do not
 * exist, because PostgreSQL reports the missing right before it looks for a row.
 */
async function checkSchemaAndRights(askAsVisitor: Ask): Promise<readonly Finding[]> {
  const missing: string[] = [];
  const open: string[] = [];
  const unanswered: string[] = [];
  const note = (name: string, answer: Reply, expected: 'open' | 'closed') => {
    const { code } = answer.fields;
    const isOpen = code !== NO_PRIVILEGE;
    if (answer.status === 0 || isOfGateway(answer)) unanswered.push(name);
    else if (code === NO_FUNCTION || code === NO_TABLE) missing.push(name);
    else if (expected === 'open' && !isOpen) missing.push(name);
    else if (expected === 'closed' && isOpen) open.push(name);
  };
  for (const path of FOR_VISITORS) note(nameIn(path), await askAsVisitor(path), 'open');
  for (const path of NOT_FOR_VISITORS) note(nameIn(path), await askAsVisitor(path), 'closed');
  for (const rows of NO_ROWS) {
    note(`deletion of ${nameIn(rows)}`, await askAsVisitor(rows, 'DELETE'), 'closed');
  }
  if (unanswered.length > 0) {
    const words = `it would need an answer about ${unanswered.join(', ')}: run this again`;
    return [notChecked('Schema and rights', words)];
  }
  return [
    missing.length === 0
      ? ok('Schema', 'has what this version of the shop calls')
      : fault('Schema', `Missing, older or closed: ${missing.join(', ')}. ${PUSH}`),
    open.length === 0
      ? ok('Rights', 'visitors read products, and write nothing')
      : fault('Rights', `Visitors without an account reach ${open.join(', ')}. ${PUSH}`),
  ];
}
