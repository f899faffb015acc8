import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directive, findsBackendBlocked, policiesOf } from '../../netlify/build/backend-allowed.ts';
import { parseRules } from '../../netlify/local/rules.ts';
import { ROUTES } from '../../src/domain/routes.ts';
import { SITE_FOLDER } from '../build-once.ts';

const toml = readFileSync(join(import.meta.dirname, '../../netlify.toml'), 'utf8');

test('the rules that Netlify will follow are all understood here', () => {
  const rules = parseRules(toml);
  expect(rules.rewrite('/cart')).toBe('/index.html');
  expect(rules.rewrite('/anything')).toBeUndefined();
  expect(rules.headersFor('/anything').map(([name]) => name)).toContain('X-Frame-Options');
});

test('no header is set by two rules for one path, which Netlify would join with a comma', () => {
  const rules = parseRules(toml);
  for (const path of [
    ...ROUTES,
    '/index.html',
    '/checkout.html',
    '/sw.js',
    '/manifest.webmanifest',
    '/assets/a.js',
    '/pictures/a.svg',
  ]) {
    const names = rules.headersFor(path).map(([name]) => name.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
  }
});

describe('the Content-Security-Policy', () => {
  const policies = new Map(policiesOf(toml).map(({ path, policy }) => [path, policy]));
  const policyOf = (path: string) => policies.get(path) ?? '';
  const pages = [...ROUTES, '/index.html', '/checkout.html'];
  const providers = /stripe|paypal/;

  test('stands on every page and on nothing else that is not a page', () => {
    expect([...policies.keys()].sort()).toEqual(pages.sort());
  });

  test('is one and the same on all pages but the checkout', () => {
    const isCheckout = (path: string) => /^\/checkout(\.html)?$/.test(path);
    expect(new Set(pages.filter(isCheckout).map(policyOf)).size).toBe(1);
    expect(new Set(pages.filter((path) => !isCheckout(path)).map(policyOf)).size).toBe(1);
    expect(policyOf('/')).not.toMatch(providers);
    expect(policyOf('/checkout')).toMatch(providers);
  });

  test.each(['/', '/checkout'])(
    'of %s allows nothing by default, and no code from text',
    (page) => {
      const policy = policyOf(page);
      expect(directive(policy, 'default-src')).toEqual(["'none'"]);
      expect(directive(policy, 'frame-ancestors')).toEqual(["'none'"]);
      expect(directive(policy, 'base-uri')).toEqual(["'none'"]);
      expect(policy).not.toMatch(/unsafe|'strict-dynamic'/);
      for (const source of directive(policy, 'script-src')) {
        expect(source).toMatch(/^('self'|'sha256-.{44}'|https:\/\/[\w*.]+)$/);
      }
    },
  );

  test.each([
    ['index.html', '/'],
    ['checkout.html', '/checkout'],
  ])('knows the scripts that stand in %s, and no others', (file, page) => {
    const html = readFileSync(join(SITE_FOLDER, file), 'utf8');
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
    const hashes = directive(policyOf(page), 'script-src').filter((source) => /sha/.test(source));
    expect(hashes).toEqual(scripts.map(hashOf));
  });

  test('of the page for unknown addresses knows its style', () => {
    const html = readFileSync(join(SITE_FOLDER, '404.html'), 'utf8');
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    expect(html).toContain(`default-src 'none'; style-src ${hashOf(style)};`);
  });

  test('names the inline scripts of index.html as they are, comments included', () => {
    const html = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8');
    const hashes = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => {
      return hashOf(text);
    });
    expect(hashes.length).toBeGreaterThan(0);
    const policies = toml.match(/^Content-Security-Policy = .*$/gm) ?? [];
    const named = policies.map((policy) => policy.match(/'sha256-[^']+'/g) ?? []);
    expect([...new Set(named.flat())]).toEqual(hashes);
    expect(named).toContainEqual(hashes);
  });

  test('lets the shop reach its backend, or the build says so', () => {
    expect(findsBackendBlocked(toml, 'https://abcdefgh.supabase.co')).toBeNull();
    expect(findsBackendBlocked(toml, 'https://api.shop.example')).toContain(
      'does not let / connect to https://api.shop.example,',
    );
    const half = toml.replaceAll('https://*.supabase.co', 'https://api.shop.example');
    expect(findsBackendBlocked(half, 'https://api.shop.example')).toContain('wss://');
    expect(findsBackendBlocked(toml, 'https://evil-supabase.co')).not.toBeNull();
  });

  function hashOf(text: string): string {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  }
});

test('browsers are told to stay with https, not to guess types, and to frame nothing', () => {
  const headers = new Map(parseRules(toml).headersFor('/anything'));
  expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=\d{8}/);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Permissions-Policy')).toContain('camera=()');
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
});

test.each([
  [
    'a redirect to another address',
    '[[redirects]]\nfrom = "/a"\nto = "https://b.example"\nstatus = 200',
  ],
  ['a redirect with a wildcard', '[[redirects]]\nfrom = "/*"\nto = "/index.html"\nstatus = 200'],
  ['a redirect that moves', '[[redirects]]\nfrom = "/a"\nto = "/b"\nstatus = 301'],
  ['a redirect without a status', '[[redirects]]\nfrom = "/a"\nto = "/b"'],
  ['a forced redirect', '[[redirects]]\nfrom = "/a"\nto = "/b"\nstatus = 200\nforce = true'],
  ['headers with a placeholder', '[[headers]]\nfor = "/:page"\n[headers.values]\nA = "b"'],
  ['headers with several values', '[[headers]]\nfor = "/a"\n[headers.values]\nA = ["b", "c"]'],
])('%s is rejected, because it would work only on Netlify', (_what, rule) => {
  expect(() => parseRules(rule)).toThrow('not supported here');
});
