/** The variables by which a shop is configured: which are accepted, and what is said of the others. */
import { describe, expect, test } from 'vitest';
import { paypalInPage } from '../../netlify/build/paypal-in-page.ts';
import {
  backendSettings,
  importRole,
  NotConfigured,
  paypalSettings,
  siteUrl,
  stripeSettings,
} from '../../netlify/lib/env.ts';

/** A reader of these variables, instead of the environment's. */
const readerOf = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abc' };
const PAYPAL = {
  VITE_PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_ENVIRONMENT: 'sandbox',
};

/** The message with which `read` rejects these variables; null where it accepts them. */
function faultOf(
  read: (variables: ReturnType<typeof readerOf>) => unknown,
  variables: Record<string, string>,
) {
  try {
    read(readerOf(variables));
    return null;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(NotConfigured);
    return (thrown as Error).message;
  }
}

describe('Stripe’s keys', () => {
  test('say whether real money moves', () => {
    expect(stripeSettings(readerOf(STRIPE))).toEqual({
      secretKey: 'sk_test_abc',
      mode: 'sandbox',
      apiUrl: null,
    });
    for (const secretKey of ['sk_live_abc', 'rk_live_abc']) {
      expect(stripeSettings(readerOf({ STRIPE_SECRET_KEY: secretKey })).mode).toBe('live');
    }
  });

  test('that are missing, public or of another kind are named in the log', () => {
    expect(faultOf(stripeSettings, {})).toBe('STRIPE_SECRET_KEY is not set.');
    for (const secretKey of ['pk_live_abc', 'whsec_abc', 'sk_live_a b']) {
      expect(faultOf(stripeSettings, { STRIPE_SECRET_KEY: secretKey })).toContain(
        'STRIPE_SECRET_KEY',
      );
    }
  });

  test('go to this machine or to Stripe, and real ones only to Stripe', () => {
    const withApiUrl = (url: string, key = 'sk_test_abc') => ({
      STRIPE_SECRET_KEY: key,
      STRIPE_API_URL: url,
    });
    expect(stripeSettings(readerOf(withApiUrl('http://127.0.0.1:9'))).apiUrl?.port).toBe('9');
    for (const url of ['http://10.0.0.1', 'https://127.0.0.1:9', 'x']) {
      expect(faultOf(stripeSettings, withApiUrl(url))).toContain('STRIPE_API_URL');
    }
    expect(faultOf(stripeSettings, withApiUrl('http://127.0.0.1:9', 'sk_live_abc'))).toContain(
      'live',
    );
  });
});

describe('PayPal’s keys', () => {
  test('go to the environment that is named', () => {
    expect(paypalSettings(readerOf(PAYPAL))).toEqual({
      clientId: 'client',
      clientSecret: 'secret',
      mode: 'sandbox',
      apiUrl: 'https://api-m.sandbox.paypal.com',
    });
    const live = { ...PAYPAL, PAYPAL_ENVIRONMENT: 'live' };
    expect(paypalSettings(readerOf(live)).apiUrl).toBe('https://api-m.paypal.com');
  });

  test('make the page use the same app and environment as the functions, or no PayPal', () => {
    const other = { ...PAYPAL, PAYPAL_CLIENT_ID: 'other', VITE_PAYPAL_ENVIRONMENT: 'live' };
    expect(paypalSettings(readerOf(other)).clientId).toBe('client');
    expect(paypalInPage(readerOf(other))).toBe('sandbox');
    expect(paypalInPage(readerOf({ PAYPAL_ENVIRONMENT: ' live' }))).toBe('production');
    for (const PAYPAL_ENVIRONMENT of ['', 'Live', 'production', 'test']) {
      expect(paypalInPage(readerOf({ PAYPAL_ENVIRONMENT }))).toBe('');
    }
  });

  test('that are incomplete, or would be sent to a stranger, are named in the log', () => {
    for (const name of Object.keys(PAYPAL)) {
      const { [name]: _, ...others } = PAYPAL as Record<string, string>;
      expect(faultOf(paypalSettings, others)).toBe(`${name} is not set.`);
    }
    expect(faultOf(paypalSettings, { ...PAYPAL, PAYPAL_ENVIRONMENT: 'test' })).toContain(
      'PAYPAL_ENVIRONMENT',
    );
    expect(
      faultOf(paypalSettings, { ...PAYPAL, PAYPAL_API_URL: 'https://evil.example' }),
    ).toContain('PAYPAL_API_URL');
  });
});

test('a shop that takes real money takes no test money beside it', () => {
  const realCards = { ...PAYPAL, STRIPE_SECRET_KEY: 'rk_live_abc' };
  expect(faultOf(paypalSettings, realCards)).toContain('live');
  expect(paypalInPage(readerOf(realCards))).toBe('');
  expect(faultOf(stripeSettings, realCards)).toBeNull();
  const realPayPal = { ...STRIPE, ...PAYPAL, PAYPAL_ENVIRONMENT: 'live' };
  expect(faultOf(stripeSettings, realPayPal)).toContain('live');
  expect(faultOf(paypalSettings, realPayPal)).toBeNull();
  expect(faultOf(stripeSettings, { ...STRIPE, ...PAYPAL })).toBeNull();
});

test('a shop that others can reach or that takes real money must say who may import: everybody, or accounts with a role', () => {
  for (const live of [{ STRIPE_SECRET_KEY: 'rk_live_abc' }, { PAYPAL_ENVIRONMENT: 'live' }]) {
    expect(faultOf(importRole, { ...live, IMPORT_ROLE: ' ' })).toContain('IMPORT_ROLE is not set');
    expect(importRole(readerOf({ ...live, IMPORT_ROLE: 'staff' }))).toBe('staff');
    expect(importRole(readerOf({ ...live, IMPORT_ROLE: ' * ' })), 'everybody').toBeNull();
  }
  expect(faultOf(importRole, { VITE_SUPABASE_URL: 'https://abc.supabase.co' })).toContain(
    'IMPORT_ROLE is not set',
  );
  expect(importRole(readerOf({ VITE_SUPABASE_URL: 'http://localhost:4173' }))).toBeNull();
});

test('a secret key that was pasted wrongly is refused, and the message does not show it', () => {
  const withKey = (SUPABASE_SECRET_KEY: string) => ({
    VITE_SUPABASE_URL: 'https://abc.supabase.co',
    SUPABASE_SECRET_KEY,
  });
  expect(faultOf(backendSettings, withKey('sb_secret_a-B_1'))).toBeNull();
  expect(faultOf(backendSettings, withKey(''))).toContain('SUPABASE_SECRET_KEY is not set');
  const fault = faultOf(backendSettings, withKey('sb_secret_a\nsb_publishable_b'));
  expect(fault).toContain('SUPABASE_SECRET_KEY');
  expect(fault).not.toContain('sb_secret_a');
});

test('the addresses of the shop and of its backend must be https, or on this machine', () => {
  expect(siteUrl(readerOf({ URL: 'https://weft.example/' }))).toBe('https://weft.example');
  expect(siteUrl(readerOf({ URL: 'http://localhost:4173' }))).toBe('http://localhost:4173');
  for (const URL of ['http://weft.example', 'javascript:1', ''])
    expect(faultOf(siteUrl, { URL })).toContain('URL');
  const listenedTo = {
    VITE_SUPABASE_URL: 'http://elsewhere.test',
    SUPABASE_SECRET_KEY: 'sb_secret_a',
  };
  expect(faultOf(backendSettings, listenedTo)).toContain('VITE_SUPABASE_URL');
});
