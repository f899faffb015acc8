/** Title, description and canonical address of each page. */
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/domain/routes.ts';
import { headOf } from '../../src/ui/page-head.ts';

/** All pages but a product's, which describes itself. */
const PAGES = ROUTES.filter((path) => path !== '/product/*');

test('every page has its own description and its own canonical address', () => {
  const heads = PAGES.map((path) => headOf(path, ''));
  expect(new Set(heads.map(({ description }) => description)).size).toBe(PAGES.length);
  expect(heads.map(({ canonical }) => canonical)).toEqual(PAGES);
});

test('a page on which strangers see nothing is kept out of search results', () => {
  const unlisted = PAGES.filter((path) => !headOf(path, '').isListed);
  expect(unlisted).toEqual([
    '/reset-password',
    '/checkout/success',
    '/orders',
    '/admin/orders',
    '/admin/products',
  ]);
  expect(headOf('/nothing-here', '').isListed).toBe(false);
});

test('a category has one canonical address, also when a shopper searches, filters or sorts in it', () => {
  const head = headOf('/', '?favourites=&q=blue&category=Socks+%26+tights');
  expect(head.canonical).toBe('/?category=Socks+%26+tights');
  expect(head.description).toMatch(/^Socks & tights:/);
  const filtered = headOf('/', '?category=Women&size=M&price=80-&sort=price-asc');
  expect(filtered.canonical).toBe('/?category=Women');
  expect(headOf('/', '?q=blue').canonical).toBe('/');
  expect(headOf('/cart/', '?category=Socks').canonical).toBe('/cart');
});
