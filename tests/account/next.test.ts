/** Where a shopper gets to after signing in: always to a page of the shop. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountHref, nextPath } from '../../src/account/next.ts';

test.each([
  ['/cart', '/cart'],
  ['/?category=Men&q=a%20b', '/?category=Men&q=a%20b'],
  ['/orders#last', '/orders#last'],
  ['/a/../cart', '/cart'],
])('after signing in %s leads to %s', (next, path) => {
  expect(nextPath(next)).toBe(path);
});

test.each([
  null,
  'https://evil.test',
  String.raw`/\evil.test`,
  '//own.invalid//evil.test', // the origin that stands for the shop's own in `next.ts`
  '/login',
  '/login/?next=/cart',
  '/register',
  '/reset-password#access_token=x',
])('after signing in %j leads home', (next) => {
  expect(nextPath(next)).toBe('/');
});

test('any address leads to a page of the shop', () => {
  const piece = fc.constantFrom('/', '\\', '.', '..', '\t', '\n', '@', ':', '?', '#', 'evil.test');
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }), (pieces) => {
      const path = nextPath(pieces.join(''));
      const url = new URL(path, 'https://shop.test');
      expect(url.origin).toBe('https://shop.test');
      expect(nextPath(path), 'the path leads to itself').toBe(path);
    }),
    { numRuns: 2000 },
  );
});

test('a link to log in or register names the page to return to and the tapped change, but never the start page or an account screen', () => {
  expect(accountHref('/login', '/?q=linen&category=Men')).toBe(
    '/login?next=%2F%3Fq%3Dlinen%26category%3DMen',
  );
  expect(accountHref('/register', '/')).toBe('/register');
  expect(accountHref('/login', '/register?next=%2Fcart')).toBe('/login');
  expect(accountHref('/register', '/cart', 'a&b')).toBe('/register?next=%2Fcart&add=a%26b');
});
