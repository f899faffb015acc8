/** The addresses of the shop, as the host serves them and as the app draws them. */
import { expect, test } from 'vitest';
import { REWRITES } from '../../netlify/build/site-rules.ts';
import { isAppRoute, isCheckout, ROUTES } from '../../src/domain/routes.ts';

test('the host serves the app for exactly the addresses that the app draws', () => {
  const fromDocument = (name: string) =>
    REWRITES.filter(({ to }) => to === name).map(({ from }) => from);
  expect(fromDocument('/checkout.html')).toEqual(ROUTES.filter(isCheckout));
  expect(fromDocument('/index.html')).toEqual(
    ROUTES.filter((path) => path !== '/' && !isCheckout(path)),
  );
});

test('an address belongs to the app with and without a slash at its end, and a longer one does not', () => {
  expect(isAppRoute('/')).toBe(true);
  expect(isAppRoute('/cart')).toBe(true);
  expect(isAppRoute('/cart/')).toBe(true);
  expect(isAppRoute('/cart/1')).toBe(false);
  expect(isAppRoute('/llms.txt')).toBe(false);
  expect(isAppRoute('/assets/index.js')).toBe(false);
});
