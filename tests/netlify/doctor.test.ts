/** `npm run doctor`: what it says of a sound deployment, and of each fault that it looks for. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { examine } from '../../netlify/doctor/examine.ts';
import { type Deployment, type Finding, lineOf } from '../../netlify/doctor/finding.ts';
import { checkProviders } from '../../netlify/doctor/providers.ts';
import { checkSettings } from '../../netlify/doctor/settings.ts';
import { openPayments } from '../../netlify/local/payments.ts';
import { deploymentOf, findingAbout } from './deployment.ts';
import { openSmallSiteForFile } from './small-site.ts';

const { startSecondHost, shop, siteFolder } = await openSmallSiteForFile();
const payments = await openPayments();
const host = await startSecondHost({
  payments,
  functionsFolder: join(import.meta.dirname, '../../netlify/functions'),
});
afterAll(async () => {
  await host.close();
  await payments.close();
});

/** The host of a site whose variables were not changed when the secret key was rotated. */
const staleHost = await startSecondHost({
  payments,
  functionsFolder: join(import.meta.dirname, '../../netlify/functions'),
  environment: { SUPABASE_SECRET_KEY: 'sb_secret_former' },
});
afterAll(() => staleHost.close());

const environment: Readonly<Record<string, string>> = {
  URL: host.url,
  VITE_SUPABASE_URL: host.url,
  VITE_SUPABASE_PUBLISHABLE_KEY: shop.backend.publishableKey,
  SUPABASE_SECRET_KEY: shop.backend.secretKey,
  ...payments.environment,
};

/** A sound deployment with these changes. */
const deploymentWith = (changes: Partial<Deployment> = {}) =>
  deploymentOf(environment, { siteFolder, ...changes });

/** What the faults among the findings are about. */
function faultsIn(findings: readonly Finding[]): readonly string[] {
  return findings.filter(({ state }) => state === 'fault').map(({ subject }) => subject);
}

test('the doctor finds no fault in the embedded shop, and does not call ok what it has not checked', async () => {
  const findings = await examine(deploymentWith());
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
  expect(findingAbout('Mail and redirects', findings)?.state).toBe('not checked');
  expect(findingAbout('Database', findings)?.state).toBe('ok');
});

test('the doctor finds a site whose functions have a secret key that is no longer good', async () => {
  const onStaleHost = { ...environment, URL: staleHost.url };
  const findings = await examine(deploymentOf(onStaleHost, { siteFolder }));
  expect(findingAbout('Functions', findings)).toMatchObject({
    state: 'fault',
    words: expect.stringContaining('SUPABASE_SECRET_KEY'),
  });
});

test('the doctor finds an address for notices and a time of retention that cannot be used', async () => {
  const settings = {
    OPERATOR_WEBHOOK_URL: 'hooks.slack.com/services/T',
    RETENTION_DAYS: '10 years',
  };
  const findings = await checkSettings(deploymentOf({ ...environment, ...settings }));
  expect(faultsIn(findings)).toEqual(['Notices', 'RETENTION_DAYS']);
});

/** What is wrong with a deployment, the variables that make it so, and the subject that the doctor must name. */
const BROKEN = [
  ['without a secret key', { SUPABASE_SECRET_KEY: '' }, 'Supabase'],
  [
    'with a publishable key of another project',
    { VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' },
    'VITE_SUPABASE_PUBLISHABLE_KEY',
  ],
  [
    'with a rotated secret key',
    { SUPABASE_SECRET_KEY: 'sb_secret_rotated' },
    'SUPABASE_SECRET_KEY',
  ],
  [
    'with a publishable key as the secret key',
    { SUPABASE_SECRET_KEY: 'sb_publishable_swapped' },
    'SUPABASE_SECRET_KEY',
  ],
  ['whose backend does not answer', { VITE_SUPABASE_URL: 'http://127.0.0.1:9' }, 'Supabase'],
  ['with a secret in the page', { VITE_HELP: 'sb_secret_0123456789' }, 'VITE_HELP'],
  ['with a PayPal client id but no secret', { PAYPAL_CLIENT_SECRET: '' }, 'PayPal'],
  ['with a wrong PayPal secret', { PAYPAL_CLIENT_SECRET: 'wrong' }, 'PAYPAL_CLIENT_SECRET'],
  ['with a wrong key of Stripe', { STRIPE_SECRET_KEY: 'sk_test_wrong' }, 'STRIPE_SECRET_KEY'],
  [
    'with PayPal’s secret in the page',
    { VITE_PAYPAL_CLIENT_ID: environment['PAYPAL_CLIENT_SECRET'] ?? '' },
    'VITE_PAYPAL_CLIENT_ID',
  ],
  [
    'that takes real money and does not say who imports',
    { STRIPE_SECRET_KEY: 'sk_live_1', IMPORT_ROLE: '' },
    'Imports',
  ],
  ['with keys of both modes of Stripe', { VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, 'Stripe'],
  ['with another webhook secret', { STRIPE_WEBHOOK_SECRET: 'whsec_other' }, 'Stripe’s webhook'],
  [
    'whose database address has a bare # in its password',
    { SUPABASE_DB_URL: 'postgres://postgres:pass#word@db.abcdefgh.supabase.co:5432/postgres' },
    'SUPABASE_DB_URL',
  ],
  ['at an address without a shop', { URL: 'http://127.0.0.1:9' }, 'Site'],
] as const;

test.each(BROKEN)('the doctor names the fault of a shop %s', async (_which, changes, subject) => {
  const findings = await examine(deploymentWith({ environment: { ...environment, ...changes } }));
  expect(faultsIn(findings)).toContain(subject);
});

/** What the doctor finds when requests whose address has this text are answered with `answer`. */
const findingsWhere = (text: string, answer: () => Promise<Response>) =>
  examine(
    deploymentWith({
      fetch: (address, options) =>
        new Request(address, options).url.includes(text) ? answer() : fetch(address, options),
    }),
  );

test.each([
  ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ['an error of the gateway', async () => new Response('busy', { status: 503 })],
])(
  'the doctor does not call the rights of the database wrong, or right, after %s',
  async (_what, answer) => {
    for (const text of ['rpc/pull', 'orders?select']) {
      const findings = await findingsWhere(text, answer);
      expect(faultsIn(findings)).not.toContain('Rights');
      expect(findingAbout('Database', findings)?.state).not.toBe('ok');
    }
  },
);

test('the doctor does not blame the secret key where there is no table of orders', async () => {
  const findings = await findingsWhere('orders?select', async () =>
    Response.json({ code: 'PGRST205' }, { status: 404 }),
  );
  expect(faultsIn(findings)).toEqual(['Database']);
});

describe('with an access token to the hosted project the doctor names', () => {
  const HOSTED = 'https://abcdefgh.supabase.co';
  const SOUND = {
    site_url: 'https://your.shop',
    uri_allow_list: 'https://your.shop/**',
    smtp_host: 'smtp.your.shop',
    rate_limit_email_sent: 30,
    mailer_autoconfirm: false,
    mailer_secure_email_change_enabled: true,
    mailer_otp_length: 10,
    disable_signup: false,
    external_email_enabled: true,
    external_anonymous_users_enabled: false,
    security_update_password_require_reauthentication: true,
    security_update_password_require_current_password: true,
    mfa_totp_enroll_enabled: false,
    mfa_phone_enroll_enabled: null,
    mfa_web_authn_enroll_enabled: null,
  };

  async function faultsOf(
    config: object,
    environment: Deployment['environment'] = {},
  ): Promise<readonly string[]> {
    const fetch: typeof globalThis.fetch = async (address) =>
      address === 'https://api.supabase.com/v1/projects/abcdefgh/config/auth'
        ? Response.json(config)
        : Promise.reject(new TypeError('no network in this test'));
    const hosted = {
      URL: 'https://your.shop',
      VITE_SUPABASE_URL: HOSTED,
      VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_1',
      SUPABASE_SECRET_KEY: 'sb_secret_1',
      SUPABASE_ACCESS_TOKEN: 'sbp_1',
      ...environment,
    };
    return faultsIn(await examine(deploymentWith({ environment: hosted, fetch })));
  }

  test.each([
    ['no SMTP', { smtp_host: null }, 'Mail'],
    ['another site URL', { site_url: 'http://localhost:3000' }, 'Redirects'],
    ['two mails an hour', { rate_limit_email_sent: 2 }, 'Mail'],
    ['links to any site', { uri_allow_list: 'https://your.shop/**,https://**' }, 'Redirects'],
    ['a CAPTCHA that no form shows', { security_captcha_enabled: true }, 'CAPTCHA'],
    ['addresses unconfirmed', { mailer_autoconfirm: true }, 'Registration'],
    ['registration switched off', { disable_signup: true }, 'Registration'],
    ['no accounts by e-mail', { external_email_enabled: false }, 'Registration'],
    ['accounts without an address', { external_anonymous_users_enabled: true }, 'Registration'],
    [
      'a new address that the old one need not confirm',
      { mailer_secure_email_change_enabled: false },
      'Registration',
    ],
    ['codes that can be guessed', { mailer_otp_length: 6 }, 'Registration'],
    [
      'passwords that an old session may change',
      { security_update_password_require_reauthentication: false },
      'Passwords',
    ],
    [
      'passwords that can be changed without the current one',
      { security_update_password_require_current_password: false },
      'Passwords',
    ],
    ['apps for second factors', { mfa_totp_enroll_enabled: true }, 'Second factors'],
    ['apps without a setting', { mfa_totp_enroll_enabled: null }, 'Second factors'],
    ['phones as second factors', { mfa_phone_enroll_enabled: true }, 'Second factors'],
    ['keys as second factors', { mfa_web_authn_enroll_enabled: true }, 'Second factors'],
    ['passkeys', { passkey_enabled: true }, 'Second factors'],
  ])('%s', async (_what, changes, subject) => {
    expect(await faultsOf({ ...SOUND, ...changes })).toContain(subject);
  });

  test('a CAPTCHA of another provider than the forms show', async () => {
    const environment = { VITE_CAPTCHA_SITE_KEY: 'key', VITE_CAPTCHA_PROVIDER: 'hcaptcha' };
    const checked = { ...SOUND, security_captcha_enabled: true };
    const faultsWith = (security_captcha_provider: string) =>
      faultsOf({ ...checked, security_captcha_provider }, environment);
    expect(await faultsWith('turnstile')).toContain('CAPTCHA');
    expect(await faultsWith('hcaptcha')).not.toContain('CAPTCHA');
  });

  test('none of these faults in a sound project', async () => {
    const faults = await faultsOf(SOUND);
    const subjects = new Set([
      'Mail',
      'Redirects',
      'Registration',
      'Passwords',
      'Second factors',
      'CAPTCHA',
    ]);
    expect(faults.filter((subject) => subjects.has(subject))).toEqual([]);
  });
});

/** A deployment whose site answers as usual, except at one address. */
function withAnswer(path: string, answer: () => Response): Partial<Deployment> {
  return {
    fetch: (address, init) =>
      address === host.url + path ? Promise.resolve(answer()) : globalThis.fetch(address, init),
  };
}

test('the doctor names a site that does not pass requests for the catalogue on', async () => {
  const page = () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } });
  const changes = withAnswer('/rest/v1/products?select=id&limit=1', page);
  expect(faultsIn(await examine(deploymentWith(changes)))).toContain('Catalogue');
});

test('the doctor names headers that differ from the build, and does not check them without a build', async () => {
  const home = await fetch(host.url);
  const headers = new Headers(home.headers);
  headers.set('referrer-policy', 'unsafe-url');
  const changes = withAnswer('', () => new Response('<html></html>', { headers }));
  const findings = await examine(deploymentWith(changes));
  expect(findingAbout('Headers as built', findings)).toMatchObject({
    state: 'fault',
    words: expect.stringContaining('another Referrer-Policy than') as string,
  });
  const unbuilt = await examine(deploymentWith({ siteFolder: 'no-such-folder' }));
  expect(findingAbout('Headers as built', unbuilt)?.state).toBe('not checked');
});

test('the doctor names a clock that is an hour off', async () => {
  const now = () => new Date(Date.now() + 3_600_000);
  expect(faultsIn(await examine(deploymentWith({ now })))).toContain('Clock');
});

test('the doctor names a function that is open to visitors by mistake', async () => {
  await shop.backend.query('grant execute on function public.order_for to anon');
  try {
    const findings = await examine(deploymentWith());
    expect(findingAbout('Rights', findings)?.words).toContain('order_for');
  } finally {
    await shop.backend.query('revoke execute on function public.order_for from anon');
  }
});

test('the doctor names a function of visitors that is closed to them', async () => {
  await shop.backend.query('revoke execute on function public.catalogue_changes from anon');
  try {
    const findings = await examine(deploymentWith());
    expect(findingAbout('Database', findings)?.words).toContain('catalogue_changes');
  } finally {
    await shop.backend.query('grant execute on function public.catalogue_changes to anon');
  }
});

test('a shop that takes real money may let everybody import, and the doctor says what that means', async () => {
  const changes = { STRIPE_SECRET_KEY: 'sk_live_1', IMPORT_ROLE: '*' };
  const findings = await checkSettings(
    deploymentWith({ environment: { ...environment, ...changes } }),
  );
  expect(findingAbout('Imports', findings)).toEqual({
    subject: 'Imports',
    state: 'ok',
    words: expect.stringContaining('every shopper may import, and so set prices') as string,
  });
});

test('a secret of PayPal that was swapped with the client id is said to be published, and not shown', async () => {
  const { VITE_PAYPAL_CLIENT_ID: id = '', PAYPAL_CLIENT_SECRET: secret = '' } = environment;
  const swapped = { ...environment, VITE_PAYPAL_CLIENT_ID: secret, PAYPAL_CLIENT_SECRET: id };
  const findings = await checkProviders(deploymentWith({ environment: swapped }));
  const finding = findings.find(({ state }) => state === 'fault');
  expect(finding?.subject).toBe('VITE_PAYPAL_CLIENT_ID');
  expect(finding?.words).toMatch(/swapped.*published.*make a new secret/);
  expect(finding?.words).not.toContain(secret);
});

test('the doctor finds the webhook at Stripe that is enabled beside a disabled one to the same address', async () => {
  const url = 'https://weft.test/.netlify/functions/stripe-webhook';
  const data = [
    { url, status: 'disabled' },
    { url, status: 'enabled' },
  ];
  const findings = await checkProviders(
    deploymentWith({
      environment: { URL: 'https://weft.test', STRIPE_SECRET_KEY: 'sk_test_1' },
      fetch: () => Promise.resolve(Response.json({ data })),
    }),
  );
  expect(findingAbout('Webhook at Stripe', findings)?.state).toBe('ok');
});

test('what a server answers cannot steer the terminal that the doctor prints to', () => {
  const words = 'of \u001B[2Jpictures.example\u0007\u009B0m\rok';
  const line = lineOf({ subject: 'Pictures', state: 'fault', words }, {});
  expect(line).toBe('FAULT       Pictures: of \uFFFD[2Jpictures.example\uFFFD\uFFFD0m\uFFFDok');
});

test('no line of the doctor shows a secret', () => {
  const words = `rejected: ${environment['SUPABASE_SECRET_KEY']} was sent`;
  const line = lineOf({ subject: 'Supabase', state: 'fault', words }, environment);
  expect(line).toBe('FAULT       Supabase: rejected: (hidden) was sent');
});

test('no line of the doctor shows the end of a secret that begins with another one', () => {
  const secret = environment['SUPABASE_SECRET_KEY'] ?? '';
  const longer = `${secret}-and-its-end`;
  const line = lineOf(
    { subject: 'Stripe', state: 'fault', words: `rejected: ${longer}` },
    { ...environment, STRIPE_SECRET_KEY: longer },
  );
  expect(line).toBe('FAULT       Stripe: rejected: (hidden)');
});

test('no line of the doctor shows a secret that was pasted over two lines', () => {
  const secret = 'sb_secret_first-half\nsecond-half';
  const line = lineOf(
    { subject: 'Supabase', state: 'fault', words: `rejected: ${secret}` },
    { SUPABASE_SECRET_KEY: secret },
  );
  expect(line).toBe('FAULT       Supabase: rejected: (hidden)');
});
