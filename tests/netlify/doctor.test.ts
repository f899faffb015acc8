/** `npm run doctor`: what it says of a sound deployment, and of the faults that people make. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Deployment } from '../../netlify/doctor/deployment.ts';
import { examine } from '../../netlify/doctor/examine.ts';
import { type Finding, lineOf } from '../../netlify/doctor/finding.ts';
import { Cdn } from '../../netlify/local/cdn.ts';
import { openPayments } from '../../netlify/local/payments.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { openSmallSiteForFile } from './small-site.ts';

const ROOT = join(import.meta.dirname, '../..');
const functionsFolder = join(ROOT, 'netlify/functions');

const { startSecondHost, shop } = await openSmallSiteForFile();
const payments = await openPayments();
const cdn = new Cdn({ now: Date.now });
const host = await startSecondHost({ payments, functionsFolder, cdn });
/** A site whose variables were not changed when the secret key was rotated. */
const staleHost = await startSecondHost({
  payments,
  functionsFolder,
  environment: { SUPABASE_SECRET_KEY: 'sb_secret_former' },
});
afterAll(async () => {
  await staleHost.close();
  await host.close();
  await payments.close();
});

const environment: Readonly<Record<string, string>> = {
  URL: host.url,
  VITE_SUPABASE_URL: host.url,
  VITE_SUPABASE_PUBLISHABLE_KEY: shop.backend.publishableKey,
  SUPABASE_SECRET_KEY: shop.backend.secretKey,
  STAFF_ROLE: 'staff',
  ...payments.environment,
};

type Changes = Readonly<Record<string, string>>;

const findingsWith = (changes: Changes, fetch: Deployment['fetch'] = globalThis.fetch) =>
  Array.fromAsync(examine({ environment: { ...environment, ...changes }, fetch }));

/** What the findings that are faults are about. */
const faultsIn = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state === 'fault').map(({ subject }) => subject);

const stateOf = (subject: string, findings: readonly Finding[]) =>
  findings.find((finding) => finding.subject === subject)?.state;

test('the doctor finds no fault in a sound shop, and does not call ok what it has not checked', async () => {
  const findings = await findingsWith({});
  expect(faultsIn(findings)).toEqual([]);
  expect(stateOf('Rights', findings)).toBe('ok');
  expect(stateOf('Webhook at Stripe', findings)).toBe('not checked');
  expect(stateOf('Mail about orders', findings)).toBe('not checked');
});

/** What is wrong with a shop, the variables that make it so, and the subject that the doctor must name. */
const FAULTS: readonly (readonly [what: string, changes: Changes, subject: string])[] = [
  ['without a secret key', { SUPABASE_SECRET_KEY: '' }, 'Keys of Supabase'],
  [
    'whose two keys of Supabase are swapped',
    { SUPABASE_SECRET_KEY: 'sb_publishable_swapped' },
    'SUPABASE_SECRET_KEY',
  ],
  [
    'with the publishable key of another project',
    { VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' },
    'VITE_SUPABASE_PUBLISHABLE_KEY',
  ],
  [
    'with a secret key that was rotated',
    { SUPABASE_SECRET_KEY: 'sb_secret_rotated' },
    'SUPABASE_SECRET_KEY',
  ],
  ['whose backend does not answer', { VITE_SUPABASE_URL: 'http://127.0.0.1:9' }, 'Supabase'],
  ['that publishes a secret in the page', { VITE_HELP: 'sb_secret_0123456789' }, 'VITE_HELP'],
  [
    'that takes real money and does not say who may import',
    { STRIPE_SECRET_KEY: 'sk_live_1', IMPORT_ROLE: '' },
    'Imports',
  ],
  [
    'with live keys of Stripe beside test keys of PayPal',
    { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_API_URL: '' },
    'Settings of PayPal',
  ],
  [
    'with one live and one test key of Stripe',
    { VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
    'Keys of Stripe',
  ],
  ['with a wrong key of Stripe', { STRIPE_SECRET_KEY: 'sk_test_wrong' }, 'STRIPE_SECRET_KEY'],
  ['with a wrong secret of PayPal', { PAYPAL_CLIENT_SECRET: 'wrong' }, 'PAYPAL_CLIENT_SECRET'],
  [
    'whose client id and secret of PayPal are swapped',
    {
      VITE_PAYPAL_CLIENT_ID: environment['PAYPAL_CLIENT_SECRET'] ?? '',
      PAYPAL_CLIENT_SECRET: environment['VITE_PAYPAL_CLIENT_ID'] ?? '',
    },
    'VITE_PAYPAL_CLIENT_ID',
  ],
  [
    'with another secret of Stripe’s webhook',
    { STRIPE_WEBHOOK_SECRET: 'whsec_other' },
    'Stripe’s signature',
  ],
  ['whose site does not answer', { URL: 'http://127.0.0.1:9' }, 'Site'],
  ['whose functions have a former secret key', { URL: staleHost.url }, 'Functions'],
  ['with an address for messages that is none', { OPERATOR_WEBHOOK_URL: 'hooks' }, 'Messages'],
  ['that does not say who sends orders', { STAFF_ROLE: '' }, 'Orders to send'],
  ['that shows its orders to everybody', { STAFF_ROLE: '*' }, 'Orders to send'],
  ['whose mails come from nobody', { SMTP_HOST: 'smtp.example' }, 'Mail about orders'],
  ['to which nobody can write', { SHOP_CONTACT: 'our shop' }, 'Texts and addresses'],
  ['that keeps addresses for “10 years”', { RETENTION_DAYS: '10 years' }, 'Retention'],
];

test.each(FAULTS)('the doctor names the fault of a shop %s', async (_what, changes, subject) => {
  expect(faultsIn(await findingsWith(changes))).toContain(subject);
});

/** Answers requests whose address has this text with `answer`, and sends the others. */
const fetchReplacing =
  (text: string, answer: () => Response): Deployment['fetch'] =>
  async (address, options) =>
    new Request(address, options).url.includes(text) ? answer() : fetch(address, options);

/** Answers what the embedded auth service cannot: requests of an administrator, here about a new account. */
async function withAdmin(): Promise<Deployment['fetch']> {
  const { id, email, token } = await addShopper(shop, `doctor-${crypto.randomUUID()}`);
  const user = { id, email, aud: 'authenticated' };
  return async (address, options) => {
    const { method, url } = new Request(address, options);
    if (url.endsWith('/admin/generate_link'))
      return Response.json({ ...user, hashed_token: 'code' });
    if (url.endsWith('/verify')) {
      const session = { access_token: token, refresh_token: '-', token_type: 'bearer' };
      return Response.json({ ...session, expires_in: 3600, user });
    }
    if (!url.endsWith(`/admin/users/${id}`)) return fetch(address, options);
    // auth-js reads an account before it deletes it.
    if (method === 'DELETE') await shop.backend.query('delete from auth.users where id = $1', [id]);
    return Response.json(user);
  };
}

test('the doctor sees a message arrive, and leaves no account behind', async () => {
  const accounts = () => shop.backend.query('select id from auth.users');
  const before = await accounts();
  const findings = await findingsWith({}, await withAdmin());
  expect(stateOf('Realtime', findings)).toBe('ok');
  expect(await accounts()).toEqual(before);
});

test.each([
  [
    'a function that visitors may call by mistake: order_for',
    'Rights',
    'grant execute on function public.order_for to anon',
    'revoke execute on function public.order_for from anon',
  ],
  [
    'a table that visitors may write: products',
    'Rights',
    'grant delete on public.products to anon',
    'revoke delete on public.products from anon',
  ],
  [
    'a table that visitors may no longer read: catalogue_stamps',
    'Schema',
    'revoke select on public.catalogue_stamps from anon',
    'grant select on public.catalogue_stamps to anon',
  ],
  [
    'a shop whose changes send no message',
    'Realtime',
    'alter table public.sync_user disable trigger tell_phones',
    'alter table public.sync_user enable trigger tell_phones',
  ],
  [
    'a shop whose shoppers may not listen',
    'Realtime',
    'revoke select on realtime.messages from authenticated',
    'grant select on realtime.messages to authenticated',
  ],
  [
    'a shop where shoppers may listen to each other',
    'Realtime',
    'alter table realtime.messages disable row level security',
    'alter table realtime.messages enable row level security',
  ],
] as const)('the doctor names %s', async (what, subject, change, undo) => {
  const { query } = shop.backend;
  // Where the title names a table or function, the doctor's words must do so too.
  const [, name = ''] = what.split(': ');
  await query(change);
  try {
    const findings = await findingsWith({}, await withAdmin());
    expect(faultsIn(findings)).toEqual([subject]);
    expect(findings.find((finding) => finding.subject === subject)?.words).toContain(name);
  } finally {
    await query(undo);
  }
});

test('the doctor calls rights neither wrong nor right after an error of the gateway', async () => {
  const busy = fetchReplacing('rpc/pull', () => new Response('busy', { status: 503 }));
  const findings = await findingsWith({}, busy);
  expect(faultsIn(findings)).toEqual([]);
  expect(stateOf('Schema and rights', findings)).toBe('not checked');
  expect(stateOf('Rights', findings)).toBeUndefined();
});

test('the doctor names a site that does not pass requests for the catalogue on', async () => {
  const page = () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } });
  const notPassedOn = fetchReplacing('/catalogue/head', page);
  expect(faultsIn(await findingsWith({}, notPassedOn))).toEqual(['Catalogue']);
});

test('the doctor names a CDN that does not keep the catalogue', async () => {
  const head = { epoch: 'one', ver: 1, stamp: 'one' };
  const passedOn = fetchReplacing('/catalogue/head', () => Response.json(head));
  const findings = await findingsWith({}, passedOn);
  expect(faultsIn(findings)).toEqual(['Catalogue']);
  expect(findings.find(({ subject }) => subject === 'Catalogue')?.words).toContain('CDN');
});

test.each([
  ['enabled beside a disabled one', ['disabled', 'enabled'], 'ok'],
  ['disabled', ['disabled'], 'fault'],
  ['missing', [], 'fault'],
] as const)('a webhook that is %s at Stripe is called %3$s', async (_what, states, state) => {
  const url = 'https://weft.test/.netlify/functions/stripe-webhook';
  const data = states.map((status) => ({ url, status }));
  const deployment = {
    environment: { URL: 'https://weft.test', STRIPE_SECRET_KEY: 'sk_test_1' },
    fetch: () => Promise.resolve(Response.json({ data })),
  };
  const findings = await Array.fromAsync(examine(deployment));
  expect(stateOf('Webhook at Stripe', findings)).toBe(state);
});

test('what a server answers cannot steer the terminal that the doctor prints to', () => {
  const words = 'of \u001B[2Jpictures.example\u0007\u009B0m\rok';
  const line = lineOf({ subject: 'Site', state: 'fault', words }, {});
  expect(line).toBe('FAULT       Site: of \uFFFD[2Jpictures.example\uFFFD\uFFFD0m\uFFFDok');
});

test('no line of the doctor shows a secret, also one pasted over two lines or longer than another', () => {
  const secrets = {
    SUPABASE_SECRET_KEY: 'sb_secret_first-half\nsecond-half',
    STRIPE_SECRET_KEY: 'sk_test_01234567',
    STRIPE_WEBHOOK_SECRET: 'sk_test_01234567-and-its-end',
  };
  for (const secret of Object.values(secrets)) {
    const line = lineOf({ subject: 'Stripe', state: 'fault', words: `was ${secret}` }, secrets);
    expect(line).toBe('FAULT       Stripe: was (hidden)');
  }
});

test('without any settings the doctor says where to put them, and ends with status 1', async () => {
  await using folder = await temporaryFolder();
  const run = promisify(execFile)(process.execPath, [join(ROOT, 'netlify/doctor/run.ts')], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Copy .env.example to .env') as string,
    stderr: '',
  });
});
