/** How shoppers write to the shop. */
import { expect, test } from 'vitest';
import { contactAbout } from '../../src/domain/shop-note.ts';

test.each([
  ['mailto:help@weft.test', 'mailto:help@weft.test?subject=Order%20AB%2F1'],
  ['mailto:help@weft.test?cc=a@b.c', 'mailto:help@weft.test?cc=a@b.c&subject=Order%20AB%2F1'],
  ['https://weft.test/contact', 'https://weft.test/contact'],
])('the contact %s leads from an order to %s', (contact, href) => {
  expect(contactAbout(contact, 'Order AB/1')).toBe(href);
});
