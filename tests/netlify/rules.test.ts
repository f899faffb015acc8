/** Header rules and redirects: the host on this machine rejects those that only Netlify understands. */
import { expect, test } from 'vitest';
import {
  headerRules,
  headersText,
  redirectsText,
  REWRITES,
} from '../../netlify/build/site-rules.ts';
import { parseRules } from '../../netlify/local/rules.ts';
import { POLICIES } from './small-site.ts';

const headers = headersText(headerRules(POLICIES));
const rules = parseRules({ headers, redirects: redirectsText(REWRITES) });

test('the host on this machine understands all rules that the build writes', () => {
  expect(rules.rewrite('/cart')).toBe('/index.html');
  for (const path of ['/product', '/product/', '/product/a', '/product/a/b\n?']) {
    expect(rules.rewrite(path)).toBe('/.netlify/functions/product');
  }
  for (const path of ['/anything', '/products', '/Product/a']) {
    expect(rules.rewrite(path)).toBeUndefined();
  }
});

test('every answer has the headers that keep browsers on https and limit what a page and other sites may do', () => {
  const headersOfAll = rules.headersFor('/anything');
  expect(headersOfAll.get('Strict-Transport-Security')).toMatch(/max-age=\d{8}/);
  expect(headersOfAll.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headersOfAll.get('X-Frame-Options')).toBe('DENY');
  expect(headersOfAll.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headersOfAll.get('Permissions-Policy')).toContain('camera=()');
  expect(headersOfAll.get('Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
});

test.each([
  ['a rewrite to another origin without a path', '/a https://b.example 200'],
  ['a rewrite of everything', '/* /index.html 200'],
  ['a rewrite with a wildcard in the middle', '/a/*/b /index.html 200'],
  ['a rewrite of a path that ends in a slash', '/a/ /b 200'],
  ['a forced rewrite', '/a /b 200!'],
  ['a rewrite for some languages', '/a /b 200 Language=de'],
  ['a permanent redirect', '/a /b 301'],
  ['a rule without a status', '/a /b'],
])('%s is rejected, because it would work only on Netlify', (_what, redirects) => {
  expect(() => parseRules({ headers: '', redirects })).toThrow('not supported here');
});

test.each([
  ['headers with a placeholder', '/:page\n  A: b'],
  ['headers with a wildcard in the middle', '/a/*/b\n  A: b'],
  ['a header without a path', '  A: b'],
  ['a header without a value', '/a\n  A:'],
])('the host on this machine rejects %s', (_what, text) => {
  expect(() => parseRules({ headers: text, redirects: '' })).toThrow('not supported here');
});
