/** The addresses of the shop, as the host serves them and as the app draws them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REWRITES } from '../../netlify/build/site-rules.ts';
import { isAppRoute, isCheckout, productHref, ROUTES } from '../../src/domain/routes.ts';
import { stockCodeIn } from '../../src/domain/product-page.ts';

test('the host serves the app for exactly the addresses that the app draws', () => {
  const fromDocument = (name: string) =>
    REWRITES.filter(({ to }) => to === name).map(({ from }) => from);
  expect(fromDocument('/checkout.html')).toEqual(ROUTES.filter(isCheckout));
  const products = fromDocument('/.netlify/functions/product');
  expect(products).toEqual(['/product/*']);
  expect([...products, ...fromDocument('/index.html')]).toEqual(
    ROUTES.filter((path) => path !== '/' && !isCheckout(path)),
  );
});

test('an address belongs to the app with and without a slash at its end, and a longer one does not', () => {
  const drawn = ['/', '/cart', '/cart/', '/product/A%2F1'];
  const others = ['/cart/1', '/products', '/llms.txt', '/assets/index.js'];
  expect([...drawn, ...others].filter(isAppRoute)).toEqual(drawn);
});

const SITE = 'https://weft.example';
/** Any code that an import takes, and more. An import takes none with a line break. */
const stockCode = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...Array.from('/%?#~. +&"\\Aéл布')), minLength: 1 }),
  )
  .filter((code) => code.isWellFormed() && !/[\n\r\u2028\u2029]/.test(code));

test('every stock code goes into an address and comes out again, whatever the browser makes of it', () => {
  fc.assert(
    fc.property(stockCode, fc.string(), (skc, size) => {
      const { pathname, searchParams, hash } = new URL(productHref({ skc, size }), SITE);
      expect(stockCodeIn(pathname)).toBe(skc);
      expect(isAppRoute(pathname)).toBe(true);
      expect(searchParams.get('size') ?? '').toBe(size.toWellFormed());
      expect(hash).toBe('');
    }),
  );
});

test.each([
  ['/product/A-1/', 'A-1'],
  ['/product/A/1', 'A/1'],
  ['/product/~..', '..'],
  ['/product/~~', '~'],
  ['/product/', null],
  ['/product/~', null],
  ['/product/a%0Ab', null],
  ['/product/a%E2%80%A8', null],
  ['/product/%', null],
  ['/product/%ff', null],
  ['/cart', null],
])('the address %s has the stock code %s (null for none)', (path, code) => {
  expect(stockCodeIn(path)).toBe(code);
});
