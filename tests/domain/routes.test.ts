import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { isAppRoute, isCheckout, ROUTES } from '../../src/domain/routes.ts';

test('the host serves the app for exactly the addresses that the app draws', () => {
  const toml = readFileSync(join(import.meta.dirname, '../../netlify.toml'), 'utf8');
  const { redirects } = parse(toml) as {
    redirects: { from: string; to: string; status: number }[];
  };
  const documents = new Set(['/index.html', '/checkout.html']);
  const served = redirects.filter(({ to, status }) => documents.has(to) && status === 200);
  const checkoutRoutes = served.filter(({ to }) => to === '/checkout.html').map(({ from }) => from);
  expect(checkoutRoutes).toEqual(ROUTES.filter(isCheckout));
  expect(served.map(({ from }) => from).sort()).toEqual(
    ROUTES.filter((path) => path !== '/').sort(),
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
