/** Which variables the build refuses, because it would publish a secret with them. */
import { expect, test } from 'vitest';
import { publicSecrets } from '../../netlify/build/public-secrets.ts';

/** A key of the older kind, which is a token, for this role. */
const keyFor = (role: string) =>
  `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.x`;

test.each([
  'sb_secret_abc',
  ' sk_live_abc',
  'sk_test_abc',
  'rk_live_abc',
  'whsec_abc',
  keyFor('service_role'),
])('%s in a variable that pages can read is named', (secret) => {
  expect(publicSecrets({ VITE_SUPABASE_PUBLISHABLE_KEY: secret })).toEqual([
    'VITE_SUPABASE_PUBLISHABLE_KEY',
  ]);
});

test('publishable keys, and secrets that stay on the server, are not named', () => {
  const environment = {
    VITE_SUPABASE_URL: 'https://abcdefgh.supabase.co',
    VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_abc',
    VITE_STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
    VITE_OLDER_KEY: keyFor('anon'),
    VITE_EMPTY: undefined,
    SUPABASE_SECRET_KEY: 'sb_secret_abc',
    STRIPE_SECRET_KEY: 'sk_live_abc',
  };
  expect(publicSecrets(environment)).toEqual([]);
});
