/** Which variables stop the build, because it would publish a secret with them. */
import { expect, test } from 'vitest';
import { publicSecrets } from '../../netlify/build/public-secrets.ts';

/** A key of Supabase's older kind, which is a token (JWT), for this role. */
const keyFor = (role: string) =>
  `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.x`;

test.each([
  'sb_secret_abc',
  ' sk_live_abc',
  'rk_test_abc',
  'whsec_abc',
  keyFor('service_role'),
  `sbp_${'0a'.repeat(20)}`, // Supabase's access token
  '0x4AAAAAAAExampleExampleExampleExamp', // Turnstile
  'postgres://postgres:pass#word@db.abcdefgh.supabase.co:5432/postgres',
  'postgresql://db.example/shop?user=ada&password=word',
  'https://ada:word@search.example/api',
  'https://hooks.slack.com/services/T0/B0/x',
  'https://discord.com/api/webhooks/1/x',
  '"Bearer sb_secret_abc',
  '\u200bsb_secret_abc', // a zero-width space, pasted along
])('%s in a variable that pages can read is named', (secret) => {
  const environment = { VITE_SUPABASE_PUBLISHABLE_KEY: secret, SHOP_CONTACT: secret };
  expect(publicSecrets(environment)).toEqual(Object.keys(environment));
});

test('publishable keys, and secrets that stay on the server, are not named', () => {
  const environment = {
    VITE_SUPABASE_URL: 'https://abcdefgh.supabase.co',
    VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_abc',
    VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
    VITE_OLDER_KEY: keyFor('anon'),
    VITE_TURNSTILE_SITE_KEY: '0x4AAAAAAAExampleExampl',
    SHOP_PRIVACY: 'https://your.shop:8443/privacy@home',
    SHOP_CONTACT: 'mailto:ada@your.shop',
    VITE_STORE_NAME: 'weft',
    SMTP_PASSWORD: 'weft',
    STRIPE_SECRET_KEY: 'sk_live_abc',
  };
  expect(publicSecrets(environment)).toEqual([]);
});

test('a variable that pages can read is named when it holds the value of a secret one', () => {
  const value = 'EExampleExampleExampleExample';
  for (const name of ['PAYPAL_CLIENT_SECRET', 'SMTP_PASSWORD', 'OPERATOR_WEBHOOK_URL']) {
    const environment = { VITE_PAYPAL_CLIENT_ID: ` ${value}`, [name]: `${value} ` };
    expect(publicSecrets(environment), name).toEqual(['VITE_PAYPAL_CLIENT_ID']);
  }
  expect(publicSecrets({ VITE_PAYPAL_CLIENT_ID: value, PAYPAL_WEBHOOK_ID: value })).toEqual([]);
});

test('a publishable key is not named when it was copied into the secret key too', () => {
  for (const key of ['sb_publishable_abc', keyFor('anon')]) {
    const environment = { VITE_SUPABASE_PUBLISHABLE_KEY: key, SUPABASE_SECRET_KEY: key };
    expect(publicSecrets(environment)).toEqual([]);
  }
});
