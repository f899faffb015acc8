import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRules } from '../../netlify/local/rules.ts';

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
    '/',
    '/index.html',
    '/sw.js',
    '/manifest.webmanifest',
    '/assets/a.js',
    '/pictures/a.svg',
  ]) {
    const names = rules.headersFor(path).map(([name]) => name.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
  }
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
])('%s is refused, because it would work only on Netlify', (_what, rule) => {
  expect(() => parseRules(rule)).toThrow('not supported here');
});
