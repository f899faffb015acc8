/** The Content-Security-Policies: which sources they allow, and that the built shop has them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkoutPolicy, policyText, shopPolicy } from '../../netlify/build/policy.ts';
import { policySettings } from '../../netlify/build/policy-settings.ts';
import { rulesOfFolder } from '../../netlify/local/rules.ts';
import { SITE_FOLDER } from '../build-once.ts';

const PROJECT = 'https://abcdefgh.supabase.co';
const readerOf = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];
const settingsWith = (variables = {}) => policySettings(readerOf(variables), PROJECT);
const policies = [shopPolicy(settingsWith(), []), checkoutPolicy(settingsWith(), [])];
const fileOf = (name: string) => readFileSync(join(SITE_FOLDER, name), 'utf8');

test.each(policies)('a policy allows nothing by default, and no code from text', (policy) => {
  expect(policy['default-src']).toEqual(["'none'"]);
  expect(policy['frame-ancestors']).toEqual(["'none'"]);
  expect(policy['base-uri']).toEqual(["'none'"]);
  expect(policy['form-action']).toEqual(["'self'"]);
  for (const source of policy['script-src'] ?? []) {
    expect(source).toMatch(/^('self'|https:\/\/[\w*.]+)$/);
  }
});

test('the policies let the shop reach its own backend, and no other project’s', () => {
  for (const policy of policies) {
    const hosts = policy['connect-src']?.filter((source) => source.includes('supabase'));
    expect(hosts).toEqual([PROJECT, 'wss://abcdefgh.supabase.co']);
  }
  const ownDomain = shopPolicy(policySettings(readerOf({}), 'https://api.shop.example/'), []);
  expect(ownDomain['connect-src']).toEqual([
    "'self'",
    'https://api.shop.example',
    'wss://api.shop.example',
  ]);
});

test.each(['abcdefgh.supabase.co', 'ftp://abcdefgh.supabase.co', 'none'])(
  'a build with %s as the backend’s address stops with a sentence',
  (url) => {
    expect(() => policySettings(readerOf({}), url)).toThrow(`VITE_SUPABASE_URL is "${url}"`);
  },
);

describe('the payment providers', () => {
  test('are let in at the checkout and nowhere else', () => {
    expect(policyText(shopPolicy(settingsWith(), []))).not.toMatch(/stripe|paypal|venmo|unsafe/);
    const policy = checkoutPolicy(settingsWith(), []);
    for (const kind of ['script', 'style', 'font', 'connect', 'frame']) {
      const sources = policy[`${kind}-src`];
      expect(sources, kind).toContain('https://*.paypal.com');
      expect(sources, kind).toContain('https://*.paypalobjects.com');
      expect(sources, kind).toContain('https://*.venmo.com');
    }
    expect(policy['img-src']).toContain('https:');
    expect(policy['style-src']).toContain("'unsafe-inline'");
  });

  test('have emulators only on the shopkeeper’s own machine', () => {
    const loopback = /127\.0\.0\.1|localhost/;
    expect(policyText(checkoutPolicy(settingsWith(), []))).not.toMatch(loopback);
    const embedded = policySettings(readerOf({}), null);
    expect(policyText(checkoutPolicy(embedded, []))).toMatch(loopback);
    expect(policyText(shopPolicy(embedded, []))).not.toMatch(loopback);
  });
});

test('Turnstile’s script and frame are let into every page but the checkout, where the shop has a key for it', () => {
  const settings = settingsWith({ VITE_TURNSTILE_SITE_KEY: 'site-key' });
  const policy = Object.entries(shopPolicy(settings, []));
  const kinds = policy.filter(([, sources]) => sources.join().includes('cloudflare'));
  expect(kinds.map(([kind]) => kind)).toEqual(['script-src', 'frame-src']);
  expect(policyText(checkoutPolicy(settings, []))).not.toContain('cloudflare');
  expect(policyText(shopPolicy(settingsWith(), []))).not.toContain('cloudflare');
});

describe('the built shop', async () => {
  const rules = await rulesOfFolder(SITE_FOLDER)();
  const policyAt = (path: string) => rules.headersFor(path).get('Content-Security-Policy') ?? '';

  const DOCUMENTS = [
    ['index.html', '/'],
    ['checkout.html', '/checkout'],
  ] as const;

  test.each(DOCUMENTS)('allows the inline scripts of %s, and no others', (file, path) => {
    const scripts = [...fileOf(file).matchAll(/<script>(.*?)<\/script>/gs)];
    expect(scripts.length).toBeGreaterThan(0);
    const hashes = policyAt(path).match(/'sha256-[^']+'/g);
    expect(hashes).toEqual(scripts.map(([, text = '']) => hashOf(text)));
  });

  test.each(DOCUMENTS)(
    'has the policy of %s in the document too, for addresses that no header rule matches',
    (file, path) => {
      const [, content = ''] =
        /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(fileOf(file)) ?? [];
      // In a document browsers ignore `frame-ancestors`, which stands last.
      const [inDocument = ''] = policyAt(path).split('; frame-ancestors');
      expect(content).toBe(inDocument);
      expect(fileOf(file).indexOf(content)).toBeLessThan(fileOf(file).indexOf('<script'));
    },
  );

  test('lets the page for unknown addresses run no script', () => {
    const html = fileOf('404.html');
    expect(html).toContain("content=\"default-src 'none'; style-src 'self'; font-src 'self';");
    expect(html).not.toContain('<script');
    expect(html).toContain('<link rel="stylesheet"');
    expect(html).toContain('name="robots" content="noindex"');
    // The build takes that page out of the shop's document, where it was drawn.
    expect(fileOf('index.html')).not.toContain('Page not found');
  });
});

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
