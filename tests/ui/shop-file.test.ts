/** Names of the files that a shop hands out. */
import { expect, test } from 'vitest';
import { shopFile } from '../../src/ui/shop-file.ts';

test.each([
  ['Weft', 'weft-catalogue.csv'],
  ['Nordkap & Söhne/Oslo', 'nordkap-söhne-oslo-catalogue.csv'],
  ['..', 'catalogue.csv'],
])('a shop called %s hands out %s', (shop, name) => {
  expect(shopFile('catalogue.csv', shop)).toBe(name);
});
